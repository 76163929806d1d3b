import GRDB

/// A transaction of reads and writes that succeed or fail together.
///
/// Valid inside of the closure that receives it, on the thread that runs the closure. Each method throws
/// ``StoreError``, and has then changed nothing.
public final class WriteTransaction: ReadTransaction {
  /// Runs a nested transaction. If it throws, its changes are undone, and only these.
  @discardableResult
  public func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
    var result: Value?
    do {
      try database.inSavepoint {
        result = try body()
        return .commit
      }
    } catch {
      throw StoreError.wrapping(error, path: database.path)
    }
    guard let result else { preconditionFailure("a savepoint that doesn't throw has a result") }
    return result
  }

  /// Runs a statement written by hand.
  ///
  /// - Returns: The number of rows that the statement changed itself. Rows that triggers and cascades change don't
  ///   count, and so no rows of a view.
  @discardableResult
  public func execute(_ sql: RawSQL) throws -> Int {
    try change(SQLCompiler.compile(raw: sql.fragments))
  }

  /// Runs a statement, and returns the number of rows that it changed itself, without triggers and cascades.
  func change(_ statement: SQLStatement) throws -> Int {
    try countingChanges { try run(statement) { _ in } }
  }

  /// Runs a statement that writes rows of a record's table, and returns their number, without rows that triggers and
  /// cascades change. Rows of a view count.
  ///
  /// - Parameter bind: Binds the parameters.
  func change(
    _ table: RecordTable, _ sql: String, bind: (ParameterBinder) throws -> Void
  ) throws -> Int {
    guard try isWrittenByTriggers(table) else { return try countingChanges { try run(sql, bind: bind) } }
    var count = 0
    do {
      try run(countingRowsOfView(sql), bind: bind) { _ in count += 1 }
    } catch {
      throw StoreError.wrapping(error, sql: sql, path: database.path)
    }
    return count
  }

  /// Runs a statement like ``change(_:_:bind:)``, with its own arguments.
  func change(_ table: RecordTable, _ statement: SQLStatement) throws -> Int {
    try change(table, statement.sql) { try $0.bind(statement.arguments) }
  }

  /// Whether only triggers (INSTEAD OF) write the table's rows, as for a view. A record also declares a virtual table
  /// as a view, but a virtual table writes its rows itself.
  ///
  /// - Throws: ``StoreError/invalidQuery(_:)`` for a record that only reads an ordinary table. It lacks columns that a
  ///   new row needs.
  func isWrittenByTriggers(_ table: RecordTable) throws -> Bool {
    guard table.isView else { return false }
    let ordinary =
      "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE AND sql NOT LIKE 'CREATE VIRTUAL%'"
    let isOrdinary: Bool
    do {
      if try database.viewExists(table.name) { return true }
      let statement = try database.cachedStatement(sql: ordinary)
      isOrdinary = try Bool.fetchOne(statement, arguments: [table.name]) == true
    } catch {
      throw StoreError.wrapping(error, path: database.path)
    }
    if isOrdinary {
      throw StoreError.invalidQuery(
        "the record only reads the table \(table.name.quotedIdentifier): write it by the record that stores the table")
    }
    return false
  }

  /// - Throws: ``StoreError/invalidQuery(_:)`` for a record that only reads an ordinary table.
  func requireStorage(of table: RecordTable) throws {
    _ = try isWrittenByTriggers(table)
  }

  /// Makes a statement that writes a view return a row for each written row, so that these can be counted. SQLite
  /// counts no rows of a view (https://sqlite.org/c3ref/changes.html). RETURNING has a row for each row for which a
  /// trigger ran and didn't ignore it.
  ///
  /// - Throws: The error of SQLite if the view has no trigger for the statement. SQLite 3.40, for example, reports this
  ///   error only without RETURNING. With RETURNING, the statement writes nothing and still returns rows.
  func countingRowsOfView(_ sql: String) throws -> String {
    _ = try prepare(sql)
    return sql + " RETURNING 1"
  }

  /// Returns the number of rows that the statement in `body` changed itself, without triggers and cascades.
  package func countingChanges(_ body: () throws -> Void) rethrows -> Int {
    let before = database.totalChangesCount
    try body()
    // `changesCount` keeps its value if a statement changes nothing.
    return database.totalChangesCount == before ? 0 : database.changesCount
  }
}

extension SQLCompiler {
  /// Writes the WHERE clause that selects a query's rows in a statement that changes their table.
  mutating func writeRows(of statement: SelectStatement) throws {
    guard case .table(let type) = statement.source, !statement.isGrouped else {
      throw StoreError.invalidQuery("only rows of a table can be changed, not groups or the rows of a SELECT")
    }
    guard statement.condition?.followsAssociations == true || statement.limit != nil else {
      guard let condition = statement.condition else { return }
      write(" WHERE ")
      return try write(condition)
    }
    // An UPDATE or DELETE has neither joins nor limits, so a subquery selects the keys.
    var keys = statement
    keys.columns = type.table.key.map { .column(ColumnTerm(scope: .root, owner: type, index: $0)) }
    keys.isDistinct = false
    write(" WHERE (")
    try writeList(keys.columns) { try $0.write($1) }
    write(") IN (")
    try write(keys)
    write(")")
  }
}
