package import GRDB
import SanderlingSQLite

/// The SQL functions of searching.
///
/// Nothing in a database's schema calls them, so that every tool can write the database. A connection gets them when a statement first needs
/// one.
package enum TextFunctions {
  /// Prepares a statement, with the functions where it lacks one.
  package static func registering<Value>(on db: Database, _ prepare: () throws -> Value) throws -> Value {
    do {
      return try prepare()
    } catch let error as DatabaseError where error.message?.hasPrefix("no such function: sanderling_") == true {
      try register(on: db.sqliteConnection)
      return try prepare()
    }
  }

  package static func register(on connection: OpaquePointer?) throws {
    try FoldFunction.register(on: connection)
    try MatchFunction.register(on: connection)
    try TokenFunction.register(on: connection)
  }
}

/// The SQL function that decides whether texts match: `sanderling_matches(kind, input, text, …)` is 1 or 0, where NULL matches nothing.
enum MatchFunction {
  static let name = "sanderling_matches"

  static func register(on connection: OpaquePointer?) throws {
    let code = sqlite3_create_function_v2(
      connection, name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, count, values in
        guard let values, count > 2 else {
          return sqlite3_result_error(context, "\(MatchFunction.name) takes a kind, an input and texts", -1)
        }
        // Kept as long as the statement runs with this input.
        if let kept = sqlite3_get_auxdata(context, 1) {
          return MatchFunction.call(
            Unmanaged<TextMatcher>.fromOpaque(kept).takeUnretainedValue(), context, count, values)
        }
        guard let matcher = MatchFunction.matcher(values) else {
          return sqlite3_result_error(context, "\(MatchFunction.name) knows no such kind", -1)
        }
        MatchFunction.call(matcher, context, count, values)
        sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(matcher).toOpaque()) { matcher in
          if let matcher { Unmanaged<TextMatcher>.fromOpaque(matcher).release() }
        }
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  private static func matcher(_ values: UnsafeMutablePointer<OpaquePointer?>) -> TextMatcher? {
    guard let name = text(values[0]), let input = text(values[1]),
      let kind = SearchKind(rawValue: String(decoding: name, as: UTF8.self))
    else { return nil }
    return TextMatcher(TextSearch(String(decoding: input, as: UTF8.self), in: kind))
  }

  private static func call(
    _ matcher: TextMatcher, _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>
  ) {
    if count == 3 { return sqlite3_result_int(context, text(values[2]).map(matcher.matches) == true ? 1 : 0) }
    matcher.begin()
    for index in 2..<Int(count) { if let text = text(values[index]) { matcher.add(text) } }
    sqlite3_result_int(context, matcher.matches ? 1 : 0)
  }

  /// A value as a text, nil for NULL.
  static func text(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
    guard sqlite3_value_type(value) != SQLITE_NULL else { return nil }
    // The text is asked for before its length, which may convert it. A blob of no bytes has no address.
    let bytes = sqlite3_value_text(value)
    return UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(sqlite3_value_bytes(value)))
  }
}
