import Foundation
import GRDB
import Sanderling
import SanderlingSync

/// The database that `sanderling sync` writes to.
enum SyncDatabase {
  /// - Throws: ``SyncCommandError/database(path:reason:)``.
  static func open(_ database: String) throws -> Store {
    switch FileKind(at: database) {
    case .file, .nothing: break
    case .folder: throw SyncCommandError.database(path: database, reason: "it is a folder")
    case .other: throw SyncCommandError.database(path: database, reason: "it is a pipe or a device")
    case .hidden: throw SyncCommandError.database(path: database, reason: "permission denied")
    }
    do {
      var configuration = Store.defaultConfiguration
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
      // An existing database keeps its journal mode.
      return try Store(
        hasWriteAheadLog(database)
          ? DatabasePool(path: database, configuration: configuration)
          : DatabaseQueue(path: database, configuration: configuration), schema: [])
    } catch StoreError.busy {
      throw SyncCommandError.locked(database)
    } catch let error as DatabaseError {
      if error.resultCode == .SQLITE_BUSY { throw SyncCommandError.locked(database) }
      throw SyncCommandError.database(path: database, reason: error.message ?? error.resultCode.description)
    }
  }

  /// Closes a store that ``open(_:)`` returned, and its connections.
  ///
  /// A store leaves an adopted writer open. The writer would close later, with its last reference. SQLite locks the
  /// database while the last connection moves the write-ahead log into the file.
  static func close(_ store: Store) throws {
    try store.close()
    // The log is moved only if the last connection to close can write, so the readers are closed first.
    if let pool = store.writer as? DatabasePool { pool.invalidateReadOnlyConnections() }
    try store.writer.close()
  }

  /// Creates a table with the columns that were found.
  ///
  /// - Parameters:
  ///   - origin: The file or address of the columns.
  ///   - key: The names of the key's columns; empty for `id`.
  /// - Throws: ``SyncCommandError`` if the columns lack the key.
  static func createTable(
    _ name: String, _ found: FoundColumns, of origin: String, key: [String], in store: Store
  ) async throws -> SyncedRecord {
    let names = Set(found.columns.map(\.name.folded))
    if names.isEmpty { throw SyncCommandError.noColumns(origin) }
    let wanted = key.isEmpty ? keyOfNewTable : key
    if let missing = wanted.first(where: { !names.contains($0.folded) }) {
      throw key.isEmpty ? SyncCommandError.noKey(origin) : SyncCommandError.noColumn(missing, origin: origin)
    }
    if found.isEmpty { throw SyncCommandError.noRows(name, origin: origin) }
    return try await store.write("create table") { tx in
      // Another process may have created the table meanwhile.
      if let made = try SyncedRecord(found: name, key: key, tx.database) { return made }
      try found.createTable(name, key: wanted, tx.database)
      try beginAnew(tx, intoTable: name)
      guard let made = try SyncedRecord(found: name, tx.database) else { throw SyncCommandError.noTable(name) }
      return made
    }
  }

  /// Adds missing columns to a table. The next synchronisation moves the values that were kept beside the table into
  /// them.
  static func addColumns(
    to name: String, _ found: FoundColumns, key: [String], in store: Store
  ) async throws -> SyncedRecord {
    try await store.write("add columns") { tx in
      _ = try found.addColumns(to: name, tx.database)
      guard let record = try SyncedRecord(found: name, key: key, tx.database) else {
        throw SyncCommandError.noTable(name)
      }
      return record
    }
  }

  /// The key of a new table if the command names none.
  static let keyOfNewTable = ["id"]

  /// Restarts every synchronisation into a table that was dropped and created again. The sessions' names end with the
  /// names of their tables.
  private static func beginAnew(_ tx: WriteTransaction, intoTable table: String) throws {
    try SyncSession.beginAnew(tx) { name in
      guard let tables = name.ranges(of: " into ").last.map({ name[$0.upperBound...] }) else { return false }
      return tables.split(separator: ", ").contains { String($0).folded == table.folded }
    }
  }

  /// Restarts a synchronisation if its table is empty.
  static func beginAnew(_ name: String, whereEmpty table: String, in store: Store) async throws {
    try await store.write("open sync") { tx in
      let hasRows = "SELECT EXISTS (SELECT 1 FROM main.\(table.quotedIdentifier))"
      if try Bool.fetchOne(tx.database, sql: hasRows) == false { try SyncSession.beginAnew(tx) { $0 == name } }
    }
  }

  /// Whether the database has a write-ahead log, according to its header. A missing database gets a write-ahead log.
  private static func hasWriteAheadLog(_ database: String) -> Bool {
    guard let header = try? FileHandle(forReadingAtPath: database)?.read(upToCount: 20), header.count == 20 else {
      return true
    }
    return header[18] == 2
  }
}

extension SyncSession {
  /// Runs the session, and returns a report.
  ///
  /// - Parameters:
  ///   - records: The title of the records in the progress and the report.
  ///   - origin: The file or address.
  ///   - database: The path as it was given.
  ///   - finish: Runs after the session, and returns the number of other files' rows that it applied.
  func run(
    _ records: String, of origin: String, into store: Store, at database: String, on output: ProgressOutput,
    finish: () async throws -> Int = { 0 }
  ) async throws -> SyncReport {
    let summary = try await run(showing: records, on: output)
    let followed = try await finish()
    return SyncReport(
      file: origin, database: database, record: records, summary: summary, followed: followed,
      blocked: try await waitingDeletionCount(), keptColumns: try await keptColumns(),
      quarantine: try await quarantineCount(in: store), misfits: try await quarantine(limit: SyncReport.misfitLimit))
  }

  /// Runs the session, and shows its progress.
  ///
  /// - Parameter title: The title of the records in the progress.
  private func run(showing title: String, on output: ProgressOutput) async throws -> SyncSummary {
    let updates = progress
    let shown = Task {
      guard let interval = output.interval else { return }
      var last = ContinuousClock.now
      for await progress in updates where ContinuousClock.now - last >= interval {
        last = .now
        output.show(
          "\(title): \(progress.counts.received.grouped) rows, \(Int(progress.rate).grouped) rows/s, "
            + "\(progress.counts.written.grouped) written"
            + (progress.estimate.map { ", about \($0.brief) left" } ?? ""))
      }
    }
    defer {
      shown.cancel()
      output.clear()
    }
    do {
      return try await run()
    } catch is CancellationError {
      var updates = updates.makeAsyncIterator()
      throw SyncInterrupted(counts: await updates.next()?.counts ?? SyncCounts())
    }
  }

  /// Returns the number of quarantined changes, of both directions.
  private func quarantineCount(in store: Store) async throws -> Int {
    try await store.read { tx in
      try Int.fetchOne(
        tx.database, sql: "SELECT count(*) FROM sanderling_sync_quarantine WHERE name = ?", arguments: [self.name]) ?? 0
    }
  }
}
