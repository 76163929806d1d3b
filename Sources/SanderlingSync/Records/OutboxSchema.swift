import GRDB
import Sanderling
import SanderlingSQL

/// The tables and triggers that synchronisation keeps in the database beside the records. The triggers record the
/// changes of every writer.
///
/// A table of changes has an entry for each key with changes that the server hasn't acknowledged: ``OutboxEntry``. The
/// change itself isn't stored: it is the difference between the former row (the base) and the current row. So all
/// changes of one row are one, and a row that is as before has none.
enum OutboxSchema {
  /// Creates the tables and triggers of records, or updates them, and keeps existing entries.
  ///
  /// Writes nothing if all is up to date: a few reads of the schema for each table. A recreated table has lost its
  /// triggers. Edits before the triggers are recreated aren't recorded: a comparison finds them, see
  /// ``UnnotedRecords``.
  ///
  /// - Parameter db: The store's writer, in a transaction.
  /// - Returns: The records whose triggers were lost.
  /// - Throws: ``SyncTableError`` for a table whose changes can't be recorded, and errors of the database.
  @discardableResult
  static func install(_ records: [SyncedRecord], on db: Database) throws -> [SyncedRecord] {
    try create(SyncControl.table, SyncControl.createTable, on: db)
    try db.execute(
      sql: "INSERT OR IGNORE INTO main.sanderling_sync_control (id, client) VALUES (1, lower(hex(randomblob(16))))")
    try create(conflictsName, createConflicts, on: db)
    for sql in SyncState.definitions { try db.execute(sql: sql) }
    let unnoted = try records.filter { try hasLostTriggers($0.synced, db) }
    for record in records where try install(record, among: records, on: db) {
      try FormerValues.convert(record, db)
    }
    return unnoted
  }

  /// Removes the triggers of a table, so that columns named in them can be dropped. Later writes aren't recorded.
  static func removeTriggers(of record: SyncedRecord, on db: Database) throws {
    for trigger in try triggers(of: record.synced, db) { try NotingTriggers.drop(trigger.name, db) }
  }

  // MARK: Tables of all records

  static let conflictsName = "sanderling_sync_conflicts"

  private static let createConflicts = """
    CREATE TABLE "sanderling_sync_conflicts" (id INTEGER PRIMARY KEY, record TEXT NOT NULL, key TEXT NOT NULL, \
    kind TEXT NOT NULL, side TEXT NOT NULL, column TEXT, lost, kept, at INTEGER NOT NULL)
    """

  private static func create(_ name: String, _ sql: String, on db: Database) throws {
    if try self.sql(of: name, db) == nil { try db.execute(sql: sql) }
  }

  private static func sql(of name: String, _ db: Database) throws -> String? {
    try String.fetchOne(
      db, sql: "SELECT sql FROM main.sqlite_schema WHERE type IN ('table', 'index') AND name = ? COLLATE NOCASE",
      arguments: [name])
  }

  // MARK: Tables of a record

  /// - Returns: Whether the record's table of changes had the form of commit 689b670.
  private static func install(_ record: SyncedRecord, among records: [SyncedRecord], on db: Database) throws -> Bool {
    let table = record.synced
    let target: CaptureTarget
    do {
      target = try CaptureTarget(record.table, db)
    } catch let error as CaptureTarget.Obstructed {
      throw SyncTableError.unsuitable(table: table.name, reason: error.obstacle.description)
    }
    let isFormer = try bringUpToDate(table, target.columns, on: db)
    let parents = Set(records.map(\.synced.name.folded))
    let references = table.references.filter { parents.contains($0.parent.folded) }
    for index in indexes(of: table, references) where try sql(of: index.name, db) == nil {
      try db.execute(sql: index.sql)
    }
    // An earlier version had an index of conflicts.
    try db.execute(sql: "DROP INDEX IF EXISTS main.\("\(table.changesName)_stuck".quotedIdentifier)")
    try db.execute(sql: table.createVersions(target.columns))
    try SyncTriggers.triggers(table, target).install(on: table.name, prefix: SyncTriggers.prefix, db)
    return isFormer
  }

  private static func createChanges(of table: SyncedTable, _ found: [ActualColumn]) -> String {
    let columns =
      ["sequence INTEGER PRIMARY KEY"] + table.keyDefinitions(found)
      + ["state INTEGER NOT NULL DEFAULT 0", "edited INTEGER NOT NULL DEFAULT 0", "existed INTEGER NOT NULL"]
      + ["rebased INTEGER NOT NULL DEFAULT 0", "assumed INTEGER NOT NULL DEFAULT 0"]
      + ["departed INTEGER NOT NULL DEFAULT 0"]
      + ["conflicts INTEGER NOT NULL DEFAULT 0", "mutation INTEGER", "sent INTEGER NOT NULL DEFAULT 0", "columns TEXT"]
      + ["version TEXT", "attempts INTEGER NOT NULL DEFAULT 0", "error TEXT", "held TEXT", "answer TEXT"]
      + (table.baseNames + table.sentNames).map(\.quotedIdentifier)
      + ["UNIQUE (\(table.keyNames.joined(separator: ", ")))"]
    return "CREATE TABLE \(table.changes) (\(columns.joined(separator: ", ")))"
  }

