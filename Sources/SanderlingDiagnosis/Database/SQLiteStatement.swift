import Foundation
import SanderlingSQLite

/// A prepared statement of a connection, which it keeps open.
final class SQLiteStatement {
  /// A failed preparation with SQLite's message, which a stand-in may resolve.
  struct PreparationFailure: Error {
    var message: String
    var error: DiagnosisError
  }

  let sql: String
  let connection: SQLiteConnection
  let authority: StatementAuthority
  /// The stand-ins that it calls for functions of the app, in lower case.
  let standInFunctions: [String]
  private let handle: OpaquePointer
  private var isRunning = false

  /// SQLITE_TRANSIENT, a function pointer that C casts from -1. SQLite compares the pointer and never calls it.
  fileprivate static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(_ sql: String, on connection: SQLiteConnection, authority: StatementAuthority) throws {
    let statementGuard = connection.statementGuard
    statementGuard.begin(connection.budget)
    statementGuard.authority = authority
    statementGuard.refusedAction = nil
    statementGuard.functions = []
    defer { statementGuard.authority = .own }
    var prepared: OpaquePointer?
    var text = sql
    // SQLite would end the statement at a zero byte, which would hide the rest from the check below.
    if text.utf8.contains(0) {
      throw DiagnosisError.statement(sql: connection.outline(authority).of(sql), reason: "it has a zero byte")
    }
    let (code, tail) = text.withUTF8 { bytes -> (Int32, String) in
      guard let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self),
        let length = Int32(exactly: bytes.count)
      else { return (bytes.isEmpty ? SQLITE_OK : SQLITE_TOOBIG, "") }
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(connection.handle, start, length, &prepared, &tail)
      let rest = tail.map { UnsafeRawBufferPointer(start: $0, count: bytes.count - (UnsafePointer($0) - start)) }
      return (code, rest.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }
    guard code == SQLITE_OK else {
      throw PreparationFailure(
        message: String(cString: sqlite3_errmsg(connection.handle)),
        error: connection.error(code, sql: sql, authority: authority))
    }
    guard let prepared else { throw DiagnosisError.noStatement }
    // White space and comments may follow, which SQLite does not count as a statement.
    if !tail.allSatisfy({ $0.isWhitespace || $0 == ";" }), Self.hasStatement(tail, on: connection) {
      sqlite3_finalize(prepared)
      throw DiagnosisError.severalStatements(sql: connection.outline(authority).of(sql))
    }
    self.sql = sql
    self.connection = connection
    self.authority = authority
    self.handle = prepared
    standInFunctions = connection.standIns.map { $0.functions(among: statementGuard.functions) } ?? []
  }

