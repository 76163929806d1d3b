import GRDB

// GRDB passes the missing connection of a closed database to SQLite, which reports that memory is exhausted. If a queue
// is read, and SQLite was built without checks of its arguments, the process crashes.

extension DatabaseWriter {
  /// Reads like GRDB's `read`, and throws ``StoreError/closed`` if a queue was closed. `unsafeRead` is safe, because
  /// the body runs in a read-only transaction.
  func readUnlessClosed<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard self is DatabaseQueue else { return try read(body) }
    return try unsafeRead { try $0.readUnlessClosed(body) }
  }

  /// Reads like GRDB's `read`, and throws ``StoreError/closed`` if a queue was closed. `unsafeRead` is safe, because
  /// the body runs in a read-only transaction.
  func readUnlessClosed<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
    guard self is DatabaseQueue else { return try await read(body) }
    return try await unsafeRead { try $0.readUnlessClosed(body) }
  }
}

extension Database {
  /// Checks that the connection is open.
  ///
  /// - Throws: ``StoreError/closed``.
  func throwIfClosed() throws {
    if sqliteConnection == nil { throw StoreError.closed }
  }

  fileprivate func readUnlessClosed<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try throwIfClosed()
    var value: Value?
    // Read-only comes first, so that the end of the transaction is no commit for observers.
    try readOnly {
      try inTransaction(.deferred) {
        value = try body(self)
        return .commit
      }
    }
    guard let value else { preconditionFailure("a read that doesn't throw has a value") }
    return value
  }
}

extension DatabaseWriter {
  /// The store's error for the error of an access.
  ///
  /// - Parameter start: The beginning of the access; nil if unknown.
  func wrapping(_ error: any Error, since start: ContinuousClock.Instant? = nil) -> any Error {
    let error = StoreError.wrapping(error, path: path, since: start)
    // The suspension of the app interrupts the running statement. GRDB reports only the interruption.
    if configuration.observesSuspensionNotifications, (error as? StoreError)?.isInterruption == true {
      return StoreError.suspended
    }
    return error
  }
}
