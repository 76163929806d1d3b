/// When a fix pays, by measurements before and after with the same sets of values.
struct GainRule {
  /// The share of the cost that a fix must save.
  static let leastShare = 0.2
  /// The cost that it must save: an index has its price.
  static let leastCost = 3_000.0
  /// An execution that costs less needs no index.
  static let leastCostOfTrial = 10_000.0
  /// The time that must be saved where the cost shows too little of it.
  static let leastFasterTime = Duration.milliseconds(1)
  /// How much worse it may be with one set of values.
  static let tolerance = 1.1

  let before: [StatementMeasurement]

  var cost: Double { ExecutionCost.of(before) }

  /// Whether there is anything to gain.
  var isWorthATrial: Bool { before.contains { ExecutionCost.of($0) >= Self.leastCostOfTrial } }

  func gain(_ after: [StatementMeasurement]) -> Double { cost - ExecutionCost.of(after) }

  /// Whether a fix is better, and by enough.
  func isMet(by after: [StatementMeasurement]) -> Bool {
    guard after.count == before.count, after.allSatisfy(\.isComplete), !changesRows(after) else { return false }
    let saved = time(before) - time(after)
    // Rows that are short, and pages of lists that SQLite makes for the execution, show in the time only.
    if saved > Self.leastFasterTime, time(after) < time(before) * 0.4, -gain(after) < 0.5 * cost { return true }
    return isMetByCost(after)
  }

  /// Whether steps and pages show it, which are the same in each run.
  func isMetByCost(_ after: [StatementMeasurement]) -> Bool {
    let gain = gain(after)
    guard gain >= Self.leastShare * cost, gain > Self.leastCost else { return false }
    for (one, other) in zip(before, after) where one.isComplete {
      // A handful of steps more is no harm, however few there were.
      if ExecutionCost.of(other) > Self.tolerance * ExecutionCost.of(one) + 500 { return false }
    }
    // What counts is time: steps that take longer than those that they replace are no gain. A clock is less exact.
    let slack = gain >= 0.5 * cost ? 1.5 : Self.tolerance
    return !before.allSatisfy(\.isComplete) || time(after) < time(before) * slack + .microseconds(20)
  }

  /// Whether the clock shows it, too: pages that are in the cache count as much as others, and take a fifth of the time.
  ///
  /// For an index that goes, which statements may need that nobody sees.
  func isMetByTime(_ after: [StatementMeasurement]) -> Bool {
    !before.allSatisfy(\.isComplete) || time(after) < time(before) * (1 - Self.leastShare)
  }

  /// Whether the statement returns more or fewer rows than before.
  ///
  /// No index may do so, but SQLite's bugs can.
  func changesRows(_ after: [StatementMeasurement]) -> Bool {
    zip(before, after).contains { $0.isComplete && $1.isComplete && $0.rowsReturned != $1.rowsReturned }
  }

  private func time(_ measurements: [StatementMeasurement]) -> Duration {
    measurements.reduce(.zero) { $0 + $1.warmTime }
  }
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }

  /// At most a century, whatever the factor.
  static func * (duration: Duration, factor: Double) -> Duration {
    let seconds = duration.inSeconds * factor
    return .seconds(seconds.isFinite ? min(max(seconds, -3e9), 3e9) : 3e9)
  }
}
