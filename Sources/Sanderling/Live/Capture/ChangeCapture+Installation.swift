import GRDB
import GRDBSQLite
import Synchronization

// Installing costs about a tenth of a millisecond, and makes SQLite compile all statements of the connection again: the engine
// installs when the first one needs a table, and uninstalls long after the last one did.
extension ChangeCapture {
  /// Has the columns captured, beside those that are already, from the next commit on.
  ///
  /// On the writer's queue, outside of a transaction. Installs triggers anew when the schema changed meanwhile.
  ///
  /// - Returns: The tables that can't be captured, and why.
  /// - Throws: Errors of the database. Then what is captured is as it was, or less.
  @discardableResult
  func install(_ needs: [CaptureNeed], on db: Database) throws -> [RecordType: CaptureObstacle] {
    try requireNoTransaction(db)
    if db.configuration.readonly {
      let obstacle = CaptureObstacle("the store is read-only")
      return Dictionary(needs.map { ($0.table, obstacle) }) { first, _ in first }
    }
    if writer.connection == nil {
      try CaptureFunction.register(writer.buffer, on: db)
      writer.connection = db.sqliteConnection
    }
    completeLostCommit()
    if lookAtVersions(db, commit: sequence.number, moment: sequence.moment) { onCommit?() }

    var wanted: [RecordType: Set<Int>] = [:]
    if writer.isUncertain {
      for (table, slot) in writer.slots { wanted[table] = Set(slot.layout.columns) }
    }
    for need in needs {
      wanted[need.table, default: Set(writer.slots[need.table]?.layout.columns ?? [])].formUnion(need.columns)
    }
    var obstacles: [RecordType: CaptureObstacle] = [:]
    defer { noteOwnTriggers(db) }
    for (table, columns) in wanted.sorted(by: { $0.key.table.name < $1.key.table.name }) {
      do {
        try install(table, columns, db)
      } catch let error as CaptureTarget.Obstructed {
        try removeTriggers(of: table, db)
        obstacles[table] = error.obstacle
      }
    }
    writer.isUncertain = false
    publishLayouts()
    return obstacles
  }

  /// Looks whether all triggers are still there and right, and makes those that are not again.
  ///
  /// On the writer's queue, outside of a transaction.
  ///
  /// - Returns: The tables that can no longer be captured, and why.
  @discardableResult
  func verify(on db: Database) throws -> [RecordType: CaptureObstacle] {
    writer.isUncertain = true
    return try install([], on: db)
  }

  /// Removes the triggers of other tables: ALTER TABLE can't drop a column that a trigger names.
  ///
  /// On the writer's queue, outside of a transaction.
  func uninstall(keeping kept: Set<RecordType>, on db: Database) throws {
    try requireNoTransaction(db)
    defer { publishLayouts() }
    let removed = writer.slots.keys.filter { !kept.contains($0) }
    guard !removed.isEmpty else { return }
    completeLostCommit()
    _ = lookAtVersions(db, commit: sequence.number, moment: sequence.moment)
    defer { if isActive { noteOwnTriggers(db) } else { writer.versions = nil } }
    for table in removed { try removeTriggers(of: table, db) }
  }

  /// Triggers move the number of the temporary schema. The others are left as they were at the last look: what another
  /// connection wrote since has to be noticed by the next one.
  private func noteOwnTriggers(_ db: Database) {
    guard let now = ConnectionVersions(db, &writer.versionStatements) else { return }
    writer.versions = writer.versions?.withTemporarySchema(of: now) ?? now
  }

  private func install(_ table: RecordType, _ columns: Set<Int>, _ db: Database) throws {
    let target = try CaptureTarget(table.table, db)
    if requiresDeclaredCollations { try target.requireCollations(table.table, db) }
    let known = writer.slots[table]
    let loose = target.looseColumns(table.table)
    let isKnown =
      known.map { $0.layout.columns.count == columns.count && $0.layout.looseColumns == loose } ?? false
    let layout =
      isKnown
      ? known?.layout ?? CaptureLayout(table: table, columns: columns, looseColumns: loose)
      : CaptureLayout(table: table, columns: columns, looseColumns: loose)
    let keyCount = table.table.key.count
    try requireFewArguments(1 + keyCount + columns.count, db)
    let number = known?.number ?? writer.lastSlotNumber + 1
    let program =
      isKnown
      ? known?.program ?? 0
      : writer.buffer.add(CaptureProgram(table: table, layout: layout, keyCount: keyCount))
    let triggers = CaptureTriggers(slot: number, program: program, layout, target)
    if try triggers.keyIsLate && target.hasForeignTemporaryTriggers(db) {
      throw CaptureTarget.Obstructed(
        "the app has a temporary trigger on it, which may run before an inserted key is told")
    }
    if !isKnown {
      state.withLock { $0.programs = writer.buffer.programs }
    }
    try replaceTriggers(slot: number, by: triggers.triggers, db)
    writer.lastSlotNumber = max(writer.lastSlotNumber, number)
    writer.slots[table] = CaptureWriter.Slot(number: number, program: program, layout: layout)
  }

  /// Apps that allow themselves unsafe transactions can leave one open on the writer.
  private func requireNoTransaction(_ db: Database) throws {
    if db.isInsideTransaction {
      throw DatabaseError(resultCode: .SQLITE_BUSY, message: "a transaction was left open on the writer's connection")
    }
  }

  private func requireFewArguments(_ count: Int, _ db: Database) throws {
    let limit = Int(sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_FUNCTION_ARG, -1))
    guard count <= limit else {
      throw CaptureTarget.Obstructed("\(count - 1) columns are followed, and SQLite passes \(limit - 1) at most")
    }
  }

  private func removeTriggers(of table: RecordType, _ db: Database) throws {
    guard let slot = writer.slots[table] else { return }
    try replaceTriggers(slot: slot.number, by: [], db)
    writer.slots[table] = nil
  }

  private func replaceTriggers(slot: Int, by triggers: [CaptureTriggers.Trigger], _ db: Database) throws {
    let prefix = CaptureTriggers.namePrefix(slot: slot)
    let existing = try Row.fetchAll(
      db, sql: "SELECT name, sql FROM temp.sqlite_schema WHERE type = 'trigger' AND substr(name, 1, ?) = ?",
      arguments: [prefix.utf8.count, prefix]
    ).map { (name: $0[0] as String, sql: $0[1] as String) }
    let isSame =
      existing.count == triggers.count
      && triggers.allSatisfy { trigger in existing.contains { $0.sql == "CREATE TRIGGER \(trigger.definition)" } }
    if isSame { return }
    writer.isInstalling = true
    defer { writer.isInstalling = false }
    try db.inTransaction(.deferred) {
      for trigger in existing { try db.execute(sql: "DROP TRIGGER temp.\(trigger.name.quotedIdentifier)") }
      do {
        for trigger in triggers { try db.execute(sql: "CREATE TEMP TRIGGER \(trigger.definition)") }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        throw CaptureTarget.Obstructed("SQLite refuses its triggers: \(error.message ?? "no reason given")")
      }
      return .commit
    }
  }

  private func publishLayouts() {
    let current = writer.slots.mapValues(\.layout)
    layouts.withLock { $0 = writer.isUncertain ? [:] : current }
  }
}
