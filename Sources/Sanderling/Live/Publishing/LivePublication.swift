/// The value that consumers receive from a query: a snapshot of rows, or a reading of a value.
protocol LivePublication: Sendable {
  /// The value before the first load.
  static var unread: Self { get }

  /// The commit whose rows or value it contains; nil before the first load.
  var commit: Commit? { get }

  var state: LiveState { get }

  /// The same content in another state.
  func inState(_ state: LiveState) -> Self

  /// Whether the contents are equal, whatever the states and commits.
  func hasSameContent(as other: Self) -> Bool
}

extension LiveSnapshot: LivePublication {
  static var unread: LiveSnapshot {
    LiveSnapshot(rows: LiveRows(), unreadableRows: [], commit: nil, state: .loading, hasMore: false)
  }

  func inState(_ state: LiveState) -> LiveSnapshot {
    LiveSnapshot(rows: rows, unreadableRows: unreadableRows, commit: commit, state: state, hasMore: hasMore)
  }

  func hasSameContent(as other: LiveSnapshot) -> Bool {
    hasMore == other.hasMore && rows.stamps == other.rows.stamps && unreadableRows.areSame(as: other.unreadableRows)
  }
}

extension LiveReading: LivePublication {
  static var unread: LiveReading { LiveReading(value: nil, commit: nil, state: .loading, version: nil) }

  func inState(_ state: LiveState) -> LiveReading {
    LiveReading(value: value, commit: commit, state: state, version: version)
  }

  func hasSameContent(as other: LiveReading) -> Bool {
    version == other.version
  }
}
