import GRDB

/// Reads and writes that succeed or fail together.
///
/// Valid inside the closure that it is passed to, on the thread that runs it. Each method throws ``StoreError`` and, when
/// it throws, has changed nothing.
public final class WriteTransaction: ReadTransaction {
  /// Runs a nested transaction: what it changed is undone when it throws, and only that.
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
  /// - Returns: How many rows it changed.
  @discardableResult
  public func execute(_ sql: RawSQL) throws -> Int {
    try change(SQLCompiler.compile(raw: sql.fragments))
  }

  /// Runs a statement and returns how many rows it changed itself, rows changed by triggers and cascades not counted.
  func change(_ statement: SQLStatement) throws -> Int {
    try countingChanges { try run(statement) { _ in } }
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
