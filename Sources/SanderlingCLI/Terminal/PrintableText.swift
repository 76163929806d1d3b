extension String {
  /// The text on one line, without characters that would steer a terminal.
  var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.map(\.printable)))
  }

  /// The name of something of a database on one line; `""` for an empty one, which is a name, too.
  var printableName: String { isEmpty ? "\"\"" : printable }

  /// The text without characters that would steer a terminal, except for ends of lines inside of it.
  var printableLines: String {
    split(separator: "\n", omittingEmptySubsequences: true).map { String($0).printable }.joined(separator: "\n")
  }
}

extension Unicode.Scalar {
  /// The scalar, or the text that is printed in its place where it would steer a terminal.
  var printable: Unicode.Scalar { isControl ? "\u{FFFD}" : self }

  private var isControl: Bool {
    switch properties.generalCategory {
    // Bidirectional controls are format characters; so are the joiners that some scripts and emoji need.
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
    case .format: value != 0x200C && value != 0x200D
    default: false
    }
  }
}
