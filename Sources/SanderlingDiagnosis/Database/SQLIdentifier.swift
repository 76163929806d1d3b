/// Names in SQL text.
enum SQLIdentifier {
  /// The name in double quotes, which stand for any name.
  static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// The text as a literal.
  static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }

  /// The name that a token writes, without its quotes.
  static func unquoted(_ text: String) -> String {
    guard let quote = text.first, text.count >= 2 else { return text }
    switch quote {
    case "\"", "`", "'":
      guard text.last == quote else { return text }
      return String(text.dropFirst().dropLast()).replacing("\(quote)\(quote)", with: "\(quote)")
    case "[": return text.last == "]" ? String(text.dropFirst().dropLast()) : text
    default: return text
    }
  }

  /// The names after COLLATE, as they are written.
  static func collations(in sql: String) -> [String] {
    let text = SQLText(sql)
    var names: [String] = []
    var followsCollate = false
    for token in SQLTokenizer(text) where !token.isTrivia {
      let word = text[token.range]
      if followsCollate { names.append(unquoted(word)) }
      followsCollate = token.kind == .word && word.lowercased() == "collate"
    }
    return names
  }
}
