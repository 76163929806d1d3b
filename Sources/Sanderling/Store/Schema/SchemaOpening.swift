import GRDB
import SanderlingSQL

/// The opening of one database with one schema.
struct SchemaOpening {
  private let writer: any DatabaseWriter
  private let schema: StoreSchema
  /// The steps that bring an existing database to a state in which it can be compared with the records.
  private let steps: DatabaseMigrator
  /// The steps that make undeclared objects, once the tables exist.
  private let extras: DatabaseMigrator
  private let seed: StoreSeed?
  /// Without a migrator nothing is known of steps that the file may have from elsewhere.
  private let checksVersion: Bool

  /// - Throws: ``SchemaError`` when a step is in both migrators, which share one list of the steps that were run.
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

  /// Whether the database has the schema already.
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
    // By the writer: opening a reader would leave the write-ahead log behind when the store is closed.
    let differences = try writer.writeWithoutTransaction { db in
      try SchemaComparison.viewDifferences(db, schema: schema, SchemaReader(db))
    }
    if !differences.isEmpty { throw StoreError.schemaMismatch(SchemaPlan(differences: differences)) }
  }

  /// Checks a read-only database as one that the app migrates.
  func checkReadOnly() throws {
    try checkVersion()
    try writer.read { db in
      let plan = try SchemaMigration.check(db, schema: schema)
      if plan.isRefused { throw StoreError.schemaMismatch(plan) }
    }
  }

  // MARK: Fresh databases

  private func createIfFresh() throws -> Bool {
    try writer.barrierWriteWithoutTransaction { db in
      guard try SchemaReader(db).isFresh(db) else { return false }
      var isDone = false
      // Foreign keys are enforced as the app configured: nothing is rebuilt here, and the seed is the app's.
      try db.inTransaction(.immediate) {
        // Another process may have been faster.
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

  /// Notes the steps of the migrator as run. The table is there for the extras, too, which are run one by one.
  private func recordSteps(_ db: Database) throws {
    if knownSteps.isEmpty { return }
    // As GRDB makes it.
    try db.execute(sql: "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    for identifier in steps.migrations {
      try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [identifier])
    }
    try SchemaRecord(db, SchemaReader(db)).save(schema, in: db)
  }

  // MARK: Explicit steps

  /// Makes the missing extras, and notes that the schema with them is the current one.
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
        try steps.migrateSyncedTables(writer)
        break
      } catch {
        // Where another process ran the same step in between, the others are still to be run.
        if try writer.read({ try appliedSteps($0) }) == applied { throw error }
      }
    }
    // A step that merges others has removed them from the list; a step that is unknown now is of a newer version.
    try checkVersion()
  }

  /// The rows that steps write when they copy, convert or fill tables are no writes of the app's. Additions make the triggers again.
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

  /// The steps of a newer version in the file: steps that are unknown here, if no remaining step could account for them
  /// by merging.
  private func newerSteps(_ db: Database) throws -> [String] {
    let applied = try appliedSteps(db)
    guard checksVersion, applied.isSuperset(of: knownSteps) else { return [] }
    return applied.subtracting(knownSteps).sorted()
  }

  /// Looks at the schema first, which fixes the state that the transaction reads: GRDB's own test for the table comes after
  /// the error that it is missing, when another process may have made it.
  private func appliedSteps(_ db: Database, _ reader: SchemaReader? = nil) throws -> Set<String> {
    guard try (reader ?? SchemaReader(db)).object(named: "grdb_migrations") != nil else { return [] }
    return try steps.appliedIdentifiers(db)
  }

  // MARK: Additions

  /// Makes everything that can be made without loss, and notes it.
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

  /// A transaction in which the schema can't change otherwise, without enforcement of foreign keys.
  ///
  /// SQLite ignores the pragma inside of a transaction.
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
  /// Otherwise GRDB would compare the database with one that has only these steps, and erase it.
  fileprivate var withoutErasing: DatabaseMigrator {
    var migrator = self ?? DatabaseMigrator()
    migrator.eraseDatabaseOnSchemaChange = false
    return migrator
  }
}
