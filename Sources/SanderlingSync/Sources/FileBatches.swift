import Foundation
import Sanderling

/// The rows of a file in batches. It continues where an earlier load ended if the beginning of the file is unchanged.
struct FileBatches: AsyncSequence, Sendable {
  typealias Element = SyncBatch
  typealias Failure = any Error

  let source: FileRowSource
  let cursor: String?

  func makeAsyncIterator() -> Iterator { Iterator(batches: self) }

  struct Iterator: AsyncIteratorProtocol {
    private let reader: Reader

    init(batches: FileBatches) { reader = Reader(batches) }

    mutating func next() async throws -> SyncBatch? {
      let reader = reader
      return try await withTaskCancellationHandler {
        try await offThread { try reader.next() }
      } onCancel: {
        reader.cancel()
      }
    }
  }

  /// Reads on a thread of its own: a pipe may be silent for long.
  final class Reader: Sendable {
    private struct State {
      var rows: (any FileRows)?
      /// The place where another load would continue.
      var place: FileCursor?
      /// The byte up to which an earlier load has read.
      var known = 0
      /// The keys of the rows so far; created with the first row.
      var keys: KeyRegister?
      /// Whether the last batch contained the file's last row.
      var isAtEnd = false
      /// The error that ends the reading after the last batch.
      var failure: (any Error)?
      /// The number of refused rows before the first readable one; nil after that one.
      var refusedFirst: Int? = 0
      /// The first refused row. It begins a new batch, so that all rows before it are stored if a run stops there.
      var firstRefused = FirstRefused.none
    }

    private enum FirstRefused {
      case none
      case next(SyncChange)
      case given
    }

    private let source: FileRowSource
    private let cursor: String?
    /// Guards the file. Several threads may read it, but never at the same time.
    private let state = Lock(State())
    /// Guards whether the rows are still awaited, which changes while another thread reads.
    private let isCancelled = Lock(false)

    init(_ batches: FileBatches) {
      source = batches.source
      cursor = batches.cursor
    }

    func next() throws -> SyncBatch? {
      try state.withLock { state in
        if let failure = state.failure { throw failure }
        if state.isAtEnd { return nil }
        if let rows = state.rows { return try batch(of: rows, &state) }
        let (rows, known) = try open()
        state.rows = rows
        state.place = rows.place
        state.known = known ?? 0
        return try batch(of: rows, isFirst: known == nil, &state)
      }
    }

    /// Ends the reading before its next page: a load that continues first reads all earlier bytes again.
    func cancel() { isCancelled.withLock { $0 = true } }

    /// - Throws: `CancellationError` from each read of the file after ``cancel()``, and errors of the file.
    private func openedRows() throws -> any FileRows {
      try source.rows { [unowned self] in
        if isCancelled.withLock({ $0 }) { throw CancellationError() }
      }
    }

    /// - Returns: The rows, and the number of bytes that a former load has read; nil if the rows are the file's first
    ///   ones.
    private func open() throws -> (rows: any FileRows, known: Int?) {
      let rows = try openedRows()
      guard rows.bytes.canBeReadAgain, let cursor = cursor.flatMap({ FileCursor($0) }),
        cursor.isInComparison == source.isComplete
      else { return (rows, nil) }
      let isFirst = rows.bytes.offset == cursor.offset
      try rows.bytes.skip(cursor.offset - rows.bytes.offset)
      if rows.bytes.offset == cursor.offset, rows.bytes.hash.value == cursor.hash {
        rows.goOn(at: cursor, isFirst: isFirst)
        return (rows, cursor.offset)
      }
      return (try openedRows(), nil)
    }

    /// Some rows, as a checkpoint if they include the last one. Rows before an unreadable one are delivered
    /// nevertheless.
    private func batch(of rows: any FileRows, isFirst: Bool = false, _ state: inout State) throws -> SyncBatch {
      let limits = source.options.limits
      var changes: [SyncChange] = []
      let start = (offset: rows.bytes.offset, consumed: rows.bytes.consumed)
      if case .next(let change) = state.firstRefused {
        changes = [change]
        state.firstRefused = .given
        if rows.isAtBreak { state.place = rows.place }
      }
      while !state.isAtEnd, changes.count < limits.batchRows, rows.bytes.offset - start.offset < limits.batchBytes {
        do {
          let row = try source.naming { try rows.next() }
          try requireSomeRow(row, &state)
          if let row, row.refusal != nil, case .none = state.firstRefused {
            state.firstRefused = changes.isEmpty ? .given : .next(row)
            if !changes.isEmpty { break }
          }
          if let row { changes.append(row) } else { state.isAtEnd = true }
        } catch {
          // A file is used only if at least one of its rows could be read.
          if changes.isEmpty || state.refusedFirst != nil { throw error }
          state.failure = error
          break
        }
        if rows.isAtBreak { state.place = rows.place }
      }
      let readCount = changes.count
      let repeated = try refuseDuplicates(&changes, rows, &state)
      // An estimate of the remaining rows, if they are as long as these.
      let remaining = rows.bytes.size.map { size in
        let length = Double(Swift.max(rows.bytes.consumed - start.consumed, 1)) / Double(Swift.max(readCount, 1))
        return Int(Double(Swift.max(size - rows.bytes.consumed, 0)) / length)
      }
      state.place?.isInComparison = source.isComplete && !state.isAtEnd
      var batch = SyncBatch(
        // A pipe has other bytes each time.
        changes, cursor: rows.bytes.canBeReadAgain ? state.place?.text : nil, isCheckpoint: state.isAtEnd,
        restarts: isFirst && source.isComplete, remaining: state.isAtEnd ? 0 : remaining)
      if isFirst, !source.isComplete { batch.beginning = rows.bytes.canBeReadAgain ? .again : .other }
      batch.repeatedCount = repeated
      return batch
    }

    /// The greatest number of refused rows at a file's beginning: beyond it, the file counts as a file of another kind.
    private static let refusedFirstLimit = 100

    private func requireSomeRow(_ row: SyncChange?, _ state: inout State) throws {
      guard let row, let refused = state.refusedFirst else { return }
      guard let refusal = row.refusal else {
        state.refusedFirst = nil
        return
      }
      state.refusedFirst = refused + 1
      if state.known == 0, refused + 1 == Self.refusedFirstLimit, let error = refusal.error { throw error }
    }

    /// Removes rows equal to earlier ones, and refuses rows with the key of an earlier one but other values.
    ///
    /// - Returns: The number of equal rows.
    private func refuseDuplicates(
      _ changes: inout [SyncChange], _ rows: any FileRows, _ state: inout State
    ) throws -> Int {
      guard source.options.duplicates == .useFirst, !changes.isEmpty else { return 0 }
      let keys: KeyRegister
      if let made = state.keys {
        keys = made
      } else {
        keys = try KeyRegister(source.record.table.keyColumns, of: source.input.name)
        state.keys = keys
        if state.known > 0 { try noteKnown(state.known, keys) }
      }
      let count = changes.count
      changes = try keys.note(changes)
      return count - changes.count
    }

    /// Records the keys of the rows that an earlier load has read.
    ///
    /// The unchanged beginning was verified by its bytes alone. Most continuing loads find no further rows and need no
    /// keys.
    private func noteKnown(_ known: Int, _ keys: KeyRegister) throws {
      let rows = try openedRows()
      var page: [SyncChange] = []
      while rows.bytes.offset < known, let row = try source.naming({ try rows.next() }) {
        page.append(row)
        if page.count < source.options.limits.batchRows { continue }
        _ = try keys.note(page)
        page = []
      }
      _ = try keys.note(page)
    }
  }
}
