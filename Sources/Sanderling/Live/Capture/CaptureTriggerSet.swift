import GRDB
import SanderlingSQLite
import Synchronization

/// The triggers of a store on its writer's connection, and the function that they call. Belongs to the writer's queue.
///
/// Installing them costs about a tenth of a millisecond, and makes SQLite compile all statements of the connection
/// again.
struct CaptureTriggerSet {
  /// A captured table.
  private struct Slot {
    let program: Int
    let layout: CaptureLayout
    let triggers: [CaptureTriggers.Trigger]
  }

  private let buffer: CaptureBuffer
  private let function: String
  /// Whether a column with a collation that its record doesn't declare is an obstacle. Its captured rows are right, but
  /// Swift would compare them wrongly.
  private let requiresDeclaredCollations: Bool
  private var slots: [RecordType: Slot] = [:]
  private var isRegistered = false
  /// Whether triggers without a slot may exist. They capture nothing.
  private var mayHaveStrays = false

  private static let lastNumber = Atomic(0)

  init(_ buffer: CaptureBuffer, requiresDeclaredCollations: Bool) {
    self.buffer = buffer
    self.requiresDeclaredCollations = requiresDeclaredCollations
    // Stores that share a connection need different names.
    function = CaptureTriggers.namePrefix + String(Self.lastNumber.add(1, ordering: .relaxed).newValue)
  }

  var isEmpty: Bool { slots.isEmpty }

  var layouts: [RecordType: CaptureLayout] { slots.mapValues(\.layout) }

  /// Captures columns of some tables, and no other tables.
  ///
  /// Outside of a transaction.
  ///
  /// - Parameter isUncertain: Whether triggers may be gone, since the schema changed.
  /// - Returns: The tables that can't be captured, and the reasons.
  /// - Throws: Errors of the database. Then capture is unchanged, or has fewer tables: see ``forgetLost(_:)``.
  mutating func capture(
    _ tables: [RecordType: Set<Int>], isUncertain: Bool, on db: Database
  ) throws -> [RecordType: CaptureObstacle] {
    if !isRegistered, !tables.isEmpty {
      try CaptureFunction.register(function, buffer, on: db)
      isRegistered = true
    }
    if isUncertain { try removeLost(db) }
    if mayHaveStrays { try removeStrays(db) }
    for table in slots.keys where tables[table] == nil { try remove(table, db) }
    var obstacles: [RecordType: CaptureObstacle] = [:]
    for (table, columns) in tables.sorted(by: { $0.key.table.name < $1.key.table.name }) {
      do {
        try install(table, columns, isUncertain: isUncertain, db)
      } catch let error as CaptureTarget.Obstructed {
        try remove(table, db)
        obstacles[table] = error.obstacle
      }
    }
    return obstacles
  }

  /// Removes all triggers, since SQLite drops no column that a trigger names.
  mutating func removeAll(on db: Database) throws {
    if !isRegistered { return }
    try drop(existing(db), db)
    for slot in slots.values { buffer.remove(program: slot.program) }
    slots = [:]
  }

  /// Forgets the tables whose triggers are not there as they were made. A commit that failed may have taken effect.
  ///
  /// If the list of triggers can't be read, all tables are forgotten.
  mutating func forgetLost(_ db: Database) {
    let existing = (try? existing(db)) ?? []
    for (table, slot) in slots where !slot.triggers.allSatisfy(existing.contains) {
      buffer.remove(program: slot.program)
      slots[table] = nil
      mayHaveStrays = true
    }
  }

  /// Removes the triggers from the connection, and then the function that they call. From now on nothing is captured,
  /// even if some can't be removed.
  ///
  /// - Returns: Whether nothing is left. False inside of a transaction, and while a statement uses the function.
  /// - Throws: Errors of the database. Then something may be left for another call: see ``CaptureRemains``.
  mutating func leave(_ db: Database) throws -> Bool {
    for slot in slots.values { buffer.remove(program: slot.program) }
    slots = [:]
    if !isRegistered { return true }
    if db.isInsideTransaction { return false }
    try drop(existing(db), db)
    if try !existing(db).isEmpty { try removeLost(db) }
    isRegistered = try !CaptureFunction.unregister(function, on: db)
    return !isRegistered
  }

