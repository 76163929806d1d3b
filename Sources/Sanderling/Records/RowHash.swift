/// A fast hash that distinguishes the states of a row.
///
/// Two words are folded into the state by the upper and the lower half of their product, as in
/// [wyhash](https://github.com/wangyi-fudan/wyhash). The keys are random in each process. Different inputs have the
/// same hash with a probability of about 2⁻⁶⁴ for each 16 bytes. The hash doesn't withstand an attacker who sees it.
struct RowHash {
  /// Random keys for each process.
  struct Keys: Sendable {
    let first: UInt64
    let second: UInt64

    static let random = Keys(first: .random(in: .min ... .max), second: .random(in: .min ... .max))
  }

  private let keys: Keys
  private var state: UInt64

  init(_ keys: Keys = .random) {
    self.keys = keys
    state = keys.second
  }

  /// The hash of all combined values.
  var value: UInt64 { Self.fold(state ^ keys.first, 0x9E37_79B9_7F4A_7C15) }

  /// The hash of two hashes, in this order.
  static func combining(_ one: UInt64, _ other: UInt64) -> UInt64 {
    var hash = RowHash()
    hash.combine(one, other)
    return hash.value
  }

  /// The upper half of the hash, for tables.
  var half: UInt32 { UInt32(truncatingIfNeeded: value >> 32) }

  mutating func combine(_ word: UInt64, _ other: UInt64) {
    state = Self.fold(word ^ keys.first, other ^ state)
  }

  /// Combines bytes and their number. O(bytes).
  mutating func combine(_ bytes: UnsafeRawBufferPointer, tag: UInt8) {
    combine(UInt64(truncatingIfNeeded: bytes.count), UInt64(tag))
    guard let start = bytes.baseAddress else { return }
    var offset = 0
    while offset + 16 < bytes.count {
      combine(start.word(at: offset), start.word(at: offset + 8))
      offset += 16
    }
    // The rest has at most 16 bytes. The words that cover it may overlap, since the number of bytes is combined too.
    let rest = bytes.count - offset
    switch rest {
    case 8...: combine(start.word(at: offset), start.word(at: bytes.count - 8))
    case 4...: combine(start.halfWord(at: offset), start.halfWord(at: bytes.count - 4))
    case 1...:
      let last = start.load(fromByteOffset: bytes.count - 1, as: UInt8.self)
      let middle = start.load(fromByteOffset: offset + rest / 2, as: UInt8.self)
      let first = start.load(fromByteOffset: offset, as: UInt8.self)
      combine(UInt64(first) | UInt64(middle) << 8 | UInt64(last) << 16, 0)
    default: break
    }
  }

  mutating func combine(_ value: EncodedValue) {
    switch value {
    case .null: combine(0, UInt64(ValueTag.null))
    case .integer(let integer): combine(UInt64(bitPattern: integer), UInt64(ValueTag.integer))
    case .real(let real): combine(real.bitPattern, UInt64(ValueTag.real))
    case .text(let bytes): combine(bytes, tag: ValueTag.text)
    case .blob(let bytes): combine(bytes, tag: ValueTag.blob)
    }
  }

  private static func fold(_ word: UInt64, _ other: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: other)
    return product.high ^ product.low
  }
}

extension UnsafeRawPointer {
  fileprivate func word(at offset: Int) -> UInt64 { loadUnaligned(fromByteOffset: offset, as: UInt64.self) }

  fileprivate func halfWord(at offset: Int) -> UInt64 {
    UInt64(loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
