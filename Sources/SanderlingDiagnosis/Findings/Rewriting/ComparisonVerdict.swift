extension Measurement {
  var work: Double { ExecutionCost.of(self) }
}

extension [Comparison] {
  /// A gain below is noise, or not worth a change.
  static var leastGain: Double { 500 }

  var workBefore: Double { reduce(0) { $0 + $1.before.work } }
  var workAfter: Double { reduce(0) { $0 + $1.after.work } }

  /// Whether a fifth of the work is saved, no sample gets worse by more than a tenth, and the times don't contradict.
  var areBetter: Bool {
    guard !isEmpty, allSatisfy(\.after.isComplete) else { return false }
    guard workAfter <= 0.8 * workBefore, workBefore - workAfter >= Self.leastGain else { return false }
    return !contains(where: \.isWorse) && timesAgree
  }

  private var timesAgree: Bool {
    let before = reduce(Duration.zero) { $0 + $1.before.warmTime }
    let after = reduce(Duration.zero) { $0 + $1.after.warmTime }
    return after <= before || after - before < .microseconds(50)
  }

  /// What the gain makes of a finding.
  var severity: Severity {
    let ratio = workBefore / Swift.max(1, workAfter)
    let saved = reduce(Duration.zero) { Swift.max($0, $1.before.warmTime - $1.after.warmTime) }
    if ratio >= 10 || saved >= .milliseconds(50) { return .error }
    return ratio >= 1.5 ? .warning : .note
  }
}

extension Comparison {
  /// Whether it takes over a tenth more work, by an amount that is no noise.
  var isWorse: Bool {
    guard before.isComplete else { return false }
    return !after.isComplete || after.work > 1.1 * before.work + [Comparison].leastGain
  }
}

extension Finding.Outcome {
  /// The severity of what was proven; a note otherwise.
  var severity: Severity {
    guard case .proven(let comparisons) = self else { return .note }
    return comparisons.severity
  }
}
