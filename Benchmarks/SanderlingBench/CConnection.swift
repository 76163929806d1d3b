import SanderlingSQLite

/// SQLite's C API by hand: the cost of the work without a library.
final class CConnection {
  let handle: OpaquePointer

  init(_ path: String, durable: Bool = false) throws {
    var handle: OpaquePointer?
    // Without SQLite's own mutexes, as GRDB opens its connections.
    let code = sqlite3_open_v2(
      path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle else { throw CError(code: code, sql: "open \(path)") }
    self.handle = handle
    try execute("PRAGMA journal_mode = WAL")
    try execute("PRAGMA synchronous = \(durable ? "FULL" : "NORMAL")")
    try execute("PRAGMA foreign_keys = ON")
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  func execute(_ sql: String) throws {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw CError(code: code, sql: sql) }
  }

  func prepare(_ sql: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw CError(code: code, sql: sql) }
    return statement
  }
}

struct CError: Error {
  let code: Int32
  let sql: String
}

let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// A text column as a Swift string.
@inline(__always)
func text(_ statement: OpaquePointer, _ column: Int32) -> String {
  guard let start = sqlite3_column_text(statement, column) else { return "" }
  return String(
    decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))), as: UTF8.self)
}

/// Binds a text that SQLite copies.
@inline(__always)
func bindText(_ statement: OpaquePointer, _ index: Int32, _ text: String) {
  var text = text
  text.withUTF8 { bytes in
    _ = bytes.withMemoryRebound(to: CChar.self) {
      sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), transient)
    }
  }
}