  private static func hasStatement(_ sql: String, on connection: SQLiteConnection) -> Bool {
    let authority = connection.statementGuard.authority
    connection.statementGuard.authority = .reading
    defer { connection.statementGuard.authority = authority }
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v2(connection.handle, sql, -1, &prepared, nil)
    defer { sqlite3_finalize(prepared) }
    return code != SQLITE_OK || prepared != nil
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Whether the statement changes neither rows nor the schema.
  var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }
  var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }
  var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// Returns a parameter's name, such as `":name"`; nil for `?` and for numbers that the statement skips.
  func parameterName(_ number: Int) -> String? {
    Int32(exactly: number).flatMap { sqlite3_bind_parameter_name(handle, $0) }.map { String(cString: $0) }
  }

  func columnName(_ index: Int) -> String {
    sqlite3_column_name(handle, Int32(index)).map { String(cString: $0) } ?? ""
  }

  /// The result columns that are columns of tables, also through views and subqueries, if these have a declared type.
  /// In a compound, the first SELECT decides.
  var storedColumns: Set<Int> {
    Set((0..<columnCount).filter { sqlite3_column_decltype(handle, Int32($0)).map { $0[0] != 0 } ?? false })
  }

  /// Binds values to the parameters from 1 on.
  func bind(_ values: [BoundValue]) throws {
    for (index, value) in values.enumerated() { try bind(value, to: index + 1) }
  }

  /// Binds values by parameter number. Numbers that the statement does not have are ignored.
  func bind(_ values: [Int: BoundValue]) throws {
    let numbers = 1...max(1, parameterCount)
    for (number, value) in values where parameterCount > 0 && numbers.contains(number) { try bind(value, to: number) }
  }

  private func bind(_ value: BoundValue, to number: Int) throws {
    guard let number = Int32(exactly: number) else {
      throw DiagnosisError.statement(sql: connection.outline(authority).of(sql), reason: "it has too many values")
    }
    let code =
      switch value {
      case .null: sqlite3_bind_null(handle, number)
      case .integer(let value): sqlite3_bind_int64(handle, number, value)
      case .real(let value): sqlite3_bind_double(handle, number, value)
      case .text(var text):
        text.isEmpty
          ? sqlite3_bind_text(handle, number, "", 0, Self.transient)
          : text.withUTF8 {
            sqlite3_bind_text64(
              handle, number, UnsafeRawPointer($0.baseAddress)?.assumingMemoryBound(to: CChar.self),
              UInt64($0.count), Self.transient, UInt8(SQLITE_UTF8))
          }
      case .blob(let bytes):
        bytes.isEmpty
          ? sqlite3_bind_zeroblob(handle, number, 0)
          : bytes.withUnsafeBytes {
            sqlite3_bind_blob64(handle, number, $0.baseAddress, UInt64($0.count), Self.transient)
          }
      }
    guard code == SQLITE_OK else { throw connection.error(code, sql: sql, authority: authority) }
  }

  /// Advances to the next row. Returns false after the last row.
  ///
  /// Throws `DiagnosisError`, and `.stopped` when the connection's budget ends. The statement is then reset.
  func step() throws -> Bool {
    let isFirst = !isRunning
    if isFirst {
      connection.statementGuard.begin(connection.budget)
      connection.statementGuard.refusedAction = nil
      isRunning = true
    }
    var connected: Set<String> = []
    while true {
      // SQLite prepares a statement again at its start if the schema has changed.
      connection.statementGuard.authority = authority
      let code = sqlite3_step(handle)
      connection.statementGuard.authority = .own
      switch code {
      case SQLITE_ROW:
        return true
      case SQLITE_DONE:
        isRunning = false
        return false
      default:
        let error = connection.error(code, sql: sql, authority: authority, isRunning: true)
        sqlite3_reset(handle)
        // A failed start can mean that virtual tables have to declare their columns again.
        if isFirst, connection.connectTable(connection.lastMessage, unlessIn: &connected) { continue }
        isRunning = false
        throw error
      }
    }
  }

  func reset() {
    sqlite3_reset(handle)
    isRunning = false
  }

  var row: [BoundValue] { (0..<columnCount).map(value(at:)) }

  func value(at index: Int) -> BoundValue {
    let index = Int32(index)
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, index))
    case SQLITE_TEXT:
      guard let text = sqlite3_column_text(handle, index) else { return .null }
      return .text(
        String(
          decoding: UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, index))), as: UTF8.self))
    case SQLITE_BLOB:
      let bytes = sqlite3_column_blob(handle, index)
      return .blob([UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, index)))))
    default: return .null
    }
  }

  /// Calls `body` with the bytes of a text or blob, without a copy.
  func withBytes<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let bytes = sqlite3_column_blob(handle, Int32(index))
    return body(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, Int32(index)))))
  }

  func type(at index: Int) -> Int32 { sqlite3_column_type(handle, Int32(index)) }
  func integer(at index: Int) -> Int64 { sqlite3_column_int64(handle, Int32(index)) }
  func real(at index: Int) -> Double { sqlite3_column_double(handle, Int32(index)) }

  /// Returns the counter since the preparation or the last reset.
  func counter(_ counter: Counter, resetting: Bool = false) -> Int64 {
    Int64(UInt32(bitPattern: sqlite3_stmt_status(handle, counter.rawValue, resetting ? 1 : 0)))
  }

  enum Counter: Int32, CaseIterable {
    case fullScanSteps = 1
    case sorts = 2
    case automaticIndexRows = 3
    case steps = 4
  }
}
