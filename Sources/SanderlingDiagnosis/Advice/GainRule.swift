/// The rule when a fix is a gain, from measurements before and after with the same sets of values.
struct GainRule {
  /// The share of the cost that a fix must save.
  static let leastShare = 0.2
  /// The cost that a fix must save, because an index has its own costs.
  static let leastCost = 3_000.0
  /// An execution that costs less needs no index.
  static let leastCostOfTrial = 5_000.0
  /// The time that all executions must save together, unless each saves half of its own time.
  static let leastSavedTime = Duration.microseconds(25)
  /// The greatest ratio of the cost after to the cost before, with one set of values.
  static let tolerance = 1.1

  let before: [StatementMeasurement]
  /// The number of executions of the statement.
  var executions = 1

  var cost: Double { ExecutionCost.of(before) }

  /// Whether a cost is not noticeably greater than another cost. Some steps more do no harm, however few there were
  /// before.
  static func isNoWorse(_ cost: Double, than before: Double) -> Bool { cost <= tolerance * before + 500 }

  /// Whether the statement costs enough to search for a fix.
  var isWorthATrial: Bool { before.contains { ExecutionCost.of($0) >= Self.leastCostOfTrial } }

  func cost(_ after: [StatementMeasurement]) -> Double { ExecutionCost.of(after, beside: before) }

  func gain(_ after: [StatementMeasurement]) -> Double { cost - cost(after) }

  /// Whether a fix is better, and by enough.
  func isMet(by after: [StatementMeasurement]) -> Bool {
    guard after.count == before.count, after.allSatisfy(\.isComplete), !changesRows(after) else { return false }
    // Only the time shows the gain from short rows, from repeated reads of cached pages, and without lists that SQLite
    // makes.
    return ExecutionCost.shareByClock(of: after, before) != nil || isMetByCost(after)
  }

  /// Whether steps and pages show a gain. They are the same in each run.
  func isMetByCost(_ after: [StatementMeasurement]) -> Bool {
    let costAfter = ExecutionCost.of(after)
    let gain = cost - costAfter
    guard gain >= Self.leastShare * cost, gain > Self.leastCost else { return false }
    for (one, other) in zip(before, after) where one.isComplete {
      if !Self.isNoWorse(ExecutionCost.of(other), than: ExecutionCost.of(one)) { return false }
    }
    // Steps that take longer than the replaced steps are no gain. A clock is less exact, so it gets some slack.
    let slack = gain >= 0.5 * cost ? 1.5 : Self.tolerance
    guard before.allSatisfy(\.isComplete) else { return true }
    let time = (before: before.warmTime, after: after.warmTime)
    return time.after < time.before * slack + .microseconds(20)
      && Self.isWorthwhile(work: (cost, costAfter), time: time, executions: executions)
  }

  /// The fixes that are a gain. Steps and pages may show a gain of one fix, and only the clock the gain of another. The
  /// other fix must then take less than half of the time: a share of the time can't be compared with counts.
  func paying<Fix>(_ fixes: [Fix], _ measurements: (Fix) -> [StatementMeasurement]) -> [Fix] {
    let met = fixes.map { (fix: $0, after: measurements($0)) }.filter { isMet(by: $0.after) }
    let leastCounted = met.filter { isMetByCost($0.after) }.map(\.after.warmTime).min()
    return met.filter { fix, after in
      isMetByCost(after) || leastCounted.map { after.warmTime < $0 * 0.5 } ?? true
    }.map(\.fix)
  }

  /// Whether the saving is more than some microseconds of a statement that hardly gets faster.
  static func isWorthwhile(
    work: (before: Double, after: Double), time: (before: Duration, after: Duration), executions: Int = 1
  ) -> Bool {
    work.after <= 0.5 * work.before || time.after <= time.before * 0.5
      || (time.before - time.after) * Double(max(1, executions)) >= leastSavedTime
  }

  /// Whether the clock shows a gain, too. Pages in the cache count like other pages, but take a fifth of the time.
  ///
  /// Used before an index is dropped, because unknown statements may need the index.
  func isMetByTime(_ after: [StatementMeasurement]) -> Bool {
    !before.allSatisfy(\.isComplete) || after.warmTime < before.warmTime * (1 - Self.leastShare)
  }

  /// Whether the statement returns another number of rows than before.
  ///
  /// No index may change the number, but bugs of SQLite can.
  func changesRows(_ after: [StatementMeasurement]) -> Bool {
    zip(before, after).contains { $0.isComplete && $1.isComplete && $0.rowsReturned != $1.rowsReturned }
  }
}

extension [StatementMeasurement] {
  var warmTime: Duration { reduce(.zero) { $0 + $1.warmTime } }
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }

  /// The product, at most about a century.
  static func * (duration: Duration, factor: Double) -> Duration {
    let seconds = duration.inSeconds * factor
    return .seconds(seconds.isFinite ? min(max(seconds, -3e9), 3e9) : 3e9)
  }
}
