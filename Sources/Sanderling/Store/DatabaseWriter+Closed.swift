import GRDB

// GRDB hands the missing connection of a database that was closed to SQLite, which says that there is no memory or, when a
// queue is read and SQLite was built not to check its arguments, ends the process.

extension DatabaseWriter {
  /// GRDB's `read`, which throws when the connections were closed.
  func readUnlessClosed<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard self is DatabaseQueue else { return try read(body) }
    return try unsafeRead { try $0.readUnlessClosed(body) }
  }

  /// GRDB's `read`, which throws when the connections were closed.
  func readUnlessClosed<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
    guard self is DatabaseQueue else { return try await read(body) }
    return try await unsafeRead { try $0.readUnlessClosed(body) }
  }
}

extension Database {
  /// - Throws: ``StoreError/closed``.
  func throwIfClosed() throws {
    if sqliteConnection == nil { throw StoreError.closed }
  }

  fileprivate func readUnlessClosed<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try throwIfClosed()
    var value: Value?
    // Read-only first: the end of a read-only transaction is no commit that observers hear of.
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
  /// The error of an access as one of the store's.
  func wrapping(_ error: any Error) -> any Error {
    let error = StoreError.wrapping(error, path: path)
    // The statement that runs when the app is suspended is interrupted; GRDB itself reports no more than that.
    if configuration.observesSuspensionNotifications, (error as? StoreError)?.isInterruption == true {
      return StoreError.suspended
    }
    return error
  }
}
