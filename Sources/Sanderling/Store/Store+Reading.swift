extension Store {
  /// Runs reads that all see the same snapshot of the database.
  ///
  /// Cancelling the task interrupts the running statement.
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

  /// Runs reads that all see the same snapshot. Blocks the calling thread.
  ///
  /// - Throws: The errors of the closure, and ``StoreError``: ``StoreError/nestedTransaction(_:inside:)`` inside of a
  ///   write, if the store has only one connection. A store with separate connections for reads then sees the last
  ///   commit.
  public func readBlocking<Value>(_ body: (ReadTransaction) throws -> Value) throws -> Value {
    if !connection.readsConcurrently { try transactionUnderWay.throwIfInside("A blocking read") }
    let recording = recording(operation: nil)
    return try wrappingErrors {
      try writer.readUnlessClosed { db in
        try withRecorder(recording, db) { try body(ReadTransaction(db, recorder: $0, folding: connection.folding)) }
      }
    }
  }

  /// Reads all rows of a query.
  public func fetch<Root, Output>(_ query: Selection<Root, Output>) async throws -> [Output] {
    try await read { try $0.fetch(query) }
  }

  /// Reads the first row of a query; nil if there is none.
  public func fetchFirst<Root, Output>(_ query: Selection<Root, Output>) async throws -> Output? {
    try await read { try $0.fetchFirst(query) }
  }

  /// Reads the record with a key; nil if the record's default scope has none.
  public func fetch<R: StoredRecord>(_ record: R.Type, key: R.Key) async throws -> R? {
    try await read { try $0.fetch(record, key: key) }
  }

  /// Reads all rows of a query written by hand.
  public func fetch<Output>(_ query: RawQuery<Output>) async throws -> [Output] {
    try await read { try $0.fetch(query) }
  }

  /// Counts the rows of a query in SQLite.
  public func count<Root, Output>(_ query: Selection<Root, Output>) async throws -> Int {
    try await read { try $0.count(query) }
  }

  /// Whether a query returns any row.
  public func exists<Root, Output>(_ query: Selection<Root, Output>) async throws -> Bool {
    try await read { try $0.exists(query) }
  }
}
