import SanderlingSQL

/// Removes literals from the statements that a report proposes, since they may be values of the app's users.
///
/// Literals in an index's expressions and condition stay: they are part of the index's definition and belong to the
/// app's code.
struct LiteralRemover: Sendable {
  var showsValues = false
  /// Literals of the schema's own text, which a statement contains if a view was expanded. They belong to the app's
  /// code.
  var ofSchema: Set<String> = []
  /// The names of the schema: other text in double quotes is a value. Nil if all of it is names.
  var names: SQLNames?

  /// Strings that select a computation and are not its input.
  private static let formats: Set = [
    "'+1 day'", "'+1 month'", "'+1 year'", "'-01'", "'-01-01'", "'%s'", "'%Y'", "'%Y-%m'", "'%Y-%m-%d'", "'unixepoch'",
    "'%'", "'_'", "'*'",
  ]

  /// Numbers that reveal nothing. The last one is the code point of Unicode's last character.
  private static let numbers: Set = ["0", "1", PatternPrefix.lastCharacter]

  /// Whether a string literal is always shown: it is empty, or selects a computation.
  static func staysWithoutValues(_ literal: String) -> Bool { literal.utf8.count <= 2 || formats.contains(literal) }

  /// Returns SQL in the form that a report may show. Comments are removed. Unless values may be shown, literals are
  /// removed too, except 0, 1, wildcards, and column numbers in ORDER BY and GROUP BY.
  ///
  /// If the statement has numbered parameters, a removed literal becomes a parameter with a new number, so that the
  /// others keep theirs.
  func shown(_ sql: String) -> String {
    guard !showsValues else { return sql }
    let text = SQLText(sql)
    var rewriter = SQLRewriter(text)
    let columnNumbers = Fingerprint.columnNumbers(in: text)
    let strings = names?.values(in: text) ?? []
    var places: [String: String] = [:]
    let greatest = SQLTokenizer(text).filter { $0.kind == .parameter }.compactMap { Int(text[$0.range].dropFirst()) }
      .max()
    func place(_ token: SQLToken) -> String {
      guard let greatest else { return "?" }
      let next = "?\(greatest + places.count + 1)"
      let place = places[text[token.range]] ?? next
      places[text[token.range]] = place
      return place
    }
    for token in SQLTokenizer(text) {
      switch token.kind {
      case .comment: rewriter.replace(token.range, with: " ")
      // A result's name is its expression as written.
      case .doubleQuoted where Self.isExpression(text[token.range]):
        rewriter.replace(
          token.range, with: shown(text[token.range].withoutQuotes).quotedIdentifier)
      case .doubleQuoted where strings.contains(token.range): rewriter.replace(token.range, with: place(token))
      case _ where ofSchema.contains(text[token.range]): break
      case .string where !Self.staysWithoutValues(text[token.range]):
        rewriter.replace(token.range, with: place(token))
      case .blob, .illegal: rewriter.replace(token.range, with: place(token))
      case .real: rewriter.replace(token.range, with: place(token))
      case .integer
      where !Self.numbers.contains(text[token.range]) && !columnNumbers.contains(token.range):
        rewriter.replace(token.range, with: place(token))
      default: break
      }
    }
    return rewriter.rewritten()
  }

  /// Whether a name in double quotes is an expression with a literal: `"count(*) > 5"`, `"'draft'"`.
  private static func isExpression(_ name: String) -> Bool {
    name.contains("'") || name.contains("(") && name.contains { "0123456789".contains($0) }
  }
}
