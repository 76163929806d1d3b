import Foundation
import SanderlingSQLite
import SanderlingDiagnosis

/// A connection that only the corpus uses, so that no code of the scored tool takes part in the score.
final class CorpusConnection {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private var database: OpaquePointer?

  init(path: String) throws {
    let result = sqlite3_open_v2(
      path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK else { throw failure("open \(path)") }
    registerStandIns()
    try execute("PRAGMA foreign_keys = ON")
  }

  deinit {
    sqlite3_close_v2(database)
  }

  /// Runs a script.
  func execute(_ script: String) throws {
    guard sqlite3_exec(database, script, nil, nil, nil) == SQLITE_OK else { throw failure(script) }
  }

  /// Adds the functions that the scripts call, and a table `numbers(i)` with the numbers 1 … `count`.
  func prepareForScripts(count: Int = 400_000) throws {
    CorpusFunctions.register(on: database)
    try execute(
      """
      CREATE TEMP TABLE numbers (i INTEGER PRIMARY KEY);
      INSERT INTO numbers
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) SELECT i FROM n;
      """)
  }

  /// The work and the result of one execution.
  struct Execution {
    /// A sum of hashes of the rows, which doesn't depend on their order.
    var digest: UInt64
    var rowCount: Int
    /// The result's rows. Empty unless the caller asked for them.
    var rows: [[BoundValue]]
    var steps: Int64
    /// The number of requested pages, whether they were in the cache or not.
    var pages: Int64
    /// The number of rows put into automatic indexes. SQLite makes these for one execution, in temporary pages that no
    /// counter counts.
    var automaticIndexRows: Int64
    var duration: Duration
  }

  /// Runs one statement to its last row.
  ///
  /// The digest covers the first `columns` columns, or all columns if that is nil.
  func run(
    _ sql: String, _ values: [CorpusValue] = [], keepsRows: Bool = false, columns: Int32? = nil
  ) throws -> Execution {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    for (index, value) in values.enumerated() { try bind(value, to: Int32(index + 1), of: statement, sql) }
    pagesRequested(reset: true)
    var rows: [[BoundValue]] = []
    var (digest, rowCount) = (UInt64(0), 0)
    let clock = ContinuousClock()
    let start = clock.now
    var result = sqlite3_step(statement)
    while result == SQLITE_ROW {
      if keepsRows { rows.append((0..<sqlite3_column_count(statement)).map { column(statement, $0) }) }
      digest &+= rowDigest(statement, columns: min(columns ?? .max, sqlite3_column_count(statement)))
      rowCount += 1
      result = sqlite3_step(statement)
    }
    let duration = clock.now - start
    guard result == SQLITE_DONE else { throw failure(sql) }
    let pages = pagesRequested(reset: true)
    return Execution(
      digest: digest, rowCount: rowCount, rows: rows,
      steps: Int64(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0)), pages: pages,
      automaticIndexRows: Int64(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_AUTOINDEX, 0)), duration: duration)
  }

  /// The number of result columns of a valid statement.
  func columnCount(_ sql: String) throws -> Int32 {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    return sqlite3_column_count(statement)
  }

  /// The number of parameters of a valid statement.
  func parameterCount(_ sql: String) throws -> Int {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    return Int(sqlite3_bind_parameter_count(statement))
  }

  private func prepare(_ sql: String) throws -> OpaquePointer? {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, statement != nil else {
      throw failure(sql)
    }
    return statement
  }

  private func bind(_ value: CorpusValue, to index: Int32, of statement: OpaquePointer?, _ sql: String) throws {
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let result =
      switch value {
      case .null: sqlite3_bind_null(statement, index)
      case .integer(let value): sqlite3_bind_int64(statement, index, value)
      case .real(let value): sqlite3_bind_double(statement, index, value)
      case .text(let value): sqlite3_bind_text(statement, index, value, -1, transient)
      }
    guard result == SQLITE_OK else { throw failure(sql) }
  }

  /// A hash of the types and bytes of a row's values. A whole number has the same hash as an integer and as a real.
  private func rowDigest(_ statement: OpaquePointer?, columns: Int32) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func mix(_ bits: UInt64) { hash = (hash ^ bits) &* 0x100_0000_01b3 }
    for index in 0..<columns {
      switch sqlite3_column_type(statement, index) {
      case SQLITE_INTEGER, SQLITE_FLOAT:
        let value = sqlite3_column_double(statement, index)
        // The last bits of a sum of reals depend on the order of the rows, so they are left out.
        mix(value == value.rounded() ? value.bitPattern : (value.bitPattern &+ 0x8000) >> 16)
      case SQLITE_NULL: mix(0xFF)
      default:
        let bytes = sqlite3_column_blob(statement, index)
        let count = Int(sqlite3_column_bytes(statement, index))
        mix(UInt64(count))
        let buffer = UnsafeRawBufferPointer(start: bytes, count: count)
        for offset in stride(from: 0, to: count - 7, by: 8) {
          mix(buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        for byte in buffer.suffix(count % 8) { mix(UInt64(byte)) }
      }
    }
    return hash
  }

  private func column(_ statement: OpaquePointer?, _ index: Int32) -> BoundValue {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: .real(sqlite3_column_double(statement, index))
    case SQLITE_TEXT: .text(sqlite3_column_text(statement, index).map { String(cString: $0) } ?? "")
    case SQLITE_BLOB:
      .blob(
        Array(
          UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement, index), count: Int(sqlite3_column_bytes(statement, index)))))
    default: .null
    }
  }

  @discardableResult
  private func pagesRequested(reset: Bool) -> Int64 {
    var total = Int64(0)
    for counter in [SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS] {
      var (current, highest) = (Int32(0), Int32(0))
      sqlite3_db_status(database, counter, &current, &highest, reset ? 1 : 0)
      total += Int64(current)
    }
    return total
  }

  /// Registers the function that Core Data gives its connections, in a simple form: contains, without regard to ASCII
  /// case.
  private func registerStandIns() {
    sqlite3_create_function_v2(
      database, "NSCoreDataStringSearch", 4, SQLITE_UTF8, nil,
      { context, _, values in
        guard let values, let text = sqlite3_value_text(values[0]), let part = sqlite3_value_text(values[1]) else {
          sqlite3_result_int(context, 0)
          return
        }
        sqlite3_result_int(context, strcasestr(text, part) == nil ? 0 : 1)
      }, nil, nil, nil)
  }

  private func failure(_ sql: String) -> Failure {
    Failure(description: "\(database.map { String(cString: sqlite3_errmsg($0)) } ?? "no database"): \(sql.prefix(300))")
  }
}

private func strcasestr(_ text: UnsafePointer<UInt8>, _ part: UnsafePointer<UInt8>) -> Int? {
  func lowered(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 32 : byte }
  var start = 0
  while true {
    var offset = 0
    while part[offset] != 0, lowered(text[start + offset]) == lowered(part[offset]) { offset += 1 }
    if part[offset] == 0 { return start }
    if text[start] == 0 { return nil }
    start += 1
  }
}
