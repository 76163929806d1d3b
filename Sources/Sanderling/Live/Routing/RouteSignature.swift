/// A query's requirements on a row, as one or more branches. The router finds the query with them.
///
/// Every row that the query may contain satisfies a branch. Other rows may, too.
struct RouteSignature: Sendable {
  private(set) var branches: [RouteBranch]
  let bound: RouteBound?

  /// The most places of the router for one query.
  static let maximumEntryCount = 100_000
  /// The most places in which a bound is moved.
  private static let maximumBoundCount = 16

  /// - Parameters:
  ///   - condition: The query's condition, or the known part of it; nil for all rows.
  ///   - bound: The far edge of the query's window, if it has one.
  init(condition: Term?, bound: RouteBound?) {
    branches = condition?.routeBranches ?? [.always]
    self.bound = bound
    var room = Self.maximumEntryCount
    for index in branches.indices {
      while branches[index].combinationCount(limit: .max) > max(room, 1) { branches[index].dropLargestEquality() }
      room -= branches[index].combinationCount(limit: .max)
    }
  }

  /// The range for the look-up of a branch: its own or the bound's, or for one column their intersection.
  ///
  /// - Returns: Nil for none; an empty range when no row can satisfy both.
  static func range(
    of branch: RouteBranch, bound: RouteBound?
  ) -> (column: RouteColumn, range: RouteRange)? {
    let own = branch.bestRange
    guard let bound, branch.combinationCount(limit: .max) <= maximumBoundCount,
      !branch.equalities.contains(where: { $0.column == bound.column })
    else { return own }
    if let same = branch.ranges.first(where: { $0.column == bound.column }) {
      return (bound.column, same.range.intersection(bound.range, bound.column.collation))
    }
    return own ?? (bound.column, bound.range)
  }
}
