import GRDB
import SanderlingSQLite

/// The function that capture's triggers call.
///
/// It is an aggregate function, though it aggregates nothing: SQLite takes a call of a scalar function for something that may
/// fail halfway, and then has each statement that fires the trigger save every page before it changes it, in a temporary file
/// from 64 kB on (`sqlite3VdbeAddFunctionCall`, which calls `sqlite3MayAbort`; the step of an aggregate does not). That is more
/// than all the rest of capture where a statement changes an index.
///
/// Each store that shares a connection has one of its own.
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

  /// Removes the function, and lets go of the buffer, unless a trigger names the function or may come back.
  ///
  /// A trigger without its function makes each write of its table fail. So a function outlives its triggers: inside of a transaction it
  /// stays, since a rollback brings back the triggers that the transaction dropped.
  ///
  /// - Returns: Whether the function is gone. SQLite keeps one while a statement that uses it is not at its end.
  static func unregister(_ name: String, on db: Database) throws -> Bool {
    if try db.isInsideTransaction || isNamedByTriggers(name, db) { return false }
    return sqlite3_create_function_v2(db.sqliteConnection, name, -1, SQLITE_UTF8, nil, nil, nil, nil, nil) == SQLITE_OK
  }

  private static func isNamedByTriggers(_ name: String, _ db: Database) throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM temp.sqlite_schema WHERE type = 'trigger' AND instr(sql, ?))"
    return try Bool.fetchOne(db, sql: sql, arguments: ["\(name)("]) ?? true
  }
}
