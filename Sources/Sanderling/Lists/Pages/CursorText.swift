/// [Base64 for URLs](https://www.rfc-editor.org/rfc/rfc4648#section-5), without padding.
enum CursorText {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let values: [UInt8?] = {
    var values = [UInt8?](repeating: nil, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  static func string(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for digit in 0...group.count { text.append(digits[Int(bits >> UInt32(18 - 6 * digit) & 63)]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text; nil for one that ``string(_:)`` writes for no bytes.
  static func bytes(_ string: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(string.utf8.count * 3 / 4)
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for digit in string.utf8 {
      guard let value = values[Int(digit)] else { return nil }
      bits = (bits << 6 | UInt32(value)) & 0xFFF
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    // What is left of the last digit is no whole digit, and 0.
    return count < 6 && bits & (1 << count - 1) == 0 ? bytes : nil
  }
}
