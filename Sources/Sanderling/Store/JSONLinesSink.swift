import Dispatch
public import Foundation
import Synchronization

/// Writes each statement as a line of JSON to a file, for `sanderling diagnose --trace` and for any other reader.
///
/// A statement's line holds `operation`, `operationID`, `parentID`, `sql`, `expandedSQL` (with values only where they are recorded), `rows`,
/// `nanoseconds`, `fullScanSteps`, `sorts`, `automaticIndexRows` and `virtualMachineSteps`. That of a
/// ``MissingIndex`` holds `operation`, `operationID`, `parentID`, `missingIndex` (its declaration), `create`, `table` and `query`. Lines
/// are encoded and written on a queue of the sink's own; ``flush()`` waits for them.
public final class JSONLinesSink: StatementSink {
  fileprivate struct Line: Encodable {
    let operation: String?
    let operationID: UInt64?
    let parentID: UInt64?
    let sql: String
    let expandedSQL: String?
    let rows: Int
    let nanoseconds: Int64
    let fullScanSteps: Int
    let sorts: Int
    let automaticIndexRows: Int
    let virtualMachineSteps: Int
  }

  fileprivate struct MissingIndexLine: Encodable {
    let operation: String?
    let operationID: UInt64?
    let parentID: UInt64?
    let missingIndex: String
    let create: String
    let table: String
    let query: String
  }

  private enum Entry {
    case statement(StatementRecord)
    case missingIndex(MissingIndex)
  }

  private let queue = DispatchQueue(label: "Sanderling.JSONLinesSink")
  /// Guards what is not written yet.
  private let pending = Lock<[Entry]>([])
  private let file: FileHandle
  /// Guards the first error of writing.
  private let failure = Lock<(any Error)?>(nil)

  /// Appends to a file, which is made where there is none.
  ///
  /// - Throws: An error of the file system.
  public init(appendingTo url: URL) throws {
    if !FileManager.default.fileExists(atPath: url.path) {
      try Data().write(to: url)
    }
    file = try FileHandle(forWritingTo: url)
    try file.seekToEnd()
  }

  deinit {
    try? writePending()
    try? file.close()
  }

  public func receive(_ statement: StatementRecord) {
    receive(.statement(statement))
  }

  public func receive(_ missingIndex: MissingIndex) {
    receive(.missingIndex(missingIndex))
  }

  private func receive(_ entry: Entry) {
    let isFirst = pending.withLock { pending in
      pending.append(entry)
      return pending.count == 1
    }
    if isFirst {
      queue.async { [weak self] in self?.writeOrRemember() }
    }
  }

  /// Waits until all statements received so far are in the file.
  ///
  /// - Throws: The first error that writing met.
  public func flush() throws {
    queue.sync { writeOrRemember() }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  private func writeOrRemember() {
    do {
      try writePending()
    } catch {
      failure.withLock { $0 = $0 ?? error }
    }
  }

  private func writePending() throws {
    let entries = pending.withLock { pending in
      defer { pending = [] }
      return pending
    }
    guard !entries.isEmpty else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var lines = Data()
    for entry in entries {
      switch entry {
      case .statement(let statement): lines += try encoder.encode(Line(statement))
      case .missingIndex(let index): lines += try encoder.encode(MissingIndexLine(index))
      }
      lines.append(UInt8(ascii: "\n"))
    }
    try file.write(contentsOf: lines)
  }
}

extension JSONLinesSink.Line {
  fileprivate init(_ statement: StatementRecord) {
    operation = statement.operation?.name
    operationID = statement.operation?.id
    parentID = statement.operation?.parentID
    sql = statement.sql
    expandedSQL = statement.expandedSQL
    rows = statement.rowCount
    nanoseconds = statement.duration.nanoseconds
    fullScanSteps = statement.counters.fullScanSteps
    sorts = statement.counters.sorts
    automaticIndexRows = statement.counters.automaticIndexRows
    virtualMachineSteps = statement.counters.virtualMachineSteps
  }
}

extension JSONLinesSink.MissingIndexLine {
  fileprivate init(_ index: MissingIndex) {
    operation = index.operation?.name
    operationID = index.operation?.id
    parentID = index.operation?.parentID
    missingIndex = index.declaration
    create = index.sql
    table = index.table
    query = index.query
  }
}

extension Duration {
  /// The whole nanoseconds.
  package var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
