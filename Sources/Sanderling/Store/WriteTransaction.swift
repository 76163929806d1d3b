import GRDB

/// Reads and writes that succeed or fail together.
///
/// Valid inside the closure that it is passed to, on the thread that runs it. Each method throws ``StoreError`` and, when
/// it throws, has changed nothing.
public final class WriteTransaction: ReadTransaction {
  /// Runs a nested transaction: its changes are undone when it throws, and only these.
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
  /// - Returns: How many rows it changed itself: rows that triggers and cascades change are not counted, and so no rows of a view.
  @discardableResult
  public func execute(_ sql: RawSQL) throws -> Int {
    try change(SQLCompiler.compile(raw: sql.fragments))
  }

  /// Runs a statement and returns how many rows it changed itself, rows changed by triggers and cascades not counted.
  func change(_ statement: SQLStatement) throws -> Int {
    try countingChanges { try run(statement) { _ in } }
  }

  /// Runs a statement that writes rows of a record's table, and returns how many, rows changed by triggers and cascades not counted.
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

  /// As ``change(_:_:bind:)`` with the arguments of a statement.
  func change(_ table: RecordTable, _ statement: SQLStatement) throws -> Int {
    try change(table, statement.sql) { try $0.bind(statement.arguments) }
  }

  /// Whether only triggers write the table's rows (INSTEAD OF), as for a view. A virtual table, which a record also
  /// declares as a view, writes its rows itself.
  func isWrittenByTriggers(_ table: RecordTable) throws -> Bool {
    guard table.isView else { return false }
    do {
      return try database.viewExists(table.name)
    } catch {
      throw StoreError.wrapping(error, path: database.path)
    }
  }

  /// A statement that writes a view, so that it can be counted by its rows. SQLite counts no rows of a view
  /// (https://sqlite.org/c3ref/changes.html). It returns one for each row that a trigger was run for and did not ignore.
  ///
  /// - Throws: The error of SQLite where the view has no trigger for the statement. SQLite 3.40, for one, says so only without RETURNING:
  ///   with it, the statement writes nothing and returns rows all the same.
  func countingRowsOfView(_ sql: String) throws -> String {
    _ = try prepare(sql)
    return sql + " RETURNING 1"
  }

  /// How many rows the statement changed that `body` runs, rows changed by triggers and cascades not counted.
  package func countingChanges(_ body: () throws -> Void) rethrows -> Int {
    let before = database.totalChangesCount
    try body()
    // changesCount keeps its value when a statement changes nothing.
    return database.totalChangesCount == before ? 0 : database.changesCount
  }
}

extension SQLCompiler {
  /// Writes the WHERE clause that finds a query's rows in a statement that changes their table.
  mutating func writeRows(of statement: SelectStatement) throws {
    guard case .table(let type) = statement.source, !statement.isGrouped else {
      throw StoreError.invalidQuery("only rows of a table can be changed, not groups or the rows of a SELECT")
    }
    guard statement.condition?.followsAssociations == true || statement.limit != nil else {
      guard let condition = statement.condition else { return }
      write(" WHERE ")
      return try write(condition)
    }
    // Neither joins nor limits exist here: another query chooses the keys.
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
