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
    let store = try SyncDatabase.open(database)
    let synced = try await syncedRecord(store)
    let synchronization = try await SyncSession(
      // Each file has a place of its own to go on from.
      "file \(isStandardInput ? "-" : URL(filePath: file).lastPathComponent) into \(record)", store: store,
      records: [synced], source: source(synced), options: SyncOptions(misfits: isStrict ? .stop : .quarantine))
    let report = try await synchronization.run(record, of: file, into: store, at: database, on: output) {
      try await placeWaiting(in: store, except: synchronization.name)
    }
    try store.close()
    return report
  }

  private func syncedRecord(_ store: Store) async throws -> SyncedRecord {
    if let found = try await store.read({ try SyncedRecord(found: record, key: self.key, $0.database) }) {
      return found
    }
    if isStandardInput { throw SyncCommandError.noTable(record) }
    let found = try format == .csv ? FoundColumns(csv: file) : FoundColumns(jsonLines: file)
    return try await SyncDatabase.createTable(record, found, of: file, key: key, in: store)
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
}

/// A source without any change.
private struct NothingNew: SyncSource {
  func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
    AsyncThrowingStream<SyncBatch, any Error> { $0.finish() }
  }
}
