import Testing

@testable import SanderlingDiagnosis

struct ReportSummaryTests {
  @Test func countsBySeverityTheGreatestFirst() {
    #expect(ReportSummary(SampleReport.tasks).line == "5 findings: 1 wrong result, 1 error, 1 warning, 2 notes")
    #expect(ReportSummary(SampleReport.fine).line == "No findings")
    #expect(ReportSummary(SampleReport.fine).checked == "Checked 1 statement, 12 tables and 9 indexes in 310 ms.")
  }

  @Test func gainIsThatOfTheBindingsThatSaveTheMostTime() throws {
    let gain = try #require(FindingGain(SampleReport.fanOut.outcome))
    #expect(gain.text == "≥ 6,452×")
    #expect(gain.isLowerBound)
    // The bindings with the greatest ratio save less time, whether they come first or last.
    let bindings = [(1.0, 100.0), (10, 400)].map { after, before in
      Comparison(
        bindings: "typical", before: SampleReport.measurement(ms: before), after: SampleReport.measurement(ms: after))
    }
    for comparisons in [bindings, bindings.reversed()] as [[Comparison]] {
      #expect(FindingGain(.proven(comparisons))?.text == "40×")
    }
    #expect(FindingGain(SampleReport.tried.outcome) == nil)
    #expect(FindingGain(SampleReport.setting.outcome) == nil)
  }

  @Test func unclearGainOfTimeIsGivenInStepsOrPages() {
    func text(_ before: StatementMeasurement, _ after: StatementMeasurement) -> String? {
      FindingGain(Comparison(bindings: "none", before: before, after: after))?.text
    }
    let fast = SampleReport.measurement(ms: 0.02, steps: 5_000, pages: 10)
    #expect(text(fast, SampleReport.measurement(ms: 0.01, steps: 50, pages: 5)) == "100× steps")
    let covered = SampleReport.measurement(ms: 2, steps: 500, pages: 400)
    #expect(text(covered, SampleReport.measurement(ms: 1.98, steps: 500, pages: 10)) == "40× pages")
    #expect(text(covered, SampleReport.measurement(ms: 1.99, steps: 500, pages: 400)) == "±0 %")
    let nothing = SampleReport.measurement(ms: 0, steps: 0, pages: 0)
    #expect(text(nothing, nothing) == nil)
  }

  @Test func statementsWithFindingsAreShownBeforeSlowOnes() {
    let selection = ReportSelection(SampleReport.workload(of: 100), limit: 10)
    #expect(selection.statements.map(\.statement.id) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 100])
    #expect(selection.leftOut == 90)
  }

  @Test func aPlanIsReadParentsFirstHoweverDeepItIs() {
    var node = PlanNode(id: 0, detail: "leaf", step: .other, meaning: "", share: 0.5)
    for id in 1...2_000 { node = PlanNode(id: id, detail: "", step: .other, meaning: "", share: 0.1, children: [node]) }
    let lines = ShownPlanLine.all(QueryPlan(roots: [node]))
    #expect(lines.map(\.node.id) == Array((0...2_000).reversed()))
    #expect(lines.last?.parent == 1)
    #expect(lines.last?.depth == 2_000)
    #expect(ShownPlanLine.hottest(of: lines) == 0)
  }

  @Test(arguments: [
    (Severity?.none, Int32(0), 0), (.note, 2, 5), (.warning, 2, 3), (.error, 2, 2), (.wrongResult, 2, 1),
  ])
  func findingsOfASeverityOrAboveFail(severity: Severity?, exitCode: Int32, failures: Int) {
    let policy = FailurePolicy(failingOn: severity)
    #expect(policy.exitCode(for: SampleReport.tasks) == exitCode)
    #expect(policy.failures(in: SampleReport.tasks).count == failures)
    #expect(policy.exitCode(for: SampleReport.fine) == 0)
  }

  /// Remarks on the database alone do not fail a run that fails on slow statements. They fail a run that fails on
  /// notes.
  @Test func remarksOnTheDatabaseFailForNotesOnly() {
    var report = SampleReport.fine
    report.findings = [.journalMode, .redundantIndex, .unusedIndex, .duplicateIndex].map { kind in
      Finding(
        kind: kind, severity: .warning, title: "Title", explanation: "Explanation.",
        outcome: .notMeasured(reason: "Reason."))
    }
    #expect(report.findings.allSatisfy { $0.isRemark })
    #expect(FailurePolicy(failingOn: .warning).exitCode(for: report) == 0)
    #expect(FailurePolicy(failingOn: .note).exitCode(for: report) == 2)
    report.findings.append(SampleReport.scan)
    #expect(FailurePolicy(failingOn: .warning).failures(in: report).map(\.kind) == [.fullScan])
    let order = FindingOrder([]).sorted(report.findings)
    #expect(order.map(\.kind) == [.fullScan, .journalMode, .redundantIndex, .unusedIndex, .duplicateIndex])
  }
}
