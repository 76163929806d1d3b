/// When a fix pays, by measurements before and after with the same sets of values.
struct GainRule {
  /// The share of the cost that a fix must save.
  static let leastShare = 0.2
  /// The cost that it must save: an index has its price.
  static let leastCost = 3_000.0
  /// An execution that costs less needs no index.
  static let leastCostOfTrial = 5_000.0
  /// The time that all executions have to save together, unless each saves half of its own.
  static let leastSavedTime = Duration.microseconds(25)
  /// How much worse it may be with one set of values.
  static let tolerance = 1.1

  let before: [StatementMeasurement]
  /// How often the statement runs.
  var executions = 1

  var cost: Double { ExecutionCost.of(before) }

  /// Whether a cost is no more than another one, as far as anybody would notice: a handful of steps more is no harm, however few
  /// there were.
  static func isNoWorse(_ cost: Double, than before: Double) -> Bool { cost <= tolerance * before + 500 }

  /// Whether there is anything to gain.
  var isWorthATrial: Bool { before.contains { ExecutionCost.of($0) >= Self.leastCostOfTrial } }

  func cost(_ after: [StatementMeasurement]) -> Double { ExecutionCost.of(after, beside: before) }

  func gain(_ after: [StatementMeasurement]) -> Double { cost - cost(after) }

  /// Whether a fix is better, and by enough.
  func isMet(by after: [StatementMeasurement]) -> Bool {
    guard after.count == before.count, after.allSatisfy(\.isComplete), !changesRows(after) else { return false }
    // Rows that are short, pages that are in the cache again and again, and lists that SQLite makes show in the time only.
    return ExecutionCost.shareByClock(of: after, before) != nil || isMetByCost(after)
  }

  /// Whether steps and pages show it, which are the same in each run.
  func isMetByCost(_ after: [StatementMeasurement]) -> Bool {
    let costAfter = ExecutionCost.of(after)
    let gain = cost - costAfter
    guard gain >= Self.leastShare * cost, gain > Self.leastCost else { return false }
    for (one, other) in zip(before, after) where one.isComplete {
      if !Self.isNoWorse(ExecutionCost.of(other), than: ExecutionCost.of(one)) { return false }
    }
    // What counts is time: steps that take longer than those that they replace are no gain. A clock is less exact.
    let slack = gain >= 0.5 * cost ? 1.5 : Self.tolerance
    guard before.allSatisfy(\.isComplete) else { return true }
    let time = (before: before.warmTime, after: after.warmTime)
    return time.after < time.before * slack + .microseconds(20)
      && Self.isWorthwhile(work: (cost, costAfter), time: time, executions: executions)
  }

  /// The fixes that are better by enough. Where one is by what is counted, another one that only the clock likes has to take less
  /// than half of its time: a share of the time can't be compared with counts.
  func paying<Fix>(_ fixes: [Fix], _ measurements: (Fix) -> [StatementMeasurement]) -> [Fix] {
    let met = fixes.map { (fix: $0, after: measurements($0)) }.filter { isMet(by: $0.after) }
    let leastCounted = met.filter { isMetByCost($0.after) }.map(\.after.warmTime).min()
    return met.filter { fix, after in
      isMetByCost(after) || leastCounted.map { after.warmTime < $0 * 0.5 } ?? true
    }.map(\.fix)
  }

  /// Whether more is saved than a few microseconds of a statement that takes hardly more.
  static func isWorthwhile(
    work: (before: Double, after: Double), time: (before: Duration, after: Duration), executions: Int = 1
  ) -> Bool {
    work.after <= 0.5 * work.before || time.after <= time.before * 0.5
      || (time.before - time.after) * Double(max(1, executions)) >= leastSavedTime
  }

  /// Whether the clock shows it, too: pages that are in the cache count as much as others, and take a fifth of the time.
  ///
  /// For an index that goes, which statements may need that nobody sees.
  func isMetByTime(_ after: [StatementMeasurement]) -> Bool {
    !before.allSatisfy(\.isComplete) || after.warmTime < before.warmTime * (1 - Self.leastShare)
  }

  /// Whether the statement returns more or fewer rows than before.
  ///
  /// No index may do so, but SQLite's bugs can.
  func changesRows(_ after: [StatementMeasurement]) -> Bool {
    zip(before, after).contains { $0.isComplete && $1.isComplete && $0.rowsReturned != $1.rowsReturned }
  }
}

extension [StatementMeasurement] {
  var warmTime: Duration { reduce(.zero) { $0 + $1.warmTime } }
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }

  /// At most a century, whatever the factor.
  static func * (duration: Duration, factor: Double) -> Duration {
    let seconds = duration.inSeconds * factor
    return .seconds(seconds.isFinite ? min(max(seconds, -3e9), 3e9) : 3e9)
  }
}
