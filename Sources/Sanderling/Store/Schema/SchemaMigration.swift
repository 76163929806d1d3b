import GRDB
import SanderlingSQL
import SanderlingSQLite

/// Brings a database to the schema of the records, or reports the obstacles.
enum SchemaMigration {
  /// Brings a database to the schema.
  ///
  /// A fresh database gets the schema and the seed in one transaction, and the migrator's steps count as applied. An
  /// existing database first runs its missing steps, each in its own transaction. Then it gets the additions that lose
  /// nothing, in one transaction. Finally, both run their missing extras, each in its own transaction. A database that
  /// already has the schema is only read: its table `sqlite_schema` once, and the store's notes.
  ///
  /// On a read-only connection, the schema is only checked, as by ``check(_:schema:)``.
  ///
  /// Several processes can open a file at the same time. Each waits for the other, and then finds the work done.
  ///
  /// - Parameter contents: The explicit steps, the extras and the seed. If the migrator sets
  ///   `eraseDatabaseOnSchemaChange`, a database is erased instead of refused.
  /// - Throws: ``StoreError/newerSchema(migrations:)``, ``StoreError/schemaMismatch(_:)``, and the errors of the
  ///   explicit steps and of SQLite. Steps that ran stay applied. The additions are made all together or not at all.
  static func open(_ writer: any DatabaseWriter, schema: StoreSchema, contents: StoreContents) throws {
    let opening = try SchemaOpening(writer: writer, schema: schema, contents: contents)
    try waitingForOthers(writer) {
      if try opening.isCurrent() { return }
      if writer.configuration.readonly { return try opening.checkReadOnly() }
      do {
        try opening.migrate()
      } catch let error as StoreError
        where contents.migrator?.eraseDatabaseOnSchemaChange == true && error.concernsSchema
      {
        try renew(writer, schema: schema, contents: contents)
      }
    }
  }

  /// Replaces the whole contents of a database by those of a new one, in one commit. If that fails, the database stays
  /// unchanged.
  ///
  /// The new database is made in a temporary file of SQLite, by a connection with the writer's configuration.
  static func renew(_ writer: any DatabaseWriter, schema: StoreSchema, contents: StoreContents) throws {
    var configuration = writer.configuration
    // A temporary file has no write-ahead log.
    configuration.journalMode = .default
    let new = try DatabaseQueue(path: "", configuration: configuration)
    // SQLite copies pages, and can't copy pages of another size into a file with a write-ahead log.
    for setting in ["page_size", "auto_vacuum"] {
      let value = try writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA main.\(setting)") }
      if let value { try new.writeWithoutTransaction { try $0.execute(sql: "PRAGMA main.\(setting) = \(value)") } }
    }
    try SchemaOpening(writer: new, schema: schema, contents: contents).migrate()
    try writer.writeWithoutTransaction { db in
      try new.writeWithoutTransaction { try $0.backup(to: db) }
      // GRDB reports the copy to no observer. A failure of this report is ignored, because the copy is complete.
      try? db.inTransaction(.deferred) {
        try db.notifyChanges(in: .fullDatabase)
        return .commit
      }
    }
    try new.close()
  }

  /// Brings a database to the schema, with the explicit steps of a migrator.
  static func open(_ writer: any DatabaseWriter, schema: StoreSchema, migrator: DatabaseMigrator?) throws {
    try open(writer, schema: schema, contents: StoreContents(migrator: migrator))
  }

  /// The differences between the records and the schema of a database that the app migrates. Changes nothing.
  ///
  /// A declared type fits if it keeps the values. Columns that the record lacks are harmless if rows can be inserted
  /// without them. Missing indexes and references are reported as harmless.
  static func check(_ db: Database, schema: StoreSchema) throws -> SchemaPlan {
    let plan = try SchemaComparison.plan(db, schema: schema, ownership: .app)
    if schema.views.isEmpty { return plan }
    return SchemaPlan(
      differences: plan.differences + (try SchemaComparison.viewDifferences(db, schema: schema, SchemaReader(db))))
  }

  /// Makes the connection wait for the locks of another process that opens the file, even if it is configured to fail
  /// at once.
  private static func waitingForOthers(_ writer: any DatabaseWriter, _ body: () throws -> Void) throws {
    guard case .immediateError = writer.configuration.busyMode else { return try body() }
    let milliseconds: Int32 = 30_000
    writer.writeWithoutTransaction { db in _ = sqlite3_busy_timeout(db.sqliteConnection, milliseconds) }
    defer { writer.writeWithoutTransaction { db in _ = sqlite3_busy_timeout(db.sqliteConnection, 0) } }
    try body()
  }
}

extension StoreError {
  fileprivate var concernsSchema: Bool {
    switch self {
    case .schemaMismatch, .newerSchema: true
    default: false
    }
  }
}
