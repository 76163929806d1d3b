/// Where a statement stood in the input: a file's line, or an argument.
public struct InputPlace: Hashable, Sendable, CustomStringConvertible {
  /// The file's name as the user gave it; `argument` and `-` (standard input) are possible.
  public var source: String
  /// The line, from 1.
  public var line: Int

  public init(source: String, line: Int) {
    self.source = source
    self.line = line
  }

  public var description: String { "\(source):\(line)" }
}
