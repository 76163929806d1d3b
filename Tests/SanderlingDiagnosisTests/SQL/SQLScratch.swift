import SanderlingSQLite

/// An empty database in memory, which tells whether SQLite accepts a statement.
final class SQLScratch {
  private let connection: OpaquePointer

  init?() {
    var connection: OpaquePointer?
    guard sqlite3_open(":memory:", &connection) == SQLITE_OK, let connection else { return nil }
    self.connection = connection
  }

  deinit {
    sqlite3_close(connection)
  }

  func run(_ sql: String) {
    sqlite3_exec(connection, sql, nil, nil, nil)
  }

  func prepares(_ sql: String) -> Bool {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    return sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK && statement != nil
  }
}
