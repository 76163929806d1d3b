import GRDB
import Sanderling

/// The last mutations that servers acknowledged, with the rows before and after them. A server that goes back, after a
/// failover or by restoring a backup, may have lost these mutations.
///
/// The transaction of an acknowledgement adds a mutation, and removes the mutations beyond ``limit``.
/// ``Outbox/returnAcknowledged(limit:_:)`` reads and removes them.
enum AcknowledgedChanges {
  /// The number of kept mutations, over all synchronisations of the database.
  static let limit: Int64 = 1000

  static let definition = """
    CREATE TABLE IF NOT EXISTS main.sanderling_sync_acknowledged (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, \
    record TEXT NOT NULL, key TEXT NOT NULL, rows TEXT NOT NULL)
    """
  private static let add =
    "INSERT INTO main.sanderling_sync_acknowledged (name, record, key, rows) VALUES (?, ?, ?, ?)"
  private static let forget = "DELETE FROM main.sanderling_sync_acknowledged WHERE id <= ?"
  private static let keys =
    "SELECT DISTINCT key FROM main.sanderling_sync_acknowledged WHERE name = ? AND record = ? LIMIT ?"
  private static let ofKey =
    "SELECT rows FROM main.sanderling_sync_acknowledged WHERE name = ? AND record = ? AND key = ? ORDER BY id"
  private static let remove =
    "DELETE FROM main.sanderling_sync_acknowledged WHERE name = ? AND record = ? AND key = ?"

  static func keep(
    _ rows: [[StorageValue]?], of record: SyncedRecord, key: [StorageValue], name: String, _ db: Database
  ) throws {
    try db.cachedStatement(sql: add).execute(arguments: [
      name, record.name, StoredJSON.text(key), StoredJSON.text(rows: rows, record.synced.columns),
    ])
    try db.cachedStatement(sql: forget).execute(arguments: [db.lastInsertedRowID - limit])
  }

  /// Removes and returns the rows of some keys, each in order. O(limit) for each key.
  static func take(
    of record: SyncedRecord, name: String, limit: Int, _ db: Database
  ) throws -> [(key: [StorageValue], rows: [[StorageValue]?])] {
    let names = try String.fetchAll(db, sql: keys, arguments: [name, record.name, limit])
    return try names.map { key in
      let rows = try String.fetchAll(db, sql: ofKey, arguments: [name, record.name, key]).flatMap {
        try StoredJSON.rows($0, record.synced.columns)
      }
      try db.execute(sql: remove, arguments: [name, record.name, key])
      return (try StoredJSON.values(key), rows)
    }
  }
}
