/// What an index holds, in a form that is equal for indexes that serve the same queries, whatever their names.
struct IndexShape: Hashable, Sendable {
  struct Term: Hashable, Sendable {
    /// A column's name or an expression.
    let sql: String
    /// In lower case.
    let collation: String
    let isDescending: Bool

    static func == (lhs: Term, rhs: Term) -> Bool {
      lhs.hasValues(of: rhs) && lhs.isDescending == rhs.isDescending
    }

    /// Whether both hold the same, in whatever order. Texts in expressions are compared as SQLite does, by their bytes.
    func hasValues(of other: Term) -> Bool {
      sql.isIdentical(to: other.sql) && collation.isIdentical(to: other.collation)
    }
  }

  let isUnique: Bool
  let terms: [Term]
  let condition: String?

  static func == (lhs: IndexShape, rhs: IndexShape) -> Bool {
    lhs.isUnique == rhs.isUnique && lhs.finds(sameRowsAs: rhs)
  }

  /// Whether both hold the same of the same rows.
  func finds(sameRowsAs other: IndexShape) -> Bool {
    guard terms == other.terms else { return false }
    switch (condition, other.condition) {
    case (nil, nil): return true
    case (let condition?, let other?): return condition.isIdentical(to: other)
    default: return false
    }
  }

  init(isUnique: Bool, terms: [Term], condition: String? = nil) {
    self.isUnique = isUnique
    self.terms = terms
    self.condition = condition
  }

  /// - Parameters:
  ///   - sql: A CREATE INDEX statement.
  ///   - collation: The collation of the table's column with a name.
  init?(_ sql: String, collation: (String) -> String?) {
    let tokens = SQLTokens(sql)
    guard let range = Self.terms(in: tokens) else { return nil }
    isUnique = tokens.isWord("unique", at: 1)
    terms = tokens.split(range).map { Self.term(tokens, $0, collation) }
    condition = Self.condition(in: tokens).map { tokens.normalized(Self.withoutParentheses(tokens, $0)) }
  }

  /// Where the terms stand in a CREATE INDEX statement.
  private static func terms(in tokens: SQLTokens) -> Range<Int>? {
    guard let on = tokens.tokens.indices.first(where: { tokens.isWord("on", at: $0) }),
      tokens.isSymbol("(", at: on + 2), let closing = tokens.closingParenthesis(of: on + 2)
    else { return nil }
    return on + 3..<closing
  }

  /// Where the condition stands in a CREATE INDEX statement; nil when it has none.
  static func condition(in tokens: SQLTokens) -> Range<Int>? {
    guard let closing = terms(in: tokens)?.upperBound, tokens.isWord("where", at: closing + 1) else { return nil }
    return closing + 2..<tokens.tokens.count
  }

  private static func term(_ tokens: SQLTokens, _ range: Range<Int>, _ collation: (String) -> String?) -> Term {
    var range = range
    var isDescending = false
    if let last = range.last, tokens.isWord("asc", at: last) || tokens.isWord("desc", at: last) {
      isDescending = tokens.isWord("desc", at: last)
      range.removeLast()
    }
    range = withoutParentheses(tokens, range)
    var name: String?
    // The outermost of several collations counts.
    while range.count > 2, tokens.isWord("collate", at: range.upperBound - 2) {
      name = name ?? tokens.tokens[range.upperBound - 1].text
      range = withoutParentheses(tokens, range.dropLast(2))
    }
    let column = range.count == 1 ? collation(tokens.tokens[range.lowerBound].name) : nil
    return Term(
      sql: tokens.normalized(range), collation: name ?? column?.lowercased() ?? "binary", isDescending: isDescending)
  }

  private static func withoutParentheses(_ tokens: SQLTokens, _ range: Range<Int>) -> Range<Int> {
    guard let first = range.first, let last = range.last, tokens.isSymbol("(", at: first),
      tokens.closingParenthesis(of: first) == last
    else { return range }
    return withoutParentheses(tokens, first + 1..<last)
  }
}
