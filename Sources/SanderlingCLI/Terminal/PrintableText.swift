import SanderlingTerminal

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
  /// The scalar, or its replacement if it would control a terminal.
  var printable: Unicode.Scalar { steersOutput ? "\u{FFFD}" : self }
}
