import Testing

@testable import SanderlingDiagnosis

/// Sentences that are composed of parts have no gaps if a part is empty.
struct SentenceTests {
  private func check(_ text: String, _ note: String = "") {
    for gap in ["  ", " .", " ,", " :", " ;", "()", ": :", ",,", "..", ": ."] {
      #expect(!text.contains(gap), "\"\(text)\" \(note)")
    }
    #expect(text.first != " " && text.last != " " && !text.isEmpty, "\"\(text)\" \(note)")
  }

  private static let outcomes: [Finding.Outcome] = [
    .proven([]), .proven([comparison(100)]), .proven([comparison(1.1)]), .triedNotBetter([comparison(1)]),
    .notMeasured(reason: "Reason."),
  ]

  private static func comparison(_ ratio: Double) -> Comparison {
    Comparison(
      bindings: "typical", before: SampleReport.measurement(ms: ratio), after: SampleReport.measurement(ms: 1))
  }

  @Test(arguments: FindingKind.allCases)
  func remarks(kind: FindingKind) {
    for outcome in Self.outcomes {
      for sql in [["CREATE INDEX a ON t (b)"], ["DROP INDEX a"], ["PRAGMA a", "VACUUM"], []] {
        let finding = Finding(
          kind: kind, severity: .note, title: "Title", explanation: "", fix: Fix(summary: "Summary", sql: sql),
          outcome: outcome, isRemark: true)
        for printed in [[], [FixGroup(kind: .index, summary: "", sql: sql)]] {
          let text = RemarkText(finding, beside: printed)
          for part in [text.command, text.summary, text.reason] { check(part, "\(kind) \(outcome) \(sql)") }
          if !text.isCommand { check(text.sentence, "\(kind) \(outcome) \(sql)") }
        }
      }
    }
  }

  /// A remark whose command is already printed says so, followed by a colon and its reason.
  @Test func aRepeatedCommandLeadsToItsReason() {
    let finding = Finding(
      kind: .redundantIndex, severity: .warning, title: "Title", explanation: "",
      fix: Fix(summary: "Drop a", sql: ["DROP INDEX a"]), outcome: .proven([]), isRemark: true)
    let printed = [FixGroup(kind: .database, summary: "", sql: ["DROP INDEX a"])]
    #expect(
      RemarkText(finding, beside: printed).sentence
        == "The same command as above: another index begins with its columns")
    var report = SampleReport.fine
    report.findings = [finding, finding]
    report.findings[1].isRemark = false
    #expect(
      TerminalReport(report).text.contains("  The same command as above: another index begins with its columns\n"))
  }

  @Test func headlinesAndWorkloads() {
    for statements in [[], [1], [1, 2]] {
      for saved in [0, 0.5] {
        for needs in [[], [0], [0, 1]] {
          for kind in [FixGroup.Kind.index, .rewrite, .database] {
            var group = FixGroup(
              kind: kind, summary: "Summary", sql: ["CREATE INDEX a ON t (b)"], statements: statements)
            (group.saved, group.needs) = (saved, needs)
            check(group.headline(of: 1))
          }
        }
      }
    }
    for report in [SampleReport.tasks, SampleReport.fine, SampleReport.workload(of: 1), SampleReport.workload(of: 9)] {
      for line in WorkloadText(report, WorkloadTimes(report)).lines + WorkloadText.withoutFixes(report.outcomes) {
        check(line)
      }
      if let advice = report.indexAdvice {
        let facts = AdviceFacts(advice, WorkloadTimes(report))
        for change in advice.create + advice.drop { check(facts.text(of: change)) }
      }
    }
    for outcome: StatementOutcome in [
      .notMeasured(reason: "Reason."), .untried, .nothingBetter(tried: 0, isCutShort: false), .hasFixes(1),
      .nothingBetter(tried: 3, isCutShort: true),
    ] {
      check(OutcomeText(outcome, of: SampleReport.search).text)
      check(outcome.label)
    }
  }

  @Test func plansWithoutNames() {
    let meaning = PlanMeaning()
    for step: PlanStep in [
      .coroutine(name: ""), .materialize(name: ""), .temporaryBTree(purpose: .other("")), .compound(operator: ""),
      .search(table: "t", index: nil, isCovering: false, terms: []),
      .automaticIndex(table: "t", isPartial: false, terms: []),
    ] {
      check(meaning.sentence(for: step, detail: ""))
    }
  }
}
