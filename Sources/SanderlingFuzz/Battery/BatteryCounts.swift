import Sanderling

/// Counts of one table's rows by their own columns, all computed by one SELECT.
struct BatteryCounts: Sendable {
  /// The positions in the battery of the queries that these counts check.
  let positions: [Int]
  private let select: FreshSelect

  /// - Returns: The counts of a battery, one value for each table.
  static func all(in battery: [LiveQuerySpec]) -> [BatteryCounts] {
    let positions = battery.indices.filter { battery[$0].countsByOwnColumns }
    return Dictionary(grouping: positions) { battery[$0].record }.values.compactMap { positions in
      guard let first = positions.first else { return nil }
      var spec = battery[first]
      let columns = positions.compactMap { battery[$0].statement.condition }.map { condition in
        Term.summary(.sum, .unary(.not, .unary(.not, condition.asCondition)))
      }
      spec.form = .value
      spec.statement = SelectStatement(source: spec.statement.source, columns: columns)
      return BatteryCounts(positions: positions, select: FreshSelect(spec))
    }
  }

  /// The expectation of each query. Nil if one query fails, because then the whole SELECT fails.
  func expectations(_ tx: ReadTransaction) -> [Expectation]? {
    guard let row = select.expectation(tx).rows?.first else { return nil }
    return row.map { Expectation(rows: [[$0.isNull ? .integer(0) : $0]], error: nil) }
  }
}

extension LiveQuerySpec {
  fileprivate var countsByOwnColumns: Bool {
    guard case .count = form, case .table = statement.source, let condition = statement.condition else { return false }
    return statement.limit == nil && statement.offset == 0 && !statement.isGrouped && !statement.isDistinct
      && condition.isOfOwnColumns
  }
}

extension Term {
  /// Whether the term uses only the row's own columns and constants.
  fileprivate var isOfOwnColumns: Bool {
    switch self {
    case .column(let column): column.scope == .root
    case .aggregate, .subquery, .raw, .summary, .invalid: false
    default: operands.allSatisfy(\.isOfOwnColumns)
    }
  }
}
