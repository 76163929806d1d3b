import Sanderling

/// A text to find anywhere in the browsed texts, without case, diacritics and widths, as `SearchKind.substrings`
/// describes.
struct BrowsedSearch: Equatable {
  let text: String
  let highlights: SearchHighlights

  /// How many characters of a text count.
  static let longestInput = 10_000

  private static let kind = SearchKind.substrings

  /// Nil for a text that has nothing to look for.
  init?(_ text: String) {
    self.text = String(text.prefix(Self.longestInput))
    highlights = SearchHighlights(self.text, in: Self.kind)
    if highlights.matchesAll { return nil }
  }

  /// The SQL condition that a row contains the text. Values that aren't texts contain nothing.
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
  /// SQL with its texts written into it.
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
