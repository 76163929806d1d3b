/// SQL and SQLite's messages as errors may show them: without literals, and short.
enum SQLOutline {
  static let maximumLength = 200

  static func of(_ sql: String) -> String {
    // What this module puts before a statement is none of the reader's.
    let explaining = "EXPLAIN QUERY PLAN "
    if sql.hasPrefix(explaining) { return of(String(sql.dropFirst(explaining.count))) }
    return cut(Fingerprint.of(String(decoding: sql.utf8.prefix(4 * maximumLength), as: UTF8.self)))
  }

  /// A message with what could be a literal taken out. Names of tables, columns and functions stay.
  static func message(_ text: String) -> String {
    for prefix in ["near \"", "unrecognized token: \"", "fts5: syntax error near \"", "fts3: syntax error near \""]
    where text.hasPrefix(prefix) {
      let token = text.dropFirst(prefix.count).prefix { $0 != "\"" }
      let isName = token.utf8.first.map { !$0.isDigit && $0.isNameByte } ?? false
      if prefix.hasPrefix("near"), isName, token.utf8.count <= 60 { return cut(text) }
      return String(prefix.prefix { $0 != "\"" && $0 != ":" }).trimmingSpaces + " a literal or symbol: syntax error"
    }
    // SQLite's guess that a name in double quotes was meant as a text: then it may be one.
    if text.contains("should this be a string literal") { return "it names a column that does not exist" }
    let starts = [
      "no such", "ambiguous column name", "UNIQUE constraint failed", "NOT NULL constraint failed",
      "CHECK constraint failed", "FOREIGN KEY constraint failed", "wrong number of arguments", "misuse of",
      "unsafe use of", "table ", "too many", "not authorized", "cannot ", "sub-select", "SELECTs to the left",
      "vtable constructor failed", "incomplete input", "datatype mismatch", "database or disk is full",
      "a GROUP BY clause", "aggregate functions", "circular reference", "view ", "string or blob too big",
      "ORDER BY", "LIMIT", "near", "malformed JSON", "parser stack overflow", "Expression tree is too large",
      "unknown", "row value misused", "index ", "DISTINCT", "all VALUES", "RIGHT and FULL", "there is already",
    ]
    return starts.contains(where: text.hasPrefix) ? cut(text) : "it fails when it runs"
  }

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
