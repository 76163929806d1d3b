import Foundation
import SanderlingSQL

/// Finds bound values by comparing a statement with its text after the values were filled in.
enum ExpandedSQL {
  /// Returns the values by parameter number; empty if the texts don't match. O(length).
  static func bindings(of sql: String, expandedTo expanded: String) -> [Int: BoundValue] {
    let (text, filled) = (SQLText(sql), SQLText(expanded))
    let values = SQLTokenizer(filled).filter { !$0.isTrivia }
    var bindings: [Int: BoundValue] = [:]
    var numbers = ParameterNumbers()
    var next = 0
    for token in SQLTokenizer(text) where !token.isTrivia {
      guard next < values.count else { return [:] }
      if token.kind == .parameter {
        guard let number = numbers.number(of: text[token.range]) else { return [:] }
        var sign = ""
        if values[next].kind == .symbol(.minus), next + 1 < values.count { (sign, next) = ("-", next + 1) }
        guard let value = value(of: values[next], in: filled, sign: sign) else { return [:] }
        bindings[number] = value
      } else if text[token.range] != filled[values[next].range] {
        return [:]
      }
      next += 1
    }
    return next == values.count ? bindings : [:]
  }

  private static func value(of token: SQLToken, in text: SQLText, sign: String) -> BoundValue? {
    let written = text[token.range]
    switch token.kind {
    case .integer: return Int64(sign + written).map { .integer($0) } ?? Double(sign + written).map { .real($0) }
    case .real: return Double(sign + written).map { .real($0) }
    case .string: return .text(written.withoutQuotes)
    case .blob: return written.utf8.dropFirst(2).dropLast().decodedHexadecimal.map { .blob($0) }
    case .word where written.asciiUppercased == "NULL": return .null
    default: return nil
    }
  }
}

/// Numbers parameters in the order of the text, as SQLite does.
struct ParameterNumbers {
  private var count = 0
  private var names: [String: Int] = [:]

  /// Returns the number of the next parameter in a text; nil if SQLite does not accept the name.
  mutating func number(of name: String) -> Int? {
    var number = count + 1
    if name.hasPrefix("?"), name != "?" {
      guard let written = Int(name.dropFirst()), (1...250_000).contains(written) else { return nil }
      number = written
    } else if let known = names[name] {
      number = known
    }
    if name != "?" { names[name] = number }
    count = max(count, number)
    return number
  }
}
