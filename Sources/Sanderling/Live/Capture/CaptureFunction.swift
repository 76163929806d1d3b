import GRDB
import GRDBSQLite

/// The function that capture's triggers call.
enum CaptureFunction {
  static let name = "sanderling_capture"

  /// Registers the function on a connection, which then keeps the buffer alive.
  static func register(_ buffer: CaptureBuffer, on db: Database) throws {
    let code = sqlite3_create_function_v2(
      db.sqliteConnection, name, -1, SQLITE_UTF8 | SQLITE_INNOCUOUS, Unmanaged.passRetained(buffer).toOpaque(),
      { context, count, values in
        guard let buffer = sqlite3_user_data(context), let values else { return }
        Unmanaged<CaptureBuffer>.fromOpaque(buffer)._withUnsafeGuaranteedRef { $0.append(values, count: Int(count)) }
      },
      nil, nil,
      { buffer in
        // SQLite calls this when the connection closes, and also when the registration fails.
        if let buffer { Unmanaged<CaptureBuffer>.fromOpaque(buffer).release() }
      })
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
