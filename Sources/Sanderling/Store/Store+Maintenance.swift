import Foundation
public import GRDB

extension Store {
  /// Replaces the database by a new one, with the seed and the extras with which the store was opened. Takes a turn
  /// among the writes. Live results then follow the new rows.
  ///
  /// One commit replaces the database, so reads see either the old contents or the new ones. If anything fails, or the
  /// process ends, the database stays as it was. The new database is made in a temporary file of SQLite, on a
  /// connection with the writer's configuration. Functions that the seed and the extras call must be registered by the
  /// configuration's `prepareDatabase`.
  ///
  /// - Throws: The errors of the seed and the extras, and ``StoreError``: ``StoreError/diskFull(path:)`` if there is no
  ///   space for both databases.
  public func erase() async throws {
    let (writer, schema, contents) = (writer, schema, contents)
    try await changingSchema {
      try Task.checkCancellation()
      try await offThread { try SchemaMigration.renew(writer, schema: schema, contents: contents) }
    }
  }

  /// Runs the migrations that were not run yet. Takes a turn among the writes. Live results then follow the new schema.
  ///
  /// A step may drop a column of a synchronised table. If a trigger of the synchronisation names the column, the step
  /// runs again without the triggers. They are made again afterwards.
  ///
  /// Live results also follow migrations that an app runs itself on an adopted writer. But these can't drop a column
  /// that a live query uses: SQLite refuses that while a trigger names the column.
  public func migrate(_ migrator: DatabaseMigrator) async throws {
    let writer = writer
    try await changingSchema {
      try await offThread { try migrator.migrateNotedTables(writer) }
    }
  }

  /// Runs a change of the schema in a turn among the writes. Nothing is captured meanwhile, because SQLite drops no
  /// column that a trigger names, and keeps no trigger of a replaced table.
  ///
  /// No access of the change waits for the executor of the caller's task. That executor may be busy, and other writes
  /// wait for the end of the turn.
  private func changingSchema(_ body: () async throws -> Void) async throws {
    try throwIfRefused()
    let connection = connection
    try await withTaskExecutorPreference(globalConcurrentExecutor) {
      try await queue.run(.userInitiated) { _ in
        try await wrappingErrors {
          try await connection.writer.writeWithoutTransaction { db in
            try db.throwIfClosed()
            try connection.observer(db).schemaWillChange(db)
          }
          do {
            try await body()
          } catch {
            await schemaDidChange()
            throw error
          }
          await schemaDidChange()
        }
      }
    }
  }

  /// Ends the change even if the task is cancelled. GRDB's asynchronous accesses would then do nothing.
  private func schemaDidChange() async {
    let (connection, schemaRepairs) = (connection, schemaRepairs)
    await withCheckedContinuation { continuation in
      connection.writer.asyncWriteWithoutTransaction { db in
        // If the repairs fail, for example on a full disk, the next write of the store runs them.
        try? db.inTransaction(.immediate) {
          _ = try schemaRepairs.run(db)
          return .commit
        }
        connection.observer(db).schemaDidChange(db)
        continuation.resume()
      }
    }
  }

  /// Releases the memory that connections use only for speed: page caches, and idle readers once no access uses them.
  /// For warnings of the system that memory is short. On iOS, GRDB does so by itself for the reads and writes of a
  /// pool.
  ///
  /// Live results are not affected: they hold only their windows and some rows at their edges.
  public func releaseMemory() {
    followers.current?.releaseMemory()
    if let pool = writer as? DatabasePool { pool.releaseMemoryEventually() }
    writer.asyncWriteWithoutTransaction { db in
      if db.sqliteConnection != nil { db.releaseMemory() }
    }
  }

  /// Copies the database as it was at the last commit. In a store with separate connections for reads, reads and writes
  /// continue.
  ///
  /// The copy appears under its name only when it is complete.
  ///
  /// - Throws: ``StoreError/cannotOpen(path:reason:)`` if a file exists at `path`, and other errors.
  public func backup(to path: String) async throws {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw StoreError.cannotOpen(path: path, reason: "there is a file already; remove it, or choose another name")
    }
    let writer = writer
    let partial = path + ".partial-\(UUID().uuidString)"
    try await wrappingErrors {
      try await offThread {
        do {
          let copy = try Self.makeDatabase(at: partial, insteadOf: path)
          try writer.readUnlessClosed { db in try copy.writeWithoutTransaction { try db.backup(to: $0) } }
          try copy.close()
          try FileManager.default.moveItem(atPath: partial, toPath: path)
        } catch {
          try? FileManager.default.removeItem(atPath: partial)
          throw error
        }
      }
    }
  }

  /// Creates a database for a copy.
  ///
  /// - Parameter path: The final name of the file, for errors.
  private static func makeDatabase(at partialPath: String, insteadOf path: String) throws -> DatabaseQueue {
    do {
      return try DatabaseQueue(path: partialPath)
    } catch {
      throw StoreError.wrapping(error, path: path)
    }
  }

  /// Moves the written pages from the write-ahead log into the database file.
  ///
  /// - Parameter mode: `.passive` moves the pages that no reader needs. `.truncate` waits for readers and empties the
  ///   log.
  public func checkpoint(_ mode: Database.CheckpointMode = .passive) async throws {
    try throwIfRefused()
    try await wrappingErrors {
      try await writer.writeWithoutTransaction { db in
        try db.throwIfClosed()
        guard try db.isWriteAheadLogged else { return }
        _ = try db.checkpoint(mode)
      }
    }
  }

  /// Checks the file for damage, and the references for missing rows.
  ///
  /// - Returns: The problems, mostly in SQLite's words; empty for an intact database. References are checked only in an
  ///   undamaged file.
  /// - Complexity: Reads the whole file.
  public func integrityCheck() async throws -> [String] {
    try await wrappingErrors {
      try await writer.readUnlessClosed { db in
        let damages = try db.damages()
        // References can't be followed through damaged pages.
        guard damages.isEmpty else { return damages }
        return try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map { row in
          "row \(row[1] as Int64? ?? 0) of table \(row[0] as String) refers to no row of table \(row[2] as String)"
        }
      }
    }
  }
}

extension Database {
  /// The findings of SQLite's own check, up to damage that stops the check itself.
  fileprivate func damages() throws -> [String] {
    var damages: [String] = []
    do {
      let findings = try String.fetchCursor(self, sql: "PRAGMA integrity_check")
      while let finding = try findings.next() {
        if finding != "ok" { damages.append(finding) }
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      if damages.isEmpty { damages.append(error.message ?? error.description) }
    }
    return damages
  }

  fileprivate var isWriteAheadLogged: Bool {
    get throws { try String.fetchOne(self, sql: "PRAGMA journal_mode") == "wal" }
  }
}
