import Foundation
import Sanderling

/// The rows of a file or a pipe of comma-separated values (RFC 4180), as one kind of record.
///
/// The first row names the columns. Fields in double quotes may have commas, line breaks and doubled quotes. An empty field without quotes
/// is NULL where the column takes it, and an empty text otherwise; `""` is an empty text where the column holds texts. Numbers,
/// `true` and `false`, dates, UUIDs and blobs in base64 are stored in the form of their column.
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
    input = FileInput(place: .path(path))
    self.record = record
    self.isComplete = isComplete
    self.limits = limits
  }

  /// - Parameter fileDescriptor: What is read to its end, and stays open: 0 for standard input.
  public init(
    fileDescriptor: Int32, of record: SyncedRecord, isComplete: Bool = false, limits: FileLimits = FileLimits()
  ) {
    input = FileInput(place: .descriptor(fileDescriptor))
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

  init(_ reader: CSVReader, _ reading: RowReading) {
    self.reader = reader
    self.reading = reading
  }

  func readHead() throws {
    try reader.skipByteOrderMark()
    columns = try (reader.row() ?? []).map { ($0.text, reading.column($0.text)) }
    if Set(columns.map(\.name)).count < columns.count {
      throw reader.malformed(1, "two columns have one name", line: 1)
    }
  }

  func goOn(at cursor: FileCursor) { reader.line = cursor.line }

  func next() throws -> SyncChange? {
    let line = reader.line
    guard let fields = try reader.row() else { return nil }
    guard fields.count == columns.count else {
      throw reader.malformed(
        1, "the row has \(fields.count) fields, and the first row has \(columns.count)", line: line)
    }
    var values: [String: StorageValue] = [:]
    values.reserveCapacity(fields.count)
    for (field, (name, column)) in zip(fields, columns) { values[name] = Self.value(field, column) }
    return reading.change(values)
  }

  private static func value(_ field: CSVReader.Field, _ column: RecordColumn?) -> StorageValue {
    guard let column else { return field.text.isEmpty && !field.isQuoted ? .null : .text(field.text) }
    if field.text.isEmpty, column.acceptsNull, !field.isQuoted || column.type != .text { return .null }
    // Many tables have an integer for what is a word in files.
    if column.type == .integer, let word = ["true": 1, "false": 0][field.text] as Int64? { return .integer(word) }
    return column.stored(field: field.text)
  }
}
