import Foundation
import GRDB
import SanderlingSQLite

/// Records the statements of one access to the database.
///
/// Belongs to the thread of the access. A recorder exists only while there is a listener, so that recording costs
/// nothing otherwise.
final class StatementRecorder {
  private struct Running {
    let statement: OpaquePointer
    let start: ContinuousClock.Instant
    var rowCount = 0
    let changesBefore: Int32
  }

  private let operation: StoreOperation?
  private let sinks: [any StatementSink]
  private let includesValues: Bool
  /// Whether SQLite reports every statement of the connection. Sanderling's own statements then need not report
  /// themselves.
  private let tracesConnection: Bool
  /// The statements that are started and not finished. Nested cursors make several.
  private var running: [Running] = []

  init(operation: StoreOperation?, sinks: [any StatementSink], includesValues: Bool, tracesConnection: Bool) {
    self.operation = operation
    self.sinks = sinks
    self.includesValues = includesValues
    self.tracesConnection = tracesConnection
  }

  var recordsOwnStatements: Bool { !tracesConnection }

  func begin(_ statement: OpaquePointer) {
    // Resets the counters, which add up over all runs of a prepared statement.
    _ = counters(of: statement)
    running.append(
      Running(
        statement: statement, start: .now, changesBefore: sqlite3_total_changes(sqlite3_db_handle(statement))))
  }

  func row(_ statement: OpaquePointer) {
    guard let index = running.lastIndex(where: { $0.statement == statement }) else { return }
    running[index].rowCount += 1
  }

  func end(_ statement: OpaquePointer) {
    guard let index = running.lastIndex(where: { $0.statement == statement }) else { return }
    let run = running.remove(at: index)
    let duration = run.start.duration(to: .now)
    let connection = sqlite3_db_handle(statement)
    // A statement that changes nothing keeps the count of the statement before it.
    let changes = sqlite3_total_changes(connection) == run.changesBefore ? 0 : sqlite3_changes(connection)
    let record = StatementRecord(
      operation: operation, sql: sqlite3_sql(statement).map { String(cString: $0) } ?? "",
      expandedSQL: includesValues ? expandedSQL(of: statement) : nil,
      rowCount: sqlite3_stmt_readonly(statement) == 0 ? Int(changes) : run.rowCount, duration: duration,
      counters: counters(of: statement))
    for sink in sinks { sink.receive(record) }
  }

  /// Makes SQLite report every statement of the connection while `body` runs, including those of plain GRDB.
  func tracing<Value>(_ database: Database, _ body: () throws -> Value) rethrows -> Value {
    guard tracesConnection else { return try body() }
    let events = UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW)
    // The unretained reference is safe: the trace ends before this function returns.
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_trace_v2(
      database.sqliteConnection, events,
      { event, context, statement, text in
        guard let context, let statement else { return 0 }
        let recorder = Unmanaged<StatementRecorder>.fromOpaque(context).takeUnretainedValue()
        recorder.receive(Int32(bitPattern: event), OpaquePointer(statement), text)
        return 0
      }, context)
    defer { sqlite3_trace_v2(database.sqliteConnection, 0, nil, nil) }
    return try withExtendedLifetime(self) { try body() }
  }

  private func receive(_ event: Int32, _ statement: OpaquePointer, _ text: UnsafeMutableRawPointer?) {
    switch event {
    case SQLITE_TRACE_STMT:
      // SQLite reports the start of each trigger under the statement that fires it, with a comment as text. A statement
      // comes with its own text, which may begin with a comment too.
      if let text, UnsafePointer(text.assumingMemoryBound(to: CChar.self)) != sqlite3_sql(statement) { return }
      begin(statement)
    case SQLITE_TRACE_ROW: row(statement)
    case SQLITE_TRACE_PROFILE: end(statement)
    default: break
    }
  }

  /// Reads the counters and resets them.
  private func counters(of statement: OpaquePointer) -> StatementRecord.Counters {
    func count(_ counter: Int32) -> Int { Int(sqlite3_stmt_status(statement, counter, 1)) }
    return StatementRecord.Counters(
      fullScanSteps: count(SQLITE_STMTSTATUS_FULLSCAN_STEP), sorts: count(SQLITE_STMTSTATUS_SORT),
      automaticIndexRows: count(SQLITE_STMTSTATUS_AUTOINDEX), virtualMachineSteps: count(SQLITE_STMTSTATUS_VM_STEP))
  }

  private func expandedSQL(of statement: OpaquePointer) -> String? {
    guard let text = sqlite3_expanded_sql(statement) else { return nil }
    defer { sqlite3_free(text) }
    return String(cString: text)
  }
}
