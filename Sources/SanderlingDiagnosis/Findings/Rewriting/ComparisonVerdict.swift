extension Measurement {
  /// One figure for what an execution takes, in the time of one instruction: to find a page takes about 50 times as long.
  var work: Double { Double(steps) + 50 * Double(pages) + 4 * Double(automaticIndexRows) }
}

extension [Comparison] {
  /// A gain below is noise, or not worth a change.
  private static var leastGain: Double { 500 }

  var workBefore: Double { reduce(0) { $0 + $1.before.work } }
  var workAfter: Double { reduce(0) { $0 + $1.after.work } }

  /// Whether a fifth of the work is saved, no sample gets worse by more than a tenth, and the times don't contradict.
  var areBetter: Bool {
    guard !isEmpty, allSatisfy(\.after.isComplete) else { return false }
    guard workAfter <= 0.8 * workBefore, workBefore - workAfter >= Self.leastGain else { return false }
    return allSatisfy { $0.after.work <= 1.1 * $0.before.work + Self.leastGain } && timesAgree
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

extension Finding.Outcome {
  /// The severity of what was proven; a note otherwise.
  var severity: Severity {
    guard case .proven(let comparisons) = self else { return .note }
    return comparisons.severity
  }
}
