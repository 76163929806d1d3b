import GRDB

/// The rows of a table whose texts wait to be put into its full-text indexes, and the documents that wait to be taken out: see
/// ``SearchIndex``.
struct PendingDocuments: PendingTexts {
  private let probe: String
  private let keys: String
  private let number: String
  private let lastNumber: String
  private let insertions: [String]
  private let lastOutdated: String
  private let stillUsed: String
  private let deletions: [String]
  private let forgetting: String
  private let keyCount: Int

  init?(_ table: RecordTable) {
    guard let index = table.searchIndex else { return nil }
    let name = "main.\(table.name.quotedIdentifier)"
    let document = SearchIndex.documentColumn.quotedIdentifier
    let outdated = "main.\(index.outdatedTable.quotedIdentifier)"
    let key = table.keyColumns.map(\.name)
    keyCount = key.count
    probe =
      "SELECT EXISTS (SELECT 1 FROM \(name) WHERE \(document) = 0) OR EXISTS (SELECT 1 FROM \(outdated))"
    keys = "SELECT \(key.quotedIdentifiers) FROM \(name) WHERE \(document) = 0 LIMIT ?"
    number =
      "UPDATE \(name) SET \(document) = ? WHERE \(key.map { "\($0.quotedIdentifier) IS ?" }.joined(separator: " AND "))"
    let tables = index.fullTextTables
    // FTS5's own table of the documents' lengths. What is in an index and not in a row counts as used.
    lastNumber = "SELECT max(id) FROM main.\((tables[0].name + "_docsize").quotedIdentifier)"
    insertions = tables.map { table in
      "INSERT INTO main.\(table.name.quotedIdentifier) (rowid, \(table.columnList)) "
        + "SELECT \(document), \(table.tokens) FROM \(name) WHERE \(document) BETWEEN ? AND ?"
    }
    lastOutdated = "SELECT max(\(document)) FROM (SELECT \(document) FROM \(outdated) ORDER BY \(document) LIMIT ?)"
    // A row that was to be replaced, and was not, still has its document.
    stillUsed =
      "DELETE FROM \(outdated) WHERE \(document) <= ? AND EXISTS "
      + "(SELECT 1 FROM \(name) AS row WHERE row.\(document) = \(index.outdatedTable.quotedIdentifier).\(document))"
    deletions = tables.map { table in
      let name = table.name.quotedIdentifier
      return "INSERT INTO main.\(name) (\(name), rowid, \(table.columnList)) "
        + "SELECT 'delete', \(document), \(table.tokens) FROM \(outdated) WHERE \(document) <= ?"
    }
    forgetting = "DELETE FROM \(outdated) WHERE \(document) <= ?"
  }

  /// The statements that it runs, for tests of their plans.
  var statements: [String] {
    [probe, keys, number, lastNumber, lastOutdated, stillUsed, forgetting] + insertions + deletions
  }

  func isPending(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db.cachedStatement(sql: probe)) ?? false
  }

  func settle(_ db: Database, limit: Int) throws -> Int {
    try takeOut(db, limit: limit) + putIn(db, limit: limit)
  }

  /// - Returns: How many documents were looked at.
  private func takeOut(_ db: Database, limit: Int) throws -> Int {
    guard let last = try Int64.fetchOne(db.cachedStatement(sql: lastOutdated), arguments: [limit]) else { return 0 }
    let arguments: StatementArguments = [last]
    func run(_ sql: String) throws -> Int {
      let before = db.totalChangesCount
      try TextFunctions.registering(on: db) { try db.cachedStatement(sql: sql) }.execute(arguments: arguments)
      return db.totalChangesCount - before
    }
    let used = try run(stillUsed)
    for deletion in deletions { _ = try run(deletion) }
    return try used + run(forgetting)
  }

  /// - Returns: How many rows were indexed.
  private func putIn(_ db: Database, limit: Int) throws -> Int {
    let rows = try Row.fetchAll(db.cachedStatement(sql: keys), arguments: [limit])
    if rows.isEmpty { return 0 }
    let first = (try Int64.fetchOne(db.cachedStatement(sql: lastNumber)) ?? 0) + 1
    let statement = try db.cachedStatement(sql: number)
    var count = 0
    for (offset, row) in rows.enumerated() {
      var arguments: StatementArguments = [first + Int64(offset)]
      for column in 0..<keyCount { arguments += [row[column] as DatabaseValue] }
      try statement.execute(arguments: arguments)
      // A trigger of the app may ignore it.
      count += db.changesCount
    }
    for insertion in insertions {
      try TextFunctions.registering(on: db) { try db.cachedStatement(sql: insertion) }
        .execute(arguments: [first, first + Int64(rows.count) - 1])
    }
    return count
  }
}
