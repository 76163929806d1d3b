import Foundation

/// What an execution may cost by its plan and the sizes of tables, before it ran: good enough to tell what to measure first.
struct ExpectedCost {
  let schema: DatabaseSchema

  /// In rows that are read, about. O(nodes · tables).
  func of(_ plan: QueryPlan, sources: [String: String]) -> Double {
    1 + cost(of: plan.roots, sources, depth: 0)
  }

  /// The nodes of a level are a join: each runs for each row of those before it.
  private func cost(of nodes: [PlanNode], _ sources: [String: String], depth: Int) -> Double {
    guard depth < Self.greatestDepth else { return 0 }
    var (rows, cost) = (1.0, 0.0)
    for node in nodes {
      let inner = node.children.isEmpty ? 0 : self.cost(of: node.children, sources, depth: depth + 1)
      switch node.step {
      case .scan(let table, _, _):
        let all = count(table, sources)
        cost += rows * all
        rows *= max(1, all * Self.shareOfConditions)
      case .search(let table, let index, _, let terms):
        let found = found(index, terms, of: count(table, sources))
        cost += rows * (found + Self.costOfSearch)
        rows *= max(1, found)
      case .automaticIndex(let table, _, _):
        let all = count(table, sources)
        cost += all * log2(max(2, all)) + rows * Self.costOfSearch
      case .virtualTable(let table, _): cost += rows * max(Self.costOfSearch, count(table, sources) / 10)
      case .temporaryBTree: cost += rows
      case .subquery(let isCorrelated, _): cost += (isCorrelated ? rows : 1) * inner
      default: cost += inner
      }
      cost = min(cost, 1e15)
      rows = min(rows, 1e12)
    }
    return cost
  }

  private func count(_ name: String, _ sources: [String: String]) -> Double {
    Double(schema.table(sources[name.asciiLowercased] ?? name)?.rowCount ?? Self.usualRows)
  }

  /// The rows that one search finds.
  private func found(_ index: String?, _ terms: [String], of rows: Double) -> Double {
    let equal = terms.count { $0.hasSuffix("=?") && !$0.hasSuffix(">=?") && !$0.hasSuffix("<=?") }
    guard equal > 0 else { return terms.isEmpty ? 1 : rows / 4 }
    guard let index, let known = schema.index(index) else { return 1 }
    if known.isUnique, equal >= known.keys.count { return 1 }
    if known.statistics.count > equal { return Double(known.statistics[equal]) }
    return min(rows, max(Self.costOfSearch, rows / pow(50, Double(equal))))
  }

  private static let greatestDepth = 50
  private static let usualRows: Int64 = 1_000
  private static let costOfSearch = 10.0
  private static let shareOfConditions = 0.1
}
