import GRDB
import SanderlingSQLite

/// The SQL function that folds a text as ``TextFold`` does.
///
/// Nothing in a database's schema calls it, so that every tool can write the database. A connection gets it when a statement first needs
/// it.
enum FoldFunction {
  static let name = "sanderling_fold"

  static func register(on connection: OpaquePointer?) throws {
    let buffer = Unmanaged.passRetained(FoldBuffer()).toOpaque()
    let code = sqlite3_create_function_v2(
      connection, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, buffer,
      { context, _, values in
        // NULL stays NULL, as the result is unless it is set. The text is asked for before its length, which may convert it.
        guard let value = values?[0], sqlite3_value_type(value) != SQLITE_NULL else { return }
        let bytes = sqlite3_value_text(value)
        guard let bytes else {
          // Without memory, or a blob of no bytes.
          if sqlite3_value_bytes(value) > 0 { return sqlite3_result_error_nomem(context) }
          return sqlite3_result_text64(context, emptyBytes, 0, transientDestructor, UInt8(SQLITE_UTF8))
        }
        guard let pointer = sqlite3_user_data(context) else { return }
        let text = UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
        Unmanaged<FoldBuffer>.fromOpaque(pointer)._withUnsafeGuaranteedRef { buffer in
          buffer.fold(text)
          buffer.withFolded { folded in
            folded.withMemoryRebound(to: CChar.self) { folded in
              sqlite3_result_text64(
                context, folded.baseAddress ?? UnsafePointer(emptyBytes), UInt64(folded.count), transientDestructor,
                UInt8(SQLITE_UTF8))
            }
          }
        }
      }, nil, nil,
      { buffer in
        // SQLite calls this when the connection closes, and also when the registration fails.
        if let buffer { Unmanaged<FoldBuffer>.fromOpaque(buffer).release() }
      })
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
