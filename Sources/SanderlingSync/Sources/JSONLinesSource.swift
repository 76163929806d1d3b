import Foundation
import Sanderling

/// The rows of a file or a pipe of JSON objects, as one kind of record: one object a line, or one array of objects.
///
/// ```swift
/// let source = JSONLinesSource(path: "notes.jsonl", of: SyncedRecord(Note.self))
/// ```
///
/// Members have the names of columns, without regard to the case of ASCII letters. Dates are texts of ISO 8601, with or
/// without fractions and zones, and are stored in the form of their column. Truth values are stored as 0 and 1, arrays
/// and objects as JSON text. Blobs are base64. Integers of 64 bits are exact. Values of another type than their
/// column's don't fit: ``SyncOptions/misfits``. No column accepts a number beyond the range of a double.
///
/// A line or an element that is no object doesn't fit either, and the next one is read. In an array, nothing is read
/// after a bracket that doesn't close.
///
/// The file is read while its rows are stored, so memory stays small for any length. An interrupted load continues at
/// its place, if the file's beginning is unchanged and the options are the same. A file that has grown is read from its
/// former end, and another file from the beginning. To compare the beginning, the part that was read before is read
/// again. A last row without a line break may be incomplete, so it is read again from a longer file. When a file is
/// read from the beginning, its earlier misfits are forgotten.
///
/// A pipe is read from the beginning each time. So is a file with `isComplete`, unless its load was interrupted. Rows
/// that other authors have inserted since are then removed as well.
///
/// Of several rows with one key and different values, one is used: ``FileOptions/duplicates``.
public struct JSONLinesSource: SyncSource {
  var file: FileRowSource

  /// Creates a source of the rows of a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - record: The record of each object.
  ///   - isComplete: Whether rows that the file doesn't have are removed: see ``SyncOptions/allowsMassDeletion``.
  ///   - options: How the file is read.
  public init(
    path: String, of record: SyncedRecord, isComplete: Bool = false, options: FileOptions = FileOptions()
  ) {
    self.init(FileInput(place: .path(path)), of: record, isComplete: isComplete, options: options)
  }

  /// Creates a source of the rows of a pipe or an open file.
  ///
  /// - Parameter fileDescriptor: The file to read to its end, which stays open: 0 for standard input.
  public init(
    fileDescriptor: Int32, of record: SyncedRecord, isComplete: Bool = false, options: FileOptions = FileOptions()
  ) {
    self.init(FileInput(place: .descriptor(fileDescriptor)), of: record, isComplete: isComplete, options: options)
  }

  /// - Parameter findings: Records the file's encoding.
  package init(
    _ input: FileInput, of record: SyncedRecord, isComplete: Bool = false, options: FileOptions = FileOptions(),
    findings: FileFindings = FileFindings()
  ) {
    file = FileRowSource(input, of: record, .json, isComplete: isComplete, options, findings: findings)
  }

  public func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
    file.batches(after: cursor)
  }
}
