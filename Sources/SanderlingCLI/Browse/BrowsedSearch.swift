import Sanderling

/// A text to find anywhere in all browsed texts, ignoring case, diacritics and widths as `SearchKind.substrings` does.
struct BrowsedSearch: Equatable {
  let text: String
  let highlights: SearchHighlights

  /// The number of characters of an input that are used.
  static let longestInput = 10_000

  private static let kind = SearchKind.substrings

  /// Returns nil for a text without anything to search for.
  init?(_ text: String) {
    self.text = String(text.prefix(Self.longestInput))
    highlights = SearchHighlights(self.text, in: Self.kind)
    if highlights.matchesAll { return nil }
  }

  /// Returns the SQL condition that a row contains the text. Only texts are searched.
  ///
  /// - Parameter columns: The names of the searched columns.
  func condition(_ columns: [String]) -> [RawFragment] {
    var fragments: [RawFragment] = [.sql("(")]
    // SQLite's functions take 127 arguments by default.
    for start in stride(from: 0, to: columns.count, by: 100) {
      fragments.append(.sql("\(start > 0 ? " OR " : "")sanderling_matches('\(Self.kind.rawValue)', "))
      fragments.append(.value(.text(text)))
      let texts = columns[start..<min(start + 100, columns.count)].map(\.quotedIdentifier).map {
        ", CASE typeof(\($0)) WHEN 'text' THEN \($0) END"
      }
      fragments.append(.sql(ExactText(texts.joined() + ")")))
    }
    fragments.append(.sql(")"))
    return fragments
  }
}

extension [RawFragment] {
  /// The SQL, with the values written into it as literals.
  var withTexts: String {
    map { fragment in
      switch fragment {
      case .sql(let sql): sql.string
      case .value(.text(let text)): text.quotedLiteral
      case .value, .term, .query, .tree, .invalid: preconditionFailure("there is nothing but texts")
      }
    }.joined()
  }
}