  /// Indexes find the mutations being sent among all changes, and the children of a deleted row.
  private static func indexes(
    of table: SyncedTable, _ references: [(column: Int, parent: String)]
  ) -> [(name: String, sql: String)] {
    func index(_ suffix: String, _ column: String, _ condition: String) -> (String, String) {
      let name = "\(table.changesName)_\(suffix)"
      return (
        name,
        "CREATE INDEX \(name.quotedIdentifier) ON \(table.changes) (\(column.quotedIdentifier)) WHERE \(condition)"
      )
    }
    return [index("sending", "mutation", "state = 1")]
      + references.map { index(table.columns[$0.column], table.baseNames[$0.column], "existed = 1") }
  }

  /// Creates the table of changes, or recreates it with its entries. In an added column, the base takes the row's
  /// value, because no change of the column was recorded. Without a row, it takes the default.
  ///
  /// - Returns: Whether the table had the form of commit 689b670.
  private static func bringUpToDate(_ table: SyncedTable, _ found: [ActualColumn], on db: Database) throws -> Bool {
    let create = createChanges(of: table, found)
    let existing = try sql(of: table.changesName, db)
    if existing == create { return false }
    guard existing != nil else {
      try db.execute(sql: create)
      return false
    }
    // Triggers would name the table while it doesn't exist.
    for trigger in try triggers(of: table, db) { try NotingTriggers.drop(trigger.name, db) }
    let former = "\(table.changesName)_former"
    let had = try TableReader(table.changesName, db).columns()
    guard had.filter({ $0.name.hasPrefix("k") && Int($0.name.dropFirst()) != nil }).count == table.key.count else {
      throw SyncTableError.unsuitable(
        table: table.name, reason: "its key differs from the key of pending changes")
    }
    try db.renameTable(table.changesName, to: former)
    for index in try TableReader(former, db).indexes() where index.name.folded.hasPrefix("sanderling_sync_") {
      try db.execute(sql: "DROP INDEX main.\(index.name.quotedIdentifier)")
    }
    try db.execute(sql: create)
    let isGone = "present.\(table.keyColumns[0].quotedIdentifier) IS NULL"
    var values = Dictionary(uniqueKeysWithValues: had.map { ($0.name, "entry.\($0.name.quotedIdentifier)") })
    for (column, (base, sent)) in zip(table.columns, zip(table.baseNames, table.sentNames)) where values[base] == nil {
      let value =
        "CASE WHEN \(isGone) THEN (\(found.named(column)?.defaultSQL ?? "NULL")) ELSE present.\(column.quotedIdentifier) END"
      (values[base], values[sent]) = (value, value)
    }
    let isFormer = values["edited"] == nil
    var condition = ""
    if isFormer {
      // Formerly a key could have a second entry, with the edits since the first was sent or refused.
      let isOfKey = "other.rowid <> entry.rowid AND " + table.haveOneKey("other", "entry")
      let others = "SELECT 1 FROM main.\(former.quotedIdentifier) AS other WHERE \(isOfKey)"
      values["edited"] = "entry.state <> 0 AND EXISTS (\(others))"
      // In a waiting entry this flag is a leftover. Exception: an insertion that the server took.
      values["rebased"] =
        "CASE WHEN entry.state <> 0 OR (entry.sent = 1 AND entry.version IS NOT NULL) THEN entry.rebased ELSE 0 END"
      condition = " WHERE entry.state <> 0 OR NOT EXISTS (\(others))"
    }
    let columns = try TableReader(table.changesName, db).columns().map(\.name).filter { values[$0] != nil }
    try db.execute(
      sql: "INSERT INTO main.\(table.changes) (\(columns.quotedIdentifiers)) SELECT "
        + columns.compactMap { values[$0] }.joined(separator: ", ")
        + " FROM main.\(former.quotedIdentifier) AS entry LEFT JOIN main.\(table.quotedName) AS present ON "
        + table.rowHasKey("present", of: "entry") + condition)
    try db.execute(sql: "DROP TABLE main.\(former.quotedIdentifier)")
    return isFormer
  }

  // MARK: Triggers

  /// Whether there was an outbox with triggers, and the table has lost some of them.
  private static func hasLostTriggers(_ table: SyncedTable, _ db: Database) throws -> Bool {
    guard try sql(of: table.changesName, db) != nil else { return false }
    let existing = Set(try triggers(of: table, db).map(\.name))
    return !SyncTriggers.names(table).allSatisfy(existing.contains)
  }

  private static func triggers(of table: SyncedTable, _ db: Database) throws -> [NotingTriggers.Trigger] {
    try NotingTriggers.existing(on: table.name, prefix: SyncTriggers.prefix, db)
  }
}
