import GRDB
import Testing

@testable import SanderlingDiagnosis

/// The fixes of a report as one list of commands.
struct FixGroupTests {
  private static let ab = #"CREATE INDEX "a_b" ON "t" ("b")"#
  private static let cd = #"CREATE INDEX "c_d" ON "t" ("d")"#
  private static let form = "SELECT 2"

  private static func finding(_ statement: Int?, _ sql: [String], _ kind: FindingKind = .fullScan) -> Finding {
    Finding(
      kind: kind, severity: .warning, statement: statement, title: "Title", explanation: "Explanation.",
      fix: Fix(summary: "Summary", sql: sql),
      outcome: .proven([
        Comparison(
          bindings: "typical", before: SampleReport.measurement(ms: 100 * Double(statement ?? 1), steps: 10_000),
          after: SampleReport.measurement(ms: 1, steps: 10))
      ]))
  }

  private static func report(_ findings: [Finding]) -> DiagnosisReport {
    var report = SampleReport.fine
    report.statements = (1...4).map { id in
      var statement = SampleReport.search
      statement.statement = WorkloadStatement(id: id, fingerprint: "SELECT \(id)", sql: "SELECT 1")
      statement.state = .measured(
        [("typical", SampleReport.measurement(ms: 100 * Double(id)))], .tried(1, isCutShort: false))
      return statement
    }
    report.findings = findings
    return report
  }

  private static func commands(_ report: DiagnosisReport) -> [[String]] {
    FixGroup.all(of: report, times: WorkloadTimes(report)).map(\.sql)
  }

  /// An index that several fixes need is listed once, before the rewrite that needs it.
  @Test func indexIsListedOnceBeforeItsRewrite() {
    let report = Self.report([Self.finding(4, [Self.ab, Self.form]), Self.finding(1, [Self.ab])])
    #expect(Self.commands(report) == [[Self.ab], [Self.form]])
    let groups = FixGroup.all(of: report, times: WorkloadTimes(report))
    #expect(groups[1].headline(of: 1) == "Another form, with the index of 1, speeds up S4, saves 399 ms of 1.0 s")
  }

  @Test func negligibleFixesAreListedApart() {
    var small = Self.finding(1, ["SELECT 3"])
    small.outcome = .proven([
      Comparison(
        bindings: "typical", before: SampleReport.measurement(ms: 100), after: SampleReport.measurement(ms: 99.999_99))
    ])
    let report = Self.report([Self.finding(4, [Self.form]), small])
    let fixes = FixGroup.sorted(of: report, times: WorkloadTimes(report))
    #expect(fixes.worthALine.map(\.sql) == [[Self.form]] && fixes.negligible.map(\.sql) == [["SELECT 3"]])
    #expect(Self.commands(report) == [[Self.form]])
  }

  /// Each index of the list has the numbers of its statement's findings, in their order, whatever other findings there
  /// are.
  @Test func findingsOfAnIndex() throws {
    var report = Self.report([
      Self.finding(2, [Self.form]), Self.finding(1, [Self.ab]), Self.finding(3, [Self.cd]),
      Self.finding(1, [Self.ab], .sortWithoutIndex),
    ])
    report.indexAdvice = nil
    let groups = FixGroup.all(of: report, times: WorkloadTimes(report))
    #expect(try #require(groups.first { $0.sql == [Self.ab] }).findings == [1, 3])
    #expect(try #require(groups.first { $0.sql == [Self.cd] }).findings == [2])
  }

  @Test func rewritesShareTheirIndex() {
    let report = Self.report([
      Self.finding(4, [Self.ab, Self.form]), Self.finding(3, [Self.ab, Self.cd, "SELECT 3"]),
    ])
    #expect(Self.commands(report) == [[Self.ab, Self.form], [Self.cd, "SELECT 3"]])
  }

  /// ANALYZE comes after the indexes, since statistics collected before would lack them.
  @Test func statisticsComeAfterIndexes() {
    let report = Self.report([
      Self.finding(4, ["ANALYZE"], .missingStatistics), Self.finding(1, [Self.ab]),
      Self.finding(nil, ["ANALYZE", "PRAGMA optimize"], .missingStatistics), Self.finding(2, [Self.cd, "ANALYZE"]),
    ])
    #expect(Self.commands(report) == [[Self.cd], [Self.ab], ["ANALYZE"], ["PRAGMA optimize"]])
  }

  /// The report names each index that `--apply` changes.
  @Test func replacedIndexIsNamed() throws {
    var report = SampleReport.tasks
    report.statements = [SampleReport.search]
    let script = ApplyScript(report).text
    let text = TerminalReport(report, width: 100).text
    let migration = try #require(report.indexAdvice).migrationSQL
    #expect(migration.count == 2)
    for sql in migration { #expect(script.contains(sql) && text.contains(sql)) }
    #expect(text.contains("Also: DROP INDEX task_projectID -- Another index replaces task_projectID"))
  }

  /// If a remark proposes the same index as a fix, the index is printed once, and the remark refers to it.
  @Test(arguments: [1, 4])
  func indexOfAFixAndARemarkIsPrintedOnce(statements: Int) throws {
    var report = Self.report([
      Self.finding(1, [Self.ab, Self.form]), Self.finding(1, [Self.ab]),
      Self.finding(nil, [Self.ab], .slowForeignKey),
    ])
    report.findings[2].isRemark = true
    report.statements = Array(report.statements.prefix(statements))
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE t (b, d)")
      for line in TerminalReport(report, width: 100).text.split(separator: "\n") {
        let line = line.drop { $0 == " " }
        if line.hasPrefix("CREATE INDEX") { try db.execute(sql: String(line)) }
      }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE type = 'index'") == 1)
    }
    let text = MarkdownReport(report).text + HTMLReport(report).text
    #expect(text.contains("The same index as above"))
  }
}
