import GRDB
import Sanderling
import SanderlingSQL

/// The synchronisation that sends each table's changes.
///
/// A change leaves its table of changes when one server has acknowledged it. Two synchronisations of one table would
/// each keep some changes from the other's server. The first synchronisation with a sink claims the table. It is free
/// again when that synchronisation is created without the table and no change is pending.
enum OutboxSessions {
  private static let createTable = """
    CREATE TABLE IF NOT EXISTS main.sanderling_sync_outboxes (name TEXT PRIMARY KEY COLLATE NOCASE, session TEXT NOT NULL) \
    WITHOUT ROWID
    """

  /// Claims records for a synchronisation that sends their changes. Writes nothing if the claim exists.
  ///
  /// - Returns: The records that the synchronisation had not claimed before.
  /// - Throws: ``SyncError/sentByAnother(table:name:)``.
  static func claim(_ records: [SyncedRecord], for session: String, on db: Database) throws -> [SyncedRecord] {
    try db.execute(sql: createTable)
    var known: Set<FoldedName> = []
    for row in try Row.fetchAll(db, sql: "SELECT name, session FROM main.sanderling_sync_outboxes") {
      let (table, owner): (String, String) = (row[0], row[1])
      let isMine = records.contains { $0.table.name.folded == table.folded }
      if owner != session {
        if isMine { throw SyncError.sentByAnother(table: table, name: owner) }
      } else if isMine {
        known.insert(table.folded)
      } else if try !isWaiting(table, db) {
        try db.execute(sql: "DELETE FROM main.sanderling_sync_outboxes WHERE name = ?", arguments: [table])
      }
    }
    let new = records.filter { !known.contains($0.table.name.folded) }
    for record in new {
      try db.execute(
        sql: "INSERT INTO main.sanderling_sync_outboxes (name, session) VALUES (?, ?)",
        arguments: [record.table.name, session])
    }
    return new
  }

  /// Whether a synchronisation sends the changes of all given records. It no longer does if another session of its name
  /// was created without one of them, or if the database was erased.
  static func areClaimed(_ records: [SyncedRecord], by session: String, on db: Database) throws -> Bool {
    guard try db.tableExists("sanderling_sync_outboxes") else { return false }
    let claimed = try Set(
      String.fetchAll(db, sql: "SELECT name FROM main.sanderling_sync_outboxes WHERE session = ?", arguments: [session])
        .map(\.folded))
    return records.allSatisfy { claimed.contains($0.table.name.folded) }
  }

  private static func isWaiting(_ table: String, _ db: Database) throws -> Bool {
    let changes = "sanderling_sync_changes_\(table)"
    guard try db.tableExists(changes) else { return false }
    return try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM main.\(changes.quotedIdentifier))") ?? false
  }
}
