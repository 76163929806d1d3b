package import GRDB
import SanderlingSQLite

/// The SQL functions for searches.
///
/// A database's schema doesn't use the functions, so that every tool can write the database. A connection gets them
/// when a statement first needs one.
package enum TextFunctions {
  /// The names of the functions.
  package static let names = [FoldFunction.name, MatchFunction.name, TokenFunction.name]

  /// Prepares a statement. If it lacks a function, registers the functions and prepares again.
  package static func registering<Value>(on db: Database, _ prepare: () throws -> Value) throws -> Value {
    do {
      return try prepare()
    } catch let error as DatabaseError where error.message?.hasPrefix("no such function: sanderling_") == true {
      try register(on: db.sqliteConnection)
      return try prepare()
    }
  }

  private static func register(on connection: OpaquePointer?) throws {
    try FoldFunction.register(on: connection)
    try MatchFunction.register(on: connection)
    try TokenFunction.register(on: connection)
  }
}

/// A deterministic function of SQL that reads texts.
enum TextFunction {
  /// Registers a function on a connection.
  ///
  /// - Parameter argumentCount: The number of arguments, or -1 for any number.
  static func register(
    _ name: String, argumentCount: Int32, on connection: OpaquePointer?,
    _ body: @escaping (FunctionCall) throws(OutOfMemory) -> Void
  ) throws {
    try SQLFunction.register(name, argumentCount: argumentCount, isDeterministic: true, on: connection) {
      context, arguments in
      do throws(OutOfMemory) {
        try body(FunctionCall(context: context, values: arguments))
      } catch {
        sqlite3_result_error_nomem(context)
      }
    }
  }
}

/// The error of a value for which SQLite has no memory.
struct OutOfMemory: Error {}

/// A call of an SQL function. Its result is NULL unless the function sets one.
struct FunctionCall {
  fileprivate let context: OpaquePointer?
  fileprivate let values: SQLFunction.Arguments

  /// The number of arguments.
  var count: Int { values.count }

  /// An argument as a text; nil for NULL.
  func text(at index: Int) throws(OutOfMemory) -> UnsafeBufferPointer<UInt8>? {
    let value = values[index]
    guard sqlite3_value_type(value) != SQLITE_NULL else { return nil }
    // The text is read before its length, because reading it may convert it. An empty blob has no address.
    let bytes = sqlite3_value_text(value)
    let count = Int(sqlite3_value_bytes(value))
    if bytes == nil, count > 0 { throw OutOfMemory() }
    return UnsafeBufferPointer(start: bytes, count: count)
  }

  /// Sets a text as the result. SQLite copies it.
  func end(_ text: UnsafeBufferPointer<UInt8>) {
    text.withMemoryRebound(to: CChar.self) { text in
      sqlite3_result_text64(
        context, text.baseAddress ?? UnsafePointer(emptyBytes), UInt64(text.count), transientDestructor,
        UInt8(SQLITE_UTF8))
    }
  }

  func end(_ truth: Bool) {
    sqlite3_result_int(context, truth ? 1 : 0)
  }

  func fail(_ message: String) {
    sqlite3_result_error(context, message, -1)
  }

  /// The object that an earlier call of the statement kept with an argument, if the argument is unchanged. The type
  /// must be that of the kept object.
  func kept<Value: AnyObject>(_ type: Value.Type, with index: Int) -> Value? {
    sqlite3_get_auxdata(context, Int32(index)).map { Unmanaged<Value>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Keeps an object for later calls while the statement runs with the same argument. SQLite may release it at once.
  func keep(_ value: some AnyObject, with index: Int) {
    sqlite3_set_auxdata(context, Int32(index), Unmanaged.passRetained(value as AnyObject).toOpaque()) { value in
      if let value { Unmanaged<AnyObject>.fromOpaque(value).release() }
    }
  }
}
