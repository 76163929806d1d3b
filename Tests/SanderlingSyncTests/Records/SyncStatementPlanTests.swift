import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// Statements that run at each edit, mutation and pulled row find their rows by an index.
@Suite struct SyncStatementPlanTests {
  /// The steps of a query plan that read rows, without the parts that differ between releases of SQLite.
  private func plan(_ sql: String, _ db: Database) throws -> [String] {
    var steps: [String] = []
    // GRDB would require values for all parameters.
    try db.forEachRow(of: "EXPLAIN QUERY PLAN " + sql) { _ in
    } row: { row in
      if case .text(let step) = row.storageValue(at: 3) {
        steps.append(
          step.replacingOccurrences(of: " LEFT-JOIN", with: "").replacingOccurrences(of: " main.", with: " "))
      }
    }
    return steps.filter { step in
      ["SCAN", "SEARCH", "USE TEMP"].contains { step.hasPrefix($0) } && step != "SCAN CONSTANT ROW"
    }
  }

  @Test func noStatementScansATableOfTheApp() throws {
    let queue = try DatabaseQueue()
    try queue.write { try expectSearches($0) }
  }

  private func expectSearches(_ db: Database) throws {
    try Garden.make(db)
    for record in Garden.records {
      let table = record.synced
      let statements = [
        table.selectRow, table.deleteRow, table.updateRow ?? "", table.selectEntryOfKey, table.selectEntry,
        table.selectSendable, table.selectSending, table.countChanges, table.deleteEntry,
        table.selectVersion, table.deleteVersion,
      ]
      for sql in statements {
        for step in try plan(sql, db) {
          // These two statements read or count all entries.
          let isOfEntries = step == "SCAN entry" && [table.selectSendable, table.countChanges].contains(sql)
          let isSearch = step.hasPrefix("SEARCH") && !step.contains("AUTOMATIC")
          let isOfFew = step == "SCAN entry USING INDEX \(table.changesName)_sending"
          #expect(isSearch || isOfFew || isOfEntries, "\(step): \(sql)")
        }
      }
    }
  }

  /// The searches of a comparison use an index for each row, with keys of any types.
  @Test func comparisonsSearch() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try Garden.make(db)
      for record in Garden.records {
        let table = try SyncTable(record, db)
        try table.makeTables(db)
        // The table of listed keys as earlier releases made it.
        try db.execute(
          sql: "DROP TABLE \(table.seen); CREATE TABLE \(table.seen) ("
            + table.keyAliases.map { "\($0) NOT NULL" }.joined(separator: ", ")
            + ", PRIMARY KEY (\(table.keyAliases.joined(separator: ", ")))) WITHOUT ROWID")
        try table.makeTables(db)
        for sql in [table.unseen(behindKey: true), table.unseenDeletions, table.isSeen, table.selectExtra] {
          let steps = try plan(sql, db)
          #expect(
            !steps.isEmpty && steps.allSatisfy { $0.hasPrefix("SEARCH") && !$0.contains("AUTOMATIC") },
            "\(steps): \(sql)")
          // The search uses all columns of the key, not only the first ones.
          for step in steps where step.contains("sanderling_sync_seen") || step.contains(" seen ") {
            #expect(table.keyAliases.allSatisfy { step.contains("\($0)=?") }, "\(step)")
          }
        }
      }
    }
  }

  @Test func entriesAreFoundByTheirIndexes() throws {
    let queue = try DatabaseQueue()
    try queue.write { try expectIndexes($0) }
  }

  private func expectIndexes(_ db: Database) throws {
    try Garden.make(db)
    let (beds, cuttings) = (Garden.records[0].synced, Garden.records[4].synced)
    #expect(
      try plan(beds.selectSending, db) == [
        "SCAN entry USING INDEX sanderling_sync_changes_beds_sending",
        "SEARCH present USING INTEGER PRIMARY KEY (rowid=?)",
      ])
    #expect(
      try plan(cuttings.selectReferring(1), db) == [
        "SEARCH entry USING INDEX sanderling_sync_changes_cuttings_bed (base_bed=?)",
        "SEARCH present USING INTEGER PRIMARY KEY (rowid=?)",
      ])
    #expect(
      try plan(beds.selectEntryOfKey, db) == [
        "SEARCH entry USING INDEX sqlite_autoindex_sanderling_sync_changes_beds_1 (k0=?)",
        "SEARCH present USING INTEGER PRIMARY KEY (rowid=?)",
      ])
    #expect(
      try plan(ConflictLog.select, db) == ["SCAN sanderling_sync_conflicts"])
    #expect(
      try plan(ConflictLog.delete, db) == [
        "SEARCH sanderling_sync_conflicts USING INTEGER PRIMARY KEY (rowid=?)"
      ])
    #expect(
      try plan(QuarantinedChanges.removeSent, db) == [
        "SEARCH sanderling_sync_quarantine USING INDEX sanderling_sync_quarantine_place "
          + "(name=? AND direction=? AND record=? AND key=?)"
      ])
    // Each slice of a pull runs the first of these statements.
    for sql in [
      SyncState.hasQuarantined, QuarantinedChanges.find, QuarantinedChanges.sentKeys, QuarantinedChanges.forget,
      QuarantinedChanges.forgetRead,
    ] {
      let plan = try plan(sql, db)
      #expect(plan.contains { $0.contains("(name=? AND direction=?") }, "\(sql): \(plan)")
    }
  }

  /// The statements inside of triggers use indexes. EXPLAIN QUERY PLAN leaves triggers out, so their parts are
  /// explained as statements with values in place of `NEW` and `OLD`.
  @Test func triggersSearch() throws {
    let queue = try DatabaseQueue()
    try queue.write { try expectTriggersSearch($0) }
  }

  private func expectTriggersSearch(_ db: Database) throws {
    try Garden.make(db)
    for record in Garden.records {
      let columns = record.synced.columns
      let triggers = try String.fetchAll(
        db,
        sql: "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'sanderling_sync_%' AND tbl_name = ?",
        arguments: [record.synced.name])
      #expect(triggers.count == 6)
      for trigger in triggers {
        let body = try #require(trigger.components(separatedBy: " BEGIN ").dropFirst().first)
        for statement in body.components(separatedBy: "; ") where statement.hasPrefix("INSERT") {
          // The values have the affinity and collation of the columns, as in the trigger.
          let row = "(SELECT \(columns.quotedIdentifiers) FROM \(record.synced.quotedName) LIMIT 1)"
          let select = try #require(statement.components(separatedBy: ") SELECT ").dropFirst().first)
          let existing = select.components(separatedBy: " AS existing WHERE ")
          // A statement without a search for an existing row finds conflicting entries by the index of its ON CONFLICT
          // clause.
          guard existing.count == 2 else { continue }
          let condition = existing[1].components(separatedBy: " ON CONFLICT ")[0]
          let steps = try plan(
            "SELECT (SELECT count(*) FROM \(record.synced.quotedName) AS existing WHERE \(condition)) "
              + "FROM \(row) AS OLD, \(row) AS NEW", db)
          #expect(!steps.contains("SCAN existing"), "\(steps) \(condition)")
        }
      }
    }
  }
}
