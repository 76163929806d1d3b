import GRDB
import Sanderling

/// The full-text indexes of a round's database as they are stored.
enum SearchIndexes {
  /// How many rows wait to be folded, and tables to be indexed; nil where that can't be told, as while a table or a column is away.
  static func pendingCount(_ db: Database) -> Int? {
    guard var count = FoldedTable.pendingCount(db) else { return nil }
    for record in fuzzRecords {
      guard let isPending = try? record.table.hasPendingDocuments(db) else { return nil }
      if isPending { count += 1 }
    }
    return count
  }

  /// The problem of the indexes, but for rows that wait to be indexed; nil for none, and where that can't be told.
  ///
  /// - Parameter mayHaveMore: Whether REPLACE may have removed rows unseen, whose keys others have now.
  static func problem(_ db: Database, mayHaveMore: Bool) -> String? {
    for record in fuzzRecords {
      var found: [String]?
      // FTS5 wants to write to be asked whether an index is whole.
      try? db.inTransaction(.immediate) {
        found = try record.table.searchIndexProblems(db)
        return .rollback
      }
      if let problem = found?.first(where: { !mayHaveMore || !$0.contains(" has more than the row ") }) {
        return problem
      }
    }
    return nil
  }

  /// How many documents each index has that are of no row; nil where that can't be told, or texts wait.
  ///
  /// Documents are looked up, and not their number compared with the rows': a row whose key is no integer, as a table that the app made may
  /// have, has no document.
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
