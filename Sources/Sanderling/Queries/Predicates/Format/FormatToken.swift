/// A word, a value or a sign of a predicate format.
struct FormatToken {
  enum Kind: Equatable {
    case word(String)
    /// A name that isn't read as a keyword: `#in`.
    case name(String)
    case integer(Int64)
    case real(Double)
    case text(String)
    /// `%@`, or `%K`, or the letter of a number's placeholder.
    case argument(Character)
    case variable(String)
    case sign(String)
    case end
  }

  let kind: Kind
  /// The number of characters before the token.
  let position: Int
}

/// Divides a predicate format into tokens.
struct FormatLexer {
  private let format: String
  private let characters: [Character]
  private var index = 0

  private init(_ format: String) {
    self.format = format
    characters = Array(format)
  }

  /// Returns the tokens of a format, the last of them its end.
  static func tokens(of format: String) throws -> [FormatToken] {
    var lexer = FormatLexer(format)
    var tokens: [FormatToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private static let signs = ["==", "=>", "=<", "<=", ">=", "<>", "!=", "&&", "||", "**", ":="]

  private mutating func next() throws -> FormatToken {
    skip(while: \.isWhitespace)
    let start = index
    return FormatToken(kind: try kind(at: start), position: start)
  }

  private mutating func kind(at start: Int) throws -> FormatToken.Kind {
    guard let first = peek() else { return .end }
    if first.isNameStart || first == "@" { return .word(take { $0.isNamePart || $0 == "@" }) }
    if first.isDigit || first == "." && peek(1)?.isDigit == true { return try number(at: start) }
    switch first {
    case "'", "\"": return .text(try text(quotedBy: first))
    case "#", "$":
      index += 1
      let name = take(while: \.isNamePart)
      if name.isEmpty { throw error("a name must follow \(first)", at: start) }
      return first == "#" ? .name(name) : .variable(name)
    case "%": return .argument(try placeholder(at: start))
    default:
      let pair = String(characters[start..<min(start + 2, characters.count)])
      index += Self.signs.contains(pair) ? 2 : 1
      return .sign(index == start + 2 ? pair : String(first))
    }
  }

  /// Reads a placeholder, and returns its last letter: the type of the argument.
  private mutating func placeholder(at start: Int) throws -> Character {
    index += 1
    let lengths = take { "hlqLzjt".contains($0) }
    guard let letter = peek() else { throw error("% must be followed by @, K or the letter of a number", at: start) }
    index += 1
    if letter == "@" || letter == "K", lengths.isEmpty { return letter }
    guard "dDiuUxXoOfFeEgGaA".contains(letter) else {
      throw error("%\(lengths)\(letter) is no placeholder of a value: write %@", at: start)
    }
    return letter
  }

  private mutating func number(at start: Int) throws -> FormatToken.Kind {
    let bases: [Character: Int] = ["x": 16, "o": 8, "b": 2]
    if peek() == "0", let base = peek(1).flatMap({ bases[$0] }) {
      index += 2
      guard let integer = Int64(take(while: \.isNamePart), radix: base) else {
        throw error("this is no number", at: start)
      }
      return .integer(integer)
    }
    var text = take { $0.isDigit || $0 == "." }
    if let exponent = peek(), exponent == "e" || exponent == "E" {
      index += 1
      text += "e"
      if let sign = peek(), sign == "+" || sign == "-" {
        text.append(sign)
        index += 1
      }
      text += take(while: \.isDigit)
    }
    guard let real = Double(text), peek()?.isNamePart != true else { throw error("this is no number", at: start) }
    return Int64(text).map { .integer($0) } ?? .real(real)
  }

  private mutating func text(quotedBy quote: Character) throws -> String {
    let start = index
    var text = ""
    index += 1
    while let character = peek() {
      index += 1
      if character == quote { return text }
      guard character == "\\", let escaped = peek() else {
        text.append(character)
        continue
      }
      index += 1
      switch escaped {
      case "n": text.append("\n")
      case "r": text.append("\r")
      case "t": text.append("\t")
      default: text.append(escaped)
      }
    }
    throw error("the text has no closing quote", at: start)
  }

  private func peek(_ offset: Int = 0) -> Character? {
    characters.indices.contains(index + offset) ? characters[index + offset] : nil
  }

  private mutating func take(while condition: (Character) -> Bool) -> String {
    let start = index
    skip(while: condition)
    return String(characters[start..<index])
  }

  private mutating func skip(while condition: (Character) -> Bool) {
    while let character = peek(), condition(character) { index += 1 }
  }

  private func error(_ reason: String, at position: Int) -> PredicateFormatError {
    PredicateFormatError(reason, in: format, at: position)
  }
}

extension Character {
  fileprivate var isNameStart: Bool { isLetter || self == "_" }
  fileprivate var isNamePart: Bool { isLetter || isDigit || self == "_" }
  fileprivate var isDigit: Bool { isASCII && isNumber }
}
