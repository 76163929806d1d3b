import Testing

@testable import SanderlingDiagnosis

/// If both ANALYZE and a rewrite were proven for a statement, the report proposes only one of them.
struct StatisticsAnswerTests {
  private func finding(
    _ sql: String, _ kind: FindingKind, statement: Int = 1, severity: Severity = .warning
  ) -> Finding {
    Finding(
      kind: kind, severity: severity, statement: statement, title: "", explanation: "",
      fix: Fix(summary: "", sql: [sql]), outcome: .proven([]))
  }

  private let form = "SELECT id FROM sale CROSS JOIN part"

  @Test func statisticsComeBeforeARewrite() {
    var findings = [
      finding(form, .joinOrder), finding("ANALYZE", .missingStatistics), finding(form, .joinOrder, statement: 2),
      finding("CREATE INDEX i ON sale (shop)", .fullScan), finding(form, .repeatedStatement),
    ]
    findings.keepOneAnswer(slowedForms: [])
    #expect(findings.map(\.isProven) == [false, true, true, true, true])
  }

  @Test func neededRewriteStays() {
    let cases: [(Severity, Set<Int>)] = [(.wrongResult, []), (.warning, [1])]
    for (severity, slowed) in cases {
      var findings = [finding("ANALYZE", .missingStatistics), finding(form, .joinOrder, severity: severity)]
      findings.keepOneAnswer(slowedForms: slowed)
      #expect(findings.map(\.isProven) == [false, true])
    }
  }

  /// If a rewrite is needed because it corrects a wrong result, ANALYZE is not proposed, and all rewrites stay.
  @Test func rewritesStayIfOneIsNeeded() {
    for severities in [[Severity.wrongResult, .warning], [.warning, .wrongResult]] {
      var findings =
        [finding("ANALYZE", .missingStatistics)] + severities.map { finding(form, .joinOrder, severity: $0) }
      findings.keepOneAnswer(slowedForms: [])
      #expect(findings.map(\.isProven) == [false, true, true])
    }
  }
}
