import Foundation
import Testing

@testable import SanderlingDiagnosis

/// Each form of a report is safe to show, whatever texts and numbers the report contains.
struct RandomReportTests {
  @Test func noFormLetsNamesOrFiguresOut() throws {
    var random = SeededGenerator(seed: SeededGenerator.defaultSeed)
    for round in 0..<12 {
      let report = Self.report(&random)
      let note: Comment = "seed \(SeededGenerator.defaultSeed), round \(round)"
      let forms = [
        TerminalReport(report, width: Int.random(in: -5...300, using: &random), showsValues: true).text,
        TerminalReport(
          report, width: Int.random(in: -5...300, using: &random), showsValues: true, isVerbose: true
        ).text, MarkdownReport(report, showsValues: true, limit: Int.random(in: -5...70_000, using: &random)).text,
        HTMLReport(report, showsValues: true).text, try JSONReport(report, showsValues: true).text,
      ]
      for form in forms { #expect(form.unicodeScalars.allSatisfy { $0 == "\n" || !$0.steersOutput }, note) }
      #expect(!forms[3].contains("<script"), note)
      #expect(forms[3].matches(of: #/<article class="card finding /#).count == report.findings.count, note)
      let json = try JSONDecoder().decode(JSONReport.self, from: Data(forms[4].utf8))
      #expect(json.findings.map(\.title) == report.findings.map(\.title), note)
      #expect(
        json.statements.map { $0.plan.map(\.detail) } == report.statements.map { $0.plan.nodes.map(\.detail) }, note)
    }
  }

  private static func report(_ random: inout SeededGenerator) -> DiagnosisReport {
    var report = SampleReport.hostile
    report.database.name = text(&random)
    report.database.bytes = number(&random)
    report.elapsed = duration(&random)
    report.statements = (1...3).map { id in
      StatementReport(
        statement: WorkloadStatement(
          id: id, fingerprint: text(&random), sql: text(&random), count: Int(number(&random)),
          totalTime: duration(&random), totalRows: Int(number(&random)), operations: [text(&random): 2],
          bindings: [[1: .text(text(&random)), 2: .real(.nan), 3: .blob([1])]]),
        plan: QueryPlan(roots: nodes(&random, depth: 3)), measurements: [(text(&random), measurement(&random))],
        hidden: [text(&random)])
    }
    report.findings = (0..<4).map { index in
      let comparisons = [
        Comparison(bindings: text(&random), before: measurement(&random), after: measurement(&random)),
        Comparison(bindings: text(&random), before: measurement(&random), after: measurement(&random)),
      ]
      return Finding(
        kind: FindingKind.allCases.randomElement(using: &random) ?? .fullScan,
        severity: Severity.allCases.randomElement(using: &random) ?? .note, statement: index,
        node: Int.random(in: 0...9, using: &random), title: text(&random), explanation: text(&random),
        evidence: [Evidence(name: text(&random), value: real(&random), unit: "bytes", formula: text(&random))],
        fix: Fix(summary: text(&random), sql: [text(&random), text(&random)], grdb: text(&random)),
        outcome: Bool.random(using: &random) ? .proven(comparisons) : .triedNotBetter(comparisons))
    }
    return report
  }

  private static func nodes(_ random: inout SeededGenerator, depth: Int) -> [PlanNode] {
    (0..<3).map { _ in
      PlanNode(
        id: Int.random(in: 0...9, using: &random), detail: text(&random),
        step: .scan(table: text(&random), index: nil, isCovering: false), meaning: text(&random), rows: number(&random),
        rowsRead: number(&random), share: real(&random), children: depth > 0 ? nodes(&random, depth: depth - 1) : [])
    }
  }

  private static func measurement(_ random: inout SeededGenerator) -> StatementMeasurement {
    StatementMeasurement(
      steps: number(&random), pages: number(&random), coldPages: number(&random), warmTime: duration(&random),
      coldTime: duration(&random), rowsReturned: number(&random), scannedRows: number(&random), sorts: number(&random),
      automaticIndexRows: number(&random), isComplete: Bool.random(using: &random))
  }

  private static func number(_ random: inout SeededGenerator) -> Int64 {
    [0, 1, .max, .min, -1, Int64.random(in: 0...1_000_000, using: &random)].randomElement(using: &random) ?? 0
  }

  private static func real(_ random: inout SeededGenerator) -> Double {
    [0, 1, -1, .nan, .infinity, 1e300, -1e300, 1e18, 0.3, .leastNonzeroMagnitude].randomElement(using: &random) ?? 0
  }

  private static func duration(_ random: inout SeededGenerator) -> Duration {
    [.zero, .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(number(&random)), .milliseconds(12)]
      .randomElement(using: &random) ?? .zero
  }

  /// A random text of special characters of terminals, Markdown, HTML, JSON and other formats.
  private static func text(_ random: inout SeededGenerator) -> String {
    let special: [Character] = [
      "\u{1B}", "\u{7}", "\u{9B}", "\n", "\r\n", "\t", "\u{202E}", "\u{2066}", "\u{2028}", "\u{0}", "\u{FEFF}", "<",
      ">",
      "&", "\"", "'", "`", "|", "\\", "*", "#", "@", "[", "(", " ", "日", "👩\u{200D}💻", "e\u{301}", "ع", "\u{E0041}",
      "a", "/",
    ]
    let parts = (0..<Int.random(in: 0...30, using: &random)).map { _ in special.randomElement(using: &random) ?? "a" }
    return String(parts) + (Bool.random(using: &random) ? "</script><script>" : "```\n</details>")
  }
}
