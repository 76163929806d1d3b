/// How sets of indexes are measured within the time that there is.
extension StatementTrials {
  /// Measures sets of indexes, those that the planner likes best first, and counts those left out for want of time.
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

  /// Measures sets for a statement that was never seen to end, which says nothing of how long it may take with indexes: all
  /// sets get a little time, and more in each round as long as none comes to its end. Then the fastest is the measure.
  func measuredInRounds(
    _ sets: [[IndexCandidate]], on bench: IndexBench, _ patience: Deadline
  ) throws -> (results: [IndexBench.Result], leftOut: Int) {
    var results: [IndexBench.Result] = []
    // To build indexes takes time, too: those that the planner likes best are all that the first round looks at.
    var width = Self.setsOfFirstRound
    var rest = sets.prefix(IndexAdvisor.maximumSets)
    var pending = Array(rest.prefix(width))
    rest = rest.dropFirst(width)
    // What the fastest gains has to be shown, too.
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
  /// The share of the time for indexes that the search for the fastest may take.
  static let shareOfSearch = 0.6
  /// So many sets in a row that are no faster than the fastest end the search: the planner's best come first.
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

  /// The trials with lower bounds of the statement's cost that are enough to show what the fastest of the sets gains.
  func trials(
    with results: [IndexBench.Result], on bench: IndexBench, _ patience: Deadline,
    _ bounds: inout [StatementMeasurement]
  ) throws -> StatementTrials {
    guard statement.isIncomplete, let fastest = fastest(of: results) else { return self }
    var trials = self
    // A share of the patience remains for what is left to do with the sets.
    let most = patience.remaining() * (0.6 / Double(max(1, statement.measurements.count)))
    let enough = fastest.measurements.map { min($0.coldTime * Self.boundFactor + .milliseconds(50), most) }
    trials.statement.measurements = try bench.lowerBounds(of: statement, enough: enough)
    bounds = trials.statement.measurements
    return trials
  }

  /// How many times what the fastest set takes the statement is let run where it was never seen to end.
  static let boundFactor = 6.0
}
