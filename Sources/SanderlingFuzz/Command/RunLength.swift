import ArgumentParser

/// How long a fuzzer runs: for a time, or for a number of rounds, which are the same rounds on each machine.
package enum RunLength: Sendable, Equatable {
  case time(Duration)
  case rounds(Int)

  /// - Returns: Whether a run that began at `start` and has done so many rounds is over.
  func isOver(afterRounds count: Int, since start: ContinuousClock.Instant) -> Bool {
    switch self {
    case .time(let duration): ContinuousClock.now - start >= duration
    case .rounds(let rounds): count >= rounds
    }
  }
}

/// The options that say how long a fuzzer runs.
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
