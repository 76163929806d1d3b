/// An SQL text in lexical elements, without spaces and comments.
///
/// See [how SQLite's tokenizer works](https://www.sqlite.org/draft/tokenreq.html). Statements in `sqlite_schema` were
/// parsed by SQLite already, so nothing is checked here.
struct SQLTokens {
  struct Token: Equatable {
    enum Kind {
      case word, quotedName, string, number, symbol
    }

    let kind: Kind
    /// The bytes of the statement.
    let range: Range<Int>
    /// The token as it compares: words and names without quotes and case.
    let text: String
    /// The name without quotes, for words and names.
    let name: String
  }

  let tokens: [Token]
  private let bytes: [UInt8]

  init(_ sql: String) {
    bytes = Array(sql.utf8)
    var scanner = SQLScanner(bytes: bytes)
    var tokens: [Token] = []
    while let token = scanner.next() { tokens.append(token) }
    self.tokens = tokens
  }

  /// The text from the first of the tokens to the last.
  func source(_ range: Range<Int>) -> String {
    guard let first = tokens[range].first, let last = tokens[range].last else { return "" }
    return String(decoding: bytes[first.range.lowerBound..<last.range.upperBound], as: UTF8.self)
  }

  /// The tokens in a form that is equal for texts that differ in spaces, comments, case and needless quotes only.
  func normalized(_ range: Range<Int>) -> String {
    tokens[range].map(\.text).joined(separator: " ")
  }

  func isWord(_ word: String, at index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].kind == .word && tokens[index].text == word
  }

  func isSymbol(_ symbol: String, at index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].kind == .symbol && tokens[index].text == symbol
  }

  /// The position of the parenthesis that closes the one at `index`.
  func closingParenthesis(of index: Int) -> Int? {
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
  func split(_ range: Range<Int>) -> [Range<Int>] {
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
  func forEachOutside(_ range: Range<Int>, _ body: (Int) -> Void) {
    var depth = 0
    for position in range {
      if isSymbol(")", at: position) { depth -= 1 }
      if depth == 0 { body(position) }
      if isSymbol("(", at: position) { depth += 1 }
    }
  }
}

/// Finds one token after the other.
private struct SQLScanner {
  let bytes: [UInt8]
  var position = 0

  mutating func next() -> SQLTokens.Token? {
    skipSpacesAndComments()
    guard let first = peek() else { return nil }
    let start = position
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "`"):
      skipQuoted(until: first)
      return name(.quotedName, start, unquoted(start + 1, first))
    case UInt8(ascii: "["):
      skipQuoted(until: UInt8(ascii: "]"))
      return name(.quotedName, start, text(start + 1..<max(start + 1, position - 1)))
    case UInt8(ascii: "'"):
      skipQuoted(until: first)
      // SQLite takes texts for names where only a name can stand.
      let text = text(start..<position)
      return SQLTokens.Token(kind: .string, range: start..<position, text: text, name: unquoted(start + 1, first))
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      if peek(1) == UInt8(ascii: "'") {
        position += 1
        skipQuoted(until: UInt8(ascii: "'"))
        return token(.number, start, text(start..<position).uppercased())
      }
      fallthrough
    case _ where first.startsWord:
      while let byte = peek(), byte.continuesWord { position += 1 }
      return name(.word, start, text(start..<position))
    case _ where first.isDigit || first == UInt8(ascii: ".") && (peek(1)?.isDigit ?? false):
      skipNumber()
      return token(.number, start, text(start..<position).lowercased())
    default:
      position += 1
      return token(.symbol, start)
    }
  }

  private func peek(_ offset: Int = 0) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  private func token(_ kind: SQLTokens.Token.Kind, _ start: Int, _ normalized: String? = nil) -> SQLTokens.Token {
    let text = text(start..<position)
    return SQLTokens.Token(kind: kind, range: start..<position, text: normalized ?? text, name: text)
  }

  private func name(_ kind: SQLTokens.Token.Kind, _ start: Int, _ name: String) -> SQLTokens.Token {
    let folded = name.asciiFolded
    let isWord = name.utf8.first?.startsWord == true && name.utf8.allSatisfy(\.continuesWord)
    return SQLTokens.Token(
      kind: kind, range: start..<position, text: isWord ? folded : folded.quotedIdentifier, name: name)
  }

  private func unquoted(_ start: Int, _ quote: UInt8) -> String {
    let mark = String(decoding: [quote], as: UTF8.self)
    return text(start..<max(start, position - 1)).replacing(mark + mark, with: mark)
  }

  private mutating func skipSpacesAndComments() {
    while let byte = peek() {
      if byte == UInt8(ascii: " ") || (9...13).contains(byte) {
        position += 1
      } else if byte == UInt8(ascii: "-"), peek(1) == byte {
        while let byte = peek(), byte != UInt8(ascii: "\n") { position += 1 }
      } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        position += 2
        while let byte = peek(), !(byte == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/")) { position += 1 }
        position = min(position + 2, bytes.count)
      } else {
        return
      }
    }
  }

  /// Skips to behind the closing mark; a doubled one stands for itself.
  private mutating func skipQuoted(until mark: UInt8) {
    position += 1
    while let byte = peek() {
      position += 1
      guard byte == mark else { continue }
      if mark != UInt8(ascii: "]"), peek() == mark {
        position += 1
      } else {
        return
      }
    }
  }

  private mutating func skipNumber() {
    while let byte = peek() {
      let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      let followsExponent = bytes[position - (position > 0 ? 1 : 0)] | 32 == UInt8(ascii: "e")
      guard byte.continuesWord || byte == UInt8(ascii: ".") || isSign && followsExponent else { return }
      position += 1
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var startsWord: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercasedASCII) || self == UInt8(ascii: "_") || self >= 0x80
  }

  fileprivate var continuesWord: Bool {
    startsWord || isDigit || self == UInt8(ascii: "$")
  }
}
