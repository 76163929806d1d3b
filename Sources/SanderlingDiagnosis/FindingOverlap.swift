/// Finds the findings that add nothing to others.
struct FindingOverlap {
  /// SQL of the fixes that the report proposes for all statements together.
  private let changes: Set<String>
  /// Statements with a proven fix.
  private let mended: Set<Int>

  init(_ findings: [Finding]) {
    changes = Set(findings.filter { $0.statement == nil }.flatMap { $0.fix?.sql ?? [] })
    mended = Set(findings.filter(\.isProven).compactMap(\.statement))
  }

  /// Whether a finding on one statement adds nothing: its fix is already proposed for all statements, or its fix wasn't
  /// better and another one is proven.
  func isRepeated(_ finding: Finding) -> Bool {
    guard let statement = finding.statement, let sql = finding.fix?.sql, !sql.isEmpty else { return false }
    if case .triedNotBetter = finding.outcome { return mended.contains(statement) }
    guard [.missingStatistics, .staleStatistics, .harmfulIndex].contains(finding.kind) else { return false }
    return sql.allSatisfy(changes.contains)
  }
}
