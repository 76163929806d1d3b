import Foundation

/// Random numbers that a seed repeats, as `SANDERLING_SEED` gives it: SplitMix64.
struct SeededGenerator: RandomNumberGenerator, Sendable {
  let seed: UInt64
  private var state: UInt64

  init(seed: UInt64? = nil) {
    self.seed =
      seed ?? ProcessInfo.processInfo.environment["SANDERLING_SEED"].flatMap { UInt64($0) }
      ?? .random(in: 0...UInt64.max)
    state = self.seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }

  mutating func element<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &self)]
  }
}
