import GRDB
import SanderlingSQLite

extension Database {
  /// Runs a cached prepared statement, and calls `row` with each of its rows, at most `limit`.
  package func forEachRow(
    of sql: String, limit: Int = .max, _ bind: (ParameterBinder) throws -> Void, row: (ResultRow) throws -> Void
  ) throws {
    try withExecution(of: sql, bind) { execution in
      var count = 0
      while count < limit, let next = try execution.next() {
        try row(next)
        count += 1
      }
    }
  }

  /// Runs a cached prepared statement, whose rows `body` steps through.
  func withExecution<Result>(
    of sql: String, _ bind: (ParameterBinder) throws -> Void, _ body: (StatementExecution) throws -> Result
  ) throws -> Result {
    let execution = StatementExecution(try idleStatement(sql: sql), recorder: nil)
    defer { execution.finish() }
    try execution.bind(bind)
    return try body(execution)
  }

  /// The first row of a statement, and a number that changes with the row.
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
    return Int(clamping: count)
  }

  /// The folded names of the tables that a statement reads, also in attached and temporary databases.
  func tables(readBy statement: SQLStatement) throws -> Set<String> {
    try tables(in: TextFunctions.registering(on: self) { try cachedStatement(sql: statement.sql) }.databaseRegion)
  }

  /// The folded names of the tables that a GRDB request reads, also in attached and temporary databases.
  func tables(readBy request: some FetchRequest) throws -> Set<String> {
    try tables(in: request.databaseRegion(self))
  }

  /// The folded names of the tables of a region, also in attached and temporary databases.
  func tables(in region: DatabaseRegion) throws -> Set<String> {
    let schemas = try Row.fetchAll(self, sql: "PRAGMA database_list").map { $0[1] as String }
    let tables = try schemas.flatMap { schema in
      try String.fetchAll(self, sql: "SELECT name FROM \(schema.quotedIdentifier).sqlite_schema WHERE type = 'table'")
    }
    return Set(tables.filter { region.isModified(byEventsOfKind: .insert(tableName: $0)) }.map(\.asciiLowercased))
  }
}
