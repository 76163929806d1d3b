import GRDB
import SanderlingSQLite

/// A function of SQL, in Swift.
///
/// A connection retains the function until the connection closes, and calls it on one thread at a time.
final class SQLFunction {
  typealias Arguments = UnsafeMutableBufferPointer<OpaquePointer?>

  private let body: (_ context: OpaquePointer?, _ arguments: Arguments) -> Void

  private init(_ body: @escaping (OpaquePointer?, Arguments) -> Void) {
    self.body = body
  }

  /// Registers a function on a connection. Triggers, views and indexes can't call it.
  ///
  /// - Parameters:
  ///   - argumentCount: The number of arguments, or -1 for any number.
  ///   - isDeterministic: Whether equal arguments always have equal results.
  ///   - body: Sets the result in the context. The result is NULL unless the body sets one.
  static func register(
    _ name: String, argumentCount: Int32, isDeterministic: Bool = false, on connection: OpaquePointer?,
    _ body: @escaping (_ context: OpaquePointer?, _ arguments: Arguments) -> Void
  ) throws {
    let code = sqlite3_create_function_v2(
      connection, name, argumentCount,
      SQLITE_UTF8 | SQLITE_DIRECTONLY | (isDeterministic ? SQLITE_DETERMINISTIC : 0),
      Unmanaged.passRetained(SQLFunction(body)).toOpaque(),
      { context, count, values in
        guard let pointer = sqlite3_user_data(context), let values else { return }
        // Safe: the connection retains the function until it calls the destructor below, never during a call.
        Unmanaged<SQLFunction>.fromOpaque(pointer)._withUnsafeGuaranteedRef { function in
          function.body(context, Arguments(start: values, count: Int(count)))
        }
      }, nil, nil,
      { function in
        // SQLite calls the destructor when the connection closes, and if the registration fails.
        if let function { Unmanaged<SQLFunction>.fromOpaque(function).release() }
      })
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
