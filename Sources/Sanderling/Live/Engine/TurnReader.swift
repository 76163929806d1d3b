import GRDB

/// A connection on which a turn reads, or what it left is read.
///
/// A pool looks for a free reader, and asks it for the schema's version, at each read: that takes as long as looking at a
/// change of one row. Opened with the first turn; closed when nothing is captured any more, a minute after the last result was let go
/// of, when the schema changes, and when memory is scarce.
final class TurnReader: Sendable {
  private struct State {
    var connection: DatabaseQueue?
    /// Counts the connections, so that what one read is told from what another did.
    var number: UInt32 = 0
    var isReading = false
    var isClosed = false
  }

  /// Guards the connection and whether a turn, or the reads that it left behind, use it.
  private let state = Lock(State())
  private let reader: UInt8

  /// - Parameter number: Which of the readers it is.
  init(number: UInt8) {
    reader = number
  }

  /// Runs `body` with the connection and what tells it from others, outside of a transaction.
  ///
  /// - Parameter writer: A pool, or what wraps one.
  /// - Returns: False when the connection is in use.
  /// - Throws: What `body` throws, why the database can't be opened, ``StoreError/closed`` after ``close(forGood:)``.
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
    // While the pool's own reader is held the pool is open, and the file is its file.
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

  /// Closes the connection, once it is not in use.
  ///
  /// - Parameter isForGood: Whether no other one is to be opened.
  func close(forGood isForGood: Bool = false) {
    state.withLock { state in
      state.connection = nil
      state.isClosed = state.isClosed || isForGood
    }
  }
}
