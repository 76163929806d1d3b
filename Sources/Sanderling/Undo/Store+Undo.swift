import GRDB

extension Store {
  /// Runs a transaction like ``write(_:priority:function:line:_:)``, and also returns its inverse.
  ///
  /// ```swift
  /// let written = try await store.writeUndoably("delete project") { try $0.delete(project) }
  /// let redo = try await store.undo(written.inverse)
  /// ```
  ///
  /// The inverse contains each row of the store's records that the transaction changed by any means, including plain
  /// SQL, cascades and triggers. Recording takes a millisecond or two for each record of the schema, and some
  /// microseconds for each row.
  ///
  /// - Throws: The errors of the closure, ``StoreError``, `CancellationError`, or ``UndoError`` if the transaction
  ///   changes rows that can't be restored. Then nothing was changed.
  nonisolated(nonsending) public func writeUndoably<Value: Sendable>(
    _ name: String? = nil, priority: WritePriority = .userInitiated, function: StaticString = #function,
    line: UInt = #line, _ body: @Sendable (WriteTransaction) throws -> Value
  ) async throws -> UndoableWrite<Value> {
    let name = OperationName(given: name, function: function, line: line)
    return try await write(name, priority) { writer in
      try recordingRows(writer.database) { recording in
        let written = try writer.transaction { tx in
          let value = try body(tx)
          return (value, try recording.inverse(tx, name: name.text))
        }
        return UndoableWrite(value: written.value.0, commit: written.commit, inverse: written.value.1)
      }
    }
  }

  /// Restores the rows that a write changed: deleted rows with their children and keys, and the values of touched
  /// columns.
  ///
  /// The app's own triggers run. If the database enforces foreign keys, the foreign keys of the changed rows are
  /// checked at the end. Deleted rows are inserted with new rowids, unless the rowid is their key.
  ///
  /// - Returns: The inverse of this undo, which does the original write again.
  /// - Throws: ``UndoError/changedSince(_:)`` if the rows were changed since, and ``StoreError/constraint(_:)`` if
  ///   another row has taken a unique value. Also other cases of ``UndoError``. Then nothing was changed.
  @discardableResult
  nonisolated(nonsending) public func undo(
    _ inverse: InverseWrite, priority: WritePriority = .userInitiated
  ) async throws -> InverseWrite {
    let name = OperationName(given: inverse.name, function: #function, line: #line)
    return try await write(name, priority) { writer in
      try recordingRows(writer.database) { recording in
        try withoutForeignKeys(writer.database) { enforces in
          try writer.transaction { tx in
            try InverseApplication(inverse, tx).run()
            let changes = try recording.inverse(tx, name: inverse.name)
            if enforces { try ReferenceCheck(tx, of: changes).run() }
            return changes
          }.value
        }
      }
    }
  }

  private func recordingRows<Result>(_ db: Database, _ body: (UndoRecording) throws -> Result) throws -> Result {
    let recording = try UndoRecording(schema.records, on: db, of: writer)
    defer { recording.end(db, of: writer) }
    return try body(recording)
  }

  /// Runs the body without enforcement of foreign keys, and passes whether the database enforces them. Outside of a
  /// transaction, since SQLite ignores the pragma inside of one.
  private func withoutForeignKeys<Result>(_ db: Database, _ body: (Bool) throws -> Result) throws -> Result {
    let enforces = try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") ?? false
    if !enforces { return try body(false) }
    try db.execute(sql: "PRAGMA foreign_keys = OFF")
    defer { db.turn("foreign_keys", on: true) }
    return try body(true)
  }
}
