import Foundation
import GRDB
import Sanderling

/// The stored state of a synchronisation: its progress, the waiting changes, and the active run.
enum SyncState {
  /// The stored state of the full comparison with a restarted source.
  enum Comparison: Int64 {
    case none = 0
    /// The rows that the source names are recorded.
    case underWay = 1
    /// The record of named rows is to be cleared.
    case ended = 2
    /// Like `underWay`, but some row has no key and may be any of the unnamed ones: none of them is removed.
    case unsure = 3
    /// The next run starts with a full comparison. A change was in conflict too often, edits weren't recorded, or
    /// parked and quarantined changes are being dropped, and the source gives these again only together with all rows.
    case due = 4
  }

  /// The statements that create the tables shared by all synchronisations.
  static let definitions =
    [
      """
      CREATE TABLE IF NOT EXISTS main.sanderling_sync_state (name TEXT NOT NULL PRIMARY KEY, cursor TEXT, checkpoint TEXT, \
      restarting INTEGER NOT NULL DEFAULT 0, started REAL, finished REAL, holder TEXT, process INTEGER, alive REAL)
      """,
      """
      CREATE TABLE IF NOT EXISTS main.sanderling_sync_parked (id INTEGER PRIMARY KEY, name TEXT NOT NULL, record TEXT NOT NULL, \
      key TEXT NOT NULL, payload TEXT NOT NULL, at REAL NOT NULL, UNIQUE (name, record, key))
      """,
      """
      CREATE TABLE IF NOT EXISTS main.sanderling_sync_parents (target TEXT NOT NULL, key TEXT NOT NULL, parked INTEGER NOT NULL \
      REFERENCES sanderling_sync_parked (id) ON DELETE CASCADE, PRIMARY KEY (target, key, parked)) WITHOUT ROWID
      """,
      "CREATE INDEX IF NOT EXISTS main.sanderling_sync_parents_parked ON sanderling_sync_parents (parked)",
      """
      CREATE TABLE IF NOT EXISTS main.sanderling_sync_unknown (record TEXT NOT NULL, "column" TEXT NOT NULL, \
      PRIMARY KEY (record, "column")) WITHOUT ROWID
      """,
      """
      CREATE TABLE IF NOT EXISTS main.sanderling_sync_comparisons (name TEXT NOT NULL PRIMARY KEY, sequence INTEGER NOT NULL) \
      WITHOUT ROWID
      """,
      // The number of rows of each table when a comparison began. After refused or interrupted comparisons the least
      // number counts, because they may have added rows; 0 doesn't count.
      """
      CREATE TABLE IF NOT EXISTS main.sanderling_sync_row_counts (name TEXT NOT NULL, record TEXT NOT NULL, rows INTEGER NOT NULL, \
      PRIMARY KEY (name, record)) WITHOUT ROWID
      """,
    ] + quarantine + StagedChanges.definitions + [AcknowledgedChanges.definition, UnnotedRecords.definition]

  /// The definition of the table with changes that didn't fit, and with mutations that a server refused.
  static let quarantine = [
    """
    CREATE TABLE IF NOT EXISTS main.sanderling_sync_quarantine (id INTEGER PRIMARY KEY, name TEXT NOT NULL, record TEXT NOT NULL, \
    key TEXT NOT NULL, direction TEXT NOT NULL, reason TEXT NOT NULL, "column" TEXT, payload TEXT, at REAL NOT NULL)
    """,
    // Each slice asks whether the quarantine has rows of one direction, although a file may have quarantined a million
    // rows of the other direction.
    """
    CREATE INDEX IF NOT EXISTS main.sanderling_sync_quarantine_place \
    ON sanderling_sync_quarantine (name, direction, record, key)
    """,
    // The index of earlier versions, without the direction.
    "DROP INDEX IF EXISTS main.sanderling_sync_quarantine_key",
  ]

