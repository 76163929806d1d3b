import GRDB
import SanderlingSQLite

/// Compares full-text indexes with the texts of the rows.
///
/// Each word in an index has a hash of the word, its column and its place, and so has each word of a text. The sums of
/// both must be equal for each document. The sums are first calculated for groups of documents, so that memory doesn't
/// grow with the table. Then they are calculated for each document of the groups that differ.
struct SearchIndexCheck {
  private let index: SearchIndex
  private let table: RecordTable
  private let db: Database

  /// The number of groups. Their sums take 32 KiB.
  private static let groupCount = 4096
  /// The most documents that are reported.
  private static let reportLimit = 1_000
  /// The most bytes of a word in FTS5, which cuts longer words off.
  private static let tokenLimit = 32_768

  init(_ index: SearchIndex, of table: RecordTable, _ db: Database) {
    self.index = index
    self.table = table
    self.db = db
  }

  /// Finds the problems, as one line each.
  ///
  /// - Returns: The problems; empty for complete indexes.
  func problems() throws -> [String] {
    var problems = try sharedDocuments()
    for table in index.fullTextTables {
      let name = table.name.quotedIdentifier
      do {
        try db.execute(sql: "INSERT INTO main.\(name) (\(name)) VALUES ('integrity-check')")
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        problems.append("the index \(name) is damaged: \(error.message ?? "SQLite says no more")")
        continue
      }
      problems += try differences(of: table)
    }
    return problems
  }

  private var document: String { index.document.quotedIdentifier }
  private var rows: String { "main.\(index.table.quotedIdentifier)" }

  private func sharedDocuments() throws -> [String] {
    guard index.hasDocumentColumn else { return [] }
    return try Int64.fetchAll(
      db, sql: "SELECT \(document) FROM \(rows) WHERE \(document) <> 0 GROUP BY 1 HAVING count(*) > 1 LIMIT 100"
    ).map { "several rows of \(index.table.quotedIdentifier) have the document \($0)" }
  }

  private func differences(of table: FullTextTable) throws -> [String] {
    var sums = [UInt64](repeating: 0, count: Self.groupCount)
    try forEachPart(of: table) { document, number, isIndexed in
      sums[Self.group(of: document)] &+= isIndexed ? number : 0 &- number
    }
    let groups = Set(sums.indices.filter { sums[$0] != 0 })
    if groups.isEmpty { return [] }
    var documents: [Int64: UInt64] = [:]
    try forEachPart(of: table) { document, number, isIndexed in
      if groups.contains(Self.group(of: document)) {
        documents[document, default: 0] &+= isIndexed ? number : 0 &- number
      }
    }
    var differing = Set(documents.filter { $0.value != 0 }.keys.sorted().prefix(Self.reportLimit))
    // Remains of a deleted row are never found. Former texts of a waiting row are removed before the row is indexed.
    // Neither is a difference.
    differing = try differing.filter { document in
      try Bool.fetchOne(
        db.cachedStatement(
          sql:
            "SELECT EXISTS (SELECT 1 FROM \(rows) AS row WHERE row.\(self.document) = ? AND \(index.isSettled("row")))"),
        arguments: [document]) ?? false
    }
    if differing.isEmpty { return [] }
    var excess: [Int64: [UInt64: Int]] = [:]
    try forEachPart(of: table) { document, number, isIndexed in
      if differing.contains(document) { excess[document, default: [:]][number, default: 0] += isIndexed ? 1 : -1 }
    }
    return try differing.sorted().map { document in
      let isLacking = excess[document]?.values.contains { $0 < 0 } == true
      return
        "the index \(table.name.quotedIdentifier) \(isLacking ? "lacks words of" : "has words that are not in") the row "
        + "\(try key(of: document)) of \(index.table.quotedIdentifier)"
    }
  }

  private func key(of document: Int64) throws -> String {
    let key = table.keyColumns.map(\.name).quotedIdentifiers
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT \(key) FROM \(rows) WHERE \(self.document) = ?"), arguments: [document])
    return row.map { $0.databaseValues.map(\.description).joined(separator: ", ") } ?? ""
  }

  private static func group(of document: Int64) -> Int { Int(truncatingIfNeeded: document & Int64(groupCount - 1)) }

  /// Passes each word of the index and each word of the texts to the body: its document, its hash, and whether it is
  /// from the index.
  private func forEachPart(of table: FullTextTable, _ body: (Int64, UInt64, Bool) throws -> Void) throws {
    try db.execute(
      sql:
        "CREATE VIRTUAL TABLE temp.sanderling_vocabulary USING fts5vocab(main, \(table.name.quotedLiteral), 'instance')"
    )
    // If the table can't be dropped, for example in a cancelled task, the rollback at the end of the transaction
    // removes it.
    defer { try? db.execute(sql: "DROP TABLE temp.sanderling_vocabulary") }
    try db.forEachRow(of: #"SELECT doc, col, "offset", term FROM temp.sanderling_vocabulary"#) { _ in
    } row: { row in
      let statement = row.statement
      let column = sqlite3_column_text(statement, 1).map { String(cString: $0) }
      let text = table.texts.firstIndex { $0.alias == column } ?? 0
      let place = table.keepsPlaces ? Int(sqlite3_column_int64(statement, 2)) : 0
      let term = UnsafeBufferPointer(
        start: sqlite3_column_text(statement, 3), count: Int(sqlite3_column_bytes(statement, 3)))
      try body(sqlite3_column_int64(statement, 0), Self.number(term, text, place), true)
    }
    // Waiting rows are skipped, because searches read them themselves. Rows with NULL in the key, which another program
    // may have made, are in no index: no record reads them.
    try db.forEachRow(
      of:
        "SELECT \(document), \(table.tokens(of: "row")) FROM \(rows) AS row "
        + "WHERE \(document) IS NOT NULL AND \(index.isSettled("row"))"
    ) { _ in
    } row: { row in
      let statement = row.statement
      let document = sqlite3_column_int64(statement, 0)
      for text in table.texts.indices {
        let column = Int32(text + 1)
        let tokens = UnsafeBufferPointer(
          start: sqlite3_column_text(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
        var numbers: Set<UInt64> = []
        for (place, token) in tokens.split(separator: UInt8(ascii: " ")).enumerated() {
          let token = UnsafeBufferPointer(rebasing: token.prefix(Self.tokenLimit))
          let number = Self.number(token, text, table.keepsPlaces ? place : 0)
          if table.keepsPlaces || numbers.insert(number).inserted { try body(document, number, false) }
        }
      }
    }
  }

  /// FNV-1a of a word, its column and its place. The hash is mixed once more, because hashes are added up.
  private static func number(_ term: UnsafeBufferPointer<UInt8>, _ text: Int, _ place: Int) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    for byte in term { add(byte) }
    for shift in stride(from: 0, to: 32, by: 8) { add(UInt8(truncatingIfNeeded: place >> shift)) }
    add(UInt8(truncatingIfNeeded: text))
    hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
    return hash ^ hash >> 33
  }
}
