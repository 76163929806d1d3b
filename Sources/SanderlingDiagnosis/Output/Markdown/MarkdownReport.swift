import SanderlingTerminal

/// A report for a pull request: the fixes with their gains, the remaining costs, and the details to open.
public struct MarkdownReport: Sendable {
  private let report: DiagnosisReport
  private let showsValues: Bool
  private let limit: Int
  private let nodes: FindingNodes

  /// Creates the Markdown form of a report.
  ///
  /// - Parameters:
  ///   - showsValues: Whether statements are shown as they ran, instead of their fingerprints.
  ///   - limit: The greatest number of characters. Details that don't fit are left out, with a note. A comment on
  ///     GitHub holds 65,536.
  public init(_ report: DiagnosisReport, showsValues: Bool = false, limit: Int = 65_000) {
    self.report = report
    self.showsValues = showsValues
    self.limit = limit
    nodes = FindingNodes(report)
  }

  /// The whole report.
  public var text: String {
    let summary = ReportSummary(report)
    var text = "## Diagnosis of \(MarkdownText.inline(report.database.name))\n\n"
    text += "**\(summary.line).** \(summary.checked)\n\n"
    let times = WorkloadTimes(report)
    if !report.statements.isEmpty { text += WorkloadText(report, times).lines.joined(separator: " ") + "\n\n" }
    text += MarkdownText.inline(summary.conditions) + ".\n"
    let end = remarks
    var room = limit - text.utf16.count - end.utf16.count - Self.roomForNotice
    text += overview(times, room: &room)
    var leftOut = 0
    for part in details(times) {
      if part.utf16.count < room {
        text += "\n" + part
        room -= part.utf16.count + 1
      } else {
        leftOut += 1
      }
    }
    if leftOut > 0 {
      text +=
        "\n\(Figure.count(leftOut, "part")) of the details would make this text too long; all are in the JSON form.\n"
    }
    return text + end
  }

  private static let roomForNotice = 200

  /// Returns the fixes, the findings without a proven fix, the remaining costs, and the remarks on the database.
  private func overview(_ times: WorkloadTimes, room: inout Int) -> String {
    let overview = MarkdownOverview(report, times, showsValues: showsValues)
    var text = ""
    var leftOut = 0
    // Half of the text is reserved for the details.
    var partRoom = room / 2
    for part in overview.parts {
      partRoom -= part.utf16.count + 1
      if partRoom > 0 { text += "\n" + part } else { leftOut += 1 }
    }
    if leftOut > 0 { text += "\n\(Figure.count(leftOut, "part")) more would make this text too long.\n" }
    room -= text.utf16.count
    return text
  }

  /// Returns the foldable parts, the most important first.
  private func details(_ times: WorkloadTimes) -> [String] {
    var parts = report.findings.enumerated().map { details(of: $1, number: $0 + 1) }
    if let advice = report.indexAdvice { parts.insert(details(of: advice, times), at: min(parts.count, 10)) }
    let outcomes = report.outcomes
    return parts
      + ReportSelection(report, limit: 50).statements.map { statement in
        details(of: statement, report.outcome(of: statement, among: outcomes))
      }
  }

  private func details(of finding: Finding, number: Int) -> String {
    var place = ["**\(finding.severity.title)**", MarkdownText.code(finding.kind.rawValue)]
    if let statement = finding.statement { place.append("S\(statement)") }
    if let caller = finding.caller { place.append(MarkdownText.code(caller)) }
    var blocks = [place.joined(separator: " · ") + "\n"]
    if let detail = nodes.detail(of: finding) { blocks.append("At \(MarkdownText.code(detail))\n") }
    blocks += finding.explanation.split(whereSeparator: \.isNewline).map { MarkdownText.inline(String($0)) + "\n" }
    let evidence = finding.evidence.map { evidence in
      let value = MarkdownText.inline(Figure.quantity(evidence.value, unit: evidence.unit))
      let formula = evidence.formula.map { " = \(MarkdownText.inline($0))" } ?? ""
      return "- \(MarkdownText.inline(evidence.name)): \(value)\(formula)\n"
    }
    if !evidence.isEmpty { blocks.append(evidence.joined()) }
    if let fix = finding.fix {
      blocks.append("**\(finding.fixLabel):** \(MarkdownText.inline(fix.summary))\n")
      if !fix.sql.isEmpty {
        blocks.append(MarkdownText.fence(SQLLayout.script(fix.sql), language: "sql"))
      }
      for (name, code) in fix.codes {
        let language = name == "Core Data" ? "" : "swift"
        blocks += ["\(name):\n", MarkdownText.fence(code.visibleLines(), language: language)]
      }
    }
    switch finding.outcome {
    case .proven(let comparisons):
      blocks += ["Measured on a copy:\n", table(of: comparisons.map { ($0.bindings, $0) })]
    case .triedNotBetter(let comparisons):
      blocks += ["Tried, not better:\n", table(of: comparisons.map { ($0.bindings, $0) })]
    case .notMeasured(let reason):
      blocks.append("Not measured: \(MarkdownText.inline(reason))\n")
    }
    if let proof = finding.formProof { blocks.append("Same rows: \(MarkdownText.inline(proof.text))\n") }
    blocks += finding.limits.map { "Limit: \(MarkdownText.inline($0))\n" }
    return opened("\(number). \(finding.title)", blocks)
  }

