/// A construct that the parser doesn't know. Holds no text of the statement.
struct SQLParseError: Error, Hashable, CustomStringConvertible {
  /// From 1.
  var line: Int
  /// In bytes, from 1.
  var column: Int
  /// What was expected, or what is too much.
  var reason: String

  var description: String { "line \(line), column \(column): \(reason)" }
}
