public import GRDB

extension Store {
  /// Opens a store of Core Data or SwiftData for reading, where it is.
  ///
  /// The records are those that `sanderling records` prints for the store. Live results follow what Core Data saves, in
  /// this process and in others.
  ///
  /// ```swift
  /// let store = try Store(readingCoreData: storeURL.path, schema: schema)
  /// ```
  ///
  /// SQLite opens the file with `mode=ro`. The database file and its write-ahead log stay as they are, byte for byte. If
  /// a store with a write-ahead log has no file `-shm` or `-wal`, SQLite makes an empty one. So the folder must then be
  /// writable. The app must link one SQLite only: the system's, which Core Data uses.
  ///
  /// Each write throws ``StoreError/ownedByCoreData(path:)``. Plain GRDB calls on ``writer`` can't write either.
  ///
  /// The call reads before it returns. Call it off the main thread, or use
  /// ``open(readingCoreData:schema:configuration:tracing:clock:liveInterval:audit:)``.
  ///
  /// - Parameters:
  ///   - path: The file of the store.
  ///   - schema: The records, or those of them that the app reads.
  ///   - configuration: GRDB's configuration, which is made read-only: ``defaultConfiguration`` with changes.
  ///   - liveInterval: The least time between two changes of live results.
  /// - Throws: ``StoreError/schemaMismatch(_:)`` if the tables differ from the records, as in a store of another version
  ///   of the model. ``StoreError/cannotOpen(path:reason:)`` for other databases, unknown versions of Core Data, and files
  ///   that can't be read. ``StoreError/busy(path:holders:duration:)`` if a process has locked the file for itself.
  ///   ``StoreError/notADatabase(path:)`` for an encrypted file.
  public convenience init(
    readingCoreData path: String, schema: [any StoredRecord.Type], configuration: GRDB.Configuration? = nil,
    tracing: StatementTracing = .allStatements, clock: any Clock<Duration> = ContinuousClock(),
    liveInterval: Duration = defaultLiveInterval, audit: LiveAudit = .automatic
  ) throws {
    let start = ContinuousClock.now
    let file = CoreDataFile(path: path)
    let schema = try StoreSchema(schema)
    do {
      try file.checkExistence()
      let pool = try DatabasePool.opening(path: path, configuration: CoreDataFile.readOnly(configuration))
      try pool.read { db in
        try file.check(db)
        try Self.check(db, schema)
      }
      self.init(
        try StoreConnection(pool, ownsWriter: true, schema: schema), path: path, schema: schema,
        contents: StoreContents(), tracing: tracing,
        liveOptions: LiveOptions(clock: StoreClock(clock), interval: liveInterval, audit: audit),
        refusal: .ownedByCoreData(path: path))
    } catch {
      throw file.explaining(error, since: start)
    }
  }

  /// Opens a store of Core Data or SwiftData for reading, where it is. Doesn't block the caller's thread.
  ///
  /// The parameters and errors are those of
  /// ``init(readingCoreData:schema:configuration:tracing:clock:liveInterval:audit:)``.
  public static func open(
    readingCoreData path: String, schema: [any StoredRecord.Type], configuration: GRDB.Configuration? = nil,
    tracing: StatementTracing = .allStatements, clock: any Clock<Duration> = ContinuousClock(),
    liveInterval: Duration = defaultLiveInterval, audit: LiveAudit = .automatic
  ) async throws -> Store {
    try await offThread {
      try Store(
        readingCoreData: path, schema: schema, configuration: configuration, tracing: tracing, clock: clock,
        liveInterval: liveInterval, audit: audit)
    }
  }
}
