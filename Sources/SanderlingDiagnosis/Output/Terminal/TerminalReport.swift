import SanderlingTerminal

/// A report for a terminal: the fixes and their gains in short, or all details.
public struct TerminalReport: Sendable {
  private let report: DiagnosisReport
  private let width: Int
  private let style: TextStyle
  private let showsValues: Bool
  private let isVerbose: Bool
  private let nodes: FindingNodes

  /// Creates the form of a report for a terminal.
  ///
  /// - Parameters:
  ///   - width: The columns of the terminal. Longer lines are cut or wrapped.
  ///   - isColored: Whether severities and figures are colored by ANSI sequences.
  ///   - showsValues: Whether statements are shown as they ran, instead of their fingerprints.
  ///   - isVerbose: Whether the report has all details: a line for each finding in order of gain, then details, plans
  ///     and conditions. Otherwise a report on one statement takes about fifteen lines, and on any workload at most a
  ///     hundred.
  public init(
    _ report: DiagnosisReport, width: Int = 100, isColored: Bool = false, showsValues: Bool = false,
    isVerbose: Bool = false
  ) {
    self.report = report
    self.width = min(max(width, 40), 400)
    style = TextStyle(isColored: isColored)
    self.showsValues = showsValues
    self.isVerbose = isVerbose
    nodes = FindingNodes(report)
  }

  /// The whole report, with a line break after each line.
  public var text: String {
    guard isVerbose else {
      var summary = TerminalSummary(report, width: width, style: style, showsValues: showsValues)
      return summary.text
    }
    var page = TerminalPage(width: width, style: style)
    let summary = ReportSummary(report)
    page.line(style.heading(report.database.name.visible(limit: 200).cut(toWidth: width)))
    page.paragraph(summary.conditions, indentation: 0, style: style.note)
    page.space()
    addList(to: &page)
    for (index, finding) in report.findings.enumerated() {
      addFinding(finding, number: index + 1, to: &page)
    }
    let selection = ReportSelection(report, limit: Self.maximumStatements)
    let outcomes = report.outcomes
    for statement in selection.statements {
      addStatement(statement, report.outcome(of: statement, among: outcomes), to: &page)
    }
    if selection.leftOut > 0 {
      page.space()
      page.paragraph(
        "\(Figure.count(selection.leftOut, "statement")) more: the JSON form lists all.",
        indentation: 0, style: style.note)
    }
    if let advice = report.indexAdvice { addAdvice(advice, to: &page) }
    addRemarks(to: &page)
    page.space()
    page.paragraph(summary.line + ".", indentation: 0, style: style.heading)
    page.paragraph(summary.checked, indentation: 0)
    return page.text
  }

  private static let maximumStatements = 50

  /// Adds one line for each finding.
  private func addList(to page: inout TerminalPage) {
    guard !report.findings.isEmpty else { return }
    let rows = report.findings.map { finding in
      (severity: finding.severity, gain: finding.gainText, place: finding.statement.map { "S\($0)" } ?? "")
    }
    let severityWidth = rows.map(\.severity.title.count).max() ?? 0
    let gainWidth = min(16, rows.map(\.gain.displayWidth).max() ?? 0)
    let placeWidth = rows.map(\.place.count).max() ?? 0
    for (row, finding) in zip(rows, report.findings) {
      let severity = row.severity.title.padded(toWidth: severityWidth)
      let gain = row.gain.cut(toWidth: gainWidth).padded(toWidth: gainWidth, alignsRight: true)
      let place = row.place.padded(toWidth: placeWidth)
      let taken = severityWidth + gainWidth + placeWidth + (placeWidth > 0 ? 6 : 4)
      let title = finding.title.visible().cut(toWidth: max(10, width - taken))
      page.line(
        [style.severity(finding.severity, severity), finding.isProven ? style.good(gain) : gain]
          .joined(separator: "  ") + (placeWidth > 0 ? "  \(place)  " : "  ") + title)
    }
  }

  private func addFinding(_ finding: Finding, number: Int, to page: inout TerminalPage) {
    page.title("\(number). \(finding.title.visible())")
    var place = ["\(style.severity(finding.severity, finding.severity.title))", finding.kind.rawValue]
    if let statement = finding.statement { place.append("S\(statement)") }
    if let caller = finding.caller { place.append(caller.visible(limit: 200)) }
    page.paragraph(place.joined(separator: " · "))
    if let detail = nodes.detail(of: finding) { page.paragraph(detail, mark: "at ") }
    page.space()
    page.paragraph(finding.explanation.visibleLines())
    if !finding.evidence.isEmpty {
      page.space()
      page.table(
        finding.evidence.map {
          [
            $0.name.visible(limit: 200), Figure.quantity($0.value, unit: $0.unit.visible(limit: 40)),
            $0.formula?.visible(limit: 200) ?? "",
          ]
        })
    }
    if let fix = finding.fix { addFix(fix, named: finding.fixLabel, to: &page) }
    addOutcome(finding.outcome, to: &page)
    if let proof = finding.formProof { page.paragraph(proof.text, mark: "Same rows: ") }
    for limit in finding.limits {
      page.paragraph(limit.visible(), mark: "Limit: ", style: style.note)
    }
  }

