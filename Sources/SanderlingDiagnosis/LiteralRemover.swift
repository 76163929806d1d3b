/// Takes literals out of SQL that a report proposes: statements have them from the app's users, and so have the conditions
/// of partial indexes.
struct LiteralRemover: Sendable {
  var showsValues = false

  /// What tells the reader why a `?` stands in a fix.
  static let remark = "Literals are hidden, as ?: --show-values shows them."

  /// Strings that say how to compute, not with what.
  private static let formats: Set = [
    "'+1 day'", "'+1 month'", "'+1 year'", "'-01'", "'-01-01'", "'%s'", "'%Y'", "'%Y-%m'", "'%Y-%m-%d'", "'unixepoch'",
  ]

  /// SQL as a report may show it: without literals other than 0, 1 and the numbers of columns in ORDER BY and
  /// GROUP BY, unless values may be shown.
  ///
  /// In the definition of an index, numbers stay: they are flags and kinds.
  func shown(_ sql: String, ofIndex: Bool = false) -> String {
    guard !showsValues else { return sql }
    let text = SQLText(sql)
    var rewriter = SQLRewriter(text)
    let columnNumbers = ofIndex ? [] : Fingerprint.columnNumbers(in: text)
    for token in SQLTokenizer(text) {
      switch token.kind {
      // The names of results are expressions as they were written.
      case .doubleQuoted
      where text[token.range].contains { "'0123456789".contains($0) && text[token.range].contains("(") }:
        let name = Fingerprint.of(SQLIdentifier.unquoted(text[token.range]))
        rewriter.replace(token.range, with: SQLIdentifier.quoted(name))
      case .string where token.range.count > 2 && !Self.formats.contains(text[token.range]):
        rewriter.replace(token.range, with: "?")
      case .blob: rewriter.replace(token.range, with: "?")
      case .real where !ofIndex: rewriter.replace(token.range, with: "?")
      case .integer
      where !ofIndex && !["0", "1"].contains(text[token.range]) && !columnNumbers.contains(token.range):
        rewriter.replace(token.range, with: "?")
      default: break
      }
    }
    return rewriter.rewritten()
  }

  /// An index whose expressions and condition may be shown. Its name is the other one's.
  func shown(_ index: IndexCandidate) -> IndexCandidate {
    var index = index
    index.condition = index.condition.map { shown($0, ofIndex: true) }
    for place in index.keys.indices where index.keys[place].column == nil {
      index.keys[place].sql = shown(index.keys[place].sql, ofIndex: true)
    }
    return index
  }
}
