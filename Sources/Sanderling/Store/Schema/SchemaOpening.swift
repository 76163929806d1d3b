import GRDB
import SanderlingSQL

/// The opening of one database with one schema.
struct SchemaOpening {
  private let writer: any DatabaseWriter
  private let schema: StoreSchema
  /// The explicit steps, after which an existing database can be compared with the records.
  private let steps: DatabaseMigrator
  /// The steps that create undeclared objects, after the tables.
  private let extras: DatabaseMigrator
  private let seed: StoreSeed?
  /// Whether the file may be checked for steps of a newer version. False without a migrator, because the steps may be
  /// the app's own.
  private let checksVersion: Bool

  /// Prepares the opening.
  ///
  /// - Throws: ``SchemaError`` if a step is in both migrators, which share one list of applied steps.
  init(writer: any DatabaseWriter, schema: StoreSchema, contents: StoreContents) throws {
    self.writer = writer
    self.schema = schema
    steps = contents.migrator.withoutErasing
    extras = contents.extras.withoutErasing
    seed = contents.seed
    checksVersion = contents.migrator != nil
    let doubled = Set(steps.migrations).intersection(extras.migrations).sorted()
    if !doubled.isEmpty {
      throw SchemaError(
        problems: doubled.map {
          "the step \($0.quotedIdentifier) is in the migrator and in the extras: give one of them another name"
        })
    }
  }

  private var knownSteps: Set<String> { Set(steps.migrations + extras.migrations) }

  /// Whether the database already has the schema.
  func isCurrent() throws -> Bool {
    try writer.writeWithoutTransaction { db in
      var isCurrent = false
      try db.inTransaction(.deferred) {
        let reader = try SchemaReader(db)
        isCurrent =
          try SchemaRecord(db, reader).isCurrent(schema, reader) && hasAppliedSteps(db, reader)
          && SchemaComparison.viewDifferences(db, schema: schema, reader).isEmpty
        return .commit
      }
      return isCurrent
    }
  }

  /// Brings the database to the schema: see ``SchemaMigration/open(_:schema:contents:)``.
  func migrate() throws {
    if try !createIfFresh() {
      if checksVersion {
        try dropTouchTriggers()
        try apply(steps)
      }
      try writer.barrierWriteWithoutTransaction { db in
        try transaction(db) { reader in try add(db, reader) }
      }
    }
    try applyExtras()
    if schema.views.isEmpty { return }
    // The writer reads, because a new reader would leave the write-ahead log behind when the store is closed.
    let differences = try writer.writeWithoutTransaction { db in
      try SchemaComparison.viewDifferences(db, schema: schema, SchemaReader(db))
    }
    if !differences.isEmpty { throw StoreError.schemaMismatch(SchemaPlan(differences: differences)) }
  }

  /// Checks a read-only database like a database that the app migrates.
  func checkReadOnly() throws {
    try checkVersion()
    try writer.read { db in
      let plan = try SchemaMigration.check(db, schema: schema)
      if plan.isRefused { throw StoreError.schemaMismatch(plan) }
    }
  }

  // MARK: Fresh databases

  /// Creates the schema and the seed in a fresh database.
  ///
  /// - Returns: Whether the database was fresh.
  private func createIfFresh() throws -> Bool {
    try writer.barrierWriteWithoutTransaction { db in
      guard try SchemaReader(db).isFresh(db) else { return false }
      var isDone = false
      // Foreign keys are enforced as the app configured, because nothing is rebuilt here and the seed is the app's.
      try db.inTransaction(.immediate) {
        // Another process may have created the schema meanwhile.
        let reader = try SchemaReader(db)
        guard try reader.isFresh(db) else { return .commit }
        try add(db, reader)
        try recordSteps(db)
        try seed?(WriteTransaction(db, recorder: nil))
        isDone = true
        return .commit
      }
      return isDone
    }
  }

