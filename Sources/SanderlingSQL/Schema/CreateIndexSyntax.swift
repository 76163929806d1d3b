/// The parts of a CREATE INDEX statement that no pragma returns: its keys and its condition as written.
package struct CreateIndexSyntax {
  /// A key: an expression with its collation and order.
  package struct Key {
    package let expression: Range<Int>
    /// The collation in the tokens' comparable form. Of several, it is the outermost.
    package let collation: String?
    package let isDescending: Bool
  }

  package let tokens: SQLTokens
  package let isUnique: Bool
  package private(set) var keys: [Key] = []
  /// The tokens of a partial index's condition; nil for an index of all rows.
  package let condition: Range<Int>?

  /// - Returns: Nil for other statements.
  package init?(_ sql: String) {
    tokens = SQLTokens(sql)
    guard let on = tokens.tokens.indices.first(where: { [tokens] in tokens.isWord("on", at: $0) }),
      tokens.isSymbol("(", at: on + 2), let closing = tokens.closingParenthesis(of: on + 2)
    else { return nil }
    isUnique = tokens.isWord("unique", at: 1)
    let end = tokens.tokens.count - (tokens.isSymbol(";", at: tokens.tokens.count - 1) ? 1 : 0)
    condition = tokens.isWord("where", at: closing + 1) && closing + 2 < end ? closing + 2..<end : nil
    keys = tokens.split(on + 3..<closing).map(key)
  }

  /// The SQL of each key, without its order and collation, which pragmas return.
  package var expressions: [String] { keys.map { tokens.source($0.expression) } }

  package var conditionSQL: String? { condition.map(tokens.source) }

  /// Returns the range without the COLLATE operators at its end, and the collation of the outermost.
  package func withoutCollations(_ range: Range<Int>) -> (range: Range<Int>, collation: String?) {
    var (range, collation) = (range, nil as String?)
    while range.count > 2, tokens.isWord("collate", at: range.upperBound - 2) {
      collation = collation ?? tokens.tokens[range.upperBound - 1].text
      range.removeLast(2)
    }
    return (range, collation)
  }

  private func key(_ range: Range<Int>) -> Key {
    var range = range
    var isDescending = false
    if range.count > 1, let last = range.last, tokens.isWord("asc", at: last) || tokens.isWord("desc", at: last) {
      isDescending = tokens.isWord("desc", at: last)
      range.removeLast()
    }
    let (expression, collation) = withoutCollations(range)
    return Key(expression: expression, collation: collation, isDescending: isDescending)
  }
}
