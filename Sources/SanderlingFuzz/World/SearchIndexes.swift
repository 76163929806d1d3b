import GRDB
import Sanderling

/// The full-text indexes of a round's database as they are stored.
enum SearchIndexes {
  /// The sum of the rows that wait to be folded and of the tables with rows that wait to be indexed. Nil if the number
  /// is unknown, for example while a table or a column is missing.
  static func pendingCount(_ db: Database) -> Int? {
    guard var count = FoldedTable.pendingCount(db) else { return nil }
    for record in fuzzRecords {
      guard let isPending = try? record.table.hasPendingDocuments(db) else { return nil }
      if isPending { count += 1 }
    }
    return count
  }

  /// The first problem of the indexes. Rows that wait to be indexed are no problem. Nil if the indexes have no problem,
  /// or if the check fails.
  ///
  /// - Parameter mayHaveMore: Whether REPLACE may have removed rows without a trigger. Other rows may have the keys of
  ///   the removed rows now.
  static func problem(_ db: Database, mayHaveMore: Bool) -> String? {
    for record in fuzzRecords {
      var found: [String]?
      // FTS5 checks an index by an INSERT, so it needs a write transaction.
      try? db.inTransaction(.immediate) {
        found = try record.table.searchIndexProblems(db)
        return .rollback
      }
      if let problem = found?.first(where: { !mayHaveMore || !$0.contains(" has words that are not in the row ") }) {
        return problem
      }
    }
    return nil
  }

  /// For each index, the number of documents whose row isn't in the table. Nil if a number is unknown, or while texts
  /// wait to be folded or indexed.
  ///
  /// Each document is looked up. The number of documents can't be compared with the number of rows. In a table of the
  /// app, a row may have no integer key. Such a row has no document.
  static func leftovers(_ db: Database) -> [String: Int]? {
    guard pendingCount(db) == 0 else { return nil }
    var leftovers: [String: Int] = [:]
    for record in fuzzRecords {
      guard let searchIndex = record.table.searchIndex else { continue }
      for index in record.table.fullTextTables {
        let row =
          "SELECT 1 FROM \(record.table.name) AS row WHERE row.\(searchIndex.document.quotedIdentifier) = document.id"
        let sql =
          "SELECT COUNT(*) FROM \("\(index)_docsize".quotedIdentifier) AS document WHERE NOT EXISTS (\(row))"
        guard let count = try? Int.fetchOne(db, sql: sql) else { return nil }
        leftovers[index] = count
      }
    }
    return leftovers
  }
}
