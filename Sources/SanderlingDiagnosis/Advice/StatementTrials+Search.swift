/// The measurement of sets of indexes within the available time.
extension StatementTrials {
  /// Measures sets of indexes, the planner's best first, and counts the sets for which there was no time.
  func measured(
    _ sets: [[IndexCandidate]], on bench: IndexBench, _ patience: Deadline
  ) throws -> (results: [IndexBench.Result], leftOut: Int) {
    if statement.isIncomplete, !statement.isWrite { return try measuredInRounds(sets, on: bench, patience) }
    var results: [IndexBench.Result] = []
    var leftOut = 0
    for (place, set) in sets.enumerated() where results.count < IndexAdvisor.maximumSets {
      if isGoodEnough(results), let best = best(of: results), set.size >= best.set.size { continue }
      let least = best(of: results)?.measurements
      if let result = try bench.measure(statement, with: set, noLongerThan: least) { results.append(result) }
      if patience.hasPassed || bench.isLost {
        leftOut = sets.count - place - 1
        break
      }
    }
    return (results, leftOut + bench.leftOut)
  }

  /// Measures sets for a statement that never ended, so that its time with indexes is unknown. All sets get a little
  /// time, and more time in each round, until a set ends. Then the fastest set is the limit.
  func measuredInRounds(
    _ sets: [[IndexCandidate]], on bench: IndexBench, _ patience: Deadline
  ) throws -> (results: [IndexBench.Result], leftOut: Int) {
    var results: [IndexBench.Result] = []
    // Indexes take time to build, so the first round tries only the planner's best sets.
    var width = Self.setsOfFirstRound
    var rest = sets.prefix(IndexAdvisor.maximumSets)
    var pending = Array(rest.prefix(width))
    rest = rest.dropFirst(width)
    // A part of the time is kept to show the gain of the fastest set.
    let search = Deadline(afterWorking: patience.remaining() * Self.shareOfSearch).earlier(patience)
    var limit = max(Self.firstLimit, search.remaining() * 0.02)
    while results.isEmpty, !pending.isEmpty {
      var (unfinished, failures): ([[IndexCandidate]], Int) = ([], 0)
      for (place, set) in pending.enumerated() {
        let least = fastest(of: results)
        if let least, failures >= Self.triesAfterTheFastest || isGoodEnough([least]) && set.size >= least.set.size {
          continue
        }
        let most = least.map {
          min(limit, $0.measurements.reduce(.zero) { $0 + $1.coldTime } * 1.3 + .milliseconds(20))
        }
        let result = try bench.measure(statement, with: set, noLongerThan: least?.measurements, limit: most ?? limit)
        if let result, isWhole(result) {
          failures = least.map { Self.isFaster(result, than: $0) } ?? true ? 0 : failures + 1
          results.append(result)
        } else {
          failures += 1
          if result != nil { unfinished.append(set) }
        }
        if search.hasPassed || bench.isLost {
          let others = pending.count - place - 1 + unfinished.count + rest.count
          return (results, results.isEmpty ? others + bench.leftOut : 0)
        }
      }
      (limit, width) = (limit * 3.0, width * 2)
      pending = unfinished + rest.prefix(width)
      rest = rest.dropFirst(width)
    }
    return (results, results.isEmpty ? bench.leftOut : 0)
  }

  static let setsOfFirstRound = 4
  /// The share of the time for indexes in which the fastest set is searched.
  static let shareOfSearch = 0.6
  /// The number of sets in a row that end the search if none is faster than the fastest: the planner's best sets come
  /// first.
  static let triesAfterTheFastest = 5

  static func isFaster(_ one: IndexBench.Result, than other: IndexBench.Result) -> Bool {
    ExecutionCost.of(one.measurements) < 0.9 * ExecutionCost.of(other.measurements)
  }

  /// The time for which each set is tried at first.
  static let firstLimit = Duration.milliseconds(150)

  func isWhole(_ result: IndexBench.Result) -> Bool {
    result.measurements.count == statement.measurements.count && result.measurements.allSatisfy(\.isComplete)
  }

  func fastest(of results: [IndexBench.Result]) -> IndexBench.Result? {
    results.filter(isWhole).min { ExecutionCost.of($0.measurements) < ExecutionCost.of($1.measurements) }
  }

  /// The trials, with lower bounds of the statement's cost that suffice to show the gain of the fastest set.
  func trials(
    with results: [IndexBench.Result], on bench: IndexBench, _ patience: Deadline,
    _ bounds: inout [StatementMeasurement]
  ) throws -> StatementTrials {
    guard statement.isIncomplete, let fastest = fastest(of: results) else { return self }
    var trials = self
    // A part of the time is kept for the remaining work with the sets.
    let most = patience.remaining() * (0.6 / Double(max(1, statement.measurements.count)))
    let enough = fastest.measurements.map { min($0.coldTime * Self.boundFactor + .milliseconds(50), most) }
    trials.statement.measurements = try bench.lowerBounds(of: statement, enough: enough)
    bounds = trials.statement.measurements
    return trials
  }

  /// The greatest time of a statement that never ended, as a multiple of the fastest set's time.
  static let boundFactor = 6.0
}
