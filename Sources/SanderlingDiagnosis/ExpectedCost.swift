import Foundation

/// A rough cost of an execution before its run, from its plan and the table sizes. It is good enough to choose the
/// order of measuring.
struct ExpectedCost {
  let schema: DatabaseSchema
  /// Gives the number of rows that an index finds; nil if a guess is enough.
  var frequencies: KeyFrequencies?
  /// Indexes that exist only in hypothetical plans, by their names in lower case.
  var candidates: [String: IndexCandidate] = [:]

  /// Returns the approximate number of rows read. O(nodes · tables).
  func of(_ plan: QueryPlan, in shape: QueryShape?) -> Double {
    let sources = (shape?.selectsWithViews ?? []).flatMap(\.sources).compactMap { source in
      source.table.map { (source.name.asciiLowercased, $0) }
    }
    return 1
      + cost(
        of: plan.roots, Dictionary(sources) { first, _ in first }, depth: 0,
        most: shape.flatMap { $0.selects.first { $0.parent == nil } }.flatMap { mostRows(of: plan, $0) } ?? .infinity)
  }

  /// Returns the number of rows after which a limit ends the loops; nil if there is no limit or all rows must be sorted
  /// first.
  ///
  /// Conditions that no index serves exclude most of the rows.
  private func mostRows(of plan: QueryPlan, _ select: SelectShape) -> Double? {
    guard let limit = select.mostRows, !select.isCompound else { return nil }
    var searched = 0
    for node in plan.roots {
      if case .temporaryBTree = node.step { return nil }
      if case .search(_, _, _, let terms) = node.step { searched += terms.count }
    }
    let conditions = select.sources.reduce(select.residues.count) { $0 + $1.terms.count }
    return max(1, limit) * pow(Self.rowsOfOne, Double(min(3, max(0, conditions - searched))))
  }

  /// Returns the cost of the nodes of one level. They are a join: each runs for each row of the earlier nodes.
  private func cost(
    of nodes: [PlanNode], _ sources: [String: String], depth: Int, most: Double = .infinity
  ) -> Double {
    guard depth < Self.greatestDepth else { return 0 }
    var (rows, cost) = (1.0, 0.0)
    for node in nodes {
      let inner = node.children.isEmpty ? 0 : self.cost(of: node.children, sources, depth: depth + 1)
      switch node.step {
      case .scan(let table, let index, let isCovering):
        let all = min(most, count(table, sources))
        cost += rows * all * (index == nil || isCovering ? 1 : Self.costOfLookUp)
        rows *= max(1, all * Self.shareOfConditions)
      case .search(let table, let index, let isCovering, let terms):
        let found = min(most, found(index, terms, in: table, sources))
        cost += rows * (found * (index == nil || isCovering ? 1 : Self.costOfLookUp) + Self.costOfSearch)
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

  /// Returns the number of rows that one search finds.
  private func found(_ index: String?, _ terms: [String], in name: String, _ sources: [String: String]) -> Double {
    let rows = count(name, sources)
    let equal = terms.count { $0.hasSuffix("=?") && !$0.hasSuffix(">=?") && !$0.hasSuffix("<=?") }
    let shareOfRanges = terms.count > equal ? Self.shareOfRange : 1
    guard equal > 0 else { return terms.isEmpty ? 1 : rows * shareOfRanges }
    guard let index else { return 1 }
    if let candidate = candidates[index.asciiLowercased] {
      let keys = candidate.keys.prefix(equal).map(\.sql)
      let shared = frequencies?.rows(sharing: keys, in: candidate.table) ?? guess(rows, equal)
      return max(1, shared * shareOfRanges)
    }
    guard let known = schema.index(index) else { return 1 }
    if known.isUnique, equal >= known.keys.count { return 1 }
    if known.statistics.count > equal { return Double(known.statistics[equal]) }
    let keys = known.keys.prefix(equal).compactMap { $0.column.map(\.quotedIdentifier) ?? $0.expression }
    return max(1, (frequencies?.rows(sharing: keys, in: known.table) ?? guess(rows, equal)) * shareOfRanges)
  }

  private func guess(_ rows: Double, _ equal: Int) -> Double {
    min(rows, max(Self.costOfSearch, rows / pow(50, Double(equal))))
  }

  private static let greatestDepth = 50
  private static let usualRows: Int64 = 1_000
  private static let costOfSearch = 10.0
  private static let shareOfConditions = 0.1
  private static let shareOfRange = 0.25
  /// The number of rows that must be read for one row that passes a condition.
  private static let rowsOfOne = 50.0
  /// The cost of looking up a row from an index entry: the path crosses several pages.
  private static let costOfLookUp = 12.0
}

extension SelectShape {
  /// The row count of its limit; nil unless the limit is a literal number.
  fileprivate var mostRows: Double? {
    guard case .literal(let limit)? = limit, limit >= 0 else { return nil }
    guard case .literal(let skipped)? = offset else { return offset == nil ? Double(limit) : nil }
    return Double(limit) + Double(max(0, skipped))
  }
}
