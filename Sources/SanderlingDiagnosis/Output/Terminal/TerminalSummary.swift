import SanderlingTerminal

/// A short report. For one statement, it has the commands to run and their gain. For several statements, it has the
/// fixes and the remaining costs.
struct TerminalSummary {
  let report: DiagnosisReport
  let times: WorkloadTimes
  let groups: [FixGroup]
  /// The number of fixes that save too little for a line.
  let negligible: Int
  let showsValues: Bool
  private var page: TerminalPage

  /// The greatest number of lines for fixes, so that two screens of 40 lines hold everything.
  private static let linesOfFixes = 48
  /// Beyond this number of fixes, each is shown with one statement and one line of its rewrite.
  private static let fewGroups = 6
  private static let mostLeft = 6
  private static let mostRemarks = 8
  private static let mostSkipped = 3
  /// The lines of a statement that are shown. A longer statement is cut.
  private static let mostLinesOfSQL = 8
  private let outcomes: [Int: StatementOutcome]

  init(_ report: DiagnosisReport, width: Int, style: TextStyle, showsValues: Bool) {
    self.report = report
    self.showsValues = showsValues
    times = WorkloadTimes(report)
    outcomes = report.outcomes
    let fixes = FixGroup.sorted(of: report, times: times)
    (groups, negligible) = (fixes.worthALine, fixes.negligible.count)
    page = TerminalPage(width: width, style: style)
  }

  var text: String {
    mutating get {
      switch report.statements.count {
      case 0: page.line(page.style.heading(report.database.name.visible(limit: 200).cut(toWidth: page.width)))
      case 1: addStatement(report.statements[0])
      default: addWorkload()
      }
      addRemarks()
      addSkipped()
      addEnd()
      return page.text
    }
  }

  // MARK: One statement

  private mutating func addStatement(_ statement: StatementReport) {
    addSQL(statement.text(showsValues: showsValues), indentation: 0)
    let problems = report.findings.filter { !$0.isRemark }
    let wrong = problems.filter { $0.severity == .wrongResult }
    for finding in wrong { addProblem(finding) }
    guard let best = groups.first(where: { !$0.isBeside }) else {
      if wrong.isEmpty { addNothing(statement, problems) }
      return
    }
    if let place = best.findings.first, report.findings[place].severity != .wrongResult {
      page.paragraph(
        report.findings[place].title.visible(limit: 300) + ".", indentation: 0,
        mark: "\(report.findings[place].severity.title): ")
    }
    addCommands(best, indentation: 2, limit: 2 * Self.mostLinesOfSQL)
    addGain(best, statement)
    addAlternative(to: best, indentation: 0)
    for group in groups where group.sql != best.sql {
      let reason = group.isBeside ? " -- \(group.summary)" : ""
      page.paragraph(
        group.sql.joined(separator: "; ").visible(limit: 300) + reason.visible(limit: 200), indentation: 2,
        mark: "Also: ")
    }
  }

  private mutating func addProblem(_ finding: Finding) {
    let style = page.style
    page.paragraph(
      finding.title.visible(limit: 300) + ".", indentation: 0, mark: "\(finding.severity.title): ",
      style: { style.severity(finding.severity, $0) })
    guard !finding.isProven, let fix = finding.fix, !fix.sql.isEmpty else { return }
    addCode(fix.sql, indentation: 2, limit: 2 * Self.mostLinesOfSQL)
  }

  /// Adds the outcome for a statement without a fix that deserves a line.
  private mutating func addNothing(_ statement: StatementReport, _ problems: [Finding]) {
    for sentence in OutcomeText(report.outcome(of: statement, among: outcomes), of: statement).sentences {
      page.paragraph(sentence, indentation: 0)
    }
    addNegligible()
    for finding in problems where finding.severity < .wrongResult && (finding.severity >= .warning || finding.isHint) {
      addProblem(finding)
    }
  }

  private mutating func addNegligible() {
    guard negligible > 0 else { return }
    let subject = negligible == 1 ? "One fix saves" : "\(Figure.word(negligible)) fixes save"
    page.paragraph(
      "\(subject) less than \(Figure.duration(seconds: FixGroup.leastSaving)) in all: --verbose shows \(negligible == 1 ? "it" : "them").",
      indentation: 0, style: page.style.note)
  }

  private mutating func addGain(_ group: FixGroup, _ statement: StatementReport) {
    let findings = group.findings.map { report.findings[$0] }
    let gains = (report.indexAdvice?.gains ?? []).filter { group.statements.contains($0.statement) }.map(\.comparison)
    var comparisons = gains
    if case .proven(let own) = findings.first?.outcome { comparisons = own }
    guard let comparison = FindingGain.sorted(comparisons).first else { return }
    let style = page.style
    page.paragraph(Self.change(comparison), indentation: 0, style: style.good)
    addProof(of: group, indentation: 0)
    var caveats = findings.first?.limits ?? []
    if let size = group.size(in: report) {
      let isOne = group.sql.count(where: \.createsIndex) == 1
      caveats.insert(
        isOne
          ? "The index takes \(size), and each write to its table keeps it up to date."
          : "The indexes take \(size), and each write to their tables keeps them up to date.", at: 0)
    }
    caveats += report.ownNotes
    for caveat in caveats.prefix(2) {
      page.paragraph(caveat.visible(limit: 240), indentation: 0, mark: "Note: ", style: style.note)
    }
  }

