import GRDB

extension Store {
  /// Waits until all pending texts are folded and indexed: texts of a table that has become searchable, and texts that
  /// other writers wrote.
  ///
  /// Searches don't need the call, because they read such texts themselves, which is slower. It returns at once if no
  /// text is pending, and for a read-only store.
  ///
  /// - Throws: ``StoreError/notSearchable(table:reason:)`` at once if a trigger of the app or a change of the schema
  ///   prevents folding. ``StoreError/busy(path:holders:duration:)``, ``StoreError/diskFull(path:)``, ``StoreError/suspended`` and other
  ///   errors that may pass are thrown after four failed tries in a row. The pauses between these tries take 0.7 s in
  ///   all, and `Configuration.busyMode` may wait for a lock in each try. Also ``StoreError/closed`` and
  ///   `CancellationError`. Texts that are already indexed stay indexed.
  public func searchIndexed() async throws {
    try connection.throwIfClosed()
    try await connection.folding?.settled()
  }

  /// Compares the full-text indexes of a record's texts with the texts.
  ///
  /// ```swift
  /// let problems = try await store.checkSearchIndexes(of: Note.self)
  /// if !problems.isEmpty { try await store.rebuildSearchIndexes(of: Note.self) }
  /// ```
  ///
  /// Searches miss rows only if a program writes the tables of the indexes itself, or if a disk loses writes. An index
  /// may keep texts of a former row: REPLACE removed the row by a UNIQUE constraint that the record doesn't declare,
  /// and its key was used again. Searches don't find these texts. Index entries of deleted rows are no difference.
  ///
  /// Pending texts are indexed first. Writes wait during the comparison.
  ///
  /// - Returns: The problems, one per line; empty if there are none, and for a record without such indexes.
  /// - Throws: The errors of ``searchIndexed()``, for this record's texts.
  /// - Complexity: O(words of all texts) in time. Memory grows only with the problems.
  public func checkSearchIndexes<R: StoredRecord>(of record: R.Type) async throws -> [String] {
    guard let index = R.table.searchIndex else { return [] }
    try connection.throwIfClosed()
    try await connection.folding?.settled(R.table.name)
    return try await wrappingErrors {
      try await writer.writeWithoutTransaction { db in
        try db.throwIfClosed()
        var problems: [String] = []
        // The transaction commits nothing. It writes because FTS5's integrity check is an INSERT.
        try db.inTransaction(.immediate) {
          problems = try SearchIndexCheck(index, of: R.table, db).problems()
          return .rollback
        }
        return problems
      }
    }
  }

  /// Empties the full-text indexes of a record's texts, and indexes all texts again, in short transactions between the
  /// app's writes.
  ///
  /// Searches stay right meanwhile, and read each text that isn't indexed yet.
  ///
  /// Returns when all texts are indexed. If the task is cancelled, the store continues; if the process ends, the next
  /// store does.
  ///
  /// - Throws: The errors of ``searchIndexed()``, for this record's texts. The store continues to try.
  /// - Complexity: O(words of all texts).
  public func rebuildSearchIndexes<R: StoredRecord>(of record: R.Type) async throws {
    guard let index = R.table.searchIndex else { return }
    try await wrappingErrors {
      try await writer.write { db in
        for sql in index.renewalSQL { try db.execute(sql: sql) }
      }
    }
    try await connection.folding?.settled(R.table.name)
  }

  /// Merges the pieces that writes have added to the full-text indexes of a record's texts, so that searches read less.
  /// For a time when the app has nothing else to do.
  ///
  /// The call is never necessary, because SQLite merges a part with each write. It uses short transactions, so that
  /// other writes run in between. It ends early if its task is cancelled.
  ///
  /// - Complexity: O(words of all texts).
  public func optimizeSearchIndexes<R: StoredRecord>(of record: R.Type) async throws {
    guard let index = R.table.searchIndex else { return }
    for table in index.fullTextTables {
      let name = table.name.quotedIdentifier
      // A negative number of pages begins to merge all pieces into one: see "The 'merge' Command" of FTS5.
      var pages = -Self.mergedPages
      while !Task.isCancelled {
        let pagesToMerge = pages
        let isDone = try await wrappingErrors {
          try await writer.write { db in
            let before = db.totalChangesCount
            try db.execute(
              sql: "INSERT INTO main.\(name) (\(name), rank) VALUES ('merge', ?)", arguments: [pagesToMerge])
            return db.totalChangesCount - before < 2
          }
        }
        if isDone { break }
        pages = Self.mergedPages
      }
    }
  }

  /// The number of pages that one step of a merge writes. A step takes some milliseconds.
  private static var mergedPages: Int { 250 }
}
