import SanderlingSQLite

extension ResultRow {
  /// A hash of the first columns, which differs if any of their values differs: see ``RowHash`` for its probability.
  func fingerprint(_ columnCount: Int) -> UInt64 {
    var hash = RowHash()
    for column in 0..<Int32(columnCount) { hash.combine(encodedValue(at: column)) }
    return hash.value
  }

  /// The value of a column. It is valid until the next step.
  func encodedValue(at index: Int32) -> EncodedValue {
    // SQLite allows reading this value where only one thread uses the connection, as here. Functions such as
    // `sqlite3_column_int64` would each look the column up again.
    let value = sqlite3_column_value(statement, firstColumn + index)
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let text = sqlite3_value_text(value)
      let count = text == nil ? 0 : Int(sqlite3_value_bytes(value))
      return .text(UnsafeRawBufferPointer(start: text, count: count))
    case SQLITE_BLOB:
      let blob = sqlite3_value_blob(value)
      let count = blob == nil ? 0 : Int(sqlite3_value_bytes(value))
      return .blob(UnsafeRawBufferPointer(start: blob, count: count))
    default: return .null
    }
  }
}