  /// Returns a change in the form `12.7 ms → 0.01 ms (1,489×), 200,000 rows read → 20`.
  private static func change(_ comparison: Comparison) -> String {
    let (before, after) = (comparison.before, comparison.after)
    let bound = before.isComplete ? "" : "≥ "
    let gain = FindingGain(comparison).map { " (\($0.text))" } ?? ""
    return "\(bound)\(Figure.duration(before.warmTime)) → \(Figure.duration(after.warmTime))\(gain), "
      + "\(bound)\(Figure.count(before.pages, "page")) → \(Figure.count(after.pages)), measured on a copy"
  }

  // MARK: A workload

  private mutating func addWorkload() {
    page.line(page.style.heading(report.database.name.visible(limit: 200).cut(toWidth: page.width)))
    page.paragraph(WorkloadText(report, times).lines.joined(separator: " "), indentation: 0)
    let wrong = report.findings.filter { $0.severity == .wrongResult && !$0.isRemark }
    for finding in wrong.prefix(Self.mostLeft) {
      page.space()
      let name = finding.statement.map { "S\($0) " } ?? ""
      let style = page.style
      page.paragraph(
        "\(finding.severity.title): \(finding.title.visible(limit: 300))", indentation: 0, mark: name,
        style: { style.severity(.wrongResult, $0) })
    }
    addGroups()
    addLeft()
  }

  private mutating func addGroups() {
    let total = times.before
    var shown = 0
    let groups = groups.filter { !$0.isBeside }
    for (index, group) in groups.enumerated() {
      let start = page
      page.space()
      page.paragraph(
        group.headline(of: total).visible(limit: 300) + ":", indentation: 0, mark: "\(index + 1). ",
        style: page.style.heading)
      let areMany = groups.count > Self.fewGroups
      if areMany, group.kind == .rewrite {
        // Commands are printed completely. Only a rewrite is cut.
        addCode(group.sql.filter(\.changesSchema), indentation: 3, limit: Self.mostLinesOfSQL, isScript: true)
        for sql in group.sql where !sql.changesSchema {
          page.line("   " + sql.visible(limit: 400).cut(toWidth: page.width - 3))
        }
      } else {
        addCommands(group, indentation: 3, limit: Self.mostLinesOfSQL)
      }
      addProof(of: group, indentation: 3)
      if !areMany { addAlternative(to: group, indentation: 3) }
      let shownStatements = areMany ? 1 : 2
      for statement in group.statements.prefix(shownStatements) { addLine(statement) }
      if group.statements.count > shownStatements {
        let others = AdviceFacts.names(of: Array(group.statements.dropFirst(shownStatements)))
        page.paragraph("and \(others)".cut(toWidth: max(20, page.width - 3)), indentation: 3, style: page.style.note)
      }
      guard page.lines.count <= Self.linesOfFixes else {
        page = start
        break
      }
      shown += 1
    }
    if shown < groups.count {
      page.space()
      let saved = groups.dropFirst(shown).reduce(0) { $0 + $1.saved }
      page.paragraph(
        "\(Figure.count(groups.count - shown, "more fix", "more fixes")), saving \(Figure.duration(seconds: saved)): "
          + "--verbose or --html shows all.", indentation: 0)
    }
    if groups.isEmpty {
      page.space()
      for sentence in WorkloadText.withoutFixes(outcomes) { page.paragraph(sentence, indentation: 0) }
    }
    if negligible > 0 {
      page.space()
      addNegligible()
    }
  }

  /// Adds a statement's times before and after, and the part of its SQL that fits the line.
  private mutating func addLine(_ statement: Int, indentation: Int = 3) {
    guard let found = report.statements.first(where: { $0.statement.id == statement }) else { return }
    var line = String(repeating: " ", count: indentation) + "S\(statement)"
    if let entry = times.entries[statement] {
      let bound = entry.isLowerBound ? "≥ " : ""
      line += "  \(bound)\(entry.isChanged ? entry.change : Figure.duration(seconds: entry.before))"
    } else if let outcome = outcomes[statement] {
      line += "  \(outcome.label)"
    }
    line += "  " + found.text(showsValues: showsValues).visible(limit: 400)
    page.line(page.style.note(line.cut(toWidth: page.width)))
  }

  private mutating func addLeft() {
    let total = times.after
    let left = times.left.filter { $0.after > 0 && $0.after >= 0.01 * total }
    guard total > 0, !left.isEmpty else { return }
    page.space()
    page.line(page.style.heading("Left: \(Figure.duration(seconds: total))"))
    // The time is negligible.
    guard total >= 0.01 * times.before else { return }
    for entry in left.prefix(Self.mostLeft) { addLine(entry.statement, indentation: 2) }
    let rest = times.entries.count - min(left.count, Self.mostLeft)
    if rest > 0 {
      page.line(page.style.note("  and \(Figure.count(rest, "statement")) that \(rest == 1 ? "takes" : "take") less"))
    }
  }

