/// Names the problem that a set of indexes solves, by the plans before and after.
struct AdviceKind {
  let shape: QueryShape
  let before: QueryPlan
  let after: QueryPlan
  let indexes: [IndexCandidate]

  /// The kind, and the node of the plan before that it is about.
  func find() -> (kind: FindingKind, node: Int?) {
    guard let main = indexes.first(where: { scanned($0.table) != nil }) ?? indexes.first else {
      return (.fullScan, nil)
    }
    let node = access(main.table)
    // The statement itself doesn't name the table.
    let tables = Set(shape.selectsWithViews.flatMap(\.sources).compactMap { $0.table?.asciiLowercased })
    if let reference = indexes.first(where: {
      $0.purposes.contains(.foreignKey) && !tables.contains($0.table.asciiLowercased)
    }) {
      return (.slowForeignKey, access(reference.table)?.id)
    }
    if let automatic = before.nodes.first(where: { automaticTable($0).map(isIndexed) ?? false }) {
      return (.automaticIndex, automatic.id)
    }
    if let special = special(node) { return (special, node?.id) }
    if let sort = vanishedSort(main, node) { return sort }
    if isInCorrelatedSubquery(node), node?.isFullScan == true { return (.subqueryPerRow, node?.id) }
    if isNowCovered(main, node) { return (.indexNotCovering, node?.id) }
    return (.fullScan, node?.id)
  }

  /// Kinds that the index itself shows.
  private func special(_ node: PlanNode?) -> FindingKind? {
    if indexes.contains(where: { $0.condition != nil }) { return .partialIndex }
    if indexes.contains(where: \.hasExpression) { return .expressionIndex }
    let purposes = indexes.reduce(into: Set<IndexCandidate.Purpose>()) { $0.formUnion($1.purposes) }
    if purposes.contains(.alternative), after.nodes.contains(where: { $0.step == .multiIndexOr }) {
      return .orWithoutIndex
    }
    if purposes.contains(.pattern) { return .patternWithoutIndex }
    if purposes.contains(.caseInsensitive) { return .caseInsensitiveWithoutIndex }
    return nil
  }

  /// A sort that is not there any more, unless finding the rows gained as well.
  private func vanishedSort(_ index: IndexCandidate, _ node: PlanNode?) -> (FindingKind, Int?)? {
    let isSeekNew = node?.isFullScan == true && after.nodes.contains { $0.step.index != nil && $0.isSearch }
    guard !isSeekNew else { return nil }
    for (kind, isKind) in Self.sorts {
      let sorts = before.nodes.filter { isKind($0.step) }
      if sorts.count > after.nodes.filter({ isKind($0.step) }).count { return (kind, sorts.first?.id) }
    }
    return nil
  }

  private static let sorts: [(FindingKind, @Sendable (PlanStep) -> Bool)] = [
    (
      .sortWithoutIndex,
      {
        switch $0 {
        case .temporaryBTree(.orderBy), .temporaryBTree(.lastTermsOfOrderBy): true
        default: false
        }
      }
    ),
    (.groupWithoutIndex, { $0 == .temporaryBTree(purpose: .groupBy) }),
    (.distinctWithoutIndex, { $0 == .temporaryBTree(purpose: .distinct) }),
  ]

  /// Whether only the look-ups in the table are gone.
  private func isNowCovered(_ index: IndexCandidate, _ node: PlanNode?) -> Bool {
    guard let node, let now = after.nodes.first(where: { names(of: index.table).contains($0.table ?? "") }) else {
      return false
    }
    guard now.isCovering, !node.isCovering else { return false }
    return node.isSearch ? node.terms == now.terms : !now.isSearch
  }

  private func isInCorrelatedSubquery(_ node: PlanNode?) -> Bool {
    guard let node else { return false }
    return before.nodes.contains {
      if case .subquery(true, _) = $0.step { $0.withDescendants.contains { $0.id == node.id } } else { false }
    }
  }

  // MARK: Nodes of a table

  private func access(_ table: String) -> PlanNode? {
    let names = names(of: table)
    let nodes = before.nodes.filter { names.contains($0.table ?? "") }
    return nodes.first(where: \.isFullScan) ?? nodes.first
  }

  private func scanned(_ table: String) -> PlanNode? {
    let names = names(of: table)
    return before.nodes.first { names.contains($0.table ?? "") && $0.isFullScan }
  }

  private func isIndexed(_ name: String) -> Bool { indexes.contains { names(of: $0.table).contains(name) } }

  private func automaticTable(_ node: PlanNode) -> String? {
    if case .automaticIndex(let table, _, _) = node.step { table.asciiLowercased } else { nil }
  }

  /// The table's name and its aliases, as plans call it, in lower case.
  private func names(of table: String) -> Set<String> {
    var names: Set<String> = [table.asciiLowercased]
    for source in shape.selectsWithViews.flatMap(\.sources)
    where source.table?.asciiLowercased == table.asciiLowercased {
      names.insert(source.name.asciiLowercased)
    }
    return names
  }
}

extension PlanNode {
  /// The table that the node reads, as the plan calls it, in lower case.
  fileprivate var table: String? {
    switch step {
    case .scan(let table, _, _), .search(let table, _, _, _), .automaticIndex(let table, _, _): table.asciiLowercased
    default: nil
    }
  }

  fileprivate var isFullScan: Bool { if case .scan = step { true } else { false } }
  fileprivate var isSearch: Bool { if case .search = step { true } else { false } }

  fileprivate var isCovering: Bool {
    switch step {
    case .scan(_, _, let isCovering), .search(_, _, let isCovering, _): isCovering
    default: false
    }
  }

  fileprivate var terms: [String] { if case .search(_, _, _, let terms) = step { terms } else { [] } }
}
