import Foundation
import SanderlingDiagnosis
import Testing

/// The score of reports detects each kind of error in a report.
struct ReportScoreTests {
  private func report(_ findings: [Finding], _ advice: IndexAdvice? = nil) -> DiagnosisReport {
    DiagnosisReport(database: SampleReport.database, findings: findings, indexAdvice: advice, elapsed: .seconds(3))
  }

  private func finding(_ statement: Int, _ sql: String...) -> Finding {
    Finding(
      kind: .fullScan, severity: .error, statement: statement, title: "slow", explanation: "",
      fix: Fix(summary: "", sql: sql), outcome: .proven([]))
  }

  private func index(_ name: String, _ keys: String) -> IndexChange {
    IndexChange(
      name: name, table: "loan", sql: "CREATE INDEX \"\(name)\" ON \"loan\" (\(keys))", pages: 1, statements: [1])
  }

  @Test func contradictionsAreDetected() {
    let (one, two) = (index("one", "\"fee\""), index("two", "\"fee\", \"lent\""))
    var advice = IndexAdvice(create: [one, two], migrationSQL: [one.sql, two.sql], verdict: "")
    #expect(ReportScore.contradictions(in: report([finding(1, one.sql)], advice)).count == 1)
    advice.create = [two]
    #expect(ReportScore.contradictions(in: report([finding(1, two.sql)], advice)).isEmpty)
    #expect(ReportScore.contradictions(in: report([finding(1, two.sql), finding(1, two.sql)], advice)).count == 1)
    advice.migrationSQL = [two.sql]
    #expect(ReportScore.contradictions(in: report([finding(1, one.sql)], advice)).count == 1)
    advice.drop = [two]
    #expect(ReportScore.contradictions(in: report([], advice)).count == 1)
  }

  @Test func refusedFixesAndDifferentRowsAreDetected() async throws {
    // The statement's rewrite has the same rows only as long as each loan has a member.
    let schema = try CorpusFile.schema(
      """
      -- schema: library
      -- about: The library with statements of this test.

      \(Corpus["library"].script)

      -- statement: library-90
      -- fine
      -- because: of this test
      -- run: 3

      SELECT l.id FROM loan l JOIN member m ON m.id = l.member_id WHERE l.fee = ?

      -- statement: library-91
      -- fine
      -- because: of this test
      -- run: 1990

      SELECT id FROM work WHERE year >= ?
      """, file: "library.sql")
    var score = ReportScore()
    let findings = [
      finding(1, "SELECT id FROM loan WHERE fee = ?"), finding(2, "SELECT id FROM work WHERE NOT year < ?"),
      finding(2, "CREATE INDEX i ON work (yeer)"),
    ]
    try await score.add(report(findings), of: schema, timeBudget: .seconds(2))
    #expect(score.rewrites == 2)
    #expect(score.wrong.count == 1 && score.wrong[0].hasPrefix("library-90"), "\(score)")
    // GRDB refuses the fix alone, and the shell refuses it in the script.
    #expect(score.refused.count == (ExpertAdvice.shell == nil ? 1 : 2), "\(score)")
    #expect(score.budget == 1.5)
    #expect(score.lines > 0)
  }
}
