/// Splits SQL into tokens by SQLite's rules. It never fails: text that SQLite would refuse becomes an illegal token.
///
/// The ranges of all tokens, in order, cover the whole text. O(length).
package struct SQLTokenizer: Sequence, IteratorProtocol {
  private let text: SQLText
  private var offset = 0

  package init(_ text: SQLText) {
    self.text = text
  }

  package mutating func next() -> SQLToken? {
    guard offset < text.bytes.count else { return nil }
    let (kind, end) = token(at: offset)
    defer { offset = end }
    return SQLToken(kind: kind, range: offset..<end)
  }

  private func token(at start: Int) -> (SQLToken.Kind, end: Int) {
    switch text[start] {
    case 0x09, 0x0a, 0x0c, 0x0d, 0x20:
      // A vertical tab continues white space but doesn't begin it.
      return (.whitespace, end(from: start + 1) { $0 == 0x20 || (0x09...0x0d).contains($0) })
    case UInt8(ascii: "-"): return minus(at: start)
    case UInt8(ascii: "/"): return slash(at: start)
    case UInt8(ascii: "'"): return quoted(at: start, as: .string)
    case UInt8(ascii: "\""): return quoted(at: start, as: .doubleQuoted)
    case UInt8(ascii: "`"): return quoted(at: start, as: .quotedName)
    case UInt8(ascii: "["):
      let end = end(from: start + 1) { $0 != UInt8(ascii: "]") && $0 != 0 }
      return text[end] == 0 ? (.illegal, end) : (.quotedName, end + 1)
    case UInt8(ascii: "?"):
      return (.parameter, end(from: start + 1, while: \.isDigit))
    case UInt8(ascii: "$"), UInt8(ascii: "@"), UInt8(ascii: ":"), UInt8(ascii: "#"):
      return namedParameter(at: start)
    case let byte where byte.isDigit: return number(at: start)
    case UInt8(ascii: ".") where text[start + 1].isDigit: return number(at: start)
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      return text[start + 1] == UInt8(ascii: "'") ? blob(at: start) : word(at: start)
    case 0xef where text[start + 1] == 0xbb && text[start + 2] == 0xbf:
      return (.whitespace, start + 3)
    case let byte where byte.isNameByte && byte != UInt8(ascii: "$"): return word(at: start)
    default: return symbol(at: start)
    }
  }

  private func end(from start: Int, while matches: (UInt8) -> Bool) -> Int {
    var end = start
    while end < text.bytes.count, matches(text[end]) { end += 1 }
    return end
  }

  private func minus(at start: Int) -> (SQLToken.Kind, end: Int) {
    switch text[start + 1] {
    case UInt8(ascii: "-"): (.comment, end(from: start + 2) { $0 != UInt8(ascii: "\n") && $0 != 0 })
    case UInt8(ascii: ">"):
      text[start + 2] == UInt8(ascii: ">") ? (.symbol(.doubleArrow), start + 3) : (.symbol(.arrow), start + 2)
    default: (.symbol(.minus), start + 1)
    }
  }

  private func slash(at start: Int) -> (SQLToken.Kind, end: Int) {
    guard text[start + 1] == UInt8(ascii: "*"), text[start + 2] != 0 else { return (.symbol(.slash), start + 1) }
    var end = start + 3
    while text[end] != 0 {
      if text[end - 1] == UInt8(ascii: "*"), text[end] == UInt8(ascii: "/") { return (.comment, end + 1) }
      end += 1
    }
    return (.comment, end)
  }

  private func quoted(at start: Int, as kind: SQLToken.Kind) -> (SQLToken.Kind, end: Int) {
    let quote = text[start]
    var end = start + 1
    while text[end] != 0 {
      if text[end] == quote {
        guard text[end + 1] == quote else { return (kind, end + 1) }
        end += 1
      }
      end += 1
    }
    return (.illegal, end)
  }

  private func namedParameter(at start: Int) -> (SQLToken.Kind, end: Int) {
    var end = start + 1
    var length = 0
    scan: while end < text.bytes.count {
      switch text[end] {
      case let byte where byte.isNameByte:
        length += 1
        end += 1
      case UInt8(ascii: "(") where length > 0:
        // The name of a Tcl array's element: $name(index).
        let close = self.end(from: end + 1) { $0 != 0 && $0 != UInt8(ascii: ")") && !$0.isSpace }
        guard text[close] == UInt8(ascii: ")") else { return (.illegal, close) }
        end = close + 1
        break scan
      case UInt8(ascii: ":") where text[end + 1] == UInt8(ascii: ":"):
        end += 2
      default: break scan
      }
    }
    return (length == 0 ? .illegal : .parameter, end)
  }

  private func number(at start: Int) -> (SQLToken.Kind, end: Int) {
    var kind = SQLToken.Kind.integer
    var end = start
    if text[start] == UInt8(ascii: "0"), text[start + 1] | 0x20 == UInt8(ascii: "x"), text[start + 2].isHexDigit {
      end = digits(from: start + 2, where: \.isHexDigit)
    } else {
      end = digits(from: start, where: \.isDigit)
      if text[end] == UInt8(ascii: ".") {
        kind = .real
        end = digits(from: end + 1, where: \.isDigit)
      }
      if text[end] | 0x20 == UInt8(ascii: "e") {
        let sign = text[end + 1] == UInt8(ascii: "+") || text[end + 1] == UInt8(ascii: "-") ? 1 : 0
        if text[end + 1 + sign].isDigit {
          kind = .real
          end = digits(from: end + 1 + sign, where: \.isDigit)
        }
      }
    }
    let junk = self.end(from: end, while: \.isNameByte)
    return junk == end ? (kind, end) : (.illegal, junk)
  }

  /// Returns the end of digits. Single underscores between digits belong to them, as in SQLite since 3.46.
  private func digits(from start: Int, where isDigit: (UInt8) -> Bool) -> Int {
    var end = start
    while isDigit(text[end])
      || (end > start && text[end] == UInt8(ascii: "_") && isDigit(text[end - 1]) && isDigit(text[end + 1]))
    {
      end += 1
    }
    return end
  }

  private func blob(at start: Int) -> (SQLToken.Kind, end: Int) {
    let end = end(from: start + 2, while: \.isHexDigit)
    if text[end] == UInt8(ascii: "'"), (end - start) % 2 == 0 { return (.blob, end + 1) }
    let close = self.end(from: end) { $0 != 0 && $0 != UInt8(ascii: "'") }
    return (.illegal, text[close] == 0 ? close : close + 1)
  }

  private func word(at start: Int) -> (SQLToken.Kind, end: Int) {
    (.word, end(from: start + 1, while: \.isNameByte))
  }

  private func symbol(at start: Int) -> (SQLToken.Kind, end: Int) {
    for length in [2, 1] where start + length <= text.bytes.count {
      if let symbol = SQLSymbol(rawValue: text[start..<start + length]) { return (.symbol(symbol), start + length) }
    }
    return (.illegal, start + 1)
  }
}

extension UInt8 {
  /// Whether the byte can be part of a name without quotes.
  package var isNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "$"), 0x80...:
      true
    default: isDigit
    }
  }

  package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  package var isHexDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }

  package var isSpace: Bool { self == 0x20 || (0x09...0x0d).contains(self) }
}
