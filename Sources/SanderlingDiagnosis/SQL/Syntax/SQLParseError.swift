/// A construct that the parser doesn't support. Contains no text of the statement.
struct SQLParseError: Error, Hashable, CustomStringConvertible {
  /// The line, from 1.
  var line: Int
  /// The column in bytes, from 1.
  var column: Int
  /// The expected token, or the superfluous one.
  var reason: String

  var description: String { "line \(line), column \(column): \(reason)" }
}
