/// Random numbers that a seed repeats: SplitMix64.
struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// The numbers of one round of a run, independent of the previous rounds.
  init(seed: UInt64, round: Int) {
    var generator = SeededGenerator(seed: seed ^ UInt64(round) &* 0xD6E8_FEB8_6659_FD93)
    state = generator.next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func number(_ range: Range<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  mutating func chance(_ percent: Int) -> Bool {
    number(0..<100) < percent
  }

  mutating func element<Element>(of elements: [Element]) -> Element {
    elements[number(0..<elements.count)]
  }

  /// Some of the elements in their order, each with the same probability.
  mutating func some<Element>(of elements: [Element], percent: Int) -> [Element] {
    elements.filter { _ in chance(percent) }
  }
}
