import GRDB
import GRDBSQLite

/// The numbers by which the writer's connection tells that others wrote, or that a schema is another.
struct ConnectionVersions: Equatable {
  /// Moves when another connection or process commits, and not for commits of the connection itself.
  private var data: Int64
  private var mainSchema: Int64
  private var temporarySchema: Int64

  /// Reads the numbers.
  ///
  /// - Returns: Nil when another connection's lock, or a failure to read, prevents it.
  init?(_ db: Database) {
    // GRDB finalizes cached statements before it closes the connection, which one of our own would keep open. The comments
    // keep them apart from statements of the app.
    guard
      let numbers = try? Self.read(
        db.cachedStatement(sql: "PRAGMA main.data_version /* Sanderling */"),
        db.cachedStatement(sql: "PRAGMA main.schema_version /* Sanderling */"),
        db.cachedStatement(sql: "PRAGMA temp.schema_version /* Sanderling */"))
    else { return nil }
    (data, mainSchema, temporarySchema) = numbers
  }

  /// The statements are stepped without GRDB, which would ask every observer about them.
  private static func read(
    _ data: Statement, _ mainSchema: Statement, _ temporarySchema: Statement
  ) -> (Int64, Int64, Int64)? {
    let statements = [data, mainSchema, temporarySchema].map(\.sqliteStatement)
    // The first one remains on its row meanwhile, so that all share its transaction.
    defer { statements.forEach { sqlite3_reset($0) } }
    for statement in statements {
      guard sqlite3_step(statement) == SQLITE_ROW else { return nil }
    }
    return (
      sqlite3_column_int64(statements[0], 0), sqlite3_column_int64(statements[1], 0),
      sqlite3_column_int64(statements[2], 0)
    )
  }

  func hasSameData(as other: ConnectionVersions) -> Bool {
    data == other.data
  }

  func hasSameSchema(as other: ConnectionVersions) -> Bool {
    mainSchema == other.mainSchema && temporarySchema == other.temporarySchema
  }
}
