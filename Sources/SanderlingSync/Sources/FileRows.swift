import Foundation
import Sanderling

/// Reads the rows of one file. Not shared: one iteration owns it.
protocol FileRows: AnyObject {
  var bytes: FileBytes { get }
  /// The number of the line that is read next, from 1.
  var line: Int { get }
  /// Whether a line break ended the last row: one that the file's end ends may go on in a longer file.
  var isAtBreak: Bool { get }

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
      /// From where another load would go on.
      var place: FileCursor?
      /// Whether the last batch had the file's last row.
      var isAtEnd = false
      /// What keeps from reading on, behind the last batch.
      var failure: (any Error)?
    }

    private let batches: FileBatches
    /// Guards the file, which is read by one thread after the other.
    private let state = Lock(State())

    init(_ batches: FileBatches) { self.batches = batches }

    func next() throws -> SyncBatch? {
      try state.withLock { state in
        if let failure = state.failure { throw failure }
        if state.isAtEnd { return nil }
        if let rows = state.rows { return try batch(of: rows, &state) }
        let (rows, isFirst) = try batches.open()
        state.rows = rows
        state.place = rows.place
        return try batch(of: rows, isFirst: isFirst, &state)
      }
    }

    /// Some rows; a checkpoint with the last one. Rows before one that can't be read are given all the same.
    private func batch(of rows: any FileRows, isFirst: Bool = false, _ state: inout State) throws -> SyncBatch {
      let limits = batches.limits
      var changes: [SyncChange] = []
      let start = rows.bytes.offset
      while !state.isAtEnd, changes.count < limits.batchRows, rows.bytes.offset - start < limits.batchBytes {
        do {
          if let row = try rows.next() { changes.append(row) } else { state.isAtEnd = true }
        } catch {
          if changes.isEmpty { throw error }
          state.failure = error
          break
        }
        if rows.isAtBreak { state.place = rows.place }
      }
      // As many as there are in the rest of the file, if its rows are as long as these.
      let remaining = rows.bytes.size.map { size in
        Int(Double(size - rows.bytes.offset) / Double(Swift.max(rows.bytes.offset - start, 1)) * Double(changes.count))
      }
      state.place?.isInComparison = batches.isComplete && !state.isAtEnd
      var batch = SyncBatch(
        // A pipe has other bytes each time.
        changes, cursor: rows.bytes.canBeReadAgain ? state.place?.text : nil, isCheckpoint: state.isAtEnd,
        restarts: isFirst && batches.isComplete, remaining: state.isAtEnd ? 0 : remaining)
      if isFirst, !batches.isComplete { batch.beginning = rows.bytes.canBeReadAgain ? .again : .other }
      return batch
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

  /// - Returns: Whether the rows are the file's first ones.
  private func open() throws -> (rows: any FileRows, isFirst: Bool) {
    let rows = makeRows(try FileBytes(input))
    try rows.readHead()
    guard rows.bytes.canBeReadAgain, let cursor = cursor.flatMap({ FileCursor($0) }),
      cursor.isInComparison == isComplete
    else { return (rows, true) }
    try rows.bytes.skip(cursor.offset - rows.bytes.offset)
    if rows.bytes.offset == cursor.offset, rows.bytes.hash.value == cursor.hash {
      rows.goOn(at: cursor)
      return (rows, false)
    }
    let anew = makeRows(try FileBytes(input))
    try anew.readHead()
    return (anew, true)
  }
}

extension FileRows {
  /// Where it is in the file.
  fileprivate var place: FileCursor { FileCursor(offset: bytes.offset, line: line, hash: bytes.hash.value) }
}
