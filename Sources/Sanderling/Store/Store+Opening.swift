import Foundation
public import GRDB

extension Store {
  /// Opens a database file, makes it if there is none, and migrates it to the schema.
  ///
  /// This reads and may write the file before it returns: call it off the main thread, or use
  /// ``open(_:schema:durability:migrator:extras:configuration:tracing:clock:liveInterval:audit:seed:)``.
  ///
  /// - Parameters:
  ///   - schema: The records that the database holds.
  ///   - migrator: Steps that renaming, removing or reinterpreting data needs. They run on existing files only, before additive
  ///     differences are made up; a new file gets the final schema at once, and they count as run.
  ///   - extras: Steps that create objects which records don't declare, such as views, triggers and full-text tables. They run after the
  ///     records' tables were made or changed, each once in a file, on new files as on existing ones.
  ///   - configuration: GRDB's, for keys, functions, labels, timeouts and suspension: ``defaultConfiguration`` with changes.
  ///   - clock: By which live results are spaced, for tests.
  ///   - liveInterval: The least time between two changes of live results: the first after a pause comes at once.
  ///   - audit: Whether live results are compared with the database, and how often.
  ///   - seed: Writes the first rows of a new file, before the extras run. It is part of the transaction that makes the tables:
  ///     where it throws or the process ends, the file stays empty, and the next opening begins again. ``erase()`` runs it again.
  /// - Throws: ``StoreError/schemaMismatch(_:)`` with a plan when the difference needs a decision;
  ///   ``StoreError/notADatabase(path:)``, ``StoreError/cannotOpen(path:reason:)``, ``StoreError/newerSchema(migrations:)`` and others; the
  ///   errors of the steps and of the seed.
  public convenience init(
    path: String, schema: [any StoredRecord.Type], durability: Durability = .normal, migrator: DatabaseMigrator? = nil,
    extras: DatabaseMigrator? = nil, configuration: GRDB.Configuration? = nil,
    tracing: StatementTracing = .allStatements,
    clock: any Clock<Duration> = ContinuousClock(), liveInterval: Duration = defaultLiveInterval,
    audit: LiveAudit = .automatic, seed: (@Sendable (WriteTransaction) throws -> Void)? = nil
  ) throws {
    do {
      let pool = try DatabasePool.opening(
        path: path, configuration: configuration ?? Self.defaultConfiguration, durability: durability)
      let schema = try StoreSchema(schema)
      let contents = StoreContents(migrator: migrator, extras: extras, seed: seed)
      if pool.configuration.readonly {
        try pool.read { try Self.check($0, schema) }
      } else {
        try SchemaMigration.open(pool, schema: schema, contents: contents)
      }
      self.init(
        try StoreConnection(pool, ownsWriter: true, schema: schema), path: path, schema: schema, contents: contents,
        tracing: tracing,
        liveOptions: LiveOptions(clock: StoreClock(clock), interval: liveInterval, audit: audit))
    } catch {
      throw StoreError.wrapping(error, path: path)
    }
  }

  /// Opens a store on a GRDB connection that the app has already, and leaves migrations to the app.
  ///
  /// This waits for the writer and reads before it returns: call it off the main thread, or use
  /// ``open(_:schema:tracing:clock:liveInterval:audit:)``.
  ///
  /// - Throws: ``StoreError/schemaMismatch(_:)`` when the records can't be read from or written to the tables as they are. It
  ///   names every table and column that differs, and the attribute to write.
  public convenience init(
    _ writer: any DatabaseWriter, schema: [any StoredRecord.Type], tracing: StatementTracing = .ownStatements,
    clock: any Clock<Duration> = ContinuousClock(), liveInterval: Duration = defaultLiveInterval,
    audit: LiveAudit = .automatic
  ) throws {
    let schema = try StoreSchema(schema)
    do {
      try writer.readUnlessClosed { try Self.check($0, schema) }
      self.init(
        try StoreConnection(writer, ownsWriter: false, schema: schema), path: writer.path, schema: schema,
        contents: StoreContents(),
        tracing: tracing, liveOptions: LiveOptions(clock: StoreClock(clock), interval: liveInterval, audit: audit))
    } catch {
      throw StoreError.wrapping(error, path: writer.path)
    }
  }

