import GRDB

/// A connection for the reads of a turn, or for its loads.
///
/// A pool searches a free reader at each read and asks it for the schema's version, which takes as long as applying the
/// change of one row. The first turn opens this connection. It is closed when capture ends (a minute after the last
/// result was closed), when the schema changes, and when memory is scarce.
final class TurnReader: Sendable {
  private struct State {
    var connection: DatabaseQueue?
    /// The number of the connection, so that reads of two connections differ.
    var number: UInt32 = 0
    var isReading = false
    var isClosed = false
  }

  /// Guards the connection, and whether a turn or its loads use it.
  private let state = Lock(State())
  private let reader: UInt8

  /// - Parameter number: The number of the reader.
  init(number: UInt8) {
    reader = number
  }

  /// Runs `body` with the connection and its identity, outside of a transaction.
  ///
  /// - Parameter writer: A pool, or a wrapper of one.
  /// - Returns: False when the connection is in use.
  /// - Throws: The error of `body`, the reason why the database can't be opened, ``StoreError/closed`` after
  ///   ``close(forGood:)``.
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
    configuration.label = (configuration.label ?? "GRDB") + ".live"
    // While a reader of the pool is held, the pool is open, and the path still names its file.
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

  /// Closes the connection as soon as it is unused.
  ///
  /// - Parameter isForGood: Whether no other connection may be opened.
  func close(forGood isForGood: Bool = false) {
    state.withLock { state in
      state.connection = nil
      state.isClosed = state.isClosed || isForGood
    }
  }
}