  static let names = "SELECT name FROM main.sanderling_sync_state"
  static let make = "INSERT INTO main.sanderling_sync_state (name) VALUES (?) ON CONFLICT (name) DO NOTHING"
  /// Stores the last number in the outbox when a source restarts.
  static let noteComparison =
    "INSERT INTO main.sanderling_sync_comparisons (name, sequence) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET sequence = ?2"
  /// Whether the source restarted before a mutation got its number, while a comparison is running or staged; otherwise
  /// NULL.
  static let isComparedBefore = """
    SELECT ?2 > (SELECT sequence FROM main.sanderling_sync_comparisons WHERE name = ?1) \
    FROM main.sanderling_sync_state WHERE name = ?1 AND (restarting IN (1, 3) \
    OR EXISTS (SELECT 1 FROM main.sanderling_sync_stages WHERE name = ?1 AND restarts = 1))
    """
  /// A listing for an empty table is never refused. A stored 0 comes from an interrupted listing and is replaced.
  static let noteRowCount = """
    INSERT INTO main.sanderling_sync_row_counts (name, record, rows) VALUES (?, ?, ?) \
    ON CONFLICT DO UPDATE SET rows = CASE rows WHEN 0 THEN excluded.rows ELSE min(rows, excluded.rows) END
    """
  static let readRowCount = "SELECT rows FROM main.sanderling_sync_row_counts WHERE name = ? AND record = ?"
  static let forgetRowCounts = "DELETE FROM main.sanderling_sync_row_counts WHERE name = ?"
  static let read = "SELECT cursor, restarting FROM main.sanderling_sync_state WHERE name = ?"
  static let setCursor = "UPDATE main.sanderling_sync_state SET cursor = ? WHERE name = ?"
  static let forgetCursor = "UPDATE main.sanderling_sync_state SET cursor = NULL, checkpoint = NULL WHERE name = ?"
  static let setCheckpoint = "UPDATE main.sanderling_sync_state SET checkpoint = cursor WHERE name = ?"
  static let setUnsure = "UPDATE main.sanderling_sync_state SET restarting = 3 WHERE name = ? AND restarting = 1"
  static let isUnsure = "SELECT 1 FROM main.sanderling_sync_state WHERE name = ? AND restarting = 3"
  static let setRestarting = "UPDATE main.sanderling_sync_state SET restarting = ? WHERE name = ?"
  /// Makes the next poll request all rows, unless one already does.
  static let setDue = "UPDATE main.sanderling_sync_state SET restarting = 4 WHERE name = ? AND restarting IN (0, 2)"
  /// As ``setDue``, even while a comparison is running.
  static let setDueAlways = "UPDATE main.sanderling_sync_state SET restarting = 4 WHERE name = ?"
  static let isDue = "SELECT 1 FROM main.sanderling_sync_state WHERE name = ? AND restarting = 4"
  /// Ends a comparison, unless another one became due meanwhile.
  static let endComparison =
    "UPDATE main.sanderling_sync_state SET restarting = 2 WHERE name = ? AND restarting IN (1, 3)"
  static let forgetComparison = "UPDATE main.sanderling_sync_state SET restarting = 0 WHERE name = ? AND restarting = 2"
  static let setFinished = "UPDATE main.sanderling_sync_state SET finished = ? WHERE name = ?"

  static let isThere = "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE name = 'sanderling_sync_state')"
  static let readHolder = "SELECT holder, process, alive FROM main.sanderling_sync_state WHERE name = ?"
  static let hold =
    "UPDATE main.sanderling_sync_state SET holder = ?2, process = ?3, alive = ?4, started = ?4 WHERE name = ?1"
  static let keepHolding = "UPDATE main.sanderling_sync_state SET alive = ?3 WHERE name = ?1 AND holder = ?2"
  static let release = "UPDATE main.sanderling_sync_state SET holder = NULL WHERE name = ?1 AND holder = ?2"

  static let hasParked = "SELECT EXISTS (SELECT 1 FROM main.sanderling_sync_parked WHERE name = ?)"
  static let hasQuarantined =
    "SELECT EXISTS (SELECT 1 FROM main.sanderling_sync_quarantine WHERE name = ? AND direction = 'pull')"
  static let hasSeenUnknown =
    "INSERT INTO main.sanderling_sync_unknown (record, \"column\") VALUES (?, ?) ON CONFLICT DO NOTHING"
  static let readUnknown = "SELECT \"column\" FROM main.sanderling_sync_unknown WHERE record = ?"
  static let forgetUnknown = "DELETE FROM main.sanderling_sync_unknown WHERE record = ? AND \"column\" = ?"

  /// Seconds since 1970, the form of times in all tables here.
  static var now: Double { Date().timeIntervalSince1970 }
}

/// Changes that wait for a parent.
enum ParkedChanges {
  private static let park = """
    INSERT INTO main.sanderling_sync_parked (name, record, key, payload, at) VALUES (?, ?, ?, ?, ?) \
    ON CONFLICT (name, record, key) DO UPDATE SET payload = excluded.payload RETURNING id
    """

  /// Parks a change, replacing a parked change of the same row.
  ///
  /// - Returns: Its number.
  @discardableResult
  static func park(_ change: SyncChange, of name: String, _ db: Database) throws -> Int64 {
    try Int64.fetchOne(
      db.cachedStatement(sql: park),
      arguments: [name, change.record, StoredJSON.text(change.key), change.payload, SyncState.now]) ?? 0
  }

  /// A parked change; nil if it is no longer parked.
  static func change(_ id: Int64, of name: String, _ tx: ReadTransaction) throws -> SyncChange? {
    var change: SyncChange?
    try tx.run(load, [.text(name), .integer(id)]) { row in
      change = try SyncChange(record: row.text(at: 0), key: row.text(at: 1), payload: row.text(at: 2))
    }
    return change
  }

