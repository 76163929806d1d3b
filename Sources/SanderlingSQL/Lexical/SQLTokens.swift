/// An SQL text in lexical elements, without spaces and comments.
///
/// Nothing is checked here: SQLite parsed statements of `sqlite_schema` already.
package struct SQLTokens {
  package struct Token: Equatable {
    package enum Kind {
      case word, quotedName, string, number, symbol
    }

    package let kind: Kind
    /// The bytes of the statement.
    package let range: Range<Int>
    /// The token as it compares: words and names without quotes and case.
    package let text: String
    /// The name without quotes, for words and names.
    package let name: String
  }

  package let tokens: [Token]
  private let sql: SQLText

  package init(_ sql: String) {
    let text = SQLText(sql)
    self.sql = text
    tokens = SQLTokenizer(text).compactMap { $0.isTrivia ? nil : Token($0, text[$0.range]) }
  }

  /// The text from the first of the tokens to the last.
  package func source(_ range: Range<Int>) -> String {
    guard let first = tokens[range].first, let last = tokens[range].last else { return "" }
    return sql[first.range.lowerBound..<last.range.upperBound]
  }

  /// The tokens in a form that is equal for texts that differ in spaces, comments, case and needless quotes only.
  package func normalized(_ range: Range<Int>) -> String {
    tokens[range].map(\.text).joined(separator: " ")
  }

  package func isWord(_ word: String, at index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].kind == .word && tokens[index].text == word
  }

  package func isSymbol(_ symbol: String, at index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].kind == .symbol && tokens[index].text == symbol
  }

  /// The position of the parenthesis that closes the one at `index`.
  package func closingParenthesis(of index: Int) -> Int? {
    var depth = 0
    for position in index..<tokens.count {
      if isSymbol("(", at: position) { depth += 1 }
      if isSymbol(")", at: position) {
        depth -= 1
        if depth == 0 { return position }
      }
    }
    return nil
  }

  /// The parts between commas that are in no parentheses.
  package func split(_ range: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    forEachOutside(range) { position in
      guard isSymbol(",", at: position) else { return }
      parts.append(start..<position)
      start = position + 1
    }
    if start < range.upperBound { parts.append(start..<range.upperBound) }
    return parts
  }

  /// Visits the tokens that are in no parentheses, and the opening ones.
  package func forEachOutside(_ range: Range<Int>, _ body: (Int) -> Void) {
    var depth = 0
    for position in range {
      if isSymbol(")", at: position) { depth -= 1 }
      if depth == 0 { body(position) }
      if isSymbol("(", at: position) { depth += 1 }
    }
  }

  /// The tokens between the parentheses that enclose all of a range; nil where none do.
  package func insideParentheses(_ range: Range<Int>) -> Range<Int>? {
    guard let first = range.first, let last = range.last, isSymbol("(", at: first),
      closingParenthesis(of: first) == last
    else { return nil }
    return first + 1..<last
  }
}

extension SQLTokens.Token {
  fileprivate init(_ token: SQLToken, _ sql: String) {
    range = token.range
    switch token.kind {
    case .word, .doubleQuoted, .quotedName:
      kind = token.kind == .word ? .word : .quotedName
      name = sql.withoutQuotes
      let folded = name.asciiLowercased
      let isWord = name.utf8.first.map { $0.isNameByte && !$0.isDigit && $0 != UInt8(ascii: "$") } == true
      text = isWord && name.utf8.allSatisfy(\.isNameByte) ? folded : folded.quotedIdentifier
    case .string:
      // SQLite takes texts for names where only a name can stand.
      (kind, text, name) = (.string, sql, sql.withoutQuotes)
    case .integer, .real: (kind, text, name) = (.number, sql.asciiLowercased, sql)
    case .blob: (kind, text, name) = (.number, sql.asciiUppercased, sql)
    case .symbol, .parameter, .illegal, .whitespace, .comment: (kind, text, name) = (.symbol, sql, sql)
    }
  }
}
