/// Where a statement stood in the input: a line of a file, or an argument.
public struct InputPlace: Hashable, Sendable, CustomStringConvertible {
  /// The file's name as the user gave it; `-` is standard input. An argument is named by its number: `argument 2`.
  public var source: String
  /// The line, from 1; nil for an argument.
  public var line: Int?

  public init(source: String, line: Int?) {
    self.source = source
    self.line = line
  }

  /// Whether the statement was given as an argument, and not in a file.
  public var isArgument: Bool { line == nil }

  /// `app.log:17`, `argument 2`
  public var description: String { line.map { "\(source):\($0)" } ?? source }
}
