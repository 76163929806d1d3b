/// The tokens of an SQL text, without spaces and comments.
///
/// Nothing is checked, because SQLite has already parsed the statements of `sqlite_schema`.
package struct SQLTokens {
  package struct Token: Equatable {
    package enum Kind {
      case word, quotedName, string, number, symbol
    }

    package let kind: Kind
    /// The token's bytes in the statement.
    package let range: Range<Int>
    /// The token in comparable form: words and names without needless quotes and without case.
    package let text: String
    /// The word or name without quotes.
    package let name: String
  }

  package let tokens: [Token]
  private let sql: SQLText

  package init(_ sql: String) {
    let text = SQLText(sql)
    self.sql = text
    tokens = SQLTokenizer(text).compactMap { $0.isTrivia ? nil : Token($0, text[$0.range]) }
  }

  /// Returns the text from the first to the last token of a range.
  package func source(_ range: Range<Int>) -> String {
    guard let first = tokens[range].first, let last = tokens[range].last else { return "" }
    return sql[first.range.lowerBound..<last.range.upperBound]
  }

  /// Returns the tokens in a normal form. It is equal for texts that differ only in spaces, comments, case and needless
  /// quotes.
  package func normalized(_ range: Range<Int>) -> String {
    tokens[range].map(\.text).joined(separator: " ")
  }

  package func isWord(_ word: String, at index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].kind == .word && tokens[index].text == word
  }

  package func isSymbol(_ symbol: String, at index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].kind == .symbol && tokens[index].text == symbol
  }

  /// Returns the position of the parenthesis that closes the one at `index`.
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

  /// Returns the parts between commas. Commas inside parentheses don't count.
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

  /// Visits the tokens outside parentheses, and the outermost parentheses.
  package func forEachOutside(_ range: Range<Int>, _ body: (Int) -> Void) {
    var depth = 0
    for position in range {
      if isSymbol(")", at: position) { depth -= 1 }
      if depth == 0 { body(position) }
      if isSymbol("(", at: position) { depth += 1 }
    }
  }

  /// Returns the tokens inside a pair of parentheses that encloses the whole range; nil without such a pair.
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
      // SQLite accepts a string as a name where only a name is allowed.
      (kind, text, name) = (.string, sql, sql.withoutQuotes)
    case .integer, .real: (kind, text, name) = (.number, sql.asciiLowercased, sql)
    case .blob: (kind, text, name) = (.number, sql.asciiUppercased, sql)
    case .symbol, .parameter, .illegal, .whitespace, .comment: (kind, text, name) = (.symbol, sql, sql)
    }
  }
}
