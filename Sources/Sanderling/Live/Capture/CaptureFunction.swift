import GRDB
import SanderlingSQLite

/// The function that capture's triggers call.
///
/// The function is an aggregate, though it aggregates nothing. SQLite assumes that a call of a scalar function may fail halfway
/// (`sqlite3VdbeAddFunctionCall` calls `sqlite3MayAbort`; the step of an aggregate does not). Each statement that fires a trigger with such a
/// call saves every page before it changes it, in a temporary file from 64 kB on. Where a statement changes an index, that costs more than
/// all the rest of capture.
///
/// Each store that shares a connection has a function of its own.
enum CaptureFunction {
  /// Registers the function on a connection, which then keeps the buffer alive.
  static func register(_ name: String, _ buffer: CaptureBuffer, on db: Database) throws {
    let code = sqlite3_create_function_v2(
      db.sqliteConnection, name, -1, SQLITE_UTF8 | SQLITE_INNOCUOUS, Unmanaged.passRetained(buffer).toOpaque(), nil,
      { context, count, values in
        guard let buffer = sqlite3_user_data(context), let values else { return }
        Unmanaged<CaptureBuffer>.fromOpaque(buffer)._withUnsafeGuaranteedRef { $0.append(values, count: Int(count)) }
      },
      { _ in },
      { buffer in
        // SQLite calls this when the connection closes, and also when the registration fails.
        if let buffer { Unmanaged<CaptureBuffer>.fromOpaque(buffer).release() }
      })
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  /// Removes the function and its reference to the buffer, unless a trigger names the function or may come back.
  ///
  /// Without its function, a trigger makes each write of its table fail. So a function outlives its triggers: it stays
  /// inside of a transaction, since a rollback restores the triggers that the transaction dropped.
  ///
  /// - Returns: Whether the function is gone. SQLite keeps it while a statement that uses it runs.
  static func unregister(_ name: String, on db: Database) throws -> Bool {
    if try db.isInsideTransaction || isNamedByTriggers(name, db) { return false }
    return sqlite3_create_function_v2(db.sqliteConnection, name, -1, SQLITE_UTF8, nil, nil, nil, nil, nil) == SQLITE_OK
  }

  private static func isNamedByTriggers(_ name: String, _ db: Database) throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM temp.sqlite_schema WHERE type = 'trigger' AND instr(sql, ?))"
    return try Bool.fetchOne(db, sql: sql, arguments: ["\(name)("]) ?? true
  }
}
