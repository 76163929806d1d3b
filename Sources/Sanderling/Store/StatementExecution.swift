import GRDB
import SanderlingSQLite

/// One run of a prepared statement over its rows.
///
/// A GRDB cursor, because GRDB's own stepping supports observation, cancellation and suspension.
final class StatementExecution: DatabaseCursor, ResultRowSource {
  typealias Element = ResultRow
  var _isDone = false
  let _statement: Statement
  private let recorder: StatementRecorder?

  /// Creates the run of a statement that isn't running. The parameters are bound next.
  init(_ statement: Statement, recorder: StatementRecorder?) {
    _statement = statement
    self.recorder = recorder
  }

  func _element(sqliteStatement: SQLiteStatement) -> ResultRow {
    ResultRow(statement: sqliteStatement)
  }

  /// Binds the parameters, for the first run or for another one.
  func bind(_ body: (ParameterBinder) throws -> Void) throws {
    _isDone = false
    // `sqlite3_reset` returns the code of the last step, which was already reported.
    sqlite3_reset(_statement.sqliteStatement)
    do {
      try body(ParameterBinder(statement: _statement.sqliteStatement))
    } catch {
      finish()
      throw error
    }
  }

  /// Steps through all rows.
  func forEachRow(_ body: (ResultRow) throws -> Void) throws {
    guard let recorder, recorder.recordsOwnStatements else { return try forEach(body) }
    let statement = _statement.sqliteStatement
    recorder.begin(statement)
    defer { recorder.end(statement) }
    try forEach { row in
      recorder.row(statement)
      try body(row)
    }
  }

  /// Ends the run and releases the bound values.
  func finish() {
    sqlite3_reset(_statement.sqliteStatement)
    sqlite3_clear_bindings(_statement.sqliteStatement)
  }
}
