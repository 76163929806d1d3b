import SanderlingTerminal

extension String {
  /// The text on one line, with U+FFFD in place of characters that control a terminal.
  var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.map(\.printable)))
  }

  /// The name of a database object on one line; `""` for an empty name.
  var printableName: String { isEmpty ? "\"\"" : printable }

  /// The text with its inner line breaks, and U+FFFD in place of other characters that control a terminal. Empty lines
  /// are left out.
  var printableLines: String {
    split(separator: "\n", omittingEmptySubsequences: true).map { String($0).printable }.joined(separator: "\n")
  }
}

extension Unicode.Scalar {
  /// The scalar, or U+FFFD if it controls a terminal.
  var printable: Unicode.Scalar { steersOutput ? "\u{FFFD}" : self }
}
