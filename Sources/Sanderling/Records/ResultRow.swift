public import Foundation
public import SanderlingSQLite

/// The current row of a running statement, whose columns are read by position.
///
/// A row is valid until the statement's next step. Keep its values, not the row.
public struct ResultRow {
  @usableFromInline let statement: OpaquePointer
  @usableFromInline let firstColumn: Int32

  @inlinable
  package init(statement: OpaquePointer, firstColumn: Int32 = 0) {
    self.statement = statement
    self.firstColumn = firstColumn
  }

  /// The number of columns, from the first one on.
  var columnCount: Int { Int(sqlite3_column_count(statement) - firstColumn) }

  /// The names of the columns, from the first one on.
  var columnNames: [String] {
    (firstColumn..<sqlite3_column_count(statement)).map { index in
      sqlite3_column_name(statement, index).map { String(cString: $0) } ?? ""
    }
  }

  /// The value of the column at `index`, counted from 0.
  ///
  /// - Throws: ``ValueError`` if the stored value is no value of the coding.
  @inlinable @inline(__always)
  public func value<Coding: ColumnCoding>(at index: Int32, as coding: Coding.Type) throws -> Coding.Value {
    try Coding.read(self, at: index)
  }

  /// The same row with another first column.
  @inlinable
  package func advanced(by columns: Int32) -> ResultRow {
    ResultRow(statement: statement, firstColumn: firstColumn + columns)
  }

  /// Whether the column is NULL.
  @inlinable @inline(__always)
  public func isNull(at index: Int32) -> Bool {
    sqlite3_column_type(statement, firstColumn + index) == SQLITE_NULL
  }

  /// The stored value of a column.
  public func storageValue(at index: Int32) -> StorageValue {
    switch sqlite3_column_type(statement, firstColumn + index) {
    case SQLITE_INTEGER: .integer(uncheckedInteger(at: index))
    case SQLITE_FLOAT: .real(sqlite3_column_double(statement, firstColumn + index))
    case SQLITE_TEXT: .text(uncheckedText(at: index))
    case SQLITE_BLOB: .blob(uncheckedBlob(at: index))
    default: .null
    }
  }

  @inlinable @inline(__always)
  package func integer<Value>(at index: Int32, for type: Value.Type) throws -> Int64 {
    let column = firstColumn + index
    guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { throw mismatch(at: index, type) }
    return sqlite3_column_int64(statement, column)
  }

  /// The real of a column, or the real that equals an integer of another writer.
  @inlinable @inline(__always)
  package func real<Value>(at index: Int32, for type: Value.Type) throws -> Double {
    let column = firstColumn + index
    switch sqlite3_column_type(statement, column) {
    case SQLITE_FLOAT: return sqlite3_column_double(statement, column)
    case SQLITE_INTEGER: return try exactReal(at: index, type)
    default: throw mismatch(at: index, type)
    }
  }

  @inlinable @inline(__always)
  package func text<Value>(at index: Int32, for type: Value.Type) throws -> String {
    guard sqlite3_column_type(statement, firstColumn + index) == SQLITE_TEXT else { throw mismatch(at: index, type) }
    return uncheckedText(at: index)
  }

  /// Calls `body` with the bytes of a blob, which are valid only during the call.
  @inlinable
  package func withBlob<Value, Result>(
    at index: Int32, for type: Value.Type, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let column = firstColumn + index
    guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { throw mismatch(at: index, type) }
    let bytes = sqlite3_column_blob(statement, column)
    return try body(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
  }

  @inlinable
  func uncheckedInteger(at index: Int32) -> Int64 {
    sqlite3_column_int64(statement, firstColumn + index)
  }

  /// The text of a column. Its length comes from SQLite, so that texts with NUL characters are complete.
  @inlinable
  func uncheckedText(at index: Int32) -> String {
    let column = firstColumn + index
    guard let text = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// Whether a value is a text with invalid UTF-8. ``storageValue(at:)`` replaces its invalid bytes by U+FFFD.
  /// O(bytes).
  package func isInvalidText(at index: Int32) -> Bool {
    let column = firstColumn + index
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT, let text = sqlite3_column_text(statement, column)
    else {
      return false
    }
    let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column)))
    return String(validating: bytes, as: UTF8.self) == nil
  }

  @inlinable
  func uncheckedBlob(at index: Int32) -> Data {
    let column = firstColumn + index
    guard let bytes = sqlite3_column_blob(statement, column) else { return Data() }
    return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column)))
  }

  @usableFromInline
  func exactReal(at index: Int32, _ type: Any.Type) throws -> Double {
    guard let real = Double(exactly: uncheckedInteger(at: index)) else {
      throw locating(ValueError.inexact(type), at: index)
    }
    return real
  }

  @usableFromInline
  func mismatch(at index: Int32, _ type: Any.Type) -> any Error {
    locating(ValueError.mismatch(expected: type, found: storageValue(at: index).storageClassName), at: index)
  }

  /// The error with the name of its column, and with the values that may identify the row.
  @usableFromInline
  func locating(_ error: any Error, at index: Int32) -> any Error {
    guard var error = error as? ValueError, let name = sqlite3_column_name(statement, firstColumn + index) else {
      return error
    }
    error.column = String(cString: name)
    error.keyValues = (firstColumn..<sqlite3_column_count(statement)).map { keyDescription(ofColumn: $0) }
    return error
  }

  /// A column's value if an error may name it as a key: an integer or a UUID. Other texts may be private.
  private func keyDescription(ofColumn column: Int32) -> String? {
    let index = column - firstColumn
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return String(uncheckedInteger(at: index))
    // Longer values aren't read, since a column may contain a gigabyte.
    case SQLITE_BLOB where sqlite3_column_bytes(statement, column) == 16: return storageValue(at: index).key
    case SQLITE_TEXT where sqlite3_column_bytes(statement, column) == 36: return storageValue(at: index).key
    default: return nil
    }
  }
}

extension StorageValue {
  /// The value as text, if it is an integer or a UUID: errors use it to name the row. Nil for all other values, because
  /// they may be private.
  var key: String? {
    switch self {
    case .integer(let integer): String(integer)
    case .blob(let data) where data.count == 16: (try? UUID.decode(self))?.uuidString
    case .text(let text): UUID(uuidString: text)?.uuidString
    default: nil
    }
  }
}

/// Unavailable, because a row refers to memory of one execution and stays on the thread that steps the statement.
@available(*, unavailable)
extension ResultRow: Sendable {}
