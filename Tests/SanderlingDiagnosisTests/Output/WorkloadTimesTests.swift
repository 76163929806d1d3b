import Testing

@testable import SanderlingDiagnosis

/// The estimated times of statements with all fixes, and the statements that each fix speeds up.
struct WorkloadTimesTests {
  private static func comparison(_ before: Double, _ after: Double, pages: (Int64, Int64) = (10, 10)) -> Comparison {
    Comparison(
      bindings: "typical", before: SampleReport.measurement(ms: before, steps: 10_000, pages: pages.0),
      after: SampleReport.measurement(ms: after, steps: 10, pages: pages.1))
  }

  private static func statement(
    _ id: Int, _ sql: String, ms: Double, count: Int = 1, logged: Duration? = nil
  ) -> StatementReport {
    var statement = SampleReport.search
    statement.statement = WorkloadStatement(
      id: id, fingerprint: sql, sql: sql, count: count, totalTime: logged, isLogged: logged != nil)
    statement.state = .measured([("typical", SampleReport.measurement(ms: ms))], .tried(1, isCutShort: false))
    return statement
  }

  private static func report(
    _ statements: [StatementReport], gains: [(Int, [Comparison])], index: String = "CREATE INDEX a ON t (b)"
  ) -> DiagnosisReport {
    var report = SampleReport.fine
    report.statements = statements
    report.indexAdvice = IndexAdvice(
      create: [IndexChange(name: "a", table: "t", sql: index, pages: 5, statements: gains.map(\.0))],
      gains: gains.map { statement, comparisons in
        var gain = StatementGain(statement: statement, comparison: comparisons[0])
        gain.others = Array(comparisons.dropFirst())
        return gain
      },
      migrationSQL: [index], verdict: "Verdict.")
    return report
  }

  /// A new index adds processor time to a logged write. The logged time is mostly the wait for the disk, and the index
  /// doesn't multiply it.
  @Test func indexAddsItsMeasuredTimeToALoggedWrite() throws {
    let report = Self.report(
      [
        Self.statement(1, "SELECT * FROM t WHERE b = ?", ms: 10, count: 10, logged: .milliseconds(200)),
        Self.statement(2, "INSERT INTO t VALUES (?)", ms: 0.0177, count: 100, logged: .milliseconds(120)),
      ],
      gains: [
        (1, [Self.comparison(10, 0.1)]), (2, [Self.comparison(0.0177, 0.0213), Self.comparison(0.0177, 0.0213)]),
      ])
    let times = WorkloadTimes(report)
    // The machine of the log takes twice as long for reads: 100 × 3.6 µs × 2.
    let write = try #require(times.entries[2])
    #expect(abs(write.after - (0.120 + 0.00072)) < 1e-6)
    let read = try #require(times.entries[1])
    #expect(abs(read.after - 0.002) < 1e-9)
    #expect(times.slower.isEmpty)
  }

  /// A logged write that finds its rows by an index gains the measured difference, even if its logged time is much
  /// greater.
  @Test func loggedWriteGainsTheMeasuredDifference() throws {
    let report = Self.report(
      [Self.statement(1, "DELETE FROM t WHERE b = ?", ms: 4, count: 10, logged: .milliseconds(100))],
      gains: [(1, [Self.comparison(4, 1)])])
    #expect(abs(try #require(WorkloadTimes(report).entries[1]).after - 0.070) < 1e-9)
  }

  @Test func measuredWritesAreMultiplied() throws {
    let report = Self.report(
      [Self.statement(1, "DELETE FROM t WHERE b = ?", ms: 4, count: 10)], gains: [(1, [Self.comparison(4, 1)])])
    #expect(abs(try #require(WorkloadTimes(report).entries[1]).after - 0.010) < 1e-9)
  }

  /// A statement that uses the index and becomes slower is not counted among the statements that gain.
  @Test func fixNamesOnlyStatementsThatGain() {
    let report = Self.report(
      [
        Self.statement(1, "SELECT 1 FROM t WHERE b = ?", ms: 20),
        Self.statement(2, "SELECT 2 FROM t WHERE b = ?", ms: 0.25),
        Self.statement(3, "SELECT 3 FROM t WHERE b = ?", ms: 1),
      ],
      gains: [
        (1, [Self.comparison(20, 0.1)]), (2, [Self.comparison(0.25, 0.28)]),
        (3, [Self.comparison(1, 1, pages: (400, 20))]),
      ])
    let times = WorkloadTimes(report)
    let groups = FixGroup.all(of: report, times: times)
    #expect(groups.map(\.statements) == [[1, 3]])
    #expect(groups[0].headline(of: 0.021).hasPrefix("This index speeds up 2 statements"))
    #expect(AdviceFacts(report.indexAdvice!, times).text(of: report.indexAdvice!.create[0]).hasSuffix("for S1, S3"))
    #expect(ApplyScript(report).text.contains("It serves S1, S3."))
    #expect(report.outcomes[2] == .nothingBetter(tried: 1, isCutShort: false))
  }

  /// An index that saves 0.03 ms is in no summary and in no script.
  @Test(arguments: [(1, false), (10, true)])
  func negligibleFixIsLeftOut(count: Int, isShown: Bool) {
    let sql = "CREATE INDEX a ON t (b)"
    let figures = "ANALYZE " + sql.split(separator: " ")[2]
    var report = Self.report(
      [Self.statement(1, "SELECT 1 FROM t WHERE b = ?", ms: 0.05, count: count)],
      gains: [(1, [Self.comparison(0.05, 0.02)])])
    report.findings = [
      Finding(
        kind: .fullScan, severity: .note, statement: 1, title: "Title", explanation: "Explanation.",
        fix: Fix(summary: "Index t by b", sql: [sql, figures]), outcome: .proven([Self.comparison(0.05, 0.02)]))
    ]
    for statements in [1, 2] {
      var report = report
      if statements == 2 { report.statements.append(Self.statement(2, "SELECT 2", ms: 3)) }
      let text = TerminalReport(report).text
      #expect(text.contains(sql) == isShown, "\(text)")
      #expect(text.contains(figures) == isShown, "\(text)")
      #expect(text.contains("One fix saves less than 0.10 ms in all: --verbose shows it.") != isShown, "\(text)")
      #expect(
        MarkdownOverview(report, WorkloadTimes(report), showsValues: false).parts.joined().contains(sql) == isShown)
    }
    #expect(ApplyScript(report).text.contains(figures) == isShown)
    #expect(ApplyScript(report).text.contains(sql) == isShown)
    #expect(TerminalReport(report, isVerbose: true).text.contains(sql))
  }

  /// The weight of a write is the number of its executions, since its logged time is mostly the time of the commit.
  @Test func weightsOfWritesAreTheirExecutions() {
    let statements = [
      ("SELECT 1 FROM t", 10, 0.1, Duration.milliseconds(10)), ("SELECT 2 FROM t", 10, 0.1, .milliseconds(30)),
      ("INSERT INTO t VALUES (1)", 50, 0.01, .seconds(9)),
    ].enumerated().map { place, statement in
      AnalyzedStatement(
        statement: WorkloadStatement(
          id: place + 1, fingerprint: "", sql: statement.0, count: statement.1, totalTime: statement.3),
        samples: [BindingSample(name: "none", values: [:])], plan: QueryPlan(),
        measurements: [SampleReport.measurement(ms: statement.2)])
    }
    let weights = IndexAdvisor.weights(of: statements)
    #expect(weights.map { ($0 * 1000).rounded() / 1000 } == [5, 15, 50])
  }
}
