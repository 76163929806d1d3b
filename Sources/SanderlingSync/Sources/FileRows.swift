import Foundation
import Sanderling

/// Reads the rows of one file. Not shared: one iteration owns it.
protocol FileRows: AnyObject {
  var bytes: FileBytes { get }
  /// The number of the next line, from 1.
  var line: Int { get }
  /// Whether the last row is complete. A row that ends with the file may continue in a longer file.
  var isAtBreak: Bool { get }

  /// Reads the head of the file, before the rows.
  ///
  /// - Throws: ``RowRefusal`` for a file without any readable row, errors of the file.
  func readHead() throws

  /// Continues at a place in the file, which was verified to be the same file.
  ///
  /// - Parameter isFirst: Whether no row precedes it.
  func goOn(at cursor: FileCursor, isFirst: Bool)

  /// The next row by the names of its columns, or its refusal; nil at the end.
  ///
  /// - Throws: ``RowRefusal`` if nothing after it can be read, errors of the file.
  func next() throws -> SyncChange?
}

extension FileRows {
  /// The current place in the file.
  var place: FileCursor { FileCursor(offset: bytes.offset, line: line, hash: bytes.hash.value) }
}

/// A file of rows: its format, and the record of its rows. The common part of ``CSVSource`` and ``JSONLinesSource``.
struct FileRowSource: Sendable {
  enum Format: Sendable, Hashable {
    case csv(CSVFormat)
    /// One object per line, or one array of objects.
    case json
  }

  var input: FileInput
  let record: SyncedRecord
  let format: Format
  var options: FileOptions
  /// Whether rows missing from the file are removed.
  let isComplete: Bool
  let findings: FileFindings

  init(
    _ input: FileInput, of record: SyncedRecord, _ format: Format, isComplete: Bool, _ options: FileOptions,
    findings: FileFindings = FileFindings()
  ) {
    self.input = input
    self.record = record
    self.format = format
    self.isComplete = isComplete
    self.options = options
    self.findings = findings
  }

  func batches(after cursor: String?) -> FileBatches { FileBatches(source: self, cursor: cursor) }

  /// Opens the file before its first row.
  ///
  /// - Parameter willRead: Called before each read of the file. An error that it throws ends the reading.
  /// - Throws: ``SyncError/unreadableSource(path:reason:)``, ``SyncError/malformedSource(path:line:column:reason:)``.
  func rows(willRead: @escaping () throws -> Void = {}) throws -> any FileRows {
    try naming {
      let bytes = try FileBytes(input, seed: seed, willRead: willRead)
      let reading = RowReading(record, options, of: input.name)
      let rows: any FileRows =
        switch format {
        case .csv(let format): CSVRows(bytes, reading, format, findings)
        case .json: JSONRows(bytes, reading)
        }
      try bytes.beginText(options.encoding, findings)
      try rows.readHead()
      return rows
    }
  }

  /// Adds the file's name to refusals that end the reading.
  func naming<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let refusal as RowRefusal { throw refusal.of(input.name).error ?? refusal }
  }

  /// The options of the reading besides the format: with other options, a file is read from its beginning.
  private var seed: String {
    var options = options
    let defaults = FileLimits()
    (options.limits.batchRows, options.limits.batchBytes) = (defaults.batchRows, defaults.batchBytes)
    var parts: [String] = []
    if options != FileOptions() {
      let limits = options.limits
      parts = [
        options.encoding?.rawValue ?? "", options.duplicates.rawValue,
        options.ignoredColumns.sorted().joined(separator: ","),
        "\(limits.row) \(limits.columns) \(limits.depth)",
      ]
    }
    if case .csv(let format) = format, format != CSVFormat() {
      let columns = format.blobColumns.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.rawValue)" }
      parts += [
        format.delimiter.map { String($0) } ?? "", format.nulls.sorted().joined(separator: ","),
        format.blobs?.rawValue ?? "", columns.joined(separator: ","),
      ]
    }
    return parts.joined(separator: "\n")
  }
}
