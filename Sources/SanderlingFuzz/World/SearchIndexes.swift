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

  /// What is wrong with indexes, but for rows that wait to be indexed; nil for nothing, and where that can't be told.
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

  /// How many documents each index has more than the table has rows; nil where that can't be told, or texts wait.
  static func leftovers(_ db: Database) -> [String: Int]? {
    guard pendingCount(db) == 0 else { return nil }
    var leftovers: [String: Int] = [:]
    for record in fuzzRecords {
      for index in record.table.fullTextTables {
        let sql =
          "SELECT (SELECT COUNT(*) FROM \("\(index)_docsize".quotedIdentifier)) - (SELECT COUNT(*) FROM \(record.table.name))"
        guard let count = try? Int.fetchOne(db, sql: sql) else { return nil }
        leftovers[index] = count
      }
    }
    return leftovers
  }
}
