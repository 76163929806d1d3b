/// A token of SQL text, by SQLite's lexical rules.
package struct SQLToken: Hashable, Sendable {
  package var kind: Kind
  /// The token's bytes in the text.
  package var range: Range<Int>

  package enum Kind: Hashable, Sendable {
    case whitespace
    case comment
    /// A name or keyword without quotes.
    case word
    /// A name in double quotes. SQLite reads it as a string if no such name exists.
    case doubleQuoted
    /// A name in backquotes or brackets.
    case quotedName
    case string
    case blob
    case integer
    case real
    case parameter
    case symbol(SQLSymbol)
    /// A token that SQLite reports as unrecognized.
    case illegal
  }

  /// Whether the token only separates others.
  package var isTrivia: Bool { kind == .whitespace || kind == .comment }
}

extension [SQLToken] {
  /// Returns the index of the parenthesis that closes the one at an index; nil if the index has none, or nothing closes
  /// it.
  package func closing(_ place: Int) -> Int? {
    guard indices.contains(place), self[place].kind == .symbol(.leftParenthesis) else { return nil }
    var depth = 0
    for index in place..<count {
      if self[index].kind == .symbol(.leftParenthesis) { depth += 1 }
      if self[index].kind == .symbol(.rightParenthesis) { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}

/// A token of operators and punctuation.
package enum SQLSymbol: String, Hashable, Sendable {
  case leftParenthesis = "("
  case rightParenthesis = ")"
  case comma = ","
  case semicolon = ";"
  case dot = "."
  case star = "*"
  case plus = "+"
  case minus = "-"
  case slash = "/"
  case percent = "%"
  case equal = "="
  case doubleEqual = "=="
  case notEqual = "!="
  case lessOrGreater = "<>"
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case shiftLeft = "<<"
  case shiftRight = ">>"
  case ampersand = "&"
  case bar = "|"
  case concatenation = "||"
  case tilde = "~"
  case arrow = "->"
  case doubleArrow = "->>"
}