  // MARK: Parts of both

  private mutating func addAlternative(to group: FixGroup, indentation: Int) {
    let alternatives = group.findings.compactMap { report.findings[$0].alternative }
    guard group.statements.count == 1, let text = alternatives.first else { return }
    page.paragraph(text.visible(limit: 400), indentation: indentation, mark: "Or: ", style: page.style.note)
  }

  /// Adds the evidence that a rewrite returns the same rows.
  private mutating func addProof(of group: FixGroup, indentation: Int) {
    guard let proof = group.proof(in: report) else { return }
    page.paragraph(proof.text, indentation: indentation, style: page.style.note)
  }

  private mutating func addCommands(_ group: FixGroup, indentation: Int, limit: Int) {
    addCode(group.sql, indentation: indentation, limit: limit)
  }

  private mutating func addSQL(_ sql: String, indentation: Int) {
    addCode([sql], indentation: indentation, limit: Self.mostLinesOfSQL)
    page.space()
  }

  /// Adds code, which is broken at its clauses only, so that it can be copied.
  private mutating func addCode(_ sql: [String], indentation: Int, limit: Int, isScript: Bool = false) {
    let texts = sql.map { SQLLayout.text($0.visibleLines(limit: 20_000), isShortBelow: page.width - indentation) }
    let script = texts.count > 1 || isScript ? texts.map { $0.hasSuffix(";") ? $0 : $0 + ";" } : texts
    let lines = script.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
      .flatMap { broken(String($0), width: page.width - indentation) }
    let margin = String(repeating: " ", count: indentation)
    for line in lines.prefix(limit) { page.line(margin + line) }
    if lines.count > limit {
      page.line(page.style.note("\(margin)… \(Figure.count(lines.count - limit, "line")) more: --verbose"))
    }
  }

  /// Splits a long CREATE INDEX into two lines; the second has the table and its columns.
  private func broken(_ line: String, width: Int) -> [String] {
    guard line.createsIndex, line.displayWidth > width, let place = line.firstRange(of: " ON ") else { return [line] }
    return [String(line[..<place.lowerBound]), "  " + line[line.index(after: place.lowerBound)...]]
  }

  private mutating func addRemarks() {
    let remarks = report.remarks
    // For a single statement, these are shown with its fix.
    let beside = report.statements.count > 1 ? groups.filter(\.isBeside) : []
    guard !remarks.isEmpty || !beside.isEmpty else {
      if report.statements.isEmpty { page.line("Nothing to improve was found.") }
      return
    }
    page.space()
    page.line(page.style.heading("For the whole database:"))
    for group in beside {
      let sql = group.sql.joined(separator: "; ").visible(limit: 400)
      page.line("  \(sql)  \(page.style.note(group.summary.visible(limit: 200)))")
    }
    for remark in remarks.prefix(Self.mostRemarks) {
      let text = RemarkText(remark, beside: groups)
      guard text.isCommand else {
        page.paragraph(text.sentence.visible(limit: 600), indentation: 2, style: page.style.note)
        continue
      }
      let reason = text.reason.visible(limit: 200)
      let room = max(20, page.width - 4 - reason.displayWidth)
      let command = text.command.visible(limit: 400)
      let shown = command.displayWidth <= room ? command : text.summary.visible(limit: 400).cut(toWidth: room)
      let rest = reason.cut(toWidth: max(10, page.width - 4 - shown.displayWidth))
      page.line("  \(shown)  \(page.style.note(rest))")
    }
    if remarks.count > Self.mostRemarks {
      page.line(page.style.note("  and \(Figure.count(remarks.count - Self.mostRemarks)) more"))
    }
  }

  private mutating func addSkipped() {
    guard !report.skipped.isEmpty else { return }
    page.space()
    for skipped in report.skipped.prefix(Self.mostSkipped) {
      let place = skipped.place.map { "\($0.description.visible(limit: 100)): " } ?? ""
      page.paragraph("\(place)\(skipped.reason.visible(limit: 300))", indentation: 0, mark: "Left out: ")
    }
    let rest = report.skipped.count - Self.mostSkipped
    if rest > 0 { page.paragraph("And \(Figure.count(rest)) more: --verbose shows them.", indentation: 0) }
  }

  private mutating func addEnd() {
    page.space()
    let hasCommands = !groups.isEmpty
    let script = hasCommands && report.statements.count != 1 ? "--apply FILE writes the commands as a script; " : ""
    page.paragraph(
      "\(script)--verbose shows plans, all figures and other trials.", indentation: 0, style: page.style.note)
  }
}

extension Finding {
  /// Whether the finding gives advice for a problem that could not be measured.
  fileprivate var isHint: Bool { if case .notMeasured = outcome { true } else { false } }
}
