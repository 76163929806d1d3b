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

/// The rows of a table whose texts wait to be folded.
struct PendingFolds: PendingTexts {
  let table: String
  private let probe: String
  private let update: String

  init(_ column: FoldedColumn, of table: RecordTable) {
    self.table = table.name
    let name = table.name.quotedIdentifier
    let folded = column.name.quotedIdentifier
    let key = table.keyColumns.map(\.name).quotedIdentifiers
    let rows = "main.\(name) WHERE \(folded) = \(FoldedColumn.pendingSQL)"
    probe = "SELECT EXISTS (SELECT 1 FROM \(rows))"
    // The name includes the table: SQLite takes a bare name for a text if the column no longer exists.
    let text = "\(name).\(column.textName.quotedIdentifier)"
    update =
      "UPDATE main.\(name) SET \(folded) = \(FoldedColumn.fold(text)) "
      + "WHERE (\(key)) IN (SELECT \(key) FROM \(rows) LIMIT ?)"
  }

  /// The statements that settling runs, for tests of their plans.
  var statements: [String] { [probe, update] }

  func isPending(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db.cachedStatement(sql: probe)) ?? false
  }

  func settle(_ db: Database, limit: Int) throws -> Int {
    try TextFunctions.registering(on: db) { try db.cachedStatement(sql: update) }.execute(arguments: [limit])
    return db.changesCount
  }
}
