/// The rows of a live list at one commit. Immutable; copies share their storage.
public struct LiveSnapshot<Element: Sendable>: Sendable {
  /// The rows of the window, in the query's order.
  public let rows: LiveRows<Element>
  /// The unreadable rows of the window, in the order of the query. Mostly empty. They are not in ``rows``, but count
  /// towards the window.
  public let unreadableRows: [UnreadableRow]
  /// The commit whose state the rows show; nil before the first rows are read.
  public let commit: Commit?
  /// The relation of the snapshot to the database: loading, current, suspended or failed.
  public let state: LiveState
  /// Whether the query has rows beyond the window.
  public let hasMore: Bool

  /// The rows as an array. O(rows).
  public var elements: [Element] { rows.elements }
}

/// The step from one snapshot of a live list to the next.
public struct LiveChange<Element: Sendable>: Sendable {
  /// Changes to be applied in order to the rows of the snapshot before; for the first change, to no rows.
  public let difference: RowDifference
  /// The rows after the change.
  public let snapshot: LiveSnapshot<Element>
}

/// A live count or value at one commit.
public struct LiveReading<Value: Sendable>: Sendable {
  /// The value; nil before it is first read. Also nil when the query has no first row.
  public let value: Value?
  /// The commit whose state the value shows.
  public let commit: Commit?
  /// The relation of the value to the database: loading, current, suspended or failed.
  public let state: LiveState
  /// Changes with the value; nil before the first value is read.
  let version: Version?

  struct Version: Hashable, Sendable {
    /// The row that the value comes from; nil for none, and for values of no single row.
    let row: RowID?
    let number: UInt64
  }
}
