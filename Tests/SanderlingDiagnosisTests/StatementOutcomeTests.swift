import Foundation
import Testing

@testable import SanderlingDiagnosis

/// A report says that nothing helps only if fixes were tried.
@Suite(.countedTime) struct StatementOutcomeTests {
  private let files: DatabaseFixture

  init() throws {
    files = try DatabaseFixture()
    _ = try files.app("app.sqlite", AdviceFixture.tasks)
  }

  private func report(_ sql: [String], endingAfter questions: Int = .max) throws -> DiagnosisReport {
    var reader = WorkloadReader()
    for sql in sql { reader.add(sql: sql) }
    var options = Diagnosis.Options()
    options.deadline = .afterQuestions(questions)
    return try Diagnosis(database: files.url(), options: options).run(reader.workload)
  }

  /// The report says how far the work came, wherever the time ended between the first measurement and the last fix.
  @Test func reportSaysHowFarItCameWheneverTheTimeEnds() throws {
    var states: [String] = []
    var questions = 1
    while states.last != "has-fixes", questions < 1_000_000 {
      let report = try report(["SELECT title FROM task WHERE size + 0 = 30 AND projectID > 2"], endingAfter: questions)
      let statement = try #require(report.statements.first)
      try check(report, statement)
      states.append(try #require(JSONReport(report).statements[0].outcome?.state))
      questions = max(questions + 1, questions * 6 / 5)
    }
    #expect(states.first == "not-measured" && states.contains("untried") && states.last == "has-fixes", "\(states)")
  }

  private func check(_ report: DiagnosisReport, _ statement: StatementReport) throws {
    let outcome = report.outcome(of: statement)
    let (text, page) = (TerminalReport(report).text, HTMLReport(report).text)
    let forms = [text, TerminalReport(report, isVerbose: true).text, MarkdownReport(report).text, page]
    #expect(statement.measurements.isEmpty == (outcome == .notMeasured(reason: StatementWork.noTimeToMeasure)))
    switch outcome {
    case .notMeasured:
      for form in forms { #expect(form.contains("The time ended before it was measured")) }
      #expect(report.coverage?.measured == 0)
    case .untried:
      for form in forms { #expect(form.contains("No fix was tried: no time was left, and --budget allows more.")) }
      #expect(report.coverage?.measured == 1 && report.coverage?.searched == 0)
    case .nothingBetter(let tried, _):
      #expect(tried > 0 || text.contains("No fix suits it"))
    case .hasFixes:
      #expect(text.contains("measured on a copy"))
    }
    // A bar "after" is drawn only for a time that was measured.
    let hasBar = page.contains("<span class=\"label\">after</span><svg")
    if case .hasFixes = outcome { #expect(hasBar) } else { #expect(!hasBar) }
    for form in forms { #expect(!form.contains("Nothing makes it faster") && !form.contains("the same</span>")) }
  }

  @Test func outcomeCountsTheTriedFixes() throws {
    let report = try report(["SELECT * FROM task WHERE length(title) > 0"])
    guard case .nothingBetter(let tried, isCutShort: false) = report.outcome(of: report.statements[0]) else {
      Issue.record("\(report.outcome(of: report.statements[0])) \(report.notes)")
      return
    }
    // Among the fixes is an index of the title's length.
    #expect(tried > 0 && TerminalReport(report).text.contains("tried"), "\(report.notes)")
    #expect(!TerminalReport(report).text.contains("no time"))
  }

  /// Of two statements, one needs no fix, and the other has a fix.
  @Test func eachStatementHasItsOwnOutcome() throws {
    let report = try report(["SELECT title FROM task WHERE id = 7", "SELECT title FROM task WHERE size = 30"])
    #expect(report.outcomes[1] == .nothingBetter(tried: 0, isCutShort: false))
    #expect(report.outcomes[2].map { if case .hasFixes = $0 { true } else { false } } == true, "\(report.outcomes)")
    let json = try JSONDecoder().decode(JSONReport.self, from: Data(JSONReport(report).text.utf8))
    #expect(json.statements.map { $0.outcome?.state } == ["nothing-better", "has-fixes"])
  }

  // MARK: Texts of outcomes

  private func text(_ trials: FixTrials, isWrite: Bool = false) -> String {
    var statement = SampleReport.search
    statement.state = .measured([("typical", SampleReport.measurement(ms: 12.4))], trials)
    if isWrite { statement.statement.sql = "DELETE FROM task" }
    var report = SampleReport.fine
    report.statements = [statement]
    return OutcomeText(report.outcome(of: statement), of: statement).text
  }

  @Test func outcomesInWords() {
    #expect(FixTrials(0, isCutShort: true) == .none)
    #expect(FixTrials(0, isCutShort: false) == .tried(0, isCutShort: false))
    #expect(
      text(.none) == "No fix was tried: no time was left, and --budget allows more. It takes 12.4 ms and returns 1 row."
    )
    #expect(text(.tried(0, isCutShort: false)) == "No fix suits it: it takes 12.4 ms and returns 1 row.")
    #expect(
      text(.tried(1, isCutShort: false), isWrite: true)
        == "The one fix that was tried doesn't make it faster: it takes 12.4 ms and changes 1 row.")
    #expect(
      text(.tried(7, isCutShort: true)) == "None of the 7 fixes that were tried makes it faster: it takes 12.4 ms and "
        + "returns 1 row. The time ended before all fixes were tried; --budget allows more.")
  }

  /// For statements without a fix, the report tells how far the work on each came.
  @Test func workloadWithoutFixesNamesTheReasons() {
    var report = SampleReport.workload(of: 4)
    report.findings = []
    let measured = [(bindings: "typical", measurement: SampleReport.measurement(ms: 100))]
    report.statements[0].state = .measured(measured, .tried(3, isCutShort: false))
    report.statements[1].state = .measured(measured, .none)
    report.statements[2].state = .measured(measured, .none)
    report.statements[3].state = .notMeasured(reason: StatementWork.noTimeToMeasure)
    let text = TerminalReport(report).text
    for line in [
      "One statement has no fix that saves time.",
      "Two statements had no time left to try a fix; --budget allows more.",
      "One statement was not measured.",
    ] {
      #expect(text.contains(line), "\(text)")
    }
    #expect(HTMLReport(report).text.contains("<span class=\"muted\">no time to try a fix</span>"))
  }
}
