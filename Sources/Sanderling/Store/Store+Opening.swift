import Foundation
public import GRDB

extension Store {
  /// Opens a database file, creates it if it doesn't exist, and migrates it to the schema.
  ///
  /// The call reads and may write the file before it returns. Call it off the main thread, or use
  /// ``open(_:schema:durability:migrator:extras:configuration:tracing:clock:liveInterval:audit:seed:)``.
  ///
  /// - Parameters:
  ///   - schema: The records in the database.
  ///   - migrator: Steps for renaming, removing or reinterpreting data. They run only on existing files, before
  ///     additive differences are removed. A new file gets the final schema at once, and the steps count as run.
  ///   - extras: Steps that create objects that records don't declare, such as views, triggers and full-text tables.
  ///     Each runs once in a file, new or existing, after the records' tables were created or changed.
  ///   - configuration: GRDB's configuration, for keys, functions, labels, timeouts and suspension:
  ///     ``defaultConfiguration`` with changes.
  ///   - clock: The clock for the spacing of live results, for tests.
  ///   - liveInterval: The least time between two changes of live results. The first change after a pause is published
  ///     at once.
  ///   - audit: Whether, and how often, live results are compared with the database.
  ///   - seed: Writes the first rows of a new file, before the extras run, in the transaction that creates the tables.
  ///     If it throws or the process ends, the file stays empty, and the next opening begins again. ``erase()`` also
  ///     runs it.
  /// - Throws: ``StoreError/schemaMismatch(_:)`` with a plan if a difference needs a decision;
  ///   ``StoreError/notADatabase(path:)``, ``StoreError/cannotOpen(path:reason:)``,
  ///   ``StoreError/newerSchema(migrations:)`` and others; the errors of the steps and of the seed.
  public convenience init(
    path: String, schema: [any StoredRecord.Type], durability: Durability = .normal, migrator: DatabaseMigrator? = nil,
    extras: DatabaseMigrator? = nil, configuration: GRDB.Configuration? = nil,
    tracing: StatementTracing = .allStatements,
    clock: any Clock<Duration> = ContinuousClock(), liveInterval: Duration = defaultLiveInterval,
    audit: LiveAudit = .automatic, seed: (@Sendable (WriteTransaction) throws -> Void)? = nil
  ) throws {
    let start = ContinuousClock.now
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
      throw StoreError.wrapping(error, path: path, since: start)
    }
  }

  /// Opens a store on a GRDB connection that the app already has, and leaves migrations to the app.
  ///
  /// The call waits for the writer and reads before it returns. Call it off the main thread, or use
  /// ``open(_:schema:tracing:clock:liveInterval:audit:)``.
  ///
  /// - Throws: ``StoreError/schemaMismatch(_:)`` if the records can't be read from or written to the existing tables.
  ///   The error names every table and column that differs, and the attribute to write.
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

  /// Creates a store in memory, for tests and previews.
  ///
  /// - Parameters:
  ///   - extras: Steps that create objects that records don't declare, as for a new file.
  ///   - seed: Writes the first rows, before the extras run. ``erase()`` also runs it.
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

  /// Opens a database, creates it if it doesn't exist, and migrates it to the schema. Doesn't block the caller's
  /// thread.
  ///
  /// ```swift
  /// let store = try await Store.open(.applicationSupport("Garden"), schema: [Project.self, TodoTask.self]) { tx in
  ///   try tx.insert(Project(id: UUID(), name: "Inbox"))
  /// }
  /// ```
  ///
  /// The parameters are those of ``init(path:schema:durability:migrator:extras:configuration:tracing:clock:liveInterval:audit:seed:)``.
  ///
  /// - Parameter location: The place of the database. Its folder is created if it doesn't exist. A database in memory
  ///   is always new, so it ignores the migrator and the durability.
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

  /// Opens a store on a GRDB connection that the app already has, and leaves migrations to the app. Doesn't block the
  /// caller's thread.
  ///
  /// - Throws: ``StoreError/schemaMismatch(_:)`` if the records can't be read from or written to the existing tables.
  ///   The error names every table and column that differs, and the attribute to write.
  public static func open(
    _ writer: any DatabaseWriter, schema: [any StoredRecord.Type], tracing: StatementTracing = .ownStatements,
    clock: any Clock<Duration> = ContinuousClock(), liveInterval: Duration = defaultLiveInterval,
    audit: LiveAudit = .automatic
  ) async throws -> Store {
    try await offThread {
      try Store(writer, schema: schema, tracing: tracing, clock: clock, liveInterval: liveInterval, audit: audit)
    }
  }

  /// The least time between two changes of live results by default: a frame at 60 Hz.
  public static let defaultLiveInterval = Duration.seconds(1) / 60

  /// The default configuration of a store, which waits 5 s for locks. An app that needs more changes a copy.
  public static var defaultConfiguration: GRDB.Configuration {
    var configuration = GRDB.Configuration()
    configuration.busyMode = .timeout(5)
    configuration.label = "Sanderling"
    return configuration
  }

  static func check(_ db: Database, _ schema: StoreSchema) throws {
    let plan = try SchemaMigration.check(db, schema: schema)
    if plan.isRefused { throw StoreError.schemaMismatch(plan) }
  }
}
