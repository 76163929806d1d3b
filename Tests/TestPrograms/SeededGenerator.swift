import Foundation

/// Random numbers that can be repeated with their seed, by SplitMix64.
///
/// Tests print the seed when they fail. The environment variable `SANDERLING_SEED` sets the seed of a run.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  package let seed: UInt64
  private var state: UInt64

  /// The seed of all tests of a run.
  package static let defaultSeed: UInt64 =
    ProcessInfo.processInfo.environment["SANDERLING_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max)

  package init(seed: UInt64 = SeededGenerator.defaultSeed) {
    self.seed = seed
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 to below a bound; 0 if the bound isn't positive.
  package mutating func next(_ bound: Int) -> Int { bound <= 0 ? 0 : Int(next() % UInt64(bound)) }

  package mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }

  package mutating func element<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &self)]
  }
}
