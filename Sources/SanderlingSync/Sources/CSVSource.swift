import Foundation
import Sanderling

/// The rows of a file or a pipe of comma-separated values (RFC 4180), as one kind of record.
///
/// The first row names the columns; the case of ASCII letters doesn't count. Fields in double quotes may have commas, line breaks and doubled
/// quotes. An empty field without quotes is NULL; in a column of texts that takes no NULL, and isn't of the key, it is an empty text. `""` is
/// an empty text where the column holds texts. Numbers, `true` and `false`, dates, UUIDs and blobs in base64 are stored in the form of their
/// column.
///
/// Otherwise as ``JSONLinesSource``.
public struct CSVSource: SyncSource {
  var input: FileInput
  let record: SyncedRecord
  var limits: FileLimits
  let isComplete: Bool

  /// - Parameters:
  ///   - path: The file.
  ///   - record: What each row is.
  ///   - isComplete: Whether rows that the file doesn't have are removed.
  public init(path: String, of record: SyncedRecord, isComplete: Bool = false, limits: FileLimits = FileLimits()) {
    self.init(FileInput(place: .path(path)), of: record, isComplete: isComplete, limits: limits)
  }

  /// - Parameter fileDescriptor: What is read to its end, and stays open: 0 for standard input.
  public init(
    fileDescriptor: Int32, of record: SyncedRecord, isComplete: Bool = false, limits: FileLimits = FileLimits()
  ) {
    self.init(
      FileInput(place: .descriptor(fileDescriptor)), of: record, isComplete: isComplete, limits: limits)
  }

  package init(
    _ input: FileInput, of record: SyncedRecord, isComplete: Bool = false, limits: FileLimits = FileLimits()
  ) {
    self.input = input
    self.record = record
    self.isComplete = isComplete
    self.limits = limits
  }

  public func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
    FileBatches(cursor: cursor, limits: limits, isComplete: isComplete, input: input) { bytes in
      CSVRows(CSVReader(bytes, input.name, limits), RowReading(record))
    }
  }
}

/// The rows of a CSV file behind its header.
final class CSVRows: FileRows {
  private let reader: CSVReader
  private let reading: RowReading
  private var columns: [(name: String, column: RecordColumn?)] = []

  var bytes: FileBytes { reader.bytes }
  var line: Int { reader.line }
  var isAtBreak: Bool { reader.isAtBreak }

  init(_ reader: CSVReader, _ reading: RowReading) {
    self.reader = reader
    self.reading = reading
  }

  func readHead() throws {
    columns = try reader.head().map { (reading.name(of: $0), reading.column($0)) }
    if let missing = reading.missingKey(among: columns.map(\.name)) {
      throw reader.malformed(1, "there is no column \(missing), which is of the key", line: 1)
    }
  }

  func goOn(at cursor: FileCursor) { reader.line = cursor.line }

  func next() throws -> SyncChange? {
    let line = reader.line
    guard let fields = try reader.row(of: columns.count) else { return nil }
    var values: [String: StorageValue] = [:]
    values.reserveCapacity(fields.count)
    for (field, (name, column)) in zip(fields, columns) { values[name] = value(field, column) }
    return reading.change(values, line: line)
  }

  private func value(_ field: CSVReader.Field, _ column: RecordColumn?) -> StorageValue {
    guard let column else { return field.text.isEmpty && !field.isQuoted ? .null : .text(field.text) }
    if field.text.isEmpty, !field.isQuoted || column.type != .text,
      column.acceptsNull || column.type != .text || reading.isOfKey(column)
    {
      return .null
    }
    // Many tables have an integer for what is a word in files.
    if column.type == .integer, let word = ["true": 1, "false": 0][field.text] as Int64? { return .integer(word) }
    return column.stored(field: field.text)
  }
}
