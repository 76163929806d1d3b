import GRDB
import GRDBSQLite

extension Database {
  /// Runs a statement that is kept prepared, and calls `row` with each of its rows, at most `limit`.
  func forEachRow(
    of sql: String, limit: Int = .max, _ bind: (ParameterBinder) throws -> Void, row: (ResultRow) throws -> Void
  ) throws {
    let cached = try cachedStatement(sql: sql)
    // A second walk over the one statement that GRDB keeps would rewind the first.
    let statement = sqlite3_stmt_busy(cached.sqliteStatement) == 0 ? cached : try makeStatement(sql: sql)
    let execution = StatementExecution(statement, recorder: nil)
    defer { execution.finish() }
    try execution.bind(bind)
    var count = 0
    while count < limit, let next = try execution.next() {
      try row(next)
      count += 1
    }
  }

  /// The first row of a statement, and a number that differs when the row does.
  func value<Value>(
    of statement: SQLStatement, _ decode: (ResultRow) throws -> Value
  ) throws -> (value: Value?, version: UInt64) {
    var result: (Value?, UInt64) = (nil, 0)
    try forEachRow(of: statement.sql, limit: 1) {
      try $0.bind(statement.arguments)
    } row: { row in
      let count = Int(sqlite3_column_count(row.statement))
      result = (try StoreError.locating(Value.self) { try decode(row) }, row.fingerprint(count))
    }
    return result
  }

  func count(_ statement: SelectStatement) throws -> Int {
    let statement = try statement.countStatement
    var count: Int64 = 0
    try forEachRow(of: statement.sql) {
      try $0.bind(statement.arguments)
    } row: {
      count = try $0.integer(at: 0, for: Int.self)
    }
    return Int(count)
  }

  /// The folded names of the tables of the main database that a statement reads.
  func tables(readBy statement: SQLStatement) throws -> Set<String> {
    let region = try cachedStatement(sql: statement.sql).databaseRegion
    let tables = try String.fetchAll(self, sql: "SELECT name FROM main.sqlite_schema WHERE type = 'table'")
    return Set(tables.filter { region.isModified(byEventsOfKind: .insert(tableName: $0)) }.map(\.asciiFolded))
  }
}

extension ResultRow {
  /// A number that differs, but for a chance of 2⁻⁶⁴, when any of the first columns holds another value.
  func fingerprint(_ columnCount: Int) -> UInt64 {
    var hasher = Hasher()
    for index in 0..<Int32(columnCount) {
      hash(at: index, into: &hasher)
    }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  private func hash(at index: Int32, into hasher: inout Hasher) {
    let column = firstColumn + index
    let type = sqlite3_column_type(statement, column)
    hasher.combine(type)
    switch type {
    case SQLITE_INTEGER: hasher.combine(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: hasher.combine(sqlite3_column_double(statement, column).bitPattern)
    case SQLITE_TEXT:
      let text = sqlite3_column_text(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      hasher.combine(count)
      hasher.combine(bytes: UnsafeRawBufferPointer(start: text, count: count))
    case SQLITE_BLOB:
      let blob = sqlite3_column_blob(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      hasher.combine(count)
      hasher.combine(bytes: UnsafeRawBufferPointer(start: blob, count: count))
    default: break
    }
  }
}
