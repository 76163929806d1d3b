import SanderlingTerminal
import Testing

@testable import SanderlingDiagnosis

/// The short form of the terminal report, which is printed without `--verbose`.
struct TerminalSummaryTests {
  private func lines(_ report: DiagnosisReport, width: Int = 80) -> [String] {
    TerminalReport(report, width: width).text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  @Test func summaryOfAStatementHasCommandGainAndRemarks() {
    var report = SampleReport.tasks
    report.statements = [SampleReport.search]
    report.findings = [SampleReport.scan, SampleReport.tried, SampleReport.setting]
    #expect(
      TerminalReport(report, width: 80).text == """
        SELECT id, title FROM task WHERE projectID = ? ORDER BY dueDate LIMIT ?

        warning: task is read in full, 98,304 rows, to return 50.
          CREATE INDEX task_projectID_dueDate ON task (projectID, dueDate)
        12.4 ms → 0.06 ms (207×), 1,210 pages → 8, measured on a copy
        Note: The index takes 1.7 MB, and each write to its table keeps it up to date.
        Note: Values were sampled from the data: the log has none.
          Also: DROP INDEX task_projectID -- Another index replaces task_projectID

        For the whole database:
          PRAGMA journal_mode = WAL  for small transactions

        Left out: app.log:17: The line is longer than 1 MiB.

        --verbose shows plans, all figures and other trials.

        """)
  }

  @Test func statementWithoutAFixSaysSo() {
    let text = TerminalReport(SampleReport.fine, width: 80).text
    #expect(text.contains("No fix suits it: it takes 12.4 ms and returns 1 row."))
    #expect(lines(SampleReport.fine).count <= 6)
  }

  /// A finding that can't be measured is shown as a hint, since its fix may help. An example is the use of an existing
  /// full-text table.
  @Test func unmeasuredHintIsShown() {
    var report = SampleReport.fine
    report.findings.insert(
      Finding(
        kind: .patternWithoutIndex, severity: .note, statement: report.statements[0].statement.id,
        title: "LIKE searches",
        explanation: "", outcome: .notMeasured(reason: "Other rows.")), at: 0)
    #expect(TerminalReport(report, width: 80).text.contains("note: LIKE searches."))
  }

  /// Statements that share indexes form one fix, and each index is printed once.
  @Test func aWorkloadIsGroupedByFix() {
    let report = Self.workload(of: 14)
    let groups = FixGroup.all(of: report, times: WorkloadTimes(report))
    #expect(groups.map(\.statements.count) == [12, 1])
    #expect(groups.map { $0.sql.count } == [2, 1])
    let text = TerminalReport(report, width: 80).text
    #expect(text.contains("14 statements (15 executions) take 1.5 s, 114 ms with the following fixes."))
    #expect(text.contains("1. Two indexes together speed up 12 statements, save 1.3 s of 1.5 s:"))
    #expect(text.contains("2. This index speeds up S13, saves 99.0 ms of 1.5 s:"))
    #expect(text.contains("Left: 114 ms"))
    for name in ["a_b", "a_c", "d_e"] {
      #expect(text.matches(of: try! Regex("CREATE INDEX \(name) ")).count == 1, "\(name)")
    }
  }

  @Test(arguments: [2, 14, 800])
  func anyWorkloadFitsOnTwoScreens(count: Int) {
    var report = Self.workload(of: count)
    report.findings += (0..<40).map { number in
      Finding(
        kind: .unusedIndex, severity: .note, title: "Title", explanation: "Explanation.",
        fix: Fix(summary: "Drop i\(number)", sql: ["DROP INDEX i\(number)"]), outcome: .notMeasured(reason: "Reason."))
    }
    report.findings += report.statements.map { statement in
      var finding = SampleReport.fanOut
      finding.statement = statement.statement.id
      finding.fix?.sql[0] += " -- \(statement.statement.id)"
      return finding
    }
    report.coverage = WorkloadCoverage(
      statements: count + 5, measured: count, searched: count, executions: count, share: 0.93, searchedShare: 0.93,
      isEstimated: false)
    let lines = lines(report)
    #expect(lines.count <= 100)
    #expect(lines.contains { $0.contains("and 32 more") })
    let words = lines.joined(separator: " ")
    #expect(words.contains("The \(count) that cost most were measured: 93 % of the time."))
    // Lines of SQL are not wrapped, so they may be longer.
    for line in lines where !line.hasPrefix("   ") && !line.hasPrefix("S") {
      #expect(line.displayWidth <= 80, "\(line)")
    }
  }