  /// Makes a store in memory, for tests and previews.
  ///
  /// - Parameters:
  ///   - extras: Steps that create objects which records don't declare, as for a new file.
  ///   - seed: Writes the first rows, before the extras run. ``erase()`` runs it again.
  public convenience init(
    inMemory schema: [any StoredRecord.Type], extras: DatabaseMigrator? = nil, configuration: GRDB.Configuration? = nil,
    tracing: StatementTracing = .allStatements, clock: any Clock<Duration> = ContinuousClock(),
    liveInterval: Duration = defaultLiveInterval, audit: LiveAudit = .automatic,
    seed: (@Sendable (WriteTransaction) throws -> Void)? = nil
  ) throws {
    let schema = try StoreSchema(schema)
    let contents = StoreContents(extras: extras, seed: seed)
    let writer = try DatabaseQueue(configuration: configuration ?? Self.defaultConfiguration)
    do {
      try SchemaMigration.open(writer, schema: schema, contents: contents)
      self.init(
        try StoreConnection(writer, ownsWriter: true, schema: schema), path: ":memory:", schema: schema,
        contents: contents,
        tracing: tracing, liveOptions: LiveOptions(clock: StoreClock(clock), interval: liveInterval, audit: audit))
    } catch {
      throw StoreError.wrapping(error, path: ":memory:")
    }
  }

  /// Opens a database without blocking the caller's thread, makes it if there is none, and migrates it to the schema.
  ///
  /// ```swift
  /// let store = try await Store.open(.applicationSupport("Garden"), schema: [Project.self, TodoTask.self]) { tx in
  ///   try tx.insert(Project(id: UUID(), name: "Inbox"))
  /// }
  /// ```
  ///
  /// The parameters are those of ``init(path:schema:durability:migrator:extras:configuration:tracing:clock:liveInterval:audit:seed:)``.
  ///
  /// - Parameter location: Where the database is. The folder is made if there is none. In memory there is nothing to migrate
  ///   and nothing that lasts: the migrator and the durability do nothing there.
  public static func open(
    _ location: StoreLocation, schema: [any StoredRecord.Type], durability: Durability = .normal,
    migrator: DatabaseMigrator? = nil, extras: DatabaseMigrator? = nil, configuration: GRDB.Configuration? = nil,
    tracing: StatementTracing = .allStatements, clock: any Clock<Duration> = ContinuousClock(),
    liveInterval: Duration = defaultLiveInterval, audit: LiveAudit = .automatic,
    seed: (@Sendable (WriteTransaction) throws -> Void)? = nil
  ) async throws -> Store {
    try await offThread {
      if location == .memory {
        return try Store(
          inMemory: schema, extras: extras, configuration: configuration, tracing: tracing, clock: clock,
          liveInterval: liveInterval, audit: audit, seed: seed)
      }
      return try Store(
        path: location.prepare(), schema: schema, durability: durability, migrator: migrator, extras: extras,
        configuration: configuration, tracing: tracing, clock: clock, liveInterval: liveInterval, audit: audit,
        seed: seed)
    }
  }

  /// Opens a database file without blocking the caller's thread.
  public static func open(
    path: String, schema: [any StoredRecord.Type], durability: Durability = .normal, migrator: DatabaseMigrator? = nil,
    extras: DatabaseMigrator? = nil, configuration: GRDB.Configuration? = nil,
    tracing: StatementTracing = .allStatements,
    clock: any Clock<Duration> = ContinuousClock(), liveInterval: Duration = defaultLiveInterval,
    audit: LiveAudit = .automatic, seed: (@Sendable (WriteTransaction) throws -> Void)? = nil
  ) async throws -> Store {
    try await open(
      .path(path), schema: schema, durability: durability, migrator: migrator, extras: extras,
      configuration: configuration,
      tracing: tracing, clock: clock, liveInterval: liveInterval, audit: audit, seed: seed)
  }

  /// Opens a store on a GRDB connection that the app has already, without blocking the caller's thread, and leaves migrations
  /// to the app.
  ///
  /// - Throws: ``StoreError/schemaMismatch(_:)`` when the records can't be read from or written to the tables as they are. It
  ///   names every table and column that differs, and the attribute to write.
  public static func open(
    _ writer: any DatabaseWriter, schema: [any StoredRecord.Type], tracing: StatementTracing = .ownStatements,
    clock: any Clock<Duration> = ContinuousClock(), liveInterval: Duration = defaultLiveInterval,
    audit: LiveAudit = .automatic
  ) async throws -> Store {
    try await offThread {
      try Store(writer, schema: schema, tracing: tracing, clock: clock, liveInterval: liveInterval, audit: audit)
    }
  }

  /// The time of a frame on most screens.
  public static let defaultLiveInterval = Duration.seconds(1) / 60

  /// The default configuration of a store: it waits 5 s for locks. An app that needs more changes a copy.
  public static var defaultConfiguration: GRDB.Configuration {
    var configuration = GRDB.Configuration()
    configuration.busyMode = .timeout(5)
    configuration.label = "Sanderling"
    return configuration
  }

  private static func check(_ db: Database, _ schema: StoreSchema) throws {
    let plan = try SchemaMigration.check(db, schema: schema)
    if plan.isRefused { throw StoreError.schemaMismatch(plan) }
  }
}