  /// Notes the migrator's steps as applied. The table is also created if there are only extras, which run afterwards.
  private func recordSteps(_ db: Database) throws {
    if knownSteps.isEmpty { return }
    // The same statement as GRDB's.
    try db.execute(sql: "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    for identifier in steps.migrations {
      try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [identifier])
    }
    try SchemaRecord(db, SchemaReader(db)).save(schema, in: db)
  }

  // MARK: Explicit steps

  /// Runs the missing extras, and notes that the schema with them is the current one.
  private func applyExtras() throws {
    if try extras.migrations.isEmpty || writer.read({ try appliedSteps($0) }).isSuperset(of: extras.migrations) {
      return
    }
    try apply(extras)
    try writer.barrierWriteWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        try SchemaRecord(db, SchemaReader(db)).save(schema, in: db)
        return .commit
      }
    }
  }

  private func apply(_ steps: DatabaseMigrator) throws {
    try checkVersion()
    while true {
      let applied = try writer.read { try appliedSteps($0) }
      do {
        try steps.migrateNotedTables(writer)
        break
      } catch {
        // If another process ran the same step meanwhile, the remaining steps still have to run.
        if try writer.read({ try appliedSteps($0) }) == applied { throw error }
      }
    }
    // A step that merges others has removed them from the list. A step that is still unknown is of a newer version.
    try checkVersion()
  }

  /// Drops the store's triggers before steps run, because rows that steps copy or convert are no writes of the app.
  /// ``add(_:_:)`` creates the triggers again.
  private func dropTouchTriggers() throws {
    try checkVersion()
    try writer.barrierWriteWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        let reader = try SchemaReader(db)
        if try appliedSteps(db, reader).isSuperset(of: steps.migrations) { return .commit }
        for trigger in reader.objects where trigger.isTouchTrigger {
          try db.execute(sql: "DROP TRIGGER \(trigger.name.quotedIdentifier)")
        }
        return .commit
      }
    }
  }

  private func checkVersion() throws {
    let newer = try writer.read(newerSteps)
    if !newer.isEmpty { throw StoreError.newerSchema(migrations: newer) }
  }

  private func hasAppliedSteps(_ db: Database, _ reader: SchemaReader) throws -> Bool {
    let applied = try appliedSteps(db, reader)
    return checksVersion ? applied == knownSteps : applied.isSuperset(of: extras.migrations)
  }

  /// The applied steps that only a newer version knows. None if known steps are still to run, because one of them may
  /// merge the unknown steps.
  private func newerSteps(_ db: Database) throws -> [String] {
    let applied = try appliedSteps(db)
    guard checksVersion, applied.isSuperset(of: knownSteps) else { return [] }
    return applied.subtracting(knownSteps).sorted()
  }

  /// Reads the schema first, which begins the snapshot of the transaction. GRDB tests for the table only after an error
  /// that it is missing, and another process may create it in between.
  private func appliedSteps(_ db: Database, _ reader: SchemaReader? = nil) throws -> Set<String> {
    guard try (reader ?? SchemaReader(db)).object(named: "grdb_migrations") != nil else { return [] }
    return try steps.appliedIdentifiers(db)
  }

  // MARK: Additions

  /// Makes all changes that lose nothing, and notes them.
  private func add(_ db: Database, _ reader: SchemaReader) throws {
    let record = try SchemaRecord(db, reader)
    if record.isCurrent(schema, reader) { return }
    let plan = try SchemaComparison.plan(db, schema: schema, ownership: .store(record))
    if plan.isRefused { throw StoreError.schemaMismatch(plan) }
    let changes = plan.additions.flatMap(\.changes)
    if !changes.isEmpty {
      try SchemaMigration.apply(changes, in: db)
      let rest = try SchemaComparison.plan(db, schema: schema, ownership: .store(record))
      if rest.isRefused || !rest.additions.isEmpty { throw StoreError.schemaMismatch(rest) }
    }
    try record.save(schema, in: db)
  }

  /// Runs a transaction without enforcement of foreign keys, in which only the body changes the schema.
  ///
  /// The pragma is set before the transaction, because SQLite ignores it inside of one.
  private func transaction(_ db: Database, _ body: (SchemaReader) throws -> Void) throws {
    let enforces = try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") ?? false
    if enforces { try db.execute(sql: "PRAGMA foreign_keys = OFF") }
    defer { if enforces { db.turn("foreign_keys", on: true) } }
    try db.inTransaction(.immediate) {
      try body(SchemaReader(db))
      return .commit
    }
  }
}

extension DatabaseMigrator? {
  /// The migrator without erasing. Otherwise GRDB would compare the database with one that has only these steps, and
  /// erase it.
  fileprivate var withoutErasing: DatabaseMigrator {
    var migrator = self ?? DatabaseMigrator()
    migrator.eraseDatabaseOnSchemaChange = false
    return migrator
  }
}
