import GRDB

extension Store {
  /// Runs a transaction as ``write(_:priority:function:line:_:)`` does, and returns what undoes it, too.
  ///
  /// ```swift
  /// let written = try await store.writeUndoably("delete project") { try $0.delete(project) }
  /// let redo = try await store.undo(written.inverse)
  /// ```
  ///
  /// The inverse holds each row that the transaction changed by whatever means: by plain SQL, cascades and triggers, too. Recording them
  /// takes a millisecond or two for each record of the schema, and some microseconds for each row.
  ///
  /// - Throws: The errors of the closure, ``StoreError``, `CancellationError`, or ``UndoError`` when the transaction changes rows that can't
  ///   be put back. Then nothing was changed.
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

  /// Puts the rows of a write back as they were before it: rows, children and keys, and the values of touched columns.
  ///
  /// The app's own triggers run; foreign keys are checked at the end, for the rows in question. Rows that are put back get new
  /// rowids, unless the rowid is their key.
  ///
  /// - Returns: The write that undoes this one: the original write again.
  /// - Throws: ``UndoError/changedSince(_:)`` when others changed the rows since, and ``StoreError/constraint(_:)`` when another row has
  ///   taken a unique value. Then nothing was changed.
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

  /// SQLite ignores the pragma inside of a transaction.
  private func withoutForeignKeys<Result>(_ db: Database, _ body: (Bool) throws -> Result) throws -> Result {
    let enforces = try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") ?? false
    if !enforces { return try body(false) }
    try db.execute(sql: "PRAGMA foreign_keys = OFF")
    defer { db.turn("foreign_keys", on: true) }
    return try body(true)
  }
}
