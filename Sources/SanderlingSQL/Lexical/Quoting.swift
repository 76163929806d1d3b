// Quoting of names and texts in SQL.
//
// All functions work on bytes. To Swift, a quote with a combining mark is another character; to SQLite, it is a quote.

extension String {
  /// The text as an SQL identifier.
  package var quotedIdentifier: String {
    "\"\(doubling(UInt8(ascii: "\"")))\""
  }

  /// The text as an SQL string literal. A NUL character would end the statement, so a text with NUL is written as a
  /// blob of its bytes.
  package var quotedLiteral: String {
    utf8.contains(0)
      ? "CAST(\(Array(utf8).hexLiteral) AS TEXT)"
      : "'\(doubling(UInt8(ascii: "'")))'"
  }

  private func doubling(_ quote: UInt8) -> String {
    guard utf8.contains(quote) else { return self }
    return String(decoding: utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }, as: UTF8.self)
  }

  /// The name or text of a token, without its quotes.
  package var withoutQuotes: String {
    let bytes = Array(utf8)
    guard bytes.count >= 2 else { return self }
    let inner = bytes.dropFirst().dropLast()
    switch (bytes[0], bytes[bytes.count - 1]) {
    case (UInt8(ascii: "\""), UInt8(ascii: "\"")), (UInt8(ascii: "`"), UInt8(ascii: "`")),
      (UInt8(ascii: "'"), UInt8(ascii: "'")):
      return String(decoding: inner.replacing([bytes[0], bytes[0]], with: [bytes[0]]), as: UTF8.self)
    case (UInt8(ascii: "["), UInt8(ascii: "]")): return String(decoding: inner, as: UTF8.self)
    default: return self
    }
  }
}

extension Sequence<UInt8> {
  /// The bytes as an SQL blob literal.
  package var hexLiteral: String { "X'\(hexadecimalText.asciiUppercased)'" }

  /// The bytes that hexadecimal digits encode, two digits for each; nil for other characters or an odd number of
  /// digits.
  package var decodedHexadecimal: [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in self {
      guard let value = digit.hexadecimalDigit else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return high == nil ? bytes : nil
  }

  /// The bytes as lower-case hexadecimal digits, two for each.
  package var hexadecimalText: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension UInt8 {
  /// The value of an ASCII hexadecimal digit of either case; nil for other bytes.
  package var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
