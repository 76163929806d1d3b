import GRDB
import SanderlingSQLite

/// The function that capture's triggers call.
///
/// The function is an aggregate, although it aggregates nothing. SQLite assumes that a scalar function may fail halfway
/// (`sqlite3VdbeAddFunctionCall` calls `sqlite3MayAbort`; the step of an aggregate does not). With such a function,
/// each statement that fires the trigger would save every page before changing it, from 64 kB on in a temporary file.
/// In statements that change an index, that would cost more than all the rest of capture.
///
/// Each store that shares a connection has a function of its own.
enum CaptureFunction {
  /// Registers the function on a connection, which then retains the buffer.
  static func register(_ name: String, _ buffer: CaptureBuffer, on db: Database) throws {
    let code = sqlite3_create_function_v2(
      db.sqliteConnection, name, -1, SQLITE_UTF8 | SQLITE_INNOCUOUS, Unmanaged.passRetained(buffer).toOpaque(), nil,
      { context, count, values in
        guard let buffer = sqlite3_user_data(context), let values else { return }
        Unmanaged<CaptureBuffer>.fromOpaque(buffer)._withUnsafeGuaranteedRef { $0.append(values, count: Int(count)) }
      },
      { _ in },
      { buffer in
        // SQLite calls this when the connection closes, when the function is removed, and when the registration fails.
        if let buffer { Unmanaged<CaptureBuffer>.fromOpaque(buffer).release() }
      })
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  /// Removes the function and releases the buffer, unless a trigger names the function or may come back.
  ///
  /// A trigger without its function makes each write of its table fail, so the function outlives its triggers. Inside a
  /// transaction it stays, since a rollback brings back the triggers that the transaction dropped.
  ///
  /// - Returns: Whether the function was removed. SQLite keeps it while a statement uses it.
  static func unregister(_ name: String, on db: Database) throws -> Bool {
    if try db.isInsideTransaction || isNamedByTriggers(name, db) { return false }
    return sqlite3_create_function_v2(db.sqliteConnection, name, -1, SQLITE_UTF8, nil, nil, nil, nil, nil) == SQLITE_OK
  }

  private static func isNamedByTriggers(_ name: String, _ db: Database) throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM temp.sqlite_schema WHERE type = 'trigger' AND instr(sql, ?))"
    return try Bool.fetchOne(db, sql: sql, arguments: ["\(name)("]) ?? true
  }
}
