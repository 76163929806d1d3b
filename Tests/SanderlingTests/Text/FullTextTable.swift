import Foundation
import SanderlingSQLite

@testable import Sanderling

/// An FTS5 table like the library's, to compare its results with the matches.
final class FullTextTable {
  private var database: OpaquePointer?

  struct SQLError: Error, CustomStringConvertible {
    let description: String
  }

  init() throws {
    guard
      sqlite3_open_v2(":memory:", &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        == SQLITE_OK
    else {
      throw SQLError(description: "sqlite3_open_v2")
    }
    _ = try run("CREATE VIRTUAL TABLE words USING fts5(tokens, tokenize = 'ascii')")
  }

  deinit {
    sqlite3_close_v2(database)
  }

  func insert(_ id: Int, _ text: String) throws {
    _ = try run("INSERT INTO words (rowid, tokens) VALUES (\(id), ?)", Self.tokens(text))
  }

  /// Returns the rows that a full-text expression finds.
  func search(_ expression: String) throws -> Set<Int> {
    Set(try run("SELECT rowid FROM words WHERE words MATCH ?", expression))
  }

  static func tokens(_ text: String) -> String {
    var bytes: [UInt8] = []
    TextFold.fold(text).withContiguousUTF8 { WordTokens.append($0, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func run(_ sql: String, _ value: String? = nil) throws -> [Int] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { throw error(value) }
    if let value {
      let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      sqlite3_bind_text(statement, 1, value, Int32(value.utf8.count), transient)
    }
    var rows: [Int] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: rows.append(Int(sqlite3_column_int64(statement, 0)))
      case SQLITE_DONE: return rows
      default: throw error(value)
      }
    }
  }

  private func error(_ value: String?) -> SQLError {
    SQLError(description: String(cString: sqlite3_errmsg(database)) + ": " + (value ?? "").prefix(300).debugDescription)
  }
}

extension String {
  func withContiguousUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    var copy = self
    return try copy.withUTF8(body)
  }
}
