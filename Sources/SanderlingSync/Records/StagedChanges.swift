import GRDB
import Sanderling

/// The changes of a checkpoint that is incomplete or not fully applied, as stored in the database.
enum StagedChanges {
  static let definitions = [
    // No number is used twice: a sent mutation remembers which changes were staged before.
    """
    CREATE TABLE IF NOT EXISTS main.sanderling_sync_staged (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, record TEXT NOT NULL, \
    key TEXT NOT NULL, payload TEXT NOT NULL)
    """,
    // last: the last change of a completely staged batch. Later changes belong to a batch that comes again.
    """
    CREATE TABLE IF NOT EXISTS main.sanderling_sync_stages (name TEXT NOT NULL PRIMARY KEY, cursor TEXT, last INTEGER NOT NULL, \
    restarts INTEGER NOT NULL, complete INTEGER NOT NULL) WITHOUT ROWID
    """,
  ]

  static let add = "INSERT INTO main.sanderling_sync_staged (name, record, key, payload) VALUES (?, ?, ?, ?)"
  // By id: there is no index of names, because more than one is rare.
  static let next = """
    SELECT id, record, key, payload FROM main.sanderling_sync_staged WHERE +name = ? AND id <= ? ORDER BY id LIMIT ?
    """
  static let removeThrough = "DELETE FROM main.sanderling_sync_staged WHERE +name = ? AND id <= ?"
  static let removeBehind = """
    DELETE FROM main.sanderling_sync_staged WHERE id IN \
    (SELECT id FROM main.sanderling_sync_staged WHERE +name = ? AND id > ? ORDER BY id LIMIT ?)
    """
  static let first = "SELECT id FROM main.sanderling_sync_staged WHERE +name = ? ORDER BY id LIMIT 1"
  static let last = "SELECT coalesce(max(id), 0) FROM main.sanderling_sync_staged"

  static let read = "SELECT cursor, last, restarts, complete FROM main.sanderling_sync_stages WHERE name = ?"
  static let write = """
    INSERT INTO main.sanderling_sync_stages (name, cursor, last, restarts, complete) VALUES (?, ?, ?, ?, ?) \
    ON CONFLICT (name) DO UPDATE SET cursor = excluded.cursor, last = excluded.last, restarts = excluded.restarts, \
    complete = excluded.complete
    """
  /// Notes that the comparison of the restarted source has begun.
  static let noteBegun = "UPDATE main.sanderling_sync_stages SET restarts = 0 WHERE name = ?"
  static let remove = "DELETE FROM main.sanderling_sync_stages WHERE name = ?"

  private static let lastOfKey = """
    SELECT payload FROM main.sanderling_sync_staged WHERE id > ? AND +name = ? AND record = ? AND key = ? \
    ORDER BY id DESC LIMIT 1
    """

  /// Whether any change waits for its checkpoint.
  static func isUnderWay(_ name: String, _ db: Database) throws -> Bool {
    var isUnderWay = false
    try db.forEachRow(of: read) {
      try $0.bind([.text(name)])
    } row: { _ in
      isUnderWay = true
    }
    return isUnderWay
  }

  /// The last staged change of a record after `last`. O(changes staged after it).
  static func change(
    of record: String, key: [StorageValue], behind last: Int64, of name: String, _ db: Database
  ) throws -> SyncChange? {
    let key = StoredJSON.text(key)
    let payload = try String.fetchOne(db.cachedStatement(sql: lastOfKey), arguments: [last, name, record, key])
    return try payload.map { try SyncChange(record: record, key: key, payload: $0) }
  }

  /// Adds a change that the server acknowledged, between two batches.
  static func append(_ change: SyncChange, of name: String, _ db: Database) throws {
    try db.execute(
      sql: add, arguments: [name, change.record, StoredJSON.text(change.key), change.payload])
    try db.execute(
      sql: "UPDATE main.sanderling_sync_stages SET last = ? WHERE name = ?", arguments: [db.lastInsertedRowID, name])
  }
}

extension SyncChange {
  /// The server's row of a record after it took a mutation.
  init(_ mutation: Mutation, version: String?) {
    let content: Content =
      switch mutation.content {
      case .insertion(let values), .update(let values): .row(values)
      case .deletion: .deletion
      }
    self.init(mutation.record, key: mutation.key, content, version: version)
  }
}

/// The state of a checkpoint that is being collected.
struct Stage: Hashable, Sendable {
  /// The cursor to continue from; nil if the source gave none yet.
  var cursor: String?
  /// The last change that counts.
  var last: Int64 = 0
  /// Whether the source restarts with it.
  var restarts = false
  /// Whether the stage is complete and being applied.
  var isComplete = false

  /// - Returns: Nil if nothing is staged.
  init?(_ tx: ReadTransaction, name: String) throws {
    var isThere = false
    try tx.run(StagedChanges.read, [.text(name)]) { row in
      isThere = true
      cursor = try row.optionalText(at: 0)
      last = try row.integer(at: 1, for: Int64.self)
      restarts = try row.integer(at: 2, for: Int64.self) != 0
      isComplete = try row.integer(at: 3, for: Int64.self) != 0
    }
    if !isThere { return nil }
  }

  init(cursor: String?) {
    self.cursor = cursor
  }

  func write(_ tx: WriteTransaction, name: String) throws {
    try tx.run(
      StagedChanges.write,
      [
        .text(name), cursor.map { .text($0) } ?? .null, .integer(last), .integer(restarts ? 1 : 0),
        .integer(isComplete ? 1 : 0),
      ])
  }
}
