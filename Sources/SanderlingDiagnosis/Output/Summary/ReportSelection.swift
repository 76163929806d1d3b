/// The statements that a report shows in full: those with findings first, then the slowest.
struct ReportSelection: Sendable {
  /// By number.
  let statements: [StatementReport]
  /// The number of statements that are left out.
  let leftOut: Int

  init(_ report: DiagnosisReport, limit: Int) {
    var found = Set<Int>()
    for finding in report.findings { if let statement = finding.statement { found.insert(statement) } }
    let ordered = report.statements.sorted { one, other in
      let hasFindings = (found.contains(one.statement.id), found.contains(other.statement.id))
      if hasFindings.0 != hasFindings.1 { return hasFindings.0 }
      let times = (one.longestTime, other.longestTime)
      if times.0 != times.1 { return times.0 > times.1 }
      return one.statement.id < other.statement.id
    }
    statements = ordered.prefix(limit).sorted { $0.statement.id < $1.statement.id }
    leftOut = ordered.count - statements.count
  }
}

extension StatementReport {
  fileprivate var longestTime: Duration {
    measurements.map(\.measurement.warmTime).max() ?? .zero
  }

  /// The statement's SQL; values in it are shown only on request.
  func text(showsValues: Bool) -> String {
    showsValues ? statement.sql : statement.fingerprint
  }
}
