/// The far edge of a full window, by the first key of its ordering. Rows that sort strictly after it can't enter.
struct RouteBound: Hashable, Sendable {
  let column: RouteColumn
  /// The values with which a row may enter.
  let range: RouteRange

  /// - Parameters:
  ///   - ordering: The first key of the window's ordering.
  ///   - value: The key's value in the row at the edge.
  /// - Returns: Nil when the key is no column, and when the values with which rows may enter are no range.
  init?(_ ordering: Ordering, value: StorageValue) {
    let collation = ordering.term.comparisonCollation ?? .binary
    guard let column = RouteColumn(ordering.term, collation: collation) else { return nil }
    self.column = column
    let edge = RouteRange.End(value: value, isIncluded: true)
    switch (ordering.isDescending, ordering.putsNullsLast) {
    case (_, true) where value.isNull:
      // All other values come before.
      return nil
    case (_, false) where value.isNull:
      range = RouteRange(lower: nil, upper: edge)
    case (false, let putsNullsLast):
      range = RouteRange(lower: putsNullsLast ? .afterNull : nil, upper: edge)
    case (true, true):
      range = RouteRange(lower: edge, upper: nil)
    case (true, false):
      // NULL, and then all values from the greatest down to the edge.
      return nil
    }
  }
}
