/// Random numbers that are the same in each run, so that a diagnosis is repeatable.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  /// SplitMix64's increment from number to number (https://prng.di.unimi.it/splitmix64.c).
  static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  init(_ seed: UInt64) { state = seed &* Self.step }

  mutating func next() -> UInt64 {
    state &+= Self.step
    return Self.mixed(state)
  }

  /// SplitMix64's mixing of a number.
  static func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}
