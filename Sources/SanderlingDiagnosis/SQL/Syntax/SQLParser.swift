import SanderlingSQL

/// Parses SELECT, INSERT, UPDATE and DELETE by SQLite's grammar.
///
/// Accepts some texts that SQLite refuses. An unsupported construct makes the parse fail. O(length). The nesting depth
/// is limited, because the tree is processed recursively.
struct SQLParser {
  static let depthLimit = 200
  /// The greatest use of the stack in bytes. Threads can have stacks of only 512 kB, and frames are several times
  /// larger in debug builds.
  private static let stackLimit: UInt = 320 << 10
  /// The greatest number of sources that SQLite joins.
  static let sourceLimit = 64

  struct Token {
    var kind: SQLToken.Kind
    var range: Range<Int>
    /// The word in capitals; nil for other tokens.
    var keyword: String?
  }

  let text: SQLText
  let tokens: [Token]
  var index = 0
  /// The current nesting depth of expressions and subqueries.
  var level = 0
  /// The depth of the deepest expression in the SELECT being read.
  var deepest = 0
  private var parameterCount = 0
  private var parameterNames: [String: Int] = [:]
  private var lastCore = 0
  private var lastSource = 0
  /// The stack address at the parser's start.
  private var stackStart: UInt = 0

  /// Returns the tree of one statement; a semicolon may follow it.
  ///
  /// - Throws: `SQLParseError`.
  static func parse(_ sql: String) throws(SQLParseError) -> SQLStatement {
    var parser = SQLParser(sql)
    parser.stackStart = stackPosition()
    let kind = try parser.statement()
    parser.skipSymbol(.semicolon)
    guard parser.index == parser.tokens.count else { throw parser.error("expected the end of the statement") }
    return SQLStatement(
      kind: kind, text: parser.text, parameterCount: parser.parameterCount, parameterNames: parser.parameterNames)
  }

  private init(_ sql: String) {
    text = SQLText(sql)
    var tokens: [Token] = []
    for token in SQLTokenizer(text) where !token.isTrivia {
      // The longest keyword has 17 bytes.
      let isShort = token.kind == .word && token.range.count < 18
      tokens.append(
        Token(
          kind: token.kind, range: token.range, keyword: isShort ? SQLKeyword.keyword(text[token.range]) : nil))
    }
    self.tokens = tokens
  }

  // MARK: Tokens

  func token(at offset: Int = 0) -> Token? {
    index + offset < tokens.count ? tokens[index + offset] : nil
  }

  func isKeyword(_ keyword: String, at offset: Int = 0) -> Bool {
    token(at: offset)?.keyword == keyword
  }

  func isSymbol(_ symbol: SQLSymbol, at offset: Int = 0) -> Bool {
    token(at: offset)?.kind == .symbol(symbol)
  }

  @discardableResult
  mutating func skipKeyword(_ keyword: String) -> Bool {
    guard isKeyword(keyword) else { return false }
    index += 1
    return true
  }

  /// Skips all the keywords, or none.
  mutating func skipKeywords(_ keywords: String...) -> Bool {
    for (offset, keyword) in keywords.enumerated() where !isKeyword(keyword, at: offset) { return false }
    index += keywords.count
    return true
  }

  @discardableResult
  mutating func skipSymbol(_ symbol: SQLSymbol) -> Bool {
    guard isSymbol(symbol) else { return false }
    index += 1
    return true
  }

  mutating func expectKeyword(_ keyword: String) throws(SQLParseError) {
    guard skipKeyword(keyword) else { throw error("expected \(keyword)") }
  }

  mutating func expectSymbol(_ symbol: SQLSymbol) throws(SQLParseError) {
    guard skipSymbol(symbol) else { throw error("expected '\(symbol.rawValue)'") }
  }

  /// The start of the next token.
  var start: Int { token()?.range.lowerBound ?? text.bytes.count }

  /// Returns the range from an offset to the end of the last read token.
  func range(from start: Int) -> Range<Int> {
    start..<max(start, index > 0 ? tokens[index - 1].range.upperBound : start)
  }

  func error(_ reason: String) -> SQLParseError {
    let (line, column) = text.position(of: start)
    return SQLParseError(line: line, column: column, reason: reason)
  }

  mutating func enter() throws(SQLParseError) {
    level += 1
    let position = Self.stackPosition()
    let used = position < stackStart ? stackStart - position : position - stackStart
    guard level <= Self.depthLimit, used < Self.stackLimit else { throw error("too many levels of nesting") }
  }

  @inline(never)
  private static func stackPosition() -> UInt {
    var local: UInt8 = 0
    return withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
  }

  // MARK: Names

  /// Whether the next token is a name; an unreserved keyword counts as one.
  func isName(at offset: Int = 0) -> Bool {
    guard let token = token(at: offset) else { return false }
    switch token.kind {
    case .word: return token.keyword.map { !SQLKeyword.reserved.contains($0) } ?? true
    case .doubleQuoted, .quotedName, .string: return true
    default: return false
    }
  }

  mutating func name() throws(SQLParseError) -> SQLName {
    guard isName(), let token = token() else { throw error("expected a name") }
    index += 1
    return SQLName(
      text: unquoted(token), range: token.range, isDoubleQuoted: token.kind == .doubleQuoted)
  }

  private func unquoted(_ token: Token) -> String {
    guard token.kind != .word, token.range.count >= 2 else { return text[token.range] }
    let inner = text[token.range.lowerBound + 1..<token.range.upperBound - 1]
    let quote = text[token.range.lowerBound]
    guard quote != UInt8(ascii: "[") else { return inner }
    var result: [UInt8] = []
    var isSecond = false
    for byte in inner.utf8 {
      isSecond = byte == quote && !isSecond
      if !isSecond { result.append(byte) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Reads an alias with or without AS.
  mutating func alias() throws(SQLParseError) -> SQLName? {
    if skipKeyword("AS") { return try name() }
    guard isName() else { return nil }
    if let keyword = token()?.keyword, Self.keywordsAfterTerms.contains(keyword) { return nil }
    return try name()
  }

  /// The words that continue the clause and therefore are no aliases without AS.
  private static let keywordsAfterTerms: Set<String> = [
    "CROSS", "FULL", "INDEXED", "INNER", "LEFT", "NATURAL", "OUTER", "RIGHT", "WINDOW",
  ]

  // MARK: Numbers

  mutating func newCore() -> Int {
    lastCore += 1
    return lastCore
  }

  mutating func newSource() -> Int {
    lastSource += 1
    return lastSource
  }

  /// Resets all numbers, because a text is read again.
  mutating func resetNumbers() {
    (lastCore, lastSource, parameterCount, parameterNames) = (0, 0, 0, [:])
  }

  mutating func parameterNumber(_ token: Token) throws(SQLParseError) -> Int {
    let name = text[token.range]
    let number: Int
    if name == "?" {
      number = parameterCount + 1
    } else if name.hasPrefix("?") {
      guard let written = Int(name.dropFirst()), (1...250_000).contains(written) else {
        throw error("a parameter's number is out of range")
      }
      number = written
    } else if let known = parameterNames[name] {
      number = known
    } else {
      number = parameterCount + 1
    }
    if name != "?" { parameterNames[name] = number }
    parameterCount = max(parameterCount, number)
    return number
  }
}
