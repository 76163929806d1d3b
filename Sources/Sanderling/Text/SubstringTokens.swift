/// The parts of texts as FTS5 stores them and is asked for them: every three scalars that stand side by side.
///
/// The table has SQLite's own tokenizer `ascii`, to which letters and digits of ASCII and all that isn't ASCII are parts of tokens. So the
/// text that it is given has the tokens with spaces between them. Other characters of ASCII are written in full width, controls as their
/// pictures. Two more scalars stand for what follows the end of the text, so that each scalar begins a token: two are found as the beginning
/// of one.
enum SubstringTokens {
  private static let length = 3
  private static let tokenLimit = 64

  /// Appends the tokens of a folded text. O(bytes), up to ten bytes for each.
  static func append(_ folded: UnsafeBufferPointer<UInt8>, to result: inout [UInt8]) {
    if folded.isEmpty { return }
    var written = characters(of: folded)
    // A text may have this one too, which makes a candidate that doesn't match.
    let end: [UInt8] = [0xEE, 0x80, 0x80]
    for _ in 1..<length { written += end }
    result.reserveCapacity(result.count + 4 * written.count)
    forEachToken(written) { token in
      if !result.isEmpty { result.append(UInt8(ascii: " ")) }
      result.append(contentsOf: token)
    }
  }

  /// What to ask an FTS5 table for, in its syntax, so that it finds each text that has the needle. `nil` where all texts have to be looked at:
  /// for a single character of ASCII, which most of them have, and for nothing.
  ///
  /// It names the first 64 tokens of a long needle, and not where they are, so that it finds others too.
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

  /// A folded text in characters that are parts of tokens.
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

  /// Appends a scalar of three bytes.
  private static func append(_ scalar: UInt32, to result: inout [UInt8]) {
    result.append(UInt8(0xE0 | scalar >> 12))
    result.append(UInt8(0x80 | scalar >> 6 & 0x3F))
    result.append(UInt8(0x80 | scalar & 0x3F))
  }

  private static func forEachToken(_ written: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    written.withUnsafeBufferPointer { bytes in
      // Where the last scalars begin.
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