  @Test func loggedTimesReplaceMeasuredTimes() {
    var report = Self.workload(of: 3)
    for place in report.statements.indices { report.statements[place].statement.totalTime = .seconds(2) }
    let times = WorkloadTimes(report)
    #expect(times.areLogged)
    #expect(abs(times.before - 6) < 1e-9)
    // Two statements take a hundredth of their time, and the third has no fix.
    #expect(abs(times.after - 2.04) < 1e-9)
  }

  /// A statement that was stopped before the fix took longer than its measured time, so a longer time after the fix is
  /// no loss.
  @Test(arguments: [true, false])
  func timeAboveALowerBoundIsNoLoss(isComplete: Bool) {
    var report = Self.workload(of: 3)
    let (before, after) = (
      SampleReport.measurement(ms: 100, steps: 100, isComplete: isComplete),
      SampleReport.measurement(ms: 150, steps: 50)
    )
    report.statements[0].state = .measured([("typical", before)], .tried(1, isCutShort: false))
    report.indexAdvice?.gains[0].comparison = Comparison(bindings: "typical", before: before, after: after)
    #expect(WorkloadTimes(report).slower.map(\.statement) == (isComplete ? [1] : []))
  }

  @Test func numbersAndWordsAgree() {
    #expect(Figure.word(1) == "One")
    #expect(Figure.word(13) == "13")
    var measurement = SampleReport.measurement(ms: 1)
    measurement.scannedRows = 199_999
    #expect(measurement.rowsOfScans == 200_000)
    measurement.scannedRows = 0
    #expect(measurement.rowsOfScans == 0)
  }

  /// Statements of 100 ms, which indexes reduce to a hundredth. The last statement has no fix, and the statement before
  /// has an index of its own.
  private static func workload(of count: Int) -> DiagnosisReport {
    var report = SampleReport.fine
    let create = [("a_b", Array(1...max(1, count - 2))), ("a_c", [1]), ("d_e", [count - 1])].map { name, statements in
      IndexChange(name: name, table: "t", sql: "CREATE INDEX \(name) ON t (x)", pages: 3, statements: statements)
    }
    report.statements = (1...count).map { id in
      var statement = SampleReport.search
      statement.statement = WorkloadStatement(
        id: id, fingerprint: "SELECT c\(id) FROM t WHERE x = ?", sql: "SELECT 1", count: id == 1 ? 2 : 1)
      statement.state = .measured(
        [("typical", SampleReport.measurement(ms: 100))], .tried(1, isCutShort: false))
      return statement
    }
    let served = Set(create.flatMap(\.statements))
    report.indexAdvice = IndexAdvice(
      create: create,
      gains: served.sorted().map {
        StatementGain(
          statement: $0,
          comparison: Comparison(
            bindings: "typical", before: SampleReport.measurement(ms: 100, steps: 10_000),
            after: SampleReport.measurement(ms: 1, steps: 10)))
      }, migrationSQL: create.map(\.sql), verdict: "Verdict.")
    return report
  }

  /// If a fix saves no time, but many cached pages, the number of pages shows its gain.
  @Test func pagesShowAGainThatTimesDoNot() {
    let entry = { (after: Double, pages: Int64) in
      WorkloadTimes.Entry(
        statement: 1, before: 0.001, after: after, isLowerBound: false, pages: PageChange(before: 400, after: pages))
    }
    #expect(entry(0.0011, 20).change == "1.0 ms → 1.1 ms, 400 pages → 20")
    #expect(entry(0.0002, 20).change == "1.0 ms → 0.20 ms")
    #expect(entry(0.0011, 390).change == "1.0 ms → 1.1 ms")
  }
}
