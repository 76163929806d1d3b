/// Tells which findings say again what another one says for the whole database.
struct FindingOverlap {
  /// SQL of the fixes that are proposed for all statements together.
  private let changes: Set<String>

  init(_ findings: [Finding]) {
    changes = Set(findings.filter { $0.statement == nil }.flatMap { $0.fix?.sql ?? [] })
  }

  /// Whether the finding is one statement's and its fix is already proposed for all.
  func isRepeated(_ finding: Finding) -> Bool {
    guard finding.statement != nil, let sql = finding.fix?.sql, !sql.isEmpty else { return false }
    guard [.missingStatistics, .staleStatistics, .harmfulIndex].contains(finding.kind) else { return false }
    return sql.allSatisfy(changes.contains)
  }
}
