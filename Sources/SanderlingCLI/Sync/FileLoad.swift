import Foundation
import GRDB
import Sanderling
import SanderlingSync

/// Brings the rows of one file into a table.
struct FileLoad: Sendable {
  let file: String
  let format: SyncFormat
  let database: String
  let record: String
  let key: [String]
  let isComplete: Bool
  let isStrict: Bool
  let output: ProgressOutput

  private var isStandardInput: Bool { file == "-" }

  /// - Throws: ``SyncCommandError``, `SyncError`, `StoreError`, `CancellationError`.
  func run() async throws -> SyncReport {
    if !isStandardInput, !FileManager.default.fileExists(atPath: file) { throw SyncCommandError.noFile(file) }
    let store = try openStore()
    let synced = try await syncedRecord(store)
    let synchronization = try await SyncSession(
      // Each file has a place of its own to go on from.
      "file \(isStandardInput ? "-" : URL(filePath: file).lastPathComponent) into \(record)", store: store,
      records: [synced], source: source(synced), options: SyncOptions(misfits: isStrict ? .stop : .quarantine))
    let progress = Task { await show(synchronization.progress) }
    let summary: SyncSummary
    do {
      summary = try await synchronization.run()
    } catch {
      progress.cancel()
      output.clear()
      throw error
    }
    progress.cancel()
    output.clear()
    let followed = try await placeWaiting(in: store, except: synchronization.name)
    let refused = try await synchronization.quarantine(limit: SyncReport.misfitLimit)
    let quarantine = try await store.read { tx in
      try Int.fetchOne(
        tx.database, sql: "SELECT count(*) FROM sanderling_sync_quarantine WHERE name = ?",
        arguments: [synchronization.name]) ?? 0
    }
    try store.close()
    return SyncReport(
      file: file, database: database, record: record, summary: summary, followed: followed, quarantine: quarantine,
      misfits: refused)
  }

  private func openStore() throws -> Store {
    do {
      var configuration = Store.defaultConfiguration
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
      // A database of others keeps the journal that it has.
      return try Store(
        hasWriteAheadLog
          ? DatabasePool(path: database, configuration: configuration)
          : DatabaseQueue(path: database, configuration: configuration), schema: [])
    } catch let error as DatabaseError {
      throw SyncCommandError.database(path: database, reason: error.message ?? error.resultCode.description)
    }
  }

  /// Whether the database has a write-ahead log, or isn't there yet and gets one. Its header tells.
  private var hasWriteAheadLog: Bool {
    guard let header = try? FileHandle(forReadingAtPath: database)?.read(upToCount: 20), header.count == 20 else {
      return true
    }
    return header[18] == 2
  }

  private func syncedRecord(_ store: Store) async throws -> SyncedRecord {
    if let found = try await store.read({ try SyncedRecord(found: record, key: self.key, $0.database) }) {
      return found
    }
    if isStandardInput { throw SyncCommandError.noTable(record) }
    let found = try format == .csv ? FoundFile(csv: file) : FoundFile(jsonLines: file)
    let names = found.columns.map(\.name)
    let key = self.key.isEmpty ? names.filter { $0 == "id" } : self.key
    if names.isEmpty { throw SyncCommandError.noColumns(file) }
    if key.isEmpty { throw SyncCommandError.noKey(file) }
    if let missing = key.first(where: { !names.contains($0) }) {
      throw SyncCommandError.noColumn(missing, file: file)
    }
    return try await store.write("create table") { tx in
      try found.createTable(record, key: key, tx.database)
      guard let made = try SyncedRecord(found: record, tx.database) else { throw SyncCommandError.noTable(record) }
      return made
    }
  }

  private func source(_ synced: SyncedRecord) -> any SyncSource {
    switch (format, isStandardInput) {
    case (.jsonl, false): JSONLinesSource(path: file, of: synced, isComplete: isComplete)
    case (.jsonl, true): JSONLinesSource(fileDescriptor: 0, of: synced, isComplete: isComplete)
    case (.csv, false): CSVSource(path: file, of: synced, isComplete: isComplete)
    case (.csv, true): CSVSource(fileDescriptor: 0, of: synced, isComplete: isComplete)
    }
  }

  /// Applies rows of other files that waited for these, and for each other.
  ///
  /// - Returns: How many.
  private func placeWaiting(in store: Store, except own: String) async throws -> Int {
    var count = 0
    while true {
      let before = count
      let waiting = try await store.read { tx in
        try Row.fetchAll(
          tx.database,
          sql: "SELECT DISTINCT name, record FROM sanderling_sync_parked WHERE name <> ? AND name LIKE 'file %'",
          arguments: [own]
        ).map { (name: $0[0] as String, record: $0[1] as String) }
      }
      for (name, record) in waiting {
        guard let synced = try await store.read({ try SyncedRecord(found: record, $0.database) }) else { continue }
        let synchronization = try await SyncSession(name, store: store, records: [synced], source: NothingNew())
        count += try await synchronization.run().counts.written
      }
      if count == before { return count }
    }
  }

  private func show(_ updates: SyncProgressUpdates) async {
    guard let interval = output.interval else { return }
    var last = ContinuousClock.now
    for await progress in updates where ContinuousClock.now - last >= interval {
      last = .now
      output.show(
        "\(record): \(progress.counts.received.grouped) rows, \(Int(progress.rate).grouped) rows/s, "
          + "\(progress.counts.written.grouped) written")
    }
  }
}

/// A source without any change.
private struct NothingNew: SyncSource {
  func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
    AsyncThrowingStream<SyncBatch, any Error> { $0.finish() }
  }
}

/// Why `sanderling sync` can't bring a file into a database.
enum SyncCommandError: CommandError, Equatable {
  case noFile(String)
  case noTable(String)
  case noColumns(String)
  case noKey(String)
  case noColumn(String, file: String)
  case database(path: String, reason: String)

  var description: String {
    switch self {
    case .noFile(let path): "There is no file \(path.printable). Name a file of JSON lines or comma-separated values."
    case .noTable(let name):
      "There is no table \(name.printable), and standard input can't be read twice to make one. Make the table, or name a file."
    case .noColumns(let path): "\(path.printable) has no columns to make a table of. Name another file."
    case .noKey(let path):
      "\(path.printable) has no column id. Say with --key by which columns its rows are told apart."
    case .noColumn(let name, let file):
      "\(file.printable) has no column \(name.printable). --key needs columns of the file."
    case .database(let path, let reason):
      "\(path.printable) can't be opened: \(reason.printable). Name an SQLite database, or a new file."
    }
  }
}
