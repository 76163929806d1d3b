import Foundation
import Sanderling

/// The rows of a file or a pipe of JSON objects, one a line, as one kind of record.
///
/// ```swift
/// let source = JSONLinesSource(path: "notes.jsonl", of: SyncedRecord(Note.self))
/// ```
///
/// Members are named as columns; the case of ASCII letters doesn't count. Dates are texts of ISO 8601, with or without fractions and zones, and are stored in the form of their
/// column; truth values as 0 and 1; what has parts as JSON text; blobs come in base64. Integers of 64 bits are exact. Values of other types
/// than their column's don't fit, and no column takes a number beyond the range of a double: ``SyncOptions/misfits``.
///
/// It is read as rows are stored, and so in little memory however long it is. A load that was interrupted goes on where it was, as long as
/// the file begins as it did; a file that has grown is read from there, and another one from the beginning. To find out, what was read before
/// is read again. A last row without a line break may go on in a longer file, and comes again. When a file is read from the beginning, what of
/// it didn't fit before is forgotten.
///
/// A pipe is read from the beginning each time. So is a file with `isComplete`, unless its load was interrupted: rows that others have
/// inserted since are removed as well.
public struct JSONLinesSource: SyncSource {
  var input: FileInput
  let record: SyncedRecord
  var limits: FileLimits
  let isComplete: Bool

  /// - Parameters:
  ///   - path: The file.
  ///   - record: What each line is.
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
      JSONLines(bytes, input.name, RowReading(record), limits)
    }
  }
}
