import SanderlingTerminal

/// The overview at the top: the times of the slowest statements, before and after the fixes.
struct HTMLOverview {
  let report: DiagnosisReport
  let times: WorkloadTimes
  let outcomes: [Int: StatementOutcome]
  let showsValues: Bool
  let linked: Set<Int>

  private static let mostStatements = 12

  var html: HTMLFragment {
    guard times.before > 0 else { return .empty }
    let shown = times.slowest.prefix(Self.mostStatements).filter { $0.before >= 0.001 * times.before }
    let most = shown.first?.before ?? times.before
    let texts = Dictionary(report.statements.map { ($0.statement.id, $0) }) { first, _ in first }
    let bars: [HTMLFragment] = shown.map { bar($0, most: most, texts[$0.statement]) }
    let rest = times.entries.count - shown.count
    let others: HTMLFragment =
      rest > 0
      ? "<p class=\"muted\">\(Figure.count(rest, "statement")) more \(rest == 1 ? "takes" : "take") \(Figure.duration(seconds: left(shown))).</p>"
      : ""
    return """
      <section aria-labelledby="overview"><h2 id="overview">Time by statement</h2>
      <div class="card overview"><p>\(WorkloadText(report, times).lines.joined(separator: " "))</p>
      <p class="key"><span class="before">before</span> <span class="after">after the fixes</span></p>
      <ol>\(bars)</ol>\(others)</div></section>
      """
  }

  private func left(_ shown: [WorkloadTimes.Entry]) -> Double {
    max(0, times.before - shown.reduce(0) { $0 + $1.before })
  }

  private func bar(_ entry: WorkloadTimes.Entry, most: Double, _ statement: StatementReport?) -> HTMLFragment {
    let bound = entry.isLowerBound ? "≥ " : ""
    let sql = statement?.text(showsValues: showsValues).visible(limit: 160) ?? ""
    return """
      <li><p>\(HTMLFragment(statement: entry.statement, among: linked)) <code>\(sql)</code></p>
      <div class="scale"><span class="label">before</span>\(HTMLBar(share: entry.before / most, style: "before").html)\
      <span class="value">\(bound)\(Figure.duration(seconds: entry.before))</span>
      \(after(entry, most: most))</div></li>

      """
  }

  /// Returns the time with the fixes. If no fix changes the time, there is no bar, and the text says whether any fix
  /// was tried.
  private func after(_ entry: WorkloadTimes.Entry, most: Double) -> HTMLFragment {
    guard entry.isChanged else {
      let label = outcomes[entry.statement]?.label ?? ""
      return "<span class=\"label\"></span><span class=\"muted\">\(label)</span><span class=\"value\"></span>"
    }
    let style = entry.saved > 0 ? "after" : "after same"
    return """
      <span class="label">after</span>\(HTMLBar(share: entry.after / most, style: style).html)\
      <span class="value">\(Figure.duration(seconds: entry.after))</span>
      """
  }
}
