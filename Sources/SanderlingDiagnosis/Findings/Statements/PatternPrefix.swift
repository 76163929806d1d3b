/// The rewrite of `column LIKE 'beginning%'` or `column LIKE ? || '%'` as a range of texts, which an index can find.
struct PatternPrefix {
  let column: String
  /// The assumption that the column holds only texts and NULL. LIKE treats other values as texts, and a range doesn't.
  let assumption: RewriteAssumption
  /// The condition that replaces the original.
  let range: String
  /// Whether the beginning is known only when the statement runs. LIKE then still decides about the rows of the range.
  let isComputed: Bool

  /// The code of the last character of Unicode.
  static let lastCharacter = "1114111"

  /// Reads a condition; nil for other conditions, and for a literal with letters. For that, SQLite itself uses the
  /// range in an index that ignores case.
  init?(_ condition: SQLExpression, _ statement: MovableStatement, _ schema: DatabaseSchema) {
    guard case .pattern(let pattern) = condition.kind, pattern.name == "LIKE", !pattern.isNegated,
      pattern.escape == nil, let own = statement.column(pattern.value, schema),
      // A column without a type is compared without conversion, and the assumption says that it holds texts.
      [.text, .blob].contains(own.column.affinity)
    else { return nil }
    let value = statement.text[pattern.value.range]
    switch pattern.pattern.unwrapped.kind {
    case .literal(.string):
      let literal = statement.text[pattern.pattern.unwrapped.range].withoutQuotes
      guard literal.hasSuffix("%") else { return nil }
      let prefix = String(literal.dropLast())
      guard !prefix.isEmpty, !prefix.contains(where: { $0 == "%" || $0 == "_" || ($0.isASCII && $0.isLetter) }),
        let texts = TextRange(prefix: prefix)
      else { return nil }
      (range, isComputed) = (texts.condition(on: value), false)
    case .binary(.concatenate, let beginning, let end):
      guard statement.text[end.unwrapped.range] == "'%'", statement.isConstant(beginning),
        statement.isDeterministic(beginning)
      else { return nil }
      let low = Self.textBeforeWildcard(of: statement.text[beginning.range])
      // LIKE and NOCASE ignore the case of the same letters, those of ASCII. No text contains the last character of
      // Unicode, so all texts with the beginning are before it.
      range =
        "(\(value) COLLATE NOCASE >= \(low) AND \(value) COLLATE NOCASE < \(low) || char(\(Self.lastCharacter)) "
        + "AND \(statement.text[condition.range]))"
      isComputed = true
    default: return nil
    }
    column = own.column.name
    assumption = RewriteAssumption(
      rows: [.init(table: own.table.name, condition: "typeof(\(column.quotedIdentifier)) IN ('text', 'null')")])
  }

  /// The beginning of a text that a user typed, up to its first wildcard. LIKE treats every value as a text, while
  /// comparisons don't.
  private static func textBeforeWildcard(of text: String) -> String {
    "substr(CAST(\(text) AS TEXT), 1, min(instr(\(text) || '%', '%'), instr(\(text) || '_', '_')) - 1)"
  }
}

extension MovableStatement {
  /// Whether an expression has the same value at two places of a statement. It then consists of parameters and literals
  /// without calls.
  fileprivate func isDeterministic(_ expression: SQLExpression) -> Bool {
    expression.withDescendants.allSatisfy { if case .call = $0.kind { false } else { true } }
  }
}
