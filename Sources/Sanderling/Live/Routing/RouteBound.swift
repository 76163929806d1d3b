/// The far edge of a full window, by the first key of the window's ordering. Rows that sort strictly after the edge
/// can't enter the window.
struct RouteBound: Hashable, Sendable {
  let column: RouteColumn
  /// The values of the column with which a row may enter the window.
  let range: RouteRange

  /// - Parameters:
  ///   - ordering: The first key of the window's ordering.
  ///   - value: The value of this key in the row at the window's edge.
  /// - Returns: Nil if the key is not a column, or if the values with which a row may enter are not one range.
  init?(_ ordering: Ordering, value: StorageValue) {
    let collation = ordering.term.comparisonCollation ?? .binary
    guard let column = RouteColumn(ordering.term, collation: collation) else { return nil }
    self.column = column
    let edge = RouteRange.End(value: value, isIncluded: true)
    switch (ordering.isDescending, ordering.putsNullsLast) {
    case (_, true) where value.isNull:
      // All values sort before NULL or equal it, so a row may enter with any value.
      return nil
    case (_, false) where value.isNull:
      range = RouteRange(lower: nil, upper: edge)
    case (false, let putsNullsLast):
      range = RouteRange(lower: putsNullsLast ? .afterNull : nil, upper: edge)
    case (true, true):
      range = RouteRange(lower: edge, upper: nil)
    case (true, false):
      // A row may enter with NULL, and with any value from the greatest down to the edge. That is not one range.
      return nil
    }
  }
}
