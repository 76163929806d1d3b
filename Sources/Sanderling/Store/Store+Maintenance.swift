import Foundation
public import GRDB

extension Store {
  /// Deletes everything and makes the database as a new one, with the seed and the extras that the store was opened with, in the
  /// turn of a write. Live results follow the new rows afterwards.
  ///
  /// One commit replaces the database: reads see the old contents or the new ones. Where anything fails, or the process ends, the database
  /// stays as it was. The new one is made beside it, in a temporary file of SQLite, on a connection with the configuration of the writer:
  /// functions and the like that the seed and the extras call, `prepareDatabase` registers.
  ///
  /// - Throws: The errors of the seed and the extras, and ``StoreError``: ``StoreError/diskFull(path:)`` where there is no space for both.
  public func erase() async throws {
    let (writer, schema, contents) = (writer, schema, contents)
    try await changingSchema {
      try Task.checkCancellation()
      try await offThread { try SchemaMigration.renew(writer, schema: schema, contents: contents) }
    }
  }

  /// Runs the migrations that were not run yet, in the turn of a write. Live results follow the new schema afterwards.
  ///
  /// A step may drop a column of a synchronised table: where a trigger of the synchronisation names the column, the step runs again without the
  /// triggers, which are made again afterwards.
  ///
  /// Migrations that an app runs itself on an adopted writer are followed too, but can't drop a column that a live query
  /// uses: SQLite refuses that while a trigger names it.
  public func migrate(_ migrator: DatabaseMigrator) async throws {
    let writer = writer
    try await changingSchema {
      try await offThread { try migrator.migrateSyncedTables(writer) }
    }
  }

  /// Runs a change of the schema in the turn of a write. Nothing is captured meanwhile: SQLite drops no column that a trigger
  /// names, and keeps no trigger of a table that is replaced.
  ///
  /// None of its accesses waits for the executor of the caller's task, which may be busy, while other writes wait for the end of
  /// the turn.
  private func changingSchema(_ body: () async throws -> Void) async throws {
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

  /// Not to be left out when the task is cancelled, which GRDB's asynchronous accesses would be.
  private func schemaDidChange() async {
    let (connection, schemaRepairs) = (connection, schemaRepairs)
    await withCheckedContinuation { continuation in
      connection.writer.asyncWriteWithoutTransaction { db in
        // Where this fails, as on a full disk, the next write of the store does it.
        try? db.inTransaction(.immediate) {
          _ = try schemaRepairs.run(db)
          return .commit
        }
        connection.observer(db).schemaDidChange(db)
        continuation.resume()
      }
    }
  }

  /// Gives back the memory that connections hold for speed alone, their page caches and idle readers, once no access uses it. For when the
  /// system warns that memory is short; on iOS, GRDB does so by itself for the reads and writes of a pool.
  ///
  /// Live results stay as they are: they hold only their windows and some rows at their edges.
  public func releaseMemory() {
    followers.current?.releaseMemory()
    if let pool = writer as? DatabasePool { pool.releaseMemoryEventually() }
    writer.asyncWriteWithoutTransaction { db in
      if db.sqliteConnection != nil { db.releaseMemory() }
    }
  }

  /// Copies the database as it was at the last commit, while others go on reading and writing.
  ///
  /// The copy appears under its name when it is complete.
  ///
  /// - Throws: ``StoreError/cannotOpen(path:reason:)`` when there is a file at `path` already, and others.
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

  /// - Parameter path: The name that the file is to have in the end, for errors.
  private static func makeDatabase(at partialPath: String, insteadOf path: String) throws -> DatabaseQueue {
    do {
      return try DatabaseQueue(path: partialPath)
    } catch {
      throw StoreError.wrapping(error, path: path)
    }
  }

  /// Moves the written pages from the write-ahead log into the database file.
  ///
  /// - Parameter mode: `.passive` moves the pages that no reader needs; `.truncate` waits for readers and empties the log.
  public func checkpoint(_ mode: Database.CheckpointMode = .passive) async throws {
    try await wrappingErrors {
      try await writer.writeWithoutTransaction { db in
        try db.throwIfClosed()
        guard try db.isWriteAheadLogged else { return }
        _ = try db.checkpoint(mode)
      }
    }
  }

  /// Looks for damage of the file and for references that lead nowhere.
  ///
  /// - Returns: The problems, in SQLite's words; nothing for a database that is whole. References are checked only in a file without
  ///   damage.
  /// - Complexity: Reads the whole file.
  public func integrityCheck() async throws -> [String] {
    try await wrappingErrors {
      try await writer.readUnlessClosed { db in
        let damages = try db.damages()
        // Where pages are damaged the references can't be followed.
        guard damages.isEmpty else { return damages }
        return try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map { row in
          "row \(row[1] as Int64? ?? 0) of table \(row[0] as String) refers to no row of table \(row[2] as String)"
        }
      }
    }
  }
}

extension Database {
  /// The findings of SQLite's own check, up to damage that ends the check itself.
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
