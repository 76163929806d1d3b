/// A report as one page that stands alone: it loads nothing, runs no script, and reads well in light and dark, on a phone, by
/// keyboard and on paper.
public struct HTMLReport: Sendable {
  private let report: DiagnosisReport
  private let showsValues: Bool

  /// - Parameter showsValues: Whether statements are shown as they ran, and not as fingerprints.
  public init(_ report: DiagnosisReport, showsValues: Bool = false) {
    self.report = report
    self.showsValues = showsValues
  }

  /// The whole page.
  public var text: String {
    let name = report.database.name.visible(limit: 200)
    let page: HTMLFragment = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <title>Diagnosis of \(name)</title>
      <style>
      \(HTMLStyleSheet.css)
      </style>
      </head>
      <body>
      <a class="skip" href="#main">Skip to the findings</a>
      \(header(name: name))
      <main id="main">
      \(findings)
      \(advice)
      \(statements)
      \(remarks)
      </main>
      <footer><p>\(ReportSummary(report).checked)</p></footer>
      </body>
      </html>

      """
    return page.text
  }

  /// Nothing may be loaded, run or sent; only the page's own styles count.
  private static let policy: HTMLFragment =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
  private static let maximumStatements = 100
  private static let maximumFindings = 500

  private func header(name: String) -> HTMLFragment {
    let summary = ReportSummary(report)
    let filter: HTMLFragment =
      summary.findings == 0
      ? "" : "<fieldset class=\"filter\"><legend>Show</legend>\(summary.counts.map(filterTile))</fieldset>"
    var links: [HTMLFragment] = []
    if !report.findings.isEmpty { links.append("<a href=\"#findings\">Findings</a>") }
    if report.indexAdvice != nil { links.append("<a href=\"#indexes\">Indexes</a>") }
    if !report.statements.isEmpty { links.append("<a href=\"#statements\">Statements</a>") }
    if !report.notes.isEmpty || !report.skipped.isEmpty { links.append("<a href=\"#conditions\">Conditions</a>") }
    return """
      <header class="top">
      <p class="eyebrow">Diagnosis</p>
      <h1><bdi>\(name)</bdi></h1>
      <p class="headline">\(summary.line).</p>
      <p class="muted">\(summary.conditions).</p>
      \(filter)
      <nav aria-label="Parts of the report">\(links)</nav>
      </header>
      """
  }

  /// A count that is a switch as well. Style sheets hide what is switched off, so that no script is needed.
  private func filterTile(_ severity: Severity, _ count: Int) -> HTMLFragment {
    """
    <label class="tile \(severity.rawValue)"><input type="checkbox" id="show-\(severity.rawValue)" checked>
    <span class="number">\(Figure.count(count))</span>
    <span class="name">\(count == 1 ? severity.title : severity.title + "s")</span></label>
    """
  }

  private var findings: HTMLFragment {
    guard !report.findings.isEmpty else {
      return """
        <section class="card fine"><h2>Nothing to improve was found</h2>
        <p>\(ReportSummary(report).checked)</p></section>
        """
    }
    let nodes = FindingNodes(report)
    let cards = report.findings.prefix(Self.maximumFindings).enumerated().map { index, finding in
      HTMLFindingCard(finding: finding, number: index + 1, node: nodes.detail(of: finding)).html
    }
    return """
      <section aria-labelledby="findings"><h2 id="findings">Findings</h2>
      \(cards)\(Self.rest(report.findings.count - cards.count, "finding"))
      </section>
      """
  }

  private var advice: HTMLFragment {
    report.indexAdvice.map { HTMLIndexAdvice(advice: $0).html } ?? .empty
  }

  private var statements: HTMLFragment {
    guard !report.statements.isEmpty else { return .empty }
    let selection = ReportSelection(report, limit: Self.maximumStatements)
    var findings: [Int: [HTMLStatementCard.Reference]] = [:]
    for (index, finding) in report.findings.prefix(Self.maximumFindings).enumerated() {
      guard let statement = finding.statement else { continue }
      findings[statement, default: []].append(HTMLStatementCard.Reference(finding: index + 1, node: finding.node))
    }
    let cards = selection.statements.map { statement in
      HTMLStatementCard(
        statement: statement, findings: findings[statement.statement.id] ?? [], showsValues: showsValues
      ).html
    }
    return """
      <section aria-labelledby="statements"><h2 id="statements">Statements</h2>
      \(cards)\(Self.rest(selection.leftOut, "statement"))
      </section>
      """
  }

  private var remarks: HTMLFragment {
    guard !report.notes.isEmpty || !report.skipped.isEmpty else { return .empty }
    let notes: [HTMLFragment] = report.notes.map { "<li>\($0.visible())</li>" }
    let skipped: [HTMLFragment] = report.skipped.prefix(Self.maximumStatements).map { part in
      let place: HTMLFragment = part.place.map { "<code>\($0.description.visible(limit: 200))</code> " } ?? ""
      return "<li>\(place)\(part.reason.visible())</li>"
    }
    let leftOut: HTMLFragment =
      skipped.isEmpty
      ? ""
      : """
      <h3>Input that was left out</h3><ul>\(skipped)</ul>
      \(Self.rest(report.skipped.count - skipped.count, "part"))
      """
    let list: HTMLFragment = notes.isEmpty ? "" : "<ul>\(notes)</ul>"
    return """
      <section aria-labelledby="conditions"><h2 id="conditions">Conditions</h2>
      <div class="card">\(list)\(leftOut)</div></section>
      """
  }

  /// Says how many are not on the page, so that it opens quickly.
  private static func rest(_ count: Int, _ name: String) -> HTMLFragment {
    guard count > 0 else { return .empty }
    return "<p class=\"muted\">\(Figure.count(count, name)) more: the JSON form lists all.</p>"
  }
}
