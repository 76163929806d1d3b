/// The place of a statement in the input: a line of a file, or an argument.
public struct InputPlace: Hashable, Sendable, CustomStringConvertible {
  /// The file's name as the user gave it; `-` is standard input. An argument is named by its number: `argument 2`.
  public var source: String
  /// The line, from 1; nil for an argument.
  public var line: Int?

  public init(source: String, line: Int?) {
    self.source = source
    self.line = line
  }

  /// Whether the statement is an argument, not a line of a file.
  public var isArgument: Bool { line == nil }

  /// The place in the form `app.log:17` or `argument 2`.
  public var description: String { line.map { "\(source):\($0)" } ?? source }
}