  private func addFix(_ fix: Fix, named label: String, to page: inout TerminalPage) {
    page.space()
    page.paragraph(fix.summary.visible(), mark: "\(label): ", style: style.heading)
    if !fix.sql.isEmpty { addCode(SQLLayout.script(fix.sql), to: &page) }
    for (name, code) in fix.codes {
      page.paragraph(name, indentation: 4, style: style.note)
      // Changes in Core Data's model editor are described in words.
      if code == fix.coreData {
        page.paragraph(code.visibleLines(), indentation: 6)
      } else {
        addCode(code.visibleLines(), to: &page)
      }
    }
  }

  private func addOutcome(_ outcome: Finding.Outcome, to page: inout TerminalPage) {
    page.space()
    switch outcome {
    case .proven(let comparisons):
      page.line("  Measured on a copy:")
      addComparisons(comparisons.map { ($0.bindings, $0) }, to: &page)
    case .triedNotBetter(let comparisons):
      page.line("  \(style.severity(.warning, "Tried, not better:"))")
      addComparisons(comparisons.map { ($0.bindings, $0) }, to: &page)
    case .notMeasured(let reason):
      page.paragraph(reason.visible(), mark: "Not measured: ")
    }
  }

  private func addComparisons(_ comparisons: [(name: String, comparison: Comparison)], to page: inout TerminalPage) {
    let rows = comparisons.flatMap { name, comparison in
      ComparedFigure.all(comparison).enumerated().map { index, figure in
        [index == 0 ? name.visible(limit: 60) : "", figure.name, figure.beforeText, figure.afterText, figure.gain]
      }
    }
    page.table(rows, header: ["", "", "before", "after", "gain"], leftColumns: 2)
  }

  private func addStatement(_ statement: StatementReport, _ outcome: StatementOutcome, to page: inout TerminalPage) {
    page.title("S\(statement.statement.id)")
    page.paragraph(
      StatementFacts(statement).facts(showsValues: showsValues).joined(separator: " · "), style: style.note)
    addCode(SQLLayout.text(statement.text(showsValues: showsValues).visibleLines(limit: 4_000)), to: &page)
    page.paragraph(OutcomeText(outcome, of: statement).text)
    for (bindings, measurement) in statement.measurements {
      page.paragraph(StatementFacts.text(of: measurement), mark: "\(bindings.visible(limit: 60)): ")
    }
    TerminalPlanTree(statement.plan).add(to: &page)
    for hidden in statement.hidden { page.paragraph(hidden.visible(), mark: "The plan does not show: ") }
  }

  private func addAdvice(_ advice: IndexAdvice, to page: inout TerminalPage) {
    page.title("Indexes for the whole workload")
    page.paragraph(advice.verdict.visible())
    let facts = AdviceFacts(advice, WorkloadTimes(report))
    if !facts.cost.isEmpty { page.paragraph(facts.cost.joined(separator: ", ")) }
    for (verb, changes) in facts.changes {
      for change in changes {
        page.paragraph(facts.text(of: change), mark: "\(verb) ")
      }
    }
    if !advice.gains.isEmpty {
      page.space()
      addComparisons(advice.gains.map { ("S\($0.statement) \($0.comparison.bindings)", $0.comparison) }, to: &page)
    }
    guard !advice.migrationSQL.isEmpty else { return }
    page.space()
    page.line("  Migration:")
    addCode(SQLLayout.script(advice.migrationSQL), to: &page)
    for (name, code) in facts.migrations {
      page.paragraph(name, indentation: 4, style: style.note)
      addCode(code.visibleLines(), to: &page)
    }
  }

  private func addRemarks(to page: inout TerminalPage) {
    if !report.skipped.isEmpty {
      page.title("Left out")
      for skipped in report.skipped.prefix(Self.maximumStatements) {
        page.paragraph(skipped.reason.visible(), mark: skipped.place.map { "\($0.description.visible()): " } ?? "")
      }
      let rest = report.skipped.count - Self.maximumStatements
      if rest > 0 { page.paragraph("\(Figure.count(rest)) more: the JSON form lists all.", style: style.note) }
    }
    if !report.notes.isEmpty {
      page.title("Conditions")
      for note in report.notes { page.paragraph(note.visible(), mark: "• ") }
    }
  }

  /// Adds code without wrapping its lines: a terminal wraps them without changing the copied text.
  private func addCode(_ code: String, to page: inout TerminalPage) {
    for line in code.split(separator: "\n", omittingEmptySubsequences: false) { page.line("      " + line) }
  }
}
