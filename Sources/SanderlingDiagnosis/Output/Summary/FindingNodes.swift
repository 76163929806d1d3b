/// The plan lines that findings refer to.
struct FindingNodes: Sendable {
  private var details: [Int: [Int: String]] = [:]

  init(_ report: DiagnosisReport) {
    let wanted = Set(report.findings.compactMap { $0.node == nil ? nil : $0.statement })
    for statement in report.statements where wanted.contains(statement.statement.id) {
      for line in ShownPlanLine.all(statement.plan) {
        details[statement.statement.id, default: [:]][line.node.id] = line.node.detail
      }
    }
  }

  /// Returns SQLite's text of a finding's node.
  func detail(of finding: Finding) -> String? {
    guard let statement = finding.statement, let node = finding.node else { return nil }
    return details[statement]?[node]?.visible(limit: 300)
  }
}
