package import GRDB
import SanderlingSQL

/// Plain triggers of one table that note rows for synchronisation or for its history.
package struct NotingTriggers {
  package struct Trigger: Equatable {
    package let name: String
    package let sql: String

    package init(name: String, sql: String) {
      (self.name, self.sql) = (name, sql)
    }
  }

  package let triggers: [Trigger]
  /// Whether the key of an inserted row is known only after the write: then no trigger of the app may run before these.
  private let keyIsLate: Bool

  package init(_ triggers: [Trigger], keyIsLate: Bool) {
    (self.triggers, self.keyIsLate) = (triggers, keyIsLate)
  }

  /// Creates the triggers, unless the table has exactly these. Other triggers with the prefix are dropped: they carry a
  /// former name of the table.
  ///
  /// - Parameter prefix: The prefix of the names of such triggers on all tables.
  package func install(on table: String, prefix: String, _ db: Database) throws {
    let existing = try Self.existing(on: table, prefix: prefix, db)
    let isWhole = existing.count == triggers.count && triggers.allSatisfy { existing.contains($0) }
    if try isWhole && !(keyIsLate && Self.hasLaterTriggers(on: table, prefix: prefix, db)) { return }
    for trigger in existing { try Self.drop(trigger.name, db) }
    for trigger in triggers {
      // Another table may have a trigger of this name: the table was renamed, and another one has its name now.
      try Self.drop(trigger.name, db)
      try db.execute(sql: trigger.sql)
    }
  }

  package static func existing(on table: String, prefix: String, _ db: Database) throws -> [Trigger] {
    try SchemaReader.triggers(of: table, db).filter { $0.name.utf8.starts(with: prefix.utf8) }
      .map { Trigger(name: $0.name, sql: $0.sql ?? "") }
  }

  package static func drop(_ trigger: String, _ db: Database) throws {
    try db.execute(sql: "DROP TRIGGER IF EXISTS main.\(trigger.quotedIdentifier)")
  }

  /// Whether other triggers were created after these and so run before them: SQLite runs the latest first.
  private static func hasLaterTriggers(on table: String, prefix: String, _ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: "SELECT max(rowid) FILTER (WHERE substr(name, 1, length(?1)) <> ?1) > min(rowid) FILTER (WHERE "
        + "substr(name, 1, length(?1)) = ?1) FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ?2 COLLATE NOCASE",
      arguments: [prefix, table]) ?? false
  }
}
