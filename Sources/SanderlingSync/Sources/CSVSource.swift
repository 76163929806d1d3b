import Foundation
import Sanderling

/// The rows of a file or a pipe of comma-separated values (RFC 4180), as one kind of record.
///
/// ```swift
/// let source = CSVSource(
///   path: "notes.csv", of: SyncedRecord(Note.self), format: CSVFormat(delimiter: ";"),
///   options: FileOptions(encoding: .latin1))
/// ```
///
/// The first row names the columns, without regard to the case of ASCII letters. Fields in double quotes may contain
/// commas, line breaks and doubled quotes.
///
/// An empty field without quotes is NULL. In a column of texts that accepts no NULL and isn't part of the key, it is an
/// empty text. `""` is an empty text if the column holds texts.
///
/// Numbers, `true` and `false`, dates and UUIDs are stored in the form of their column. A number has a decimal point:
/// `1,50` is a text, and doesn't fit into a column of numbers. For blobs, see ``CSVFormat/blobs``.
///
/// An unreadable row, such as one with too few fields, is quarantined with its line, and the rows after it are read.
///
/// Otherwise like ``JSONLinesSource``.
public struct CSVSource: SyncSource {
  var file: FileRowSource

  /// Creates a source of the rows of a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - record: The record of each row.
  ///   - isComplete: Whether rows that the file doesn't have are removed: see ``SyncOptions/allowsMassDeletion``.
  ///   - format: How values are written.
  ///   - options: How the file is read.
  public init(
    path: String, of record: SyncedRecord, isComplete: Bool = false, format: CSVFormat = CSVFormat(),
    options: FileOptions = FileOptions()
  ) {
    self.init(FileInput(place: .path(path)), of: record, isComplete: isComplete, format: format, options: options)
  }

  /// Creates a source of the rows of a pipe or an open file.
  ///
  /// - Parameter fileDescriptor: The file to read to its end, which stays open: 0 for standard input.
  public init(
    fileDescriptor: Int32, of record: SyncedRecord, isComplete: Bool = false, format: CSVFormat = CSVFormat(),
    options: FileOptions = FileOptions()
  ) {
    self.init(
      FileInput(place: .descriptor(fileDescriptor)), of: record, isComplete: isComplete, format: format,
      options: options)
  }

  /// - Parameter findings: Records the file's encoding and delimiter.
  package init(
    _ input: FileInput, of record: SyncedRecord, isComplete: Bool = false, format: CSVFormat = CSVFormat(),
    options: FileOptions = FileOptions(), findings: FileFindings = FileFindings()
  ) {
    file = FileRowSource(input, of: record, .csv(format), isComplete: isComplete, options, findings: findings)
  }

  public func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
    file.batches(after: cursor)
  }
}
