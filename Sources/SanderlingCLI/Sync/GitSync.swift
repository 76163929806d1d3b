import GRDB
import Sanderling
import SanderlingSync

/// Brings the history of a git repository into tables.
struct GitSync: Sendable {
  let directory: String
  let database: String
  let tables: Set<GitHistoryTable>
  let isStrict: Bool
  var allowsMassDeletion = false
  let output: ProgressOutput

  /// - Throws: ``GitError``, ``SyncCommandError``, `SyncError`, `StoreError`, `CancellationError`.
  func run() async throws -> SyncReport {
    let repository = try await GitRepository(at: directory)
    let store = try SyncDatabase.open(database)
    let prefix = "history \(repository.gitDirectory) into "
    let synced = try await store.write("create tables") { tx in
      try requireOneRepository(prefix, tx.database)
      return try records(tx)
    }
    let names = synced.map(\.name).joined(separator: ", ")
    let session = try await SyncSession(
      prefix + names, store: store, records: synced,
      source: GitHistorySource(repository: repository, tables: tables),
      options: SyncOptions(misfits: isStrict ? .stop : .quarantine, allowsMassDeletion: allowsMassDeletion))
    if output != .none, try await repository.shallowEnd() != nil {
      ProgressOutput.write(
        "\(directory.printable) is a shallow clone: older commits aren't there, and come when they were fetched.\n")
    }
    let report = try await session.run(names, of: directory, into: store, at: database, on: output)
    try SyncDatabase.close(store)
    return report
  }

  /// Where one history is rewritten, the rows that it doesn't have are removed, those of others too.
  private func requireOneRepository(_ prefix: String, _ db: Database) throws {
    guard try db.tableExists("sanderling_sync_state") else { return }
    let other = try String.fetchOne(
      db,
      sql:
        "SELECT name FROM main.sanderling_sync_state WHERE name GLOB 'history *' AND substr(name, 1, length(?1)) <> ?1",
      arguments: [prefix])
    if other != nil { throw SyncCommandError.otherHistory(database: database, directory: directory) }
  }

  /// The tables, which are made where they aren't there: those that are referred to first.
  private func records(_ tx: WriteTransaction) throws -> [SyncedRecord] {
    let db = tx.database
    return try GitHistoryTable.allCases.filter(tables.contains).map { table in
      if try !db.tableExists(table.rawValue) {
        try db.execute(sql: table.definition(beside: tables))
        if let index = table.index { try db.execute(sql: index) }
        try SyncDatabase.beginAnew(tx, intoTable: table.rawValue)
      }
      guard let record = try SyncedRecord(found: table.rawValue, db) else {
        throw SyncCommandError.noTable(table.rawValue)
      }
      return record
    }
  }
}
