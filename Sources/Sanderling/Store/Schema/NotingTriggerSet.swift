import GRDB
import SanderlingSQL

/// The triggers that note rows for synchronisation and for histories, as far as changes of the schema affect them.
///
/// SQLite drops no column that a trigger names. `SanderlingSync` makes the triggers of synchronisation. It makes missing
/// triggers again at the end of the store's own change of the schema, and before the next write of the store. It also
/// does so when a synchronisation is opened or run. It then compares all rows with the server, which finds the writes of
/// the step. ``HistoryTables`` makes those of histories at the same moments and when a store is opened.
enum NotingTriggerSet {
  private static let prefixes = ["sanderling_sync_", HistoryTables.prefix]

  private static func isOne(_ name: String) -> Bool { prefixes.contains(where: name.folded.hasPrefix) }

  static func names(of table: String, _ db: any SchemaConnection) throws -> [String] {
    try SchemaReader.triggers(of: table, db).map(\.name).filter(isOne)
  }

  /// Drops the noting triggers of a table, if SQLite's error message names one of them.
  ///
  /// - Returns: Whether the message names one.
  fileprivate static func drop(namedIn error: DatabaseError, _ db: Database) throws -> Bool {
    guard error.resultCode == .SQLITE_ERROR, let message = error.message else { return false }
    let named = try SchemaReader(db).objects.first { object in
      object.type == "trigger" && isOne(object.name)
        && [" ", ":"].contains { message.contains("trigger \(object.name)\($0)") }
    }
    guard let named else { return false }
    for name in try names(of: named.table, db) { try db.execute(sql: "DROP TRIGGER main.\(name.quotedIdentifier)") }
    return true
  }
}

extension DatabaseMigrator {
  /// Runs the steps that were not run yet.
  ///
  /// A step may fail because of a trigger of a synchronised table or of a history. It is then rolled back, and runs again without the
  /// triggers of that table.
  ///
  /// - Throws: The errors of the steps.
  func migrateNotedTables(_ writer: any DatabaseWriter) throws {
    while true {
      do {
        return try migrate(writer)
      } catch let error as DatabaseError {
        // Each round drops triggers, so that the loop ends.
        guard try writer.write({ try NotingTriggerSet.drop(namedIn: error, $0) }) else { throw error }
      }
    }
  }
}
