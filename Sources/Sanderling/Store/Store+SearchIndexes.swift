import GRDB

extension Store {
  /// Waits until all texts are folded and indexed that wait for it: those of a table that has become searchable, and those that others wrote.
  ///
  /// Searches don't need it: they read such texts themselves, which is slower. It returns at once if no text waits, and for a store that is
  /// only read.
  ///
  /// - Throws: ``StoreError/notSearchable(table:reason:)`` at once where a trigger of the app or a change of the schema stands in the way.
  ///   ``StoreError/busy(path:)``, ``StoreError/diskFull(path:)``, ``StoreError/suspended`` and others that may pass by themselves after four
  ///   tries in a row that failed. Between them it waits 0.7 s in all; in each, `Configuration.busyMode` may wait for a lock as well.
  ///   ``StoreError/closed``, and `CancellationError`. Texts that are indexed already stay indexed.
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
  /// Searches miss rows only if a program writes the tables of the indexes itself, or if a disk loses writes. An index keeps texts of a
  /// former row if REPLACE removed it by a UNIQUE constraint that the record doesn't declare, and its key was used again; searches don't
  /// find these texts. Index entries of deleted rows are no difference.
  ///
  /// Texts that wait to be indexed are indexed before. Writes wait meanwhile.
  ///
  /// - Returns: The problems, a line for each; nothing where all is well, and for a record without such indexes.
  /// - Throws: The errors of ``searchIndexed()``, for this record's texts.
  /// - Complexity: O(words of all texts), in memory that doesn't grow with the table, but for the problems.
  public func checkSearchIndexes<R: StoredRecord>(of record: R.Type) async throws -> [String] {
    guard let index = R.table.searchIndex else { return [] }
    try connection.throwIfClosed()
    try await connection.folding?.settled(R.table.name)
    return try await wrappingErrors {
      try await writer.writeWithoutTransaction { db in
        try db.throwIfClosed()
        var problems: [String] = []
        // It commits nothing: FTS5 wants to write to be asked whether it is whole.
        try db.inTransaction(.immediate) {
          problems = try SearchIndexCheck(index, of: R.table, db).problems()
          return .rollback
        }
        return problems
      }
    }
  }

  /// Empties the full-text indexes of a record's texts, and indexes all texts anew, in short transactions between the app's writes.
  ///
  /// Searches are right meanwhile, and read each text that isn't indexed yet.
  ///
  /// Returns when all are indexed. When the process ends before, or the task is cancelled, the store goes on, or the next one.
  ///
  /// - Throws: The errors of ``searchIndexed()``, for this record's texts. The store goes on trying.
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

  /// Merges the pieces that writes have added to the full-text indexes of a record's texts, so that searches read less. For a time when the
  /// app has nothing else to do.
  ///
  /// SQLite merges some of it with each write, so that this is never necessary. It takes short transactions, between which others write,
  /// and ends early when its task is cancelled.
  ///
  /// - Complexity: O(words of all texts).
  public func optimizeSearchIndexes<R: StoredRecord>(of record: R.Type) async throws {
    guard let index = R.table.searchIndex else { return }
    for table in index.fullTextTables {
      let name = table.name.quotedIdentifier
      // A negative number of pages makes one piece of all: see "The 'merge' Command" of FTS5.
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

  /// How many pages are written by one step of a merge, which takes some milliseconds.
  private static var mergedPages: Int { 250 }
}
