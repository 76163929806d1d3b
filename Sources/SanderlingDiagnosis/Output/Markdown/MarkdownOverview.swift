import SanderlingTerminal

/// The part of a Markdown report that readers see before they open details.
struct MarkdownOverview {
  private let report: DiagnosisReport
  private let times: WorkloadTimes
  private let groups: [FixGroup]
  private let showsValues: Bool

  private static let mostStatements = 5
  private static let mostLeft = 6

  init(_ report: DiagnosisReport, _ times: WorkloadTimes, showsValues: Bool) {
    self.report = report
    self.times = times
    self.showsValues = showsValues
    groups = FixGroup.all(of: report, times: times)
  }

  /// The parts of the overview, the most important first.
  var parts: [String] {
    others + groups.enumerated().map { fix($1, number: $0 + 1) } + left + remarks
  }

  private func fix(_ group: FixGroup, number: Int) -> String {
    var text = "### \(number). \(MarkdownText.inline(group.headline(of: times.before)))\n\n"
    text += MarkdownText.fence(SQLLayout.script(group.sql), language: "sql")
    if let proof = group.proof(in: report) {
      text += "\n\(MarkdownText.inline(proof.text))\n"
    }
    let rows = group.statements.prefix(Self.mostStatements).compactMap(row)
    guard !rows.isEmpty else { return text }
    text += "\n" + table(rows)
    let rest = group.statements.dropFirst(Self.mostStatements)
    return rest.isEmpty ? text : text + "\nAnd \(AdviceFacts.names(of: Array(rest))).\n"
  }

  /// The warnings and errors without a proven fix. Findings on the database as a whole are in `remarks`.
  private var others: [String] {
    let known = Set(groups.flatMap(\.findings))
    let rows = report.findings.indices.filter { place in
      let finding = report.findings[place]
      return !finding.isRemark && !known.contains(place) && finding.severity >= .warning
    }.map { place in
      let finding = report.findings[place]
      return [
        finding.severity.title, finding.statement.map { "S\($0)" } ?? "",
        MarkdownText.inline(finding.title.visible(limit: 300)), MarkdownText.code(finding.kind.rawValue),
      ]
    }
    return rows.isEmpty ? [] : [MarkdownText.table(["Severity", "Statement", "Finding", "Kind"], rows)]
  }

  private var left: [String] {
    guard report.statements.count > 1, times.after > 0, times.after >= 0.01 * times.before else { return [] }
    let rows = times.left.prefix(Self.mostLeft).filter { $0.after >= 0.01 * times.after }.compactMap {
      row($0.statement)
    }
    return ["### Left: \(Figure.duration(seconds: times.after))\n\n" + table(rows)]
  }

  private var remarks: [String] {
    let lines = report.remarks.map { remark in
      let text = RemarkText(remark, beside: groups)
      let command = text.command.visible(limit: 300)
      let shown = text.isCommand ? MarkdownText.code(command) : MarkdownText.inline(command)
      return "- \(shown): \(MarkdownText.inline(text.reason))\n"
    }
    return lines.isEmpty ? [] : ["### For the whole database\n\n" + lines.joined()]
  }

  private func row(_ statement: Int) -> [String]? {
    guard let found = report.statements.first(where: { $0.statement.id == statement }) else { return nil }
    let entry = times.entries[statement]
    return [
      "S\(statement)", entry.map { ($0.isLowerBound ? "≥ " : "") + Figure.duration(seconds: $0.before) } ?? "",
      entry.map { Figure.duration(seconds: $0.after) } ?? "",
      MarkdownText.code(found.text(showsValues: showsValues).visible(limit: 300)),
    ]
  }

  private func table(_ rows: [[String]]) -> String {
    MarkdownText.table(["Statement", "Before", "After", "SQL"], rows, alignsRight: [1, 2])
  }
}
