import Dispatch
public import Foundation
import Synchronization

/// Writes each statement as a line of JSON to a file, for `sanderling diagnose --trace` and for any other reader.
///
/// A statement's line has `operation`, `operationID`, `parentID`, `sql`, `expandedSQL` (with values only if they are
/// recorded), `rows`, `nanoseconds`, `fullScanSteps`, `sorts`, `automaticIndexRows` and `virtualMachineSteps`. The line
/// of a ``MissingIndex`` has `operation`, `operationID`, `parentID`, `missingIndex` (its declaration), `create`,
/// `table` and `query`. The sink encodes and writes lines on its own queue; ``flush()`` waits for them.
///
/// A store never waits for the file. If the disk is full or slower than the statements, the sink keeps the lines up to
/// its limit, and then drops further lines. Each statement makes it try again. Once the file accepts lines again, a
/// line with `dropped` says how many lines are missing at its place.
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

  private struct State {
    /// The entries that are not encoded yet.
    var entries: [Entry] = []
    /// The approximate number of bytes of these entries, plus the bytes of encoded lines that are not written.
    var byteCount = 0
    var droppedCount = 0
    /// The number of dropped lines that the file doesn't report yet.
    var unreportedCount = 0
    /// Whether a write is scheduled on the queue.
    var isScheduled = false
  }

  private let queue = DispatchQueue(label: "Sanderling.JSONLinesSink")
  /// Guards the received entries. Never held during a write.
  private let state = Lock(State())
  /// Guards the encoded bytes that are not written. Held during a write, on the sink's queue.
  private let output = Lock(Data())
  private let file: FileHandle
  private let path: String
  private let limit: Int

  /// Appends to a file, which is created if it doesn't exist.
  ///
  /// - Parameter bufferLimit: The approximate number of bytes that the sink keeps while the file doesn't accept them.
  /// - Throws: An error of the file system.
  public convenience init(appendingTo url: URL, bufferLimit: Int = 16 << 20) throws {
    if !FileManager.default.fileExists(atPath: url.path) {
      try Data().write(to: url)
    }
    let file = try FileHandle(forWritingTo: url)
    try file.seekToEnd()
    self.init(file, path: url.path, bufferLimit: bufferLimit)
  }

  /// Appends to an open file.
  ///
  /// - Parameter path: The name of the file in errors.
  init(_ file: FileHandle, path: String, bufferLimit: Int) {
    self.file = file
    self.path = path
    limit = bufferLimit
  }

  deinit {
    // A pipe gets only as much as it accepts at once. A stalled reader must not block the thread that releases the
    // sink.
    _ = fcntl(file.fileDescriptor, F_SETFL, fcntl(file.fileDescriptor, F_GETFL) | O_NONBLOCK)
    // No caller is left to receive the error. A caller that needs the error flushes before.
    try? writeAll()
    try? file.close()
  }

  /// The number of lines that were dropped since the sink was created, because the file didn't accept them.
  public var droppedCount: Int { state.withLock { $0.droppedCount } }

  /// The approximate number of bytes that wait for the file.
  var keptByteCount: Int { state.withLock { $0.byteCount } }

  public func receive(_ statement: StatementRecord) {
    receive(.statement(statement))
  }

  public func receive(_ missingIndex: MissingIndex) {
    receive(.missingIndex(missingIndex))
  }

  private func receive(_ entry: Entry) {
    let size = entry.size
    let isFirst = state.withLock { state in
      // After a dropped line, all lines are dropped until the file reports them. So they are missing at one place.
      if state.unreportedCount == 0, state.byteCount + size <= limit {
        state.entries.append(entry)
        state.byteCount += size
      } else {
        state.droppedCount += 1
        state.unreportedCount += 1
      }
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst {
      // Output that can't be written is kept, and tried again with the next line.
      queue.async { [weak self] in try? self?.writeAll() }
    }
  }

  /// Waits until all statements received so far are in the file, except for dropped ones: see ``droppedCount``.
  ///
  /// - Throws: ``WriteError`` if the file doesn't accept them. They are kept, and the next statement or flush tries
  ///   again.
  public func flush() throws {
    try queue.sync { try writeAll() }
  }

  /// The reason why a file doesn't accept lines.
  public struct WriteError: Error, LocalizedError, CustomStringConvertible {
    /// The path of the file.
    public let path: String
    /// The error of the system.
    public let code: POSIXErrorCode

    public var description: String {
      "Statements can't be written to \(path): \(String(cString: strerror(code.rawValue))). They are kept for another try, up to the "
        + "sink's limit. Free some space, or add a sink with another file."
    }

    public var errorDescription: String? { description }
  }

  // MARK: The sink's queue

  private func writeAll() throws {
    try output.withLock { output in
      encode(into: &output)
      try drain(&output)
      // The report follows all kept lines, and precedes all later ones. So one report is enough for any number of
      // dropped lines.
      let unreported = state.withLock { state in
        defer { state.unreportedCount = 0 }
        return state.unreportedCount
      }
      if unreported == 0 { return }
      append(Data("{\"dropped\":\(unreported)}\n".utf8), to: &output)
      try drain(&output)
    }
  }

  private func encode(into output: inout Data) {
    let entries = state.withLock { state in
      state.isScheduled = false
      defer { state.entries = [] }
      return state.entries
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for entry in entries {
      state.withLock { $0.byteCount -= entry.size }
      if let line = try? entry.line(encoder) {
        append(line, to: &output)
      } else {
        state.withLock { state in
          state.droppedCount += 1
          state.unreportedCount += 1
        }
      }
    }
  }

  private func append(_ line: Data, to output: inout Data) {
    output += line
    state.withLock { $0.byteCount += line.count }
  }

  /// Writes as much as the file accepts. The accepted part of a line is not written again.
  private func drain(_ output: inout Data) throws {
    while !output.isEmpty {
      let (count, code) = output.withUnsafeBytes { bytes in
        (write(file.fileDescriptor, bytes.baseAddress, bytes.count), errno)
      }
      if count < 0 {
        if code == EINTR { continue }
        throw WriteError(path: path, code: POSIXErrorCode(rawValue: code) ?? .EIO)
      }
      // A copy, so that written bytes take no memory.
      output = Data(output.dropFirst(count))
      state.withLock { $0.byteCount -= count }
    }
  }
}

extension JSONLinesSink {
  private enum Entry {
    case statement(StatementRecord)
    case missingIndex(MissingIndex)

    /// The approximate number of bytes of the entry.
    var size: Int {
      switch self {
      case .statement(let statement): 256 + statement.sql.utf8.count + (statement.expandedSQL?.utf8.count ?? 0)
      case .missingIndex(let index): 256 + index.sql.utf8.count + index.query.utf8.count
      }
    }

    func line(_ encoder: JSONEncoder) throws -> Data {
      switch self {
      case .statement(let statement): try encoder.encode(Line(statement)) + [UInt8(ascii: "\n")]
      case .missingIndex(let index): try encoder.encode(MissingIndexLine(index)) + [UInt8(ascii: "\n")]
      }
    }
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
  /// The duration in whole nanoseconds.
  package var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
