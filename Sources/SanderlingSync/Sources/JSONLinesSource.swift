import Foundation
import Sanderling

/// The rows of a file or a pipe of JSON objects, as one kind of record: one object a line, or one array of objects.
///
/// ```swift
/// let source = JSONLinesSource(path: "notes.jsonl", of: SyncedRecord(Note.self))
/// ```
///
/// Members are named as columns; the case of ASCII letters doesn't count. Dates are texts of ISO 8601, with or without fractions and zones, and
/// are stored in the form of their column. Truth values are stored as 0 and 1, arrays and objects as JSON text; blobs come in base64. Integers of
/// 64 bits are exact. Values of other types than their column's don't fit: ``SyncOptions/misfits``. No column takes a number beyond the range of
/// a double. A line that is no object, or an element, doesn't fit either, and the next one is read. In an array nothing is read behind a bracket
/// that doesn't close.
///
/// It is read as rows are stored, and so in little memory however long it is. A load that was interrupted goes on where it was, as long as the
/// file begins as it did and is read with the same options. A file that has grown is read from there, and another one from the beginning. To find
/// out, the part that was read before is read again. A last row without a line break may go on in a longer file, and comes again. When a file is
/// read from the beginning, its earlier misfits are forgotten.
///
/// A pipe is read from the beginning each time. So is a file with `isComplete`, unless its load was interrupted: rows that others have
/// inserted since are removed as well.
///
/// Of rows with one key and different values one is used: ``FileOptions/duplicates``.
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
