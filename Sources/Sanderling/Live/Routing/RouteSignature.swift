/// A query's condition in the form by which the router finds the query: one of several branches.
///
/// Every row that the query may keep satisfies a branch. Other rows may satisfy one too.
struct RouteSignature: Sendable {
  private(set) var branches: [RouteBranch]
  let bound: RouteBound?

  /// In how many places of the router a query is at most.
  static let maximumEntryCount = 100_000
  /// A bound that moves is moved in so many places at most.
  private static let maximumBoundCount = 16

  /// - Parameters:
  ///   - condition: The query's condition, or the part of it that is known; nil for all rows.
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

  /// The range by which a branch is looked up: its own, that of a bound, or the common part if both concern one column.
  ///
  /// - Returns: Nil for none; an empty range if no row can satisfy both.
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
