import GRDB

/// The rows of a table that wait for indexing in its full-text indexes, and the documents that wait for removal: see
/// ``SearchIndex``.
struct PendingDocuments: PendingTexts {
  let table: String
  private let probe: String
  private let lastOutdated: String
  private let stillUsed: String
  private let deletions: [String]
  private let forgetting: String
  private let insertion: Insertion

  /// The way in which waiting rows are indexed.
  private enum Insertion {
    /// Rows with an integer key: all waiting rows up to a key.
    case keys(last: String, insertions: [String], forgetting: String)
    /// Rows with a column of document numbers: some waiting rows, which get numbers first.
    case numbers(keys: String, keyCount: Int, number: String, last: String, insertions: [String])
  }

  init?(_ table: RecordTable) {
    guard let index = table.searchIndex else { return nil }
    self.table = table.name
    let rows = "main.\(table.name.quotedIdentifier)"
    let document = index.document.quotedIdentifier
    let outdated = "main.\(index.outdatedTable.quotedIdentifier)"
    let waiting = index.waitingTable.map { "main.\($0.quotedIdentifier)" }
    let isInteger = "typeof(document) = 'integer'"
    probe =
      "SELECT EXISTS (SELECT 1 FROM \(waiting.map { "\($0) WHERE \(isInteger)" } ?? "\(rows) WHERE \(document) = 0")) "
      + "OR EXISTS (SELECT 1 FROM \(outdated))"
    func last(_ rows: String) -> String {
      "SELECT max(document) FROM (SELECT document FROM \(rows) ORDER BY document LIMIT ?)"
    }
    lastOutdated = last(outdated)
    // A row whose replacement was prevented still has its document, so that its document isn't removed.
    stillUsed =
      "DELETE FROM \(outdated) WHERE document <= ? AND EXISTS (SELECT 1 FROM \(rows) AS row "
      + "WHERE row.\(document) = \(index.outdatedTable.quotedIdentifier).document AND \(index.isSettled("row")))"
    deletions = index.fullTextTables.map { table in
      let name = table.name.quotedIdentifier
      return "INSERT INTO main.\(name) (\(name), rowid, \(table.columnList)) "
        + "SELECT 'delete', document, \(table.tokens(of: index.outdatedTable, \.alias)) FROM \(outdated) WHERE document <= ?"
    }
    forgetting = "DELETE FROM \(outdated) WHERE document <= ?"
    func insertions(_ rows: String, of name: String) -> [String] {
      index.fullTextTables.map { table in
        "INSERT INTO main.\(table.name.quotedIdentifier) (rowid, \(table.columnList)) "
          + "SELECT \(document), \(table.tokens(of: name)) FROM \(rows)"
      }
    }
    if let waiting {
      // FTS5 inserts rows fastest in the order of their keys.
      insertion = .keys(
        last: last("\(waiting) WHERE \(isInteger)"),
        insertions: insertions(
          "\(waiting) AS waiting CROSS JOIN \(rows) AS row ON row.\(document) = waiting.document "
            + "WHERE waiting.document <= ? AND \(isInteger) ORDER BY waiting.document", of: "row"),
        forgetting: "DELETE FROM \(waiting) WHERE document <= ? AND \(isInteger)")
    } else {
      // With the table's name: SQLite takes a bare name as a text if the column no longer exists, and would give all rows one number.
      let key = table.keyColumns.map { "\(table.name.quotedIdentifier).\($0.name.quotedIdentifier)" }
      insertion = .numbers(
        keys: "SELECT \(key.joined(separator: ", ")) FROM \(rows) WHERE \(document) = 0 LIMIT ?", keyCount: key.count,
        number: "UPDATE \(rows) SET \(document) = ? "
          + "WHERE \(key.map { "\($0) IS ?" }.joined(separator: " AND "))",
        // A number that is in an index but not in a row counts as used.
        last: "SELECT max(id) FROM main.\(index.indexedTable.quotedIdentifier)",
        insertions: insertions("\(rows) WHERE \(document) BETWEEN ? AND ?", of: table.name))
    }
  }

  /// The statements that settling runs, for tests of their plans.
  var statements: [String] {
    [probe, lastOutdated, stillUsed, forgetting] + deletions
      + {
        switch insertion {
        case .keys(let last, let insertions, let forgetting): [last, forgetting] + insertions
        case .numbers(let keys, _, let number, let last, let insertions): [keys, number, last] + insertions
        }
      }()
  }

  func isPending(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db.cachedStatement(sql: probe)) ?? false
  }

  func settle(_ db: Database, limit: Int) throws -> Int {
    let count = try takeOut(db, limit: limit)
    // A document is removed before its row is indexed again.
    return try count < limit ? count + putIn(db, limit: limit) : count
  }

  /// Removes documents from the indexes.
  ///
  /// - Returns: The number of processed documents.
  private func takeOut(_ db: Database, limit: Int) throws -> Int {
    guard let last = try Int64.fetchOne(db.cachedStatement(sql: lastOutdated), arguments: [limit]) else { return 0 }
    let used = try run(stillUsed, [last], db)
    for deletion in deletions { _ = try run(deletion, [last], db) }
    return try used + run(forgetting, [last], db)
  }

  /// Indexes waiting rows.
  ///
  /// - Returns: The number of indexed rows.
  private func putIn(_ db: Database, limit: Int) throws -> Int {
    switch insertion {
    case .keys(let last, let insertions, let forgetting):
      guard let last = try Int64.fetchOne(db.cachedStatement(sql: last), arguments: [limit]) else { return 0 }
      for insertion in insertions { _ = try run(insertion, [last], db) }
      return try run(forgetting, [last], db)
    case .numbers(let keys, let keyCount, let number, let last, let insertions):
      let rows = try db.pendingKeys(keys, keyCount, limit: limit)
      if rows.isEmpty { return 0 }
      let first = (try Int64.fetchOne(db.cachedStatement(sql: last)) ?? 0) + 1
      var count = 0
      for (offset, key) in rows.enumerated() {
        try db.forEachRow(of: number) { parameters in
          try parameters.bind(integer: first + Int64(offset), at: 1)
          try parameters.bind(encoding: key, from: 2)
        } row: { _ in
        }
        // A trigger of the app may ignore the update.
        count += db.changesCount
      }
      for insertion in insertions { _ = try run(insertion, [first, first + Int64(rows.count) - 1], db) }
      return count
    }
  }

  /// Runs a statement.
  ///
  /// - Returns: The number of changed rows.
  private func run(_ sql: String, _ arguments: StatementArguments, _ db: Database) throws -> Int {
    let before = db.totalChangesCount
    try TextFunctions.registering(on: db) { try db.cachedStatement(sql: sql) }.execute(arguments: arguments)
    return db.totalChangesCount - before
  }
}