  private func details(of advice: IndexAdvice, _ times: WorkloadTimes) -> String {
    let facts = AdviceFacts(advice, times)
    var blocks = ["\(MarkdownText.inline(advice.verdict))\n"]
    if !facts.cost.isEmpty { blocks.append("The set \(facts.cost.joined(separator: ", ")).\n") }
    let changes = facts.changes.flatMap { verb, changes in
      changes.map { "- \(verb) \(MarkdownText.inline(facts.text(of: $0)))\n" }
    }
    if !changes.isEmpty { blocks.append(changes.joined()) }
    if !advice.gains.isEmpty {
      blocks.append(table(of: advice.gains.map { ("S\($0.statement) \($0.comparison.bindings)", $0.comparison) }))
    }
    if !advice.migrationSQL.isEmpty {
      blocks.append(MarkdownText.fence(SQLLayout.script(advice.migrationSQL), language: "sql"))
    }
    for (name, code) in facts.migrations {
      blocks += ["\(name):\n", MarkdownText.fence(code.visibleLines(), language: "swift")]
    }
    return opened("Indexes for the whole workload", blocks)
  }

  private func details(of statement: StatementReport, _ outcome: StatementOutcome) -> String {
    let facts = StatementFacts(statement).facts(showsValues: showsValues).joined(separator: " · ")
    var blocks = ["\(MarkdownText.inline(facts))\n"]
    blocks.append(MarkdownText.inline(OutcomeText(outcome, of: statement).text) + "\n")
    blocks.append(MarkdownText.fence(code(statement.text(showsValues: showsValues)), language: "sql"))
    let measurements = statement.measurements.map { bindings, measurement in
      "- \(MarkdownText.inline(bindings)): \(StatementFacts.text(of: measurement))\n"
    }
    if !measurements.isEmpty { blocks.append(measurements.joined()) }
    let lines = ShownPlanLine.all(statement.plan)
    if !lines.isEmpty {
      let hottest = ShownPlanLine.hottest(of: lines)
      blocks.append(MarkdownText.fence(lines.map { planLine($0, hottest) }.joined(separator: "\n"), language: ""))
    }
    blocks += statement.hidden.map { "The plan does not show: \(MarkdownText.inline($0))\n" }
    return opened("S\(statement.statement.id)", blocks)
  }

  private func planLine(_ line: ShownPlanLine, _ hottest: Int?) -> String {
    let node = line.node
    var figures: [String] = []
    if let rows = node.rows { figures.append(Figure.count(rows, "row")) }
    if let read = node.rowsRead { figures.append("\(Figure.count(read)) read") }
    if let share = node.share { figures.append("\(Figure.share(share)) of the work") }
    let text = String(repeating: "  ", count: min(line.depth, 24)) + node.detail.visible(limit: 500)
    return text + (figures.isEmpty ? "" : "  -- \(figures.joined(separator: ", "))") + (node.id == hottest ? " ◀" : "")
  }

  private func table(of comparisons: [(name: String, comparison: Comparison)]) -> String {
    let rows = comparisons.flatMap { name, comparison in
      ComparedFigure.all(comparison).map { figure in
        [MarkdownText.inline(name), figure.name, figure.beforeText, figure.afterText, figure.gain]
      }
    }
    return MarkdownText.table(["Values", "", "Before", "After", "Gain"], rows, alignsRight: [2, 3, 4])
  }

  private func code(_ sql: String) -> String {
    SQLLayout.text(sql.visibleLines())
  }

  /// Returns details below a line that opens them. In Markdown, HTML ends at an empty line.
  private func opened(_ title: String, _ blocks: [String]) -> String {
    let title = MarkdownText.html(title.visible(limit: 300))
    return "<details>\n<summary>\(title)</summary>\n\n\(blocks.joined(separator: "\n"))\n</details>\n"
  }

  private var remarks: String {
    var text = ""
    let skipped = report.skipped.prefix(20).map { part in
      "- \(part.place.map { MarkdownText.code($0.description.visible(limit: 200)) + ": " } ?? "")"
        + "\(MarkdownText.inline(part.reason.visible(limit: 300)))\n"
    }
    if !skipped.isEmpty {
      let rest = report.skipped.count - skipped.count
      text += "\nLeft out:\n\n" + skipped.joined() + (rest > 0 ? "- \(Figure.count(rest)) more\n" : "")
    }
    let notes = report.notes.prefix(20).map { "- \(MarkdownText.inline($0.visible(limit: 500)))\n" }
    return notes.isEmpty ? text : text + "\nConditions:\n\n" + notes.joined()
  }
}
