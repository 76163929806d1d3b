import GRDB
import SanderlingSQL
import SanderlingSQLite

/// Brings a database to the schema of the records, or reports the obstacles.
enum SchemaMigration {
  /// Brings a database to the schema.
  ///
  /// A fresh database gets the schema as it is, with the seed, in one transaction, and the migrator's steps count as applied.
  /// An existing database runs the steps that it lacks, each in a transaction of its own, then the additions that lose nothing, in one
  /// transaction. Both then run the extras that they miss, each in a transaction of its own. A database that has the schema already is only
  /// read: its table `sqlite_schema` once, and the store's notes of the last time.
  ///
  /// On a connection that can't write, the schema is only checked as by ``check(_:schema:)``.
  ///
  /// Several processes can open a file at once: each waits for the other, then finds the work done.
  ///
  /// - Parameter contents: The explicit steps, the extras and the seed. The `eraseDatabaseOnSchemaChange` of the migrator erases
  ///   a database that would otherwise be refused.
  /// - Throws: ``StoreError/newerSchema(migrations:)``, ``StoreError/schemaMismatch(_:)``, and the errors of the explicit steps and of
  ///   SQLite. The steps that ran stay applied; the additions are made all together or not at all.
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
    // SQLite copies pages, and no pages of another size into a file with a write-ahead log.
    for setting in ["page_size", "auto_vacuum"] {
      let value = try writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA main.\(setting)") }
      if let value { try new.writeWithoutTransaction { try $0.execute(sql: "PRAGMA main.\(setting) = \(value)") } }
    }
    try SchemaOpening(writer: new, schema: schema, contents: contents).migrate()
    try writer.writeWithoutTransaction { db in
      try new.writeWithoutTransaction { try $0.backup(to: db) }
      // GRDB reports a copy to no observer. It is made, whether observations of the app can be told or not.
      try? db.inTransaction(.deferred) {
        try db.notifyChanges(in: .fullDatabase)
        return .commit
      }
    }
    try new.close()
  }

  /// Brings a database to the schema, by the explicit steps of a migrator.
  static func open(_ writer: any DatabaseWriter, schema: StoreSchema, migrator: DatabaseMigrator?) throws {
    try open(writer, schema: schema, contents: StoreContents(migrator: migrator))
  }

  /// The differences between the records and the schema of a database that the app migrates itself. Nothing is changed.
  ///
  /// Declared types count by their effect on values. Columns that the record lacks are harmless if rows can be inserted
  /// without them. Missing indexes and references are reported as harmless.
  static func check(_ db: Database, schema: StoreSchema) throws -> SchemaPlan {
    let plan = try SchemaComparison.plan(db, schema: schema, ownership: .app)
    if schema.views.isEmpty { return plan }
    return SchemaPlan(
      differences: plan.differences + (try SchemaComparison.viewDifferences(db, schema: schema, SchemaReader(db))))
  }

  /// Lets the connection wait for the locks of another process that opens the file, even if it otherwise fails at once.
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
