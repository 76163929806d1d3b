extension Store {
  /// Runs reads that all see the same state of the database.
  ///
  /// Cancelling the task interrupts the statement that runs.
  public func read<Value: Sendable>(_ body: @Sendable (ReadTransaction) throws -> Value) async throws -> Value {
    let recording = recording(operation: nil)
    return try await wrappingErrors {
      try await writer.readUnlessClosed { db in
        try self.withRecorder(recording, db) {
          try body(ReadTransaction(db, recorder: $0, folding: self.connection.folding))
        }
      }
    }
  }

  /// Runs reads on the calling thread, which waits for them.
  ///
  /// - Throws: The errors of the closure, and ``StoreError``: ``StoreError/nestedTransaction(_:inside:)`` inside a write of a store with
  ///   one connection. In a store with separate connections for reads, it sees the last commit.
  public func readBlocking<Value>(_ body: (ReadTransaction) throws -> Value) throws -> Value {
    if !connection.readsConcurrently { try transactionUnderWay.throwIfInside("A blocking read") }
    let recording = recording(operation: nil)
    return try wrappingErrors {
      try writer.readUnlessClosed { db in
        try withRecorder(recording, db) { try body(ReadTransaction(db, recorder: $0, folding: connection.folding)) }
      }
    }
  }

  /// All rows of a query.
  public func fetch<Root, Output>(_ query: Selection<Root, Output>) async throws -> [Output] {
    try await read { try $0.fetch(query) }
  }

  /// The first row of a query.
  public func fetchFirst<Root, Output>(_ query: Selection<Root, Output>) async throws -> Output? {
    try await read { try $0.fetchFirst(query) }
  }

  /// The record with a key, or nil.
  public func fetch<R: StoredRecord>(_ record: R.Type, key: R.Key) async throws -> R? {
    try await read { try $0.fetch(record, key: key) }
  }

  /// All rows of a query written by hand.
  public func fetch<Output>(_ query: RawQuery<Output>) async throws -> [Output] {
    try await read { try $0.fetch(query) }
  }

  /// How many rows a query returns, counted by SQLite.
  public func count<Root, Output>(_ query: Selection<Root, Output>) async throws -> Int {
    try await read { try $0.count(query) }
  }

  /// Whether a query returns any row.
  public func exists<Root, Output>(_ query: Selection<Root, Output>) async throws -> Bool {
    try await read { try $0.exists(query) }
  }
}
