import SanderlingTerminal

/// A report as one self-contained page. It loads nothing and runs no script. It is readable in light and dark mode, on
/// a phone, by keyboard and on paper.
public struct HTMLReport: Sendable {
  private let report: DiagnosisReport
  private let showsValues: Bool
  private let times: WorkloadTimes
  private let outcomes: [Int: StatementOutcome]
  private let statementsByID: [Int: StatementReport]
  private let groups: [FixGroup]
  private let nodes: FindingNodes
  private let selection: ReportSelection
  /// The statements that have a card of their own.
  private let linked: Set<Int>

  /// Creates the page of a report.
  ///
  /// - Parameter showsValues: Whether statements are shown as they ran, instead of their fingerprints.
  public init(_ report: DiagnosisReport, showsValues: Bool = false) {
    self.report = report
    self.showsValues = showsValues
    times = WorkloadTimes(report)
    outcomes = report.outcomes
    statementsByID = Dictionary(report.statements.map { ($0.statement.id, $0) }) { first, _ in first }
    groups = FixGroup.all(of: report, times: times)
    nodes = FindingNodes(report)
    selection = ReportSelection(report, limit: Self.maximumStatements)
    linked = Set(selection.statements.map(\.statement.id))
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
      \(HTMLOverview(report: report, times: times, outcomes: outcomes, showsValues: showsValues, linked: linked).html)
      \(findings)
      \(remarksOnDatabase)
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

  /// Forbids loading, running and sending anything; only the page's own styles apply.
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
    if times.before > 0 { links.append("<a href=\"#overview\">Time by statement</a>") }
    let hasFindings = report.findings.isEmpty || report.findings.contains { !$0.isRemark }
    if !report.findings.isEmpty, hasFindings { links.append("<a href=\"#findings\">Findings</a>") }
    if report.findings.contains(where: \.isRemark) { links.append("<a href=\"#database\">For the whole database</a>") }
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

  /// Returns a count that is also a switch. Style sheets hide the findings of a switched-off severity, so that no
  /// script is needed.
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
    let shown = report.findings.indices.prefix(Self.maximumFindings)
    let groupOf = Dictionary(
      groups.enumerated().flatMap { number, group in group.findings.map { ($0, number) } }
    ) { first, _ in first }
    var cards: [HTMLFragment] = []
    // Wrong results first, then the fixes by their savings, then findings without a fix.
    let loose = shown.filter { groupOf[$0] == nil && !report.findings[$0].isRemark }
    cards += loose.filter { report.findings[$0].severity == .wrongResult }.map { card($0) }
    for (number, group) in groups.enumerated() {
      let own = group.findings.filter { $0 < Self.maximumFindings }
      let headline = group.statements.isEmpty ? nil : group.headline(of: times.before)
      if own.count == 1, group.statements.count <= 1, report.findings[own[0]].fix?.sql == group.sql {
        cards.append(card(own[0], headline: headline))
      } else {
        cards.append(
          HTMLFixCard(
            group: group, number: number + 1, total: times.before, times: times, statements: statementsByID,
            showsValues: showsValues, linked: linked, cards: own.map { card($0, showsFix: false) }
          ).html)
      }
    }
    cards += loose.filter { report.findings[$0].severity != .wrongResult }.map { card($0) }
    guard !cards.isEmpty else { return .empty }
    return """
      <section aria-labelledby="findings"><h2 id="findings">Findings</h2>
      \(cards)\(Self.rest(report.findings.count - shown.count, "finding"))
      </section>
      """
  }

  private func card(_ place: Int, headline: String? = nil, showsFix: Bool = true) -> HTMLFragment {
    let finding = report.findings[place]
    let statement = finding.statement.flatMap { statementsByID[$0] }
    return HTMLFindingCard(
      finding: finding, number: place + 1, node: nodes.detail(of: finding),
      sql: statement?.text(showsValues: showsValues), headline: headline, showsFix: showsFix
    ).html
  }

  /// Findings on the database that don't depend on its statements: one folded line for each.
  private var remarksOnDatabase: HTMLFragment {
    let cards: [HTMLFragment] = report.findings.indices.prefix(Self.maximumFindings)
      .filter { report.findings[$0].isRemark }.map { place in
        let text = RemarkText(report.findings[place], beside: groups)
        return """
          <details class="remark"><summary>\(Self.head(of: text)) \(text.reason)</summary>
          \(card(place))</details>
          """
      }
    guard !cards.isEmpty else { return .empty }
    return """
      <section aria-labelledby="database"><h2 id="database">For the whole database</h2>
      \(cards)
      </section>
      """
  }

  private static func head(of remark: RemarkText) -> HTMLFragment {
    let command = remark.command.visible(limit: 300)
    return remark.isCommand ? "<code>\(command)</code>" : "\(command):"
  }

  private var advice: HTMLFragment {
    report.indexAdvice.map { HTMLIndexAdvice(advice: $0, times: times).html } ?? .empty
  }

  private var statements: HTMLFragment {
    guard !report.statements.isEmpty else { return .empty }
    var findings: [Int: [HTMLStatementCard.Reference]] = [:]
    for (index, finding) in report.findings.prefix(Self.maximumFindings).enumerated() {
      guard let statement = finding.statement else { continue }
      findings[statement, default: []].append(HTMLStatementCard.Reference(finding: index + 1, node: finding.node))
    }
    let cards = selection.statements.map { statement in
      HTMLStatementCard(
        statement: statement, outcome: report.outcome(of: statement, among: outcomes),
        findings: findings[statement.statement.id] ?? [], showsValues: showsValues
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

  /// Returns the number of items that are left out, so that the page opens quickly.
  private static func rest(_ count: Int, _ name: String) -> HTMLFragment {
    guard count > 0 else { return .empty }
    return "<p class=\"muted\">\(Figure.count(count, name)) more: the JSON form lists all.</p>"
  }
}
