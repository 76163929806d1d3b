import GRDB
import SanderlingSQLite

/// The numbers of the writer's connection that reveal outside changes and schema changes.
struct ConnectionVersions: Equatable {
  /// Changes with each commit of another connection or process, not with commits of the connection itself.
  private var data: Int64
  private var mainSchema: Int64
  private var temporarySchema: Int64

  /// The statements that read the numbers, held weakly. GRDB finalizes its statements before it closes the connection.
  /// A statement that is retained elsewhere would prevent that.
  struct Statements {
    fileprivate weak var data: Statement?
    fileprivate weak var mainSchema: Statement?
    fileprivate weak var temporarySchema: Statement?
  }

  /// Reads the numbers.
  ///
  /// - Returns: Nil when another connection's lock, or a failure to read, prevents it.
  init?(_ db: Database, _ statements: inout Statements) {
    // The comments in the SQL keep these apart from the app's statements.
    guard
      let data = try? statements.data ?? db.cachedStatement(sql: "PRAGMA main.data_version /* Sanderling */"),
      let mainSchema = try? statements.mainSchema
        ?? db.cachedStatement(sql: "PRAGMA main.schema_version /* Sanderling */"),
      let temporarySchema = try? statements.temporarySchema
        ?? db.cachedStatement(sql: "PRAGMA temp.schema_version /* Sanderling */")
    else { return nil }
    statements = Statements(data: data, mainSchema: mainSchema, temporarySchema: temporarySchema)
    guard let numbers = Self.read(data, mainSchema, temporarySchema) else { return nil }
    (self.data, self.mainSchema, self.temporarySchema) = numbers
  }

  /// Steps the statements without GRDB, which would notify every observer.
  private static func read(
    _ data: Statement, _ mainSchema: Statement, _ temporarySchema: Statement
  ) -> (Int64, Int64, Int64)? {
    let statements = (data.sqliteStatement, mainSchema.sqliteStatement, temporarySchema.sqliteStatement)
    // The first statement stays on its row, so that all share its transaction.
    defer {
      sqlite3_reset(statements.0)
      sqlite3_reset(statements.1)
      sqlite3_reset(statements.2)
    }
    guard
      sqlite3_step(statements.0) == SQLITE_ROW, sqlite3_step(statements.1) == SQLITE_ROW,
      sqlite3_step(statements.2) == SQLITE_ROW
    else { return nil }
    return (
      sqlite3_column_int64(statements.0, 0), sqlite3_column_int64(statements.1, 0),
      sqlite3_column_int64(statements.2, 0)
    )
  }

  func withTemporarySchema(of other: ConnectionVersions) -> ConnectionVersions {
    var versions = self
    versions.temporarySchema = other.temporarySchema
    return versions
  }

  func hasSameData(as other: ConnectionVersions) -> Bool {
    data == other.data
  }

  func hasSameSchema(as other: ConnectionVersions) -> Bool {
    mainSchema == other.mainSchema
  }

  func hasSameTemporarySchema(as other: ConnectionVersions) -> Bool {
    temporarySchema == other.temporarySchema
  }
}
