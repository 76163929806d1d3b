import GRDB

/// Texts of a table that wait for the derivation of a fold or a document.
protocol PendingTexts: Sendable {
  /// The name of the table.
  var table: String { get }

  /// Whether any texts are pending. O(log rows).
  func isPending(_ db: Database) throws -> Bool

  /// Settles some of the pending texts.
  ///
  /// - Returns: The number of settled rows. If it equals the limit, more may be pending.
  func settle(_ db: Database, limit: Int) throws -> Int
}

extension Database {
  /// The first keys that a statement returns, encoded: GRDB cuts a text at its first NUL character, which a key may have.
  func pendingKeys(_ sql: String, _ keyCount: Int, limit: Int) throws -> [[UInt8]] {
    var keys: [[UInt8]] = []
    try forEachRow(of: sql) {
      try $0.bind(integer: Int64(limit), at: 1)
    } row: { row in
      keys.append(row.encoding(keyCount))
    }
    return keys
  }
}

/// The rows of a table whose texts wait to be folded.
struct PendingFolds: PendingTexts {
  let table: String
  private let keyCount: Int
  private let probe: String
  private let keys: String
  private let update: String

  init(_ column: FoldedColumn, of table: RecordTable) {
    self.table = table.name
    let name = table.name.quotedIdentifier
    let folded = column.name.quotedIdentifier
    let key = table.keyColumns.map { "\(name).\($0.name.quotedIdentifier)" }
    keyCount = key.count
    let rows = "main.\(name) WHERE \(folded) = \(FoldedColumn.pendingSQL)"
    probe = "SELECT EXISTS (SELECT 1 FROM \(rows))"
    // The name includes the table: SQLite takes a bare name for a text if the column no longer exists.
    let text = "\(name).\(column.textName.quotedIdentifier)"
    keys = "SELECT \(key.joined(separator: ", ")) FROM \(rows) LIMIT ?"
    // One row after the other. With `(a, b) IN (SELECT …)`, SQLite 3.40 passes rows over in a table with statistics and a
    // descending index.
    update =
      "UPDATE main.\(name) SET \(folded) = \(FoldedColumn.fold(text)) "
      + "WHERE \(key.map { "\($0) = ?" }.joined(separator: " AND "))"
  }

  /// The statements that settling runs, for tests of their plans.
  var statements: [String] { [probe, keys, update] }

  func isPending(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db.cachedStatement(sql: probe)) ?? false
  }

  func settle(_ db: Database, limit: Int) throws -> Int {
    let rows = try db.pendingKeys(keys, keyCount, limit: limit)
    var count = 0
    try TextFunctions.registering(on: db) {
      for key in rows {
        try db.forEachRow(of: update) {
          try $0.bind(encoding: key, from: 1)
        } row: { _ in
        }
        // A trigger of the app may ignore the update.
        count += db.changesCount
      }
    }
    return count
  }
}
