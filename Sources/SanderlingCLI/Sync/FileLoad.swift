import Foundation
import GRDB
import Sanderling
import SanderlingSync

/// Loads the rows of one file into a table.
struct FileLoad: Sendable {
  let file: String
  let format: SyncFormat
  let database: String
  let record: String
  let key: [String]
  let isComplete: Bool
  let isStrict: Bool
  var allowsMassDeletion = false
  /// The format of a CSV file.
  var csv = CSVFormat()
  var options = FileOptions()
  /// Whether columns that only the file has are added to the table.
  var alters = false
  let output: ProgressOutput
  /// The handle that is read for `-`.
  var standardInput = FileHandle.standardInput

  private var isStandardInput: Bool { file == "-" }
  /// The session's name. Each file has a session of its own, with its own cursor.
  private var sessionName: String {
    "file \(isStandardInput ? file : URL(filePath: file).lastPathComponent) into \(record)"
  }

  /// - Throws: ``SyncCommandError``, `SyncError`, `StoreError`, `CancellationError`.
  func run() async throws -> SyncReport {
    if !isStandardInput {
      switch FileKind(at: file) {
      case .file, .other: break
      case .nothing, .hidden: throw SyncCommandError.noFile(file)
      case .folder: throw SyncCommandError.isFolder(file)
      }
    }
    let pipe = try openedPipe()
    let store = try SyncDatabase.open(database)
    let found = try await store.read { try SyncedRecord(found: record, key: self.key, $0.database) }
    // Creating or altering a table takes a first pass over all rows. A pipe can't be read twice, so it is copied.
    let stream = try found == nil || alters ? pipe.map { try Self.copy(of: $0) } : pipe
    let synced = try await table(found, stream, in: store)
    let findings = FileFindings()
    let session = try await SyncSession(
      sessionName, store: store, records: [synced], source: source(synced, input(stream), findings),
      options: SyncOptions(misfits: isStrict ? .stop : .quarantine, allowsMassDeletion: allowsMassDeletion))
    try await session.retryQuarantine()
    var report = try await session.run(record, of: file, into: store, at: database, on: output) {
      try await placeWaiting(in: store, except: session.name)
    }
    report.note(findings)
    report.leaveOut(options.ignoredColumns)
    try SyncDatabase.close(store)
    return report
  }

  /// Returns the table: as found, with added columns, or newly created.
  private func table(_ found: SyncedRecord?, _ stream: FileHandle?, in store: Store) async throws -> SyncedRecord {
    if let found { try await SyncDatabase.beginAnew(sessionName, whereEmpty: found.table.name, in: store) }
    if let found, !alters { return found }
    let task = found == nil ? "make the table" : "add columns"
    let told = Task { try await output.showLater("\(record): looking at all rows, to \(task)") }
    defer { told.cancel() }
    let columns = try columns(stream, key: found?.table.keyColumns.map(\.name) ?? key)
    try stream?.seek(toOffset: 0)
    return found == nil
      ? try await SyncDatabase.createTable(record, columns, of: file, key: key, in: store)
      : try await SyncDatabase.addColumns(to: record, columns, key: key, in: store)
  }

  /// Returns standard input or a file that is a pipe, such as a shell's `<(…)`; nil for other files.
  private func openedPipe() throws -> FileHandle? {
    if isStandardInput { return standardInput }
    if FileKind(at: file) == .file { return nil }
    return try FileHandle(forReadingFrom: URL(filePath: file))
  }

  private func input(_ stream: FileHandle?) -> FileInput {
    guard let stream else { return FileInput(place: .path(file)) }
    return FileInput(place: .descriptor(stream.fileDescriptor), title: isStandardInput ? "standard input" : file)
  }

  /// Copies the bytes of a pipe to an unnamed file, which ends with the process.
  private static func copy(of pipe: FileHandle) throws -> FileHandle {
    let url = FileManager.default.temporaryDirectory.appending(path: "sanderling-sync-\(UUID().uuidString)")
    let folder = url.deletingLastPathComponent().path
    guard FileManager.default.createFile(atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw SyncCommandError.noSpace(folder) }
    let copy = try FileHandle(forUpdating: url)
    try FileManager.default.removeItem(at: url)
    while let bytes = try pipe.read(upToCount: 1 << 16), !bytes.isEmpty {
      try Task.checkCancellation()
      do { try copy.write(contentsOf: bytes) } catch { throw SyncCommandError.noSpace(folder) }
    }
    try copy.seek(toOffset: 0)
    return copy
  }

  /// - Throws: ``SyncCommandError/malformed(path:line:column:reason:)``.
  private func columns(_ stream: FileHandle?, key: [String]) throws -> FoundColumns {
    let key = key.isEmpty ? SyncDatabase.keyOfNewTable : key
    do {
      return switch format {
      case .csv: try FoundColumns(csv: input(stream), key: key, csv, options, isStrict: isStrict)
      case .json, .jsonl: try FoundColumns(json: input(stream), key: key, options, isStrict: isStrict)
      }
    } catch SyncError.malformedSource(let path, let line, let column, let reason) {
      // Nothing is stored yet, and the table doesn't exist.
      throw SyncCommandError.malformed(path: path, line: line, column: column, reason: reason)
    }
  }

  private func source(_ synced: SyncedRecord, _ input: FileInput, _ findings: FileFindings) -> any SyncSource {
    switch format {
    case .json, .jsonl:
      JSONLinesSource(input, of: synced, isComplete: isComplete, options: options, findings: findings)
    case .csv:
      CSVSource(input, of: synced, isComplete: isComplete, format: csv, options: options, findings: findings)
    }
  }

  /// Applies the parked rows of other files. They may have waited for rows of this file, or for each other.
  ///
  /// - Returns: The number of applied rows.
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
        count += try await synchronization.placeWaiting()
      }
      if count == before { return count }
    }
  }
}

/// A source without changes.
private struct NothingNew: SyncSource {
  func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
    AsyncThrowingStream<SyncBatch, any Error> { $0.finish() }
  }
}
