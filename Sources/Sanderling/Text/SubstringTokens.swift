/// The tokens of substrings, as FTS5 stores and searches them: every three adjacent scalars.
///
/// The table uses SQLite's own tokenizer `ascii`. To this tokenizer, letters and digits of ASCII and all characters
/// outside of ASCII are parts of tokens. So the stored text consists of the tokens, separated by spaces. Other ASCII
/// characters are written in full width, and controls as their pictures.
///
/// Two more scalars follow the end of the text, so that each scalar begins a token. One or two scalars are found as the
/// beginning of a token.
enum SubstringTokens {
  private static let length = 3
  private static let tokenLimit = 64

  /// Appends the tokens of a folded text. O(bytes); appends up to ten bytes for each byte.
  static func append(_ folded: UnsafeBufferPointer<UInt8>, to result: inout [UInt8]) {
    if folded.isEmpty { return }
    var written = characters(of: folded)
    // A text may contain this scalar, U+E000, too. Then the index finds a candidate that doesn't match.
    let end: [UInt8] = [0xEE, 0x80, 0x80]
    for _ in 1..<length { written += end }
    result.reserveCapacity(result.count + 4 * written.count)
    forEachToken(written) { token in
      if !result.isEmpty { result.append(UInt8(ascii: " ")) }
      result.append(contentsOf: token)
    }
  }

  /// An expression of FTS5 that finds each text with the needle. `nil` if each text must be compared: for an empty
  /// needle, and for a single ASCII character, which most texts contain.
  ///
  /// The expression has the first 64 tokens of a long needle, without their order, so that it finds other texts too.
  static func fullTextExpression(_ needle: [UInt8]) -> String? {
    let scalars = needle.count { $0 & 0xC0 != 0x80 }
    if scalars == 0 || needle.count == 1 { return nil }
    let written = needle.withUnsafeBufferPointer { characters(of: $0) }
    if scalars < length { return "\"\(String(decoding: written, as: UTF8.self))\" *" }
    var tokens: [String] = []
    forEachToken(written) { token in
      if tokens.count < tokenLimit { tokens.append("\"\(String(decoding: token, as: UTF8.self))\"") }
    }
    return tokens.joined(separator: " AND ")
  }

  /// The folded text, written in characters that are parts of tokens.
  private static func characters(of folded: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(folded.count + folded.count / 2 + 6)
    for byte in folded {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF:
        result.append(byte)
      case 0x20: append(0x3000, to: &result)
      case 0..<0x20: append(0x2400 + UInt32(byte), to: &result)
      case 0x7F: append(0x2421, to: &result)
      default: append(0xFEE0 + UInt32(byte), to: &result)
      }
    }
    return result
  }

  /// Appends a scalar that takes three bytes in UTF-8.
  private static func append(_ scalar: UInt32, to result: inout [UInt8]) {
    result.append(UInt8(0xE0 | scalar >> 12))
    result.append(UInt8(0x80 | scalar >> 6 & 0x3F))
    result.append(UInt8(0x80 | scalar & 0x3F))
  }

  private static func forEachToken(_ written: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    written.withUnsafeBufferPointer { bytes in
      // The beginnings of the last three scalars.
      var (first, second, third) = (0, 0, 0)
      var count = 0
      var index = 0
      while index < bytes.count {
        (first, second, third) = (second, third, index)
        index += 1
        while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
        count += 1
        if count >= length { body(UnsafeBufferPointer(rebasing: bytes[first..<index])) }
      }
    }
  }
}
