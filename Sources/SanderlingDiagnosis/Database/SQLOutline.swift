/// SQL and SQLite's messages in the form that errors may show: short and without literals.
struct SQLOutline {
  static let maximumLength = 200

  /// The names that may be shown; nil for this module's own SQL, which contains no others.
  var names: SQLNames?

  /// Returns the outline of a statement that SQLite refused.
  func of(_ sql: String, message: String = "") -> String {
    // Prefixes that this module adds to statements; the outline leaves them out.
    for beginning in ["EXPLAIN QUERY PLAN ", "EXPLAIN "] where sql.hasPrefix(beginning) {
      return of(String(sql.dropFirst(beginning.count)), message: message)
    }
    let beginning = String(decoding: sql.utf8.prefix(4 * Self.maximumLength), as: UTF8.self)
    return Self.cut(
      Fingerprint.of(beginning, names: names, state: Self.isSyntaxError(message) ? .malformed : .refused))
  }

  private static func isSyntaxError(_ message: String) -> Bool {
    ["near \"", "unrecognized token", "incomplete input"].contains(where: message.hasPrefix)
  }

  /// Returns a message about a statement that can't be prepared, without words that could be literals. Names of tables,
  /// columns and functions stay.
  func message(_ text: String) -> String {
    for prefix in ["near \"", "unrecognized token: \"", "fts5: syntax error near \"", "fts3: syntax error near \""]
    where text.hasPrefix(prefix) {
      let token = text.dropFirst(prefix.count).prefix { $0 != "\"" }
      if prefix.hasPrefix("near"), isShown(token) { return Self.cut(text) }
      return String(prefix.prefix { $0 != "\"" && $0 != ":" }).trimmingSpaces + " a literal or symbol: syntax error"
    }
    // SQLite suspects that a name in double quotes was meant as a text, so it may be one.
    if text.contains("should this be a string literal") { return "it names a column that does not exist" }
    return Self.beginnings.contains(where: text.hasPrefix) ? Self.cut(text) : Self.failure
  }

  /// Returns a message about a statement that failed while it ran. It may contain values that the statement read or
  /// compared, so only known names stay.
  func messageOfRun(_ text: String) -> String {
    if Self.messagesOfRuns.contains(text) { return text }
    for beginning in ["UNIQUE constraint failed", "NOT NULL constraint failed", "CHECK constraint failed"]
    where text.hasPrefix(beginning) {
      let subject = text.dropFirst(beginning.count + 2)
      let words = subject.split { ",. '\"".contains($0) }
      // A CHECK without a name is identified by its condition, which may contain literals.
      let isNamed = words.allSatisfy { isKnown($0) || $0 == "index" } || words.count == 1 && isName(words[0])
      return isNamed ? Self.cut(text) : beginning
    }
    // SQLite takes these names from the schema.
    return text.hasPrefix("no such table: ") || text.hasPrefix("no such module: ") ? message(text) : Self.failure
  }

  /// Whether a token of a syntax error may be shown: a keyword, or a name of the schema.
  private func isShown(_ token: Substring) -> Bool {
    guard isName(token) else { return false }
    return names == nil || SQLKeyword.keyword(String(token)) != nil || isKnown(token)
  }

  private func isName(_ token: Substring) -> Bool {
    token.utf8.count <= 60 && token.utf8.first.map { !$0.isDigit } == true && token.utf8.allSatisfy(\.isNameByte)
  }

  private func isKnown(_ token: Substring) -> Bool { names?.contains(String(token)) ?? true }

  private static let failure = "it fails when it runs"

  private static let messagesOfRuns: Set<String> = [
    "FOREIGN KEY constraint failed", "datatype mismatch", "database or disk is full", "string or blob too big",
    "malformed JSON", "integer overflow", "too many levels of trigger recursion", "parser stack overflow",
  ]

  private static let beginnings = [
    "no such", "ambiguous column name", "UNIQUE constraint failed", "NOT NULL constraint failed",
    "CHECK constraint failed", "FOREIGN KEY constraint failed", "wrong number of arguments", "misuse of",
    "unsafe use of", "table ", "too many", "not authorized", "cannot ", "sub-select", "SELECTs to the left",
    "vtable constructor failed", "incomplete input", "datatype mismatch", "database or disk is full",
    "a GROUP BY clause", "aggregate functions", "circular reference", "view ", "string or blob too big",
    "ORDER BY", "LIMIT", "near", "malformed JSON", "parser stack overflow", "Expression tree is too large",
    "unknown", "row value misused", "index ", "DISTINCT", "all VALUES", "RIGHT and FULL", "there is already",
  ]

  private static func cut(_ text: String) -> String {
    text.count <= maximumLength ? text : text.prefix(maximumLength - 1) + "…"
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    var text = Substring(self)
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
