import Foundation
import Sanderling
import Synchronization

/// Runs rounds until the time is over or a difference is found.
@MainActor
struct LiveFuzzRun {
  private let seed: UInt64
  private let constructs: [Construct]
  private let mix: LifeMix
  private let shape: OpenStyle.Shape?
  private let shrinkDuration: Duration
  private let keepsGoing: Bool
  private let coverage = Coverage()
  private let watchdog = Watchdog()

  nonisolated init(
    seed: UInt64, constructs: [Construct], mix: LifeMix, shape: OpenStyle.Shape?, shrinkDuration: Duration,
    keepsGoing: Bool
  ) {
    self.seed = seed
    self.constructs = constructs
    self.mix = mix
    self.shape = shape
    self.shrinkDuration = shrinkDuration
    self.keepsGoing = keepsGoing
    // A column of the fuzzer may hold values of any storage class. With the check of stored forms, a store would refuse
    // to open such a database.
    StoredForms.areCompared.store(false, ordering: .relaxed)
  }

  /// - Returns: Whether no failure was found.
  func run(for length: RunLength, reportsShortfalls: Bool) async -> Bool {
    Console.print("sanderling-fuzz live --seed \(seed)\(arguments)")
    let start = ContinuousClock.now
    var lastLine = start
    var round = 0
    var failedRound: Int?
    while !length.isOver(afterRounds: round, since: start) {
      if await !run(round) {
        failedRound = round
        if !keepsGoing { break }
      }
      round += 1
      if ContinuousClock.now - lastLine >= .seconds(10) {
        lastLine = .now
        printProgress(round, since: start)
      }
    }
    if let failedRound, !keepsGoing {
      printRestart("--round \(failedRound)")
      return false
    }
    printProgress(round, since: start)
    Console.print(coverage.report)
    let shortfalls = reportsShortfalls ? coverage.shortfalls : []
    if coverage.endsTooEarly {
      Console.print("Too many rounds ended early: their databases could not be opened any more.")
    }
    if !shortfalls.isEmpty { Console.print("Covered too rarely, below 1 %: \(shortfalls.joined(separator: "; "))") }
    if let failedRound {
      printRestart("--round \(failedRound)")
    } else if !shortfalls.isEmpty || coverage.endsTooEarly {
      printRestart("--rounds \(round)")
    }
    return shortfalls.isEmpty && failedRound == nil && !coverage.endsTooEarly
  }

  func run(round: Int, times: Int, describes: Bool) async -> Bool {
    Console.print("sanderling-fuzz live --seed \(seed) --round \(round)\(arguments)")
    if describes { Console.print(CaseDescription(fuzzCase(round)).description) }
    for _ in 0..<times {
      guard await run(round) else {
        printRestart("--round \(round) --repeat \(times)")
        return false
      }
    }
    Console.print("Round \(round) found nothing; \(coverage.checkCount) checks.")
    return true
  }

  /// Prints the last line of a failure: the command that repeats it.
  private func printRestart(_ options: String) {
    Console.print("To run it again: sanderling-fuzz live --seed \(seed) \(options)\(arguments)")
  }

  private func printProgress(_ rounds: Int, since start: ContinuousClock.Instant) {
    let seconds = (ContinuousClock.now - start).components.seconds
    Console.print(
      "\(seconds) s: \(rounds) rounds, \(coverage.queryCount) queries, \(coverage.checkCount) checks, "
        + "\(coverage.earlyEndCount) rounds ended early")
  }

  /// - Returns: Whether the round found no failure.
  private func run(_ round: Int) async -> Bool {
    watchdog.begin("sanderling-fuzz live --seed \(seed) --round \(round)\(arguments)", limit: .seconds(180))
    defer { watchdog.end() }
    let fuzzCase = fuzzCase(round)
    coverage.noteRound()
    guard let failure = await CaseRunner.run(fuzzCase, coverage, explains: true) else { return true }
    Console.print("\nRound \(round) failed after step \(failure.step): \(failure.message)")
    if let lives = fuzzCase.lives(through: failure.step) { Console.print("Before: \(lives)") }
    if !keepsGoing { await shrink(fuzzCase, failure) }
    return false
  }

  private var arguments: String { mix.arguments + (shape.map { " --shown-as \($0.rawValue)" } ?? "") }

  private func fuzzCase(_ round: Int) -> FuzzCase {
    var generator = CaseGenerator(seed: seed, round: round, constructs: constructs, mix: mix, shape: shape)
    return generator.fuzzCase()
  }

  private func shrink(_ fuzzCase: FuzzCase, _ failure: FuzzFailure) async {
    guard shrinkDuration > .zero else { return }
    watchdog.begin("shrinking", limit: shrinkDuration + .seconds(120))
    let attempts = await attemptsToFail(fuzzCase)
    if attempts == nil { Console.print("Run again, it did not fail in five runs: it depends on timing.") }
    let shrinker = Shrinker(fuzzCase, failure, attempts: attempts ?? 6, duration: shrinkDuration)
    await shrinker.shrink()
    Console.print("\nThe smallest case found in \(shrinker.runCount) runs:\n")
    Console.print(CaseDescription(shrinker.fuzzCase).description)
    let slot = shrinker.failure.slot.map { " in slot \($0)" } ?? ""
    Console.print("Failure after step \(shrinker.failure.step)\(slot):\n  \(shrinker.failure.message)")
  }

  /// The number of runs after which a smaller case counts as a case that doesn't fail.
  private func attemptsToFail(_ fuzzCase: FuzzCase) async -> Int? {
    for attempt in 1...5 {
      if await CaseRunner.run(fuzzCase, Coverage()) != nil { return attempt == 1 ? 2 : attempt * 2 }
    }
    return nil
  }
}
