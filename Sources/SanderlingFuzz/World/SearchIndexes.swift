import GRDB
import Sanderling

/// The full-text indexes of a round's database as they are stored.
enum SearchIndexes {
  /// The number of rows waiting to be folded and of tables waiting to be indexed; nil if unknown, for example while a
  /// table or a column is missing.
  static func pendingCount(_ db: Database) -> Int? {
    guard var count = FoldedTable.pendingCount(db) else { return nil }
    for record in fuzzRecords {
      guard let isPending = try? record.table.hasPendingDocuments(db) else { return nil }
      if isPending { count += 1 }
    }
    return count
  }

  /// The problem of the indexes, apart from rows that wait to be indexed; nil if there is none or it can't be
  /// determined.
  ///
  /// - Parameter mayHaveMore: Whether REPLACE may have removed rows without a trigger, whose keys other rows have now.
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

  /// The number of documents without a row in each index; nil if unknown, or while texts wait.
  ///
  /// Each document is looked up. The number of documents can't be compared with the number of rows. In a table of the
  /// app, a row may have no integer key, and then it has no document.
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
