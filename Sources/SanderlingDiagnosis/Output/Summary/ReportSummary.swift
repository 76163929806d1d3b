import SanderlingTerminal

/// A report in one line.
struct ReportSummary: Sendable {
  let findings: Int
  /// The number of findings of each occurring severity, the greatest severity first.
  let counts: [(severity: Severity, count: Int)]
  private let report: DiagnosisReport

  init(_ report: DiagnosisReport) {
    self.report = report
    findings = report.findings.count
    let bySeverity = Dictionary(grouping: report.findings, by: \.severity).mapValues(\.count)
    counts = Severity.allCases.reversed().compactMap { severity in bySeverity[severity].map { (severity, $0) } }
  }

  /// The number of findings in the form `3 findings: 1 wrong result, 2 errors`, or `No findings`.
  var line: String {
    guard findings > 0 else { return "No findings" }
    let parts = counts.map { Figure.count($0.count, $0.severity.title) }
    return "\(Figure.count(findings, "finding")): \(parts.joined(separator: ", "))"
  }

  /// The examined objects, and the time that this took.
  var checked: String {
    let database = report.database
    let statements =
      report.statements.isEmpty
      ? "no statements" : Figure.count(report.statements.count, "statement")
    let schema = "\(Figure.count(database.tables, "table")) and \(Figure.count(database.indexes, "index", "indexes"))"
    let skipped =
      report.skipped.isEmpty ? "" : "; \(Figure.count(report.skipped.count, "part")) of the input left out"
    return "Checked \(statements), \(schema) in \(Figure.duration(report.elapsed))\(skipped)."
  }

  /// The database in a line: version, size, settings.
  var conditions: String {
    let database = report.database
    let statistics =
      database.analyzedIndexes == 0
      ? "no statistics" : "statistics of \(Figure.count(database.analyzedIndexes, "index", "indexes"))"
    return [
      "SQLite \(database.sqliteVersion.visible(limit: 40))", Figure.bytes(database.bytes),
      "pages of \(Figure.count(database.pageSize)) bytes", "journal mode \(database.journalMode.visible(limit: 40))",
      Figure.count(database.tables, "table"), Figure.count(database.indexes, "index", "indexes"), statistics,
    ].joined(separator: ", ")
  }
}

extension Severity {
  /// The severity in words.
  var title: String {
    switch self {
    case .note: "note"
    case .warning: "warning"
    case .error: "error"
    case .wrongResult: "wrong result"
    }
  }
}
