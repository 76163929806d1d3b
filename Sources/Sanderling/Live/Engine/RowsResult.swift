/// A query that has rows of a type. A class rather than a protocol, since it is asked for at each delivery.
class RowsResult<Element: Sendable>: LiveQuery {
  /// The rows of a consumer that shows so many, and whether there are more.
  func rows(window: Int) -> (rows: LiveRows<Element>, hasMore: Bool) {
    preconditionFailure("each kind of query has its own rows")
  }
}
