import GRDB
import Sanderling
import SanderlingSQL

/// The records whose edits weren't recorded for a while, because their tables had no triggers: a migration of the app
/// recreated the table.
///
/// The transaction that recreates the triggers adds a record here and requests a full comparison. Until its end nothing
/// is sent: see ``Outbox/compare(_:of:notedThrough:in:at:)``. The end removes the record.
enum UnnotedRecords {
  /// sequence: the last number of the outbox at the repair. Entries after it may be based on an unrecorded edit.
  /// compared: whether the running comparison began after the repair.
  static let definition = """
    CREATE TABLE IF NOT EXISTS main.sanderling_sync_unnoted (name TEXT NOT NULL, record TEXT NOT NULL, sequence INTEGER NOT NULL, \
    compared INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (name, record)) WITHOUT ROWID
    """
  private static let add = """
    INSERT INTO main.sanderling_sync_unnoted (name, record, sequence) VALUES (?, ?, ?) \
    ON CONFLICT DO UPDATE SET compared = 0
    """
  private static let read = "SELECT record, sequence FROM main.sanderling_sync_unnoted WHERE name = ?"
  private static let begin = "UPDATE main.sanderling_sync_unnoted SET compared = 1 WHERE name = ?"
  private static let end = "DELETE FROM main.sanderling_sync_unnoted WHERE name = ? AND compared = 1"

  /// Adds records whose triggers were recreated, and requests a full comparison.
  static func note(_ records: [SyncedRecord], of name: String, _ db: Database) throws {
    if records.isEmpty { return }
    for record in records {
      try db.execute(sql: add, arguments: [name, record.synced.name, SyncControl.lastSequence(db)])
    }
    try db.execute(sql: SyncState.setDueAlways, arguments: [name])
  }

  /// The numbers of the outbox at the repairs, by table name. Empty for nearly all transactions.
  static func sequences(of name: String, _ db: Database) throws -> [FoldedName: Int64] {
    var sequences: [FoldedName: Int64] = [:]
    try db.forEachRow(of: read) {
      try $0.bind([.text(name)])
    } row: { row in
      sequences[try row.text(at: 0).folded] = try row.integer(at: 1, for: Int64.self)
    }
    return sequences
  }

  static func comparisonBegins(of name: String, _ db: Database) throws {
    try db.execute(sql: begin, arguments: [name])
  }

  /// Removes the compared records. A new number wakes the waiting push.
  static func comparisonEnded(of name: String, _ db: Database) throws {
    let before = db.totalChangesCount
    try db.execute(sql: end, arguments: [name])
    if db.totalChangesCount > before { _ = try SyncControl.nextNumber(db) }
  }
}
