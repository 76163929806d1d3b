import Sanderling

extension FuzzCase {
  /// The database and the queries of a round that several processes share. Each process makes the same case from the
  /// seed.
  static func shared(seed: UInt64, round: Int) -> FuzzCase {
    var generator = CaseGenerator(
      seed: seed, round: round, constructs: Construct.allCases, mix: LifeMix(share: .none))
    var fuzzCase = generator.fuzzCase()
    var random = SeededGenerator(seed: seed ^ 0x6E65_6967, round: round)
    fuzzCase.world.configuration.opening = random.element(of: [.pool, .pool, .pool, .file, .file, .queue])
    fuzzCase.world.configuration.detectsOutsideChanges = true
    fuzzCase.world.configuration.isAudited = random.chance(40)
    return fuzzCase
  }
}
