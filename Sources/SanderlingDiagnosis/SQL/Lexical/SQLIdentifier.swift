/// Names in SQL text.
///
/// Compares bytes: a quote followed by a combining mark is another character in Swift, but a quote in SQLite.
enum SQLIdentifier {
  /// The name in double quotes, which are valid for any name.
  static func quoted(_ name: String) -> String {
    "\"\(doubling(UInt8(ascii: "\""), in: name))\""
  }

  /// The text as a literal.
  static func literal(_ text: String) -> String {
    "'\(doubling(UInt8(ascii: "'"), in: text))'"
  }

  private static func doubling(_ quote: UInt8, in text: String) -> String {
    String(decoding: text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }, as: UTF8.self)
  }

  /// The name of a token, without its quotes.
  static func unquoted(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.count >= 2 else { return text }
    let inner = bytes.dropFirst().dropLast()
    switch (bytes[0], bytes[bytes.count - 1]) {
    case (UInt8(ascii: "\""), UInt8(ascii: "\"")), (UInt8(ascii: "`"), UInt8(ascii: "`")),
      (UInt8(ascii: "'"), UInt8(ascii: "'")):
      return String(decoding: inner.replacing([bytes[0], bytes[0]], with: [bytes[0]]), as: UTF8.self)
    case (UInt8(ascii: "["), UInt8(ascii: "]")): return String(decoding: inner, as: UTF8.self)
    default: return text
    }
  }

  /// The names after COLLATE, as written.
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
