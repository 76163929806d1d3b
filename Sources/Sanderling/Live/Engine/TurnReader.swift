import GRDB

/// A connection for a turn, or for the loads of an ended turn.
///
/// A pool's read looks for a free reader and checks the schema's version, which takes as long as processing a change of
/// one row. The connection is opened with the first turn. It is closed when the schema changes, when memory is scarce,
/// and when nothing is captured any more. That is a minute after the last result was released.
final class TurnReader: Sendable {
  private struct State {
    var connection: DatabaseQueue?
    /// The number of connections so far, part of a snapshot's mark.
    var number: UInt32 = 0
    var isReading = false
    var isClosed = false
  }

  /// Guards the connection, and whether a turn or its loads use it.
  private let state = Lock(State())
  private let reader: UInt8
  /// The end of the connections' labels.
  private static let labelSuffix = ".live"

  /// - Parameter number: The number of this reader.
  init(number: UInt8) {
    reader = number
  }

  /// Runs `body` with the connection and its identity, outside of a transaction.
  ///
  /// - Parameter writer: A pool, or a wrapper of a pool.
  /// - Returns: False when the connection is in use.
  /// - Throws: Errors of `body`, errors of opening the database, ``StoreError/closed`` after ``close(forGood:)``.
  func read(
    like writer: any DatabaseWriter, _ body: (Database, SnapshotMark.Connection) throws -> Void
  ) throws -> Bool {
    let isFree = try state.withLock { state in
      if state.isClosed { throw StoreError.closed }
      if state.isReading { return false }
      state.isReading = true
      return true
    }
    guard isFree else { return false }
    defer { state.withLock { $0.isReading = false } }
    let (connection, number) = try connection(like: writer)
    try connection.unsafeRead { try body($0, SnapshotMark.Connection(number: number, reader: reader)) }
    return true
  }

  private func connection(like writer: any DatabaseWriter) throws -> (DatabaseQueue, UInt32) {
    if let open = state.withLock({ state in state.connection.map { ($0, state.number) } }) { return open }
    var configuration = writer.configuration
    configuration.readonly = true
    configuration.label = (configuration.label ?? "GRDB") + Self.labelSuffix
    // While a reader of the pool is held, the pool is open, and the path names its file.
    let connection = try writer.unsafeRead { db in
      try db.throwIfClosed()
      return try DatabaseQueue(path: writer.path, configuration: configuration)
    }
    return try state.withLock { state in
      if state.isClosed { throw StoreError.closed }
      state.connection = connection
      state.number += 1
      return (connection, state.number)
    }
  }

  /// Whether a connection belongs to a reader, and not to the app.
  static func owns(_ db: Database) -> Bool {
    db.configuration.readonly && db.configuration.label?.hasSuffix(labelSuffix) == true
  }

  /// Closes the connection, once it is not in use.
  ///
  /// - Parameter isForGood: Whether no other connection may be opened.
  func close(forGood isForGood: Bool = false) {
    state.withLock { state in
      state.connection = nil
      state.isClosed = state.isClosed || isForGood
    }
  }
}
