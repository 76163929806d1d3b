import Foundation
import Testing

@testable import SanderlingDiagnosis

struct HTMLReportTests {
  @Test func interpolatedTextIsEscapedAndPiecesAreNot() {
    let piece: HTMLFragment = "<b>\("<&>\"'")</b>"
    #expect(piece.text == "<b>&lt;&amp;&gt;&quot;&#39;</b>")
    let page: HTMLFragment = "<p>\(piece)\([piece, piece])\(3)\(length: 12.3456)\(length: .nan)</p>"
    #expect(page.text == "<p>\(String(repeating: piece.text, count: 3))312.350</p>")
    let name = "\u{202E}\u{1B}"
    #expect(("\(name)" as HTMLFragment).text == #"\u{202E}\u{1B}"#)
  }

  @Test func pageLoadsNoResourcesAndRunsNoScripts() {
    for report in [SampleReport.tasks, SampleReport.hostile, SampleReport.fine] {
      let text = HTMLReport(report).text
      #expect(
        text.contains("content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\""))
      for part in ["<script", " src=", "url(", "@import", "<link", "<iframe", "<img", "://", "javascript:"] {
        #expect(!text.contains(part), "\(part)")
      }
      // Attributes that handle events begin with "on".
      #expect(!text.contains(/<[a-z][^>]* on[a-z]+=/))
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.steersOutput })
    }
  }

  @Test func everyTagIsClosedInOrder() throws {
    for report in [SampleReport.tasks, SampleReport.hostile, SampleReport.fine, SampleReport.workload(of: 300)] {
      var open: [Substring] = []
      for match in HTMLReport(report).text.matches(of: /<(\/?)([a-z][a-z0-9]*)(?:\s[^<>]*?)?(\/?)>/) {
        let (_, end, name, selfClosing) = match.output
        if ["meta", "input", "br"].contains(name) || !selfClosing.isEmpty { continue }
        if end.isEmpty {
          open.append(name)
        } else {
          try #require(open.popLast() == name)
        }
      }
      #expect(open.isEmpty)
    }
  }

  @Test func linksLeadSomewhere() {
    let text = HTMLReport(SampleReport.tasks).text
    let ids = text.matches(of: /\sid="([^"]*)"/).map(\.output.1)
    #expect(Set(ids).count == ids.count)
    let targets = text.matches(of: /(?:href="#|aria-labelledby=")([^"]*)"/).map(\.output.1)
    #expect(!targets.isEmpty)
    for target in targets { #expect(ids.contains(target), "\(target)") }
  }

  @Test func cardsAreInOrderOfGainAndCanBeFilteredBySeverity() {
    let text = HTMLReport(SampleReport.tasks).text
    let cards = text.matches(of: /<article class="card finding ([a-z-]+)"/).map(\.output.1)
    #expect(cards == ["wrong-result", "error", "warning", "note", "note"])
    for severity in Set(cards) {
      #expect(text.contains("id=\"show-\(severity)\" checked"))
      #expect(text.contains("#show-\(severity):not(:checked)) .finding.\(severity)"))
    }
  }

  @Test func rowsOfAJoinAreDrawnLogarithmicallyWhenTheyDifferMuch() throws {
    let chart = try #require(HTMLJoinChart(ShownPlanLine.all(SampleReport.summaries.plan))).html.text
    #expect(chart.contains("Logarithmic scale from 1 to 1,000,000"))
    // 114 rows fill 2.06 of the 6 decades of the logarithmic bar.
    #expect(chart.contains("width=\"34.28%\""))
    #expect(HTMLJoinChart(ShownPlanLine.all(SampleReport.search.plan)) == nil)
  }

  @Test func rowsOfAJoinAreDrawnLinearlyWhenTheyAreAlike() throws {
    func node(_ id: Int, rows: Int64) -> PlanNode {
      PlanNode(
        id: id, detail: "SCAN t\(id)", step: .scan(table: "t\(id)", index: nil, isCovering: false), meaning: "",
        rows: rows)
    }
    let plan = QueryPlan(roots: [node(1, rows: 50), node(2, rows: 200), node(3, rows: 0)])
    let chart = try #require(HTMLJoinChart(ShownPlanLine.all(plan))).html.text
    #expect(chart.contains("Linear scale from 0 to 200."))
    #expect(chart.contains("width=\"25.0%\""))
  }

  @Test func showsStatementsAsFingerprintsUnlessValuesAreAskedFor() {
    #expect(!HTMLReport(SampleReport.tasks).text.contains("secret"))
    #expect(HTMLReport(SampleReport.tasks, showsValues: true).text.contains("&#39;secret&#39;"))
  }

  @Test func aLargeWorkloadIsShortened() {
    let text = HTMLReport(SampleReport.workload(of: 10_000)).text
    #expect(text.contains("9,900 statements more: the JSON form lists all."))
    #expect(text.contains("id=\"S10000\""))
    #expect(text.utf8.count < 300_000)
  }

  @Test func theTimeByStatementComesFirstAndEachFindingHasItsStatement() throws {
    let text = HTMLReport(SampleReport.tasks).text
    let overview = try #require(text.firstRange(of: "id=\"overview\""))
    let findings = try #require(text.firstRange(of: "id=\"findings\""))
    #expect(overview.lowerBound < findings.lowerBound)
    let card = try #require(text.firstRange(of: "id=\"F3\""))
    let end = try #require(text[card.upperBound...].firstRange(of: "</article>"))
    #expect(text[card.upperBound..<end.lowerBound].contains("ORDER BY dueDate LIMIT ?"))
    #expect(text.contains("pre code { font-size: 0.84rem; white-space: pre-wrap;"))
  }

  /// A fix that several findings share is shown on one card, with the cards of the findings folded below it.
  @Test func findingsWithOneFixAreOneCard() {
    var report = SampleReport.workload(of: 5)
    report.findings = (1...5).map { id in
      var finding = SampleReport.scan
      finding.statement = id
      return finding
    }
    let text = HTMLReport(report).text
    #expect(text.matches(of: /CREATE INDEX task_projectID_dueDate/).count == 1)
    #expect(text.contains("This index speeds up 5 statements"))
    #expect(text.contains("<summary>5 findings in full</summary>"))
    #expect(text.matches(of: /<article class="card finding/).count == 5)
  }
}
