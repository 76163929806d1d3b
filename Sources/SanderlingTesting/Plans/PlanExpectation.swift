import SanderlingDiagnosis

/// An expected property of a query's plan. Made by ``ExpectedPlan``.
public struct PlanExpectation: Sendable {
  /// The end of a sentence that begins with "the plan", for example "uses the index task_on_dueAt".
  let summary: String
  let isMet: @Sendable (QueryPlan) -> Bool
}

/// A property to expect of a plan, which holds for every version of SQLite.
public struct ExpectedPlan: Sendable {
  /// An index is read, to find rows or to have them in its order.
  public func usesIndex(_ name: String) -> PlanExpectation {
    PlanExpectation(summary: "uses the index \(name)") { plan in
      plan.nodes.contains { $0.step.readIndex?.isSameName(as: name) ?? false }
    }
  }

  /// Rows of a table are found by a key or an index, and never by reading all of them.
  public func searches(_ table: String) -> PlanExpectation {
    PlanExpectation(summary: "searches \(table)") { plan in
      let steps = plan.nodes.map(\.step).filter { $0.readTable?.isSameName(as: table) ?? false }
      return !steps.isEmpty && steps.allSatisfy { if case .search = $0 { true } else { false } }
    }
  }

  /// Nothing is sorted, grouped or made distinct in a temporary B-tree.
  public var doesNotSort: PlanExpectation {
    PlanExpectation(summary: "does not sort") { plan in
      !plan.nodes.contains { if case .temporaryBTree = $0.step { true } else { false } }
    }
  }

  /// No table is read from its beginning to its end. Walking an index in its order is no scan of the table.
  public var doesNotScan: PlanExpectation {
    PlanExpectation(summary: "does not scan a table") { plan in
      !plan.nodes.contains { if case .scan(_, nil, _) = $0.step { true } else { false } }
    }
  }

  /// SQLite makes no index for the one execution.
  public var makesNoIndex: PlanExpectation {
    PlanExpectation(summary: "makes no automatic index") { plan in
      !plan.nodes.contains { if case .automaticIndex = $0.step { true } else { false } }
    }
  }

  /// All that is read of the index's table is in the index.
  public func isCovered(by index: String) -> PlanExpectation {
    PlanExpectation(summary: "is covered by the index \(index)") { plan in
      plan.nodes.contains { node in
        switch node.step {
        case .scan(_, let name?, true), .search(_, let name?, true, _): name.isSameName(as: index)
        default: false
        }
      }
    }
  }
}

/// Collects expectations, one a line.
@resultBuilder
public enum PlanExpectationBuilder {
  public static func buildBlock(_ expectations: PlanExpectation...) -> [PlanExpectation] { expectations }
}

extension String {
  /// Whether SQLite treats both as the same name: ASCII letters compare without case, all other bytes exactly.
  fileprivate func isSameName(as other: String) -> Bool {
    func folded(_ name: String) -> [UInt8] {
      name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
    }
    return folded(self) == folded(other)
  }
}

extension PlanStep {
  fileprivate var readIndex: String? {
    switch self {
    case .scan(_, let index, _), .search(_, let index, _, _): index
    default: nil
    }
  }

  fileprivate var readTable: String? {
    switch self {
    case .scan(let table, _, _), .search(let table, _, _, _), .automaticIndex(let table, _, _): table
    default: nil
    }
  }
}
