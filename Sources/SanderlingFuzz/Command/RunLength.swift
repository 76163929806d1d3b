import ArgumentParser

/// The length of a fuzzer's run: a time, or a number of rounds. A number gives the same rounds on each machine.
package enum RunLength: Sendable, Equatable {
  case time(Duration)
  case rounds(Int)

  /// - Returns: Whether a run that began at `start` and has completed a number of rounds is over.
  func isOver(afterRounds count: Int, since start: ContinuousClock.Instant) -> Bool {
    switch self {
    case .time(let duration): ContinuousClock.now - start >= duration
    case .rounds(let rounds): count >= rounds
    }
  }
}

/// The options for the choice of rounds.
struct RoundOptions: ParsableArguments {
  @Option(help: "The seed of all random choices. (default: a random seed, which is printed)")
  var seed: UInt64?

  @Option(help: "Run this round only, once or as often as --repeat says.")
  var round: Int?

  @Option(name: .customLong("repeat"), help: "How often to run the round of --round.")
  var repetitions = 1

  func validate() throws {
    if let round, round < 0 { throw ValidationError("--round needs a number from 0.") }
    if repetitions < 1 { throw ValidationError("--repeat needs a positive number.") }
  }

  var chosenSeed: UInt64 { seed ?? .random(in: 0...UInt64.max) }
}

/// The options for the length of a fuzzer's run.
struct RunLengthOptions: ParsableArguments {
  @Option(help: "How long to run, in seconds. (default: 60)")
  var seconds: Int?

  @Option(help: "How many rounds to run, in place of a time.")
  var rounds: Int?

  func validate() throws {
    if seconds != nil, rounds != nil { throw ValidationError("--seconds and --rounds exclude each other.") }
    if let seconds, seconds < 1 { throw ValidationError("--seconds needs a positive number.") }
    if let rounds, rounds < 1 { throw ValidationError("--rounds needs a positive number.") }
  }

  var length: RunLength { rounds.map { .rounds($0) } ?? .time(.seconds(seconds ?? 60)) }
}
