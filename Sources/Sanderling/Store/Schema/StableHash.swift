/// A hash for storage. Unlike `Hasher`, it is equal in every process and on every platform.
///
/// The algorithm is [FNV-1a](http://www.isthe.com/chongo/tech/comp/fnv/) with 64 bits.
struct StableHash {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(byte) }
    // UTF-8 never contains this byte, so that ["a", "b"] and ["ab"] differ.
    combine(0xFF)
  }

  private mutating func combine(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  static func hexadecimal(of texts: some Sequence<String>) -> String {
    var hash = StableHash()
    for text in texts { hash.combine(text) }
    let digits = String(hash.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
