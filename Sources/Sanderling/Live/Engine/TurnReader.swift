import GRDB

/// The connection on which turns read what changed.
///
/// A pool looks for a free reader, and asks it for the schema's version, at each read: that takes as long as looking at a
/// change of one row. Opened with the first change, and closed when nothing is followed.
final class TurnReader: Sendable {
  private struct State {
    var connection: DatabaseQueue?
    var isReading = false
  }

  /// Guards the connection and whether a turn, or the reads that it left behind, use it.
  private let state = Lock(State())

  /// Runs `body` with the connection, outside of a transaction.
  ///
  /// - Returns: False when it is in use.
  /// - Throws: What `body` throws, or why the database can't be opened.
  func read(like pool: DatabasePool, _ body: (Database) throws -> Bool) throws -> Bool {
    let isFree = state.withLock { state in
      defer { state.isReading = true }
      return !state.isReading
    }
    guard isFree else { return false }
    defer { state.withLock { $0.isReading = false } }
    return try connection(like: pool).unsafeRead(body)
  }

  private func connection(like pool: DatabasePool) throws -> DatabaseQueue {
    if let connection = state.withLock({ $0.connection }) { return connection }
    var configuration = pool.configuration
    configuration.readonly = true
    configuration.label = (configuration.label ?? "GRDB") + ".live"
    let connection = try DatabaseQueue(path: pool.path, configuration: configuration)
    state.withLock { $0.connection = connection }
    return connection
  }

  /// Closes the connection, once it is not in use. The next read opens another.
  func close() {
    state.withLock { $0.connection = nil }
  }
}
