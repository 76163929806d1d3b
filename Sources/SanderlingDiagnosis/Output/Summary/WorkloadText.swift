import SanderlingTerminal

/// The examined part of a workload, and the workload's time, in sentences.
struct WorkloadText: Sendable {
  let lines: [String]

  init(_ report: DiagnosisReport, _ times: WorkloadTimes) {
    var lines: [String] = []
    let executions = report.statements.reduce(0) { $0.addingClamped(max(1, $1.statement.count)) }
    let statements = Figure.count(report.statements.count, "statement")
    let runs = executions == report.statements.count ? "" : " (\(Figure.count(executions, "execution")))"
    if times.before > 0 {
      let verb = report.statements.count == 1 ? "takes" : "take"
      let clock = times.areLogged ? " by the log" : ""
      let bound = times.isLowerBound ? "at least " : ""
      let saved = times.before - times.after
      let after =
        saved > 0.005 * times.before
        ? ", \(Figure.duration(seconds: times.after)) with the following fixes" : ""
      lines.append("\(statements)\(runs) \(verb) \(bound)\(Figure.duration(seconds: times.before))\(clock)\(after).")
    } else {
      lines.append("\(statements)\(runs).")
    }
    if let coverage = report.coverage, coverage.measured < coverage.statements {
      let share = Figure.share(coverage.share)
      let by = coverage.isEstimated ? "about \(share) of the time, by their plans" : "\(share) of the time"
      lines.append("The \(Figure.count(coverage.measured)) that cost most were measured: \(by).")
    }
    if let coverage = report.coverage, coverage.searched < coverage.measured {
      lines.append(
        coverage.searched == 0
          ? "No time was left to try fixes; --budget allows more."
          : "Fixes were tried for \(Figure.count(coverage.searched)) of them, with \(Figure.share(coverage.searchedShare)) of the time; "
            + "--budget allows more.")
    }
    let slower = times.slower
    if let most = slower.first {
      let loss = slower.reduce(0) { $0 + $1.after - $1.before }
      lines.append(
        slower.count == 1
          ? "With the fixes, S\(most.statement) takes \(Figure.duration(seconds: loss)) more."
          : "With the fixes, \(Figure.count(slower.count, "statement")) take \(Figure.duration(seconds: loss)) more, S\(most.statement) most."
      )
    }
    if Self.hasUnmeasuredSet(report) {
      lines.append(
        "The time ended before the indexes were measured together: create the first indexes and diagnose again, or allow more time."
      )
    }
    self.lines = lines
  }

  /// Returns the outcomes for statements without a fix that deserves a line.
  static func withoutFixes(_ outcomes: [Int: StatementOutcome]) -> [String] {
    var (nothing, cutShort, untried, unmeasured) = (0, 0, 0, 0)
    for outcome in outcomes.values {
      switch outcome {
      case .notMeasured: unmeasured += 1
      case .untried: untried += 1
      case .nothingBetter(_, let isCutShort): if isCutShort { cutShort += 1 } else { nothing += 1 }
      case .hasFixes: break
      }
    }
    func sentence(_ count: Int, _ one: String, _ several: String) -> String? {
      count > 0 ? (count == 1 ? "One statement \(one)." : "\(Figure.word(count)) statements \(several).") : nil
    }
    return [
      sentence(nothing, "has no fix that saves time", "have no fix that saves time"),
      sentence(
        cutShort, "has no fix among those that were tried in time; --budget allows more",
        "have no fix among those that were tried in time; --budget allows more"),
      sentence(
        untried, "had no time left to try a fix; --budget allows more",
        "had no time left to try a fix; --budget allows more"),
      sentence(unmeasured, "was not measured", "were not measured"),
    ].compactMap(\.self)
  }

  /// Whether several indexes were each measured for their own statements only.
  private static func hasUnmeasuredSet(_ report: DiagnosisReport) -> Bool {
    guard report.indexAdvice?.create.isEmpty ?? true else { return false }
    let indexes = report.findings.filter { $0.isProven && !$0.isRemark }.flatMap { $0.fix?.sql ?? [] }
      .filter(\.createsIndex)
    return Set(indexes).count > 1
  }
}
