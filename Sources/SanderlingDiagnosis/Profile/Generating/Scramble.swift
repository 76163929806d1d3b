/// Numbers that look random and are the same in each run.
enum Scramble {
  static func bits(_ one: UInt64, _ other: UInt64) -> UInt64 {
    SeededRandom.mixed(one &+ (other &+ 1) &* SeededRandom.step)
  }

  /// Returns a number from 0 up to 1.
  static func share(_ one: UInt64, _ other: UInt64) -> Double {
    Double(bits(one, other) >> 11) / 9_007_199_254_740_992
  }

  /// Returns the FNV-1a hash of an object's name.
  static func number(of text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

/// The numbers below a count in an order that looks random, each once. O(1) memory.
struct Permutation: Sendable {
  private let count: UInt64
  private let halfBits: UInt64
  private let seed: UInt64

  init(count: Int64, seed: UInt64) {
    self.count = UInt64(max(1, count))
    var bits: UInt64 = 1
    while (1 << (2 * bits)) < self.count { bits += 1 }
    halfBits = bits
    self.seed = seed
  }

  /// Returns the position of a number. Four rounds of a Feistel network are repeated while the result is too large:
  /// fewer than four times on average.
  func callAsFunction(_ number: Int64) -> Int64 {
    guard count > 1 else { return 0 }
    var value = UInt64(bitPattern: number) % count
    let mask = (UInt64(1) << halfBits) - 1
    repeat {
      var (left, right) = (value >> halfBits, value & mask)
      for round in 0..<4 as Range<UInt64> {
        (left, right) = (right, left ^ (Scramble.bits(seed &+ round, right) & mask))
      }
      value = left << halfBits | right
    } while value >= count
    return Int64(value)
  }
}
