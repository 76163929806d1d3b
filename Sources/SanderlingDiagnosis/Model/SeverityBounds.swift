/// The least saved times for the severities: a tenfold speed is no error if it saves a tenth of a millisecond.
struct SeverityBounds {
  /// The least saving of one execution, or of all executions of the workload together.
  struct Bound {
    var once: Duration
    var inAll: Duration
  }

  static let error = Bound(once: .milliseconds(10), inAll: .seconds(1))
  static let warning = Bound(once: .milliseconds(1), inAll: .milliseconds(100))

  private let statements: [Int: StatementReport]

  init(_ report: DiagnosisReport) {
    statements = Dictionary(report.statements.map { ($0.statement.id, $0) }) { first, _ in first }
  }

  /// Lowers severities that the saved time doesn't justify. Wrong results keep theirs. So do remarks on the database,
  /// which also concern space and writes. O(findings).
  func apply(to findings: inout [Finding]) {
    for place in findings.indices where findings[place].severity < .wrongResult && !findings[place].isRemark {
      findings[place].severity = min(findings[place].severity, greatest(findings[place]))
    }
  }

  private func greatest(_ finding: Finding) -> Severity {
    let statement = finding.statement.flatMap { statements[$0] }
    let once = saving(finding, statement)
    let inAll = max(once * Double(max(1, statement?.statement.count ?? 1)), loggedSaving(finding, statement))
    func reaches(_ bound: Bound) -> Bool { once >= bound.once || inAll >= bound.inAll }
    return reaches(Self.error) ? .error : reaches(Self.warning) ? .warning : .note
  }

  /// Returns the fix's saving in the log's times. A write's logged time includes the commit, which no fix saves.
  private func loggedSaving(_ finding: Finding, _ statement: StatementReport?) -> Duration {
    guard let statement, let time = statement.statement.totalTime, !statement.statement.isWrite,
      case .proven(let comparisons) = finding.outcome, let left = comparisons.shareOfTimeLeft
    else { return .zero }
    return time * max(0, 1 - left)
  }

  /// Returns the saving of an execution with the values that save the most. Without a proven fix, it is at most the
  /// statement's own time.
  private func saving(_ finding: Finding, _ statement: StatementReport?) -> Duration {
    if case .proven(let comparisons) = finding.outcome {
      return comparisons.map { $0.before.warmTime - $0.after.warmTime }.max() ?? .zero
    }
    return statement?.measurements.map(\.measurement.warmTime).max() ?? .zero
  }
}