  /// The numbers of some parked changes, after a given one.
  static func numbers(of name: String, behind number: Int64, limit: Int, _ tx: ReadTransaction) throws -> [Int64] {
    var numbers: [Int64] = []
    try tx.run(next, [.text(name), .integer(number), .integer(Int64(limit))]) {
      numbers.append(try $0.integer(at: 0, for: Int64.self))
    }
    return numbers
  }

  static let forgetParents = "DELETE FROM main.sanderling_sync_parents WHERE parked = ?"
  static let wait =
    "INSERT INTO main.sanderling_sync_parents (target, key, parked) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
  static let find = "SELECT id, payload FROM main.sanderling_sync_parked WHERE name = ? AND record = ? AND key = ?"
  private static let load = "SELECT record, key, payload FROM main.sanderling_sync_parked WHERE name = ? AND id = ?"
  static let remove = "DELETE FROM main.sanderling_sync_parked WHERE id = ?"
  static let waiting = "SELECT parked FROM main.sanderling_sync_parents WHERE target = ? AND key = ? LIMIT ?"
  // By id: with the index of names they would have to be sorted.
  private static let next = "SELECT id FROM main.sanderling_sync_parked WHERE +name = ? AND id > ? ORDER BY id LIMIT ?"
  static let forget =
    "DELETE FROM main.sanderling_sync_parked WHERE id IN (SELECT id FROM main.sanderling_sync_parked WHERE name = ? LIMIT ?)"
  static let count = "SELECT count(*) FROM main.sanderling_sync_parked WHERE name = ?"
  static let countDeletions =
    "SELECT count(*) FROM main.sanderling_sync_parked WHERE name = ? AND json_extract(payload, '$.content') <> 'row'"
}

/// Changes of the source that don't fit, and mutations that the server refused.
enum QuarantinedChanges {
  /// The kinds of quarantined changes, as stored in the column `direction`.
  enum Kind: String {
    /// A change of the source's row.
    case row = "pull"
    /// A change of the source that belongs to no row. It is an unreadable line, a row without a possible key, or a row
    /// with the key of an earlier row of the file.
    case noRow = "read"
    /// A mutation that the server refused.
    case sent = "push"
  }

  private static let add = """
    INSERT INTO main.sanderling_sync_quarantine (name, record, key, direction, reason, "column", payload, at) \
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """
  /// The quarantine's index finds the few rows of a key.
  static let removeSent = """
    DELETE FROM main.sanderling_sync_quarantine WHERE name = ? AND record = ? AND key = ? AND direction = 'push'
    """

  static func note(
    _ change: SyncChange, as kind: Kind, reason: String, column: String? = nil, of name: String, _ db: Database,
    at date: Double = SyncState.now
  ) throws {
    try db.cachedStatement(sql: add).execute(arguments: [
      name, change.record, StoredJSON.text(change.key), kind.rawValue, reason, column, change.payload, date,
    ])
  }

  /// Removes the mutation of a key that the server refused.
  static func removeSent(_ key: [StorageValue], of record: String, name: String, _ db: Database) throws {
    try db.cachedStatement(sql: removeSent).execute(arguments: [name, record, StoredJSON.text(key)])
  }

  static let find = """
    SELECT id, payload FROM main.sanderling_sync_quarantine WHERE name = ? AND record = ? AND key = ? AND direction = 'pull'
    """
  /// The keys of the mutations that the server refused.
  static let sentKeys = "SELECT record, key FROM main.sanderling_sync_quarantine WHERE name = ? AND direction = 'push'"
  static let remove = "DELETE FROM main.sanderling_sync_quarantine WHERE id = ?"
  static let forget = """
    DELETE FROM main.sanderling_sync_quarantine WHERE id IN \
    (SELECT id FROM main.sanderling_sync_quarantine WHERE name = ? AND direction IN ('pull', 'read') LIMIT ?)
    """
  /// Deletes individually quarantined changes: lines of a stream that has passed.
  static let forgetRead = """
    DELETE FROM main.sanderling_sync_quarantine WHERE id IN \
    (SELECT id FROM main.sanderling_sync_quarantine WHERE name = ? AND direction = 'read' LIMIT ?)
    """
  static let list = """
    SELECT id, record, key, reason, "column", payload, at, direction FROM main.sanderling_sync_quarantine \
    WHERE +name = ? AND id > ? ORDER BY id LIMIT ?
    """
  static let load = """
    SELECT id, record, key, reason, "column", payload, at, direction FROM main.sanderling_sync_quarantine \
    WHERE +name = ? AND id = ?
    """
}
