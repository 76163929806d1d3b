/// The choice and the order of the browsed rows.
struct BrowsedArrangement: Equatable {
  /// A visible column to sort by. Rows with equal values are sorted by their key.
  struct Order: Equatable {
    let column: Int
    let isDescending: Bool
  }

  /// The search that the rows match; nil for all rows.
  var search: BrowsedSearch?
  /// The order; nil for the order in which the command was started.
  var order: Order?

  /// The order that follows for a column: ascending, descending, then none.
  func next(of column: Int) -> Order? {
    guard let order, order.column == column else { return Order(column: column, isDescending: false) }
    return order.isDescending ? nil : Order(column: column, isDescending: true)
  }
}
