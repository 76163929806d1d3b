import Foundation
import Sanderling

/// Reads the rows of one file. Not shared: one iteration owns it.
protocol FileRows: AnyObject {
  var bytes: FileBytes { get }
  /// The number of the line that is read next, from 1.
  var line: Int { get }

  /// Reads what comes before the rows.
  func readHead() throws

  /// Goes on at a place in the file, which was found to be the same one.
  func goOn(at cursor: FileCursor)

  /// The next row by the names of its columns; nil at the end.
  func next() throws -> SyncChange?
}

/// The rows of a file in batches, from where a former load ended if the file still begins so.
struct FileBatches: AsyncSequence, Sendable {
  typealias Element = SyncBatch
  typealias Failure = any Error

  let cursor: String?
  let limits: FileLimits
  let isComplete: Bool
  let input: FileInput
  let makeRows: @Sendable (FileBytes) -> any FileRows

  func makeAsyncIterator() -> Iterator { Iterator(batches: self) }

  /// Read on a thread of its own: a pipe may have nothing for long.
  final class Reader: Sendable {
    private struct State {
      var rows: (any FileRows)?
      /// Whether the last batch had the file's last row.
      var isAtEnd = false
    }

    private let batches: FileBatches
    /// Guards the file, which is read by one thread after the other.
    private let state = Lock(State())

    init(_ batches: FileBatches) { self.batches = batches }

    func next() throws -> SyncBatch? {
      try state.withLock { state in
        let rows: any FileRows
        var startsAnew = false
        if let known = state.rows {
          rows = known
        } else {
          (rows, startsAnew) = try batches.open()
          state.rows = rows
        }
        if state.isAtEnd { return nil }
        let batch = try batches.read(rows, restarts: startsAnew && batches.isComplete)
        state.isAtEnd = batch.isCheckpoint
        return batch
      }
    }
  }

  struct Iterator: AsyncIteratorProtocol {
    private let reader: Reader

    init(batches: FileBatches) { reader = Reader(batches) }

    mutating func next() async throws -> SyncBatch? {
      let reader = reader
      return try await offThread { try reader.next() }
    }
  }

  private func open() throws -> (rows: any FileRows, startsAnew: Bool) {
    let rows = makeRows(try FileBytes(input))
    guard let cursor = cursor.flatMap({ FileCursor($0) }) else {
      try rows.readHead()
      return (rows, true)
    }
    try rows.readHead()
    try rows.bytes.skip(cursor.offset - rows.bytes.offset)
    if rows.bytes.offset == cursor.offset, rows.bytes.hash.value == cursor.hash {
      rows.goOn(at: cursor)
      return (rows, false)
    }
    // A pipe is used up now.
    guard case .path = input.place else {
      throw SyncError.unreadableSource(
        path: input.name,
        reason: "it doesn't begin as what was loaded before. Load it under another name, or from a file")
    }
    let anew = makeRows(try FileBytes(input))
    try anew.readHead()
    return (anew, true)
  }

  /// Some rows; a checkpoint with the last one.
  private func read(_ rows: any FileRows, restarts: Bool) throws -> SyncBatch {
    var changes: [SyncChange] = []
    var isAtEnd = false
    let start = rows.bytes.offset
    while !isAtEnd, changes.count < limits.batchRows, rows.bytes.offset - start < limits.batchBytes {
      if let row = try rows.next() { changes.append(row) } else { isAtEnd = true }
    }
    let cursor = FileCursor(offset: rows.bytes.offset, line: rows.line, hash: rows.bytes.hash.value)
    // As many as there are in the rest of the file, if its rows are as long as these.
    let remaining = rows.bytes.size.map { size in
      Int(Double(size - rows.bytes.offset) / Double(Swift.max(rows.bytes.offset - start, 1)) * Double(changes.count))
    }
    return SyncBatch(
      changes, cursor: cursor.text, isCheckpoint: isAtEnd, restarts: restarts, remaining: isAtEnd ? 0 : remaining)
  }
}
