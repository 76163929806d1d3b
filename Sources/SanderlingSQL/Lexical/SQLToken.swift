/// A piece of SQL text as SQLite's lexical rules cut it.
package struct SQLToken: Hashable, Sendable {
  package var kind: Kind
  /// The bytes of the text that it takes.
  package var range: Range<Int>

  package enum Kind: Hashable, Sendable {
    case whitespace
    case comment
    /// A name or keyword without quotes.
    case word
    /// A name in double quotes, which SQLite reads as a string where no such name exists.
    case doubleQuoted
    /// A name in backquotes or brackets.
    case quotedName
    case string
    case blob
    case integer
    case real
    case parameter
    case symbol(SQLSymbol)
    /// A token that SQLite calls unrecognized.
    case illegal
  }

  /// Whether it means nothing but a separation.
  package var isTrivia: Bool { kind == .whitespace || kind == .comment }
}

extension [SQLToken] {
  /// The parenthesis that closes the one at a place.
  package func closing(_ place: Int) -> Int {
    var depth = 0
    for index in place..<count {
      if self[index].kind == .symbol(.leftParenthesis) { depth += 1 }
      if self[index].kind == .symbol(.rightParenthesis) { depth -= 1 }
      if depth == 0 { return index }
    }
    return count - 1
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
