extension StatementMeasurement {
  var work: Double { ExecutionCost.of(self) }
}

extension Comparison {
  /// The cost after the change, compared with the cost before.
  var workAfter: Double { ExecutionCost.of([after], beside: [before]) }
}

extension [Comparison] {
  var workBefore: Double { reduce(0) { $0 + $1.before.work } }
  var workAfter: Double { reduce(0) { $0 + $1.workAfter } }

  /// Whether a fifth of the work is saved, by an amount that justifies a change, while no sample gets worse by more
  /// than a tenth, and the times don't contradict.
  var areBetter: Bool {
    guard !isEmpty, allSatisfy(\.after.isComplete) else { return false }
    // A run that a budget ended would have taken longer. A rewrite that ends well before is better.
    if contains(where: { !$0.before.isComplete }) {
      return allSatisfy { comparison in
        let (before, after) = (comparison.before, comparison.after)
        return before.isComplete ? !comparison.isWorse : after.warmTime <= before.coldTime * 0.5
      }
    }
    guard workAfter <= 0.8 * workBefore, workBefore - workAfter >= GainRule.leastCost else { return false }
    let time = (before: map(\.before).warmTime, after: map(\.after).warmTime)
    guard GainRule.isWorthwhile(work: (workBefore, workAfter), time: time) else { return false }
    // Clocks can't distinguish times that differ by less than this.
    return !contains(where: \.isWorse) && time.after < time.before + .microseconds(50)
  }

  /// The severity of a finding with this gain.
  var severity: Severity {
    let ratio = workBefore / Swift.max(1, workAfter)
    let saved = reduce(Duration.zero) { Swift.max($0, $1.before.warmTime - $1.after.warmTime) }
    if ratio >= 10 || saved >= .milliseconds(50) { return .error }
    return ratio >= 1.5 ? .warning : .note
  }
}

extension Comparison {
  /// The number of additional steps that do no harm, however few steps there were.
  private static var noise: Double { 500 }

  /// Whether the execution takes over a tenth more work, by an amount that is no noise.
  var isWorse: Bool {
    guard before.isComplete else { return false }
    return !after.isComplete || workAfter > 1.1 * before.work + Self.noise
  }
}

extension Finding.Outcome {
  /// The severity of a proven fix; a note for other outcomes.
  var severity: Severity {
    guard case .proven(let comparisons) = self else { return .note }
    return comparisons.severity
  }
}
