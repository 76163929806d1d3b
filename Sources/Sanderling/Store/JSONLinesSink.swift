import Dispatch
public import Foundation
import Synchronization

/// Writes each statement as a line of JSON to a file, for `sanderling diagnose --trace` and for any other reader.
///
/// A line holds `operation`, `operationID`, `parentID`, `sql`, `expandedSQL` (with values only where they are recorded), `rows`,
/// `nanoseconds`, `fullScanSteps`, `sorts`, `automaticIndexRows` and `virtualMachineSteps`. Lines are encoded and written on a
/// queue of the sink's own; ``flush()`` waits for them.
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

  private let queue = DispatchQueue(label: "Sanderling.JSONLinesSink")
  /// Guards what is not written yet.
  private let pending = Lock<[StatementRecord]>([])
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
    let isFirst = pending.withLock { pending in
      pending.append(statement)
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
    let statements = pending.withLock { pending in
      defer { pending = [] }
      return pending
    }
    guard !statements.isEmpty else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var lines = Data()
    for statement in statements {
      lines += try encoder.encode(Line(statement))
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

extension Duration {
  /// The whole nanoseconds.
  package var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