  /// Drops the triggers without GRDB, which is about to run a statement and can't run another one meanwhile.
  ///
  /// The function stays. A trigger that can't be dropped stays too, and the statement fails if the trigger is in its
  /// way.
  func dropDirectly(on connection: SQLiteConnection) {
    let prefix = CaptureTriggers.namePrefix(function: function)
    var statement: SQLiteStatement?
    let sql =
      "SELECT name FROM temp.sqlite_schema WHERE type = 'trigger' AND substr(name, 1, \(prefix.utf8.count)) = \(prefix.quotedLiteral)"
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return }
    var names: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      if let name = sqlite3_column_text(statement, 0) { names.append(String(cString: name)) }
    }
    sqlite3_finalize(statement)
    for name in names { sqlite3_exec(connection, Self.dropping(name), nil, nil, nil) }
  }

  /// Whether all triggers exist, and no temporary object makes them wrong.
  func isIntact(_ db: Database) -> Bool {
    guard let names = try? Set(existing(db).map(\.name)),
      names == Set(slots.values.flatMap { $0.triggers.map(\.name) })
    else { return false }
    let shadows =
      "SELECT tbl_name FROM temp.sqlite_schema WHERE type <> 'trigger' OR substr(name, 1, ?) <> ? COLLATE NOCASE"
    let prefix = CaptureTriggers.namePrefix
    guard let others = try? String.fetchAll(db, sql: shadows, arguments: [prefix.utf8.count, prefix]) else {
      return false
    }
    let captured = Set(slots.keys.map { $0.table.name.asciiLowercased })
    return others.allSatisfy { !captured.contains($0.asciiLowercased) }
  }

  // MARK: One table

  private mutating func install(
    _ table: RecordType, _ columns: Set<Int>, isUncertain: Bool, _ db: Database
  ) throws {
    let known = slots[table]
    if !isUncertain, let known, known.layout.covers(columns) { return }
    let columns = columns.union(known?.layout.columns ?? [])
    let target = try CaptureTarget(table.table, db)
    if requiresDeclaredCollations { try target.requireCollations(table.table, db) }
    let loose = target.looseColumns(table.table)
    let keyCount = table.table.key.count
    try requireFewArguments(1 + keyCount + columns.count, db)
    if let known, known.layout.columns.count == columns.count, known.layout.looseColumns == loose,
      CaptureTriggers(function: function, program: known.program, known.layout, target).triggers == known.triggers
    {
      try requireNoForeignTriggers(target, known.layout, program: known.program, db)
      if try isAlive(known, db) { return }
    }
    let layout = CaptureLayout(table: table, columns: columns, looseColumns: loose)
    let program = buffer.add(CaptureProgram(table: table, layout: layout, keyCount: keyCount))
    let triggers = CaptureTriggers(function: function, program: program, layout, target)
    do {
      try requireNoForeignTriggers(target, layout, program: program, db)
      try remove(table, db)
      try create(triggers.triggers, db)
    } catch {
      buffer.remove(program: program)
      throw error
    }
    slots[table] = Slot(program: program, layout: layout, triggers: triggers.triggers)
  }

  private mutating func remove(_ table: RecordType, _ db: Database) throws {
    guard let slot = slots[table] else { return }
    let names = Set(slot.triggers.map(\.name))
    try drop(existing(db).filter { names.contains($0.name) }, db)
    buffer.remove(program: slot.program)
    slots[table] = nil
  }

  private func requireNoForeignTriggers(
    _ target: CaptureTarget, _ layout: CaptureLayout, program: Int, _ db: Database
  ) throws {
    let triggers = CaptureTriggers(function: function, program: program, layout, target)
    if try triggers.keyIsLate && target.hasForeignTemporaryTriggers(db) {
      throw CaptureTarget.Obstructed(
        "the app has a temporary trigger on it, which may run before the key of an inserted row is captured")
    }
  }

  private func requireFewArguments(_ count: Int, _ db: Database) throws {
    let limit = Int(sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_FUNCTION_ARG, -1))
    guard count <= limit else {
      throw CaptureTarget.Obstructed(
        "\(count - 1) columns are followed, and SQLite passes at most \(limit - 1) to a function")
    }
  }

  // MARK: Triggers

  private func existing(_ db: Database) throws -> [CaptureTriggers.Trigger] {
    let prefix = CaptureTriggers.namePrefix(function: function)
    return try Row.fetchAll(
      db, sql: "SELECT name, sql FROM temp.sqlite_schema WHERE type = 'trigger' AND substr(name, 1, ?) = ?",
      arguments: [prefix.utf8.count, prefix]
    ).map { row in
      let sql: String = row[1] ?? ""
      return CaptureTriggers.Trigger(name: row[0], definition: String(sql.dropFirst("CREATE TRIGGER ".count)))
    }
  }

  /// Whether the triggers of a table exist as they were made.
  private func isAlive(_ slot: Slot, _ db: Database) throws -> Bool {
    let existing = try existing(db)
    return slot.triggers.allSatisfy { existing.contains($0) }
  }

  /// Has SQLite read all schemas again, and removes the triggers without a table. A table can vanish without a DROP
  /// TABLE of this connection: another connection drops it, or a backup replaces the file. Its temporary triggers then
  /// remain in the list. They do not fire, not even for a new table of that name, until SQLite reads the list again.
  private func removeLost(_ db: Database) throws {
    let before = try existing(db)
    if before.isEmpty { return }
    try db.execute(sql: "PRAGMA writable_schema = RESET")
    let tables = try Set(String.fetchAll(db, sql: "SELECT name FROM main.sqlite_schema WHERE type = 'table'").folded)
    let names = try Row.fetchAll(db, sql: "SELECT name, tbl_name FROM temp.sqlite_schema WHERE type = 'trigger'")
      .filter { !tables.contains(($0[1] as String).folded) }.map { $0[0] as String }
    for trigger in before where names.contains(trigger.name) { try forget(trigger, db) }
  }

  /// Removes the triggers without a slot.
  private mutating func removeStrays(_ db: Database) throws {
    let names = Set(slots.values.flatMap { $0.triggers.map(\.name) })
    try drop(existing(db).filter { !names.contains($0.name) }, db)
    mayHaveStrays = false
  }

  /// Removes a trigger that DROP TRIGGER doesn't find, since its table is gone.
  private func forget(_ trigger: CaptureTriggers.Trigger, _ db: Database) throws {
    try db.execute(sql: "PRAGMA writable_schema = ON")
    // SQLite sets this when it prepares the statement, even if GRDB then refuses to run it.
    defer { try? db.execute(sql: "PRAGMA writable_schema = RESET") }
    // A defensive connection keeps the trigger, which names a program that captures nothing.
    try? db.execute(
      sql: "DELETE FROM temp.sqlite_schema WHERE type = 'trigger' AND name = ?", arguments: [trigger.name])
  }

  private func drop(_ triggers: [CaptureTriggers.Trigger], _ db: Database) throws {
    if triggers.isEmpty { return }
    try inTransaction(db) {
      for trigger in triggers { try db.execute(sql: Self.dropping(trigger.name)) }
    }
  }

  private static func dropping(_ trigger: String) -> String {
    "DROP TRIGGER IF EXISTS temp.\(trigger.quotedIdentifier)"
  }

  private func create(_ triggers: [CaptureTriggers.Trigger], _ db: Database) throws {
    try inTransaction(db) {
      do {
        for trigger in triggers { try db.execute(sql: "CREATE TEMP TRIGGER \(trigger.definition)") }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        throw CaptureTarget.Obstructed(
          "SQLite refuses the triggers that capture changes: \(error.message ?? "no reason given")")
      }
    }
  }

  private func inTransaction(_ db: Database, _ body: () throws -> Void) throws {
    do {
      try db.inTransaction(.deferred) {
        try body()
        return .commit
      }
    } catch {
      // A progress handler of the app can interrupt BEGIN after it took effect. GRDB leaves that transaction open, and
      // later stops the process for it.
      if db.isInsideTransaction { try? db.rollback() }
      throw error
    }
  }
}
