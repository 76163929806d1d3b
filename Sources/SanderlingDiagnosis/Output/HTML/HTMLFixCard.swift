import SanderlingTerminal

/// A fix that several findings share: its commands, its effect on each statement, and the findings to open.
struct HTMLFixCard {
  let group: FixGroup
  let number: Int
  let total: Double
  let times: WorkloadTimes
  let statements: [Int: StatementReport]
  let showsValues: Bool
  let linked: Set<Int>
  /// The findings' cards, without the fix.
  let cards: [HTMLFragment]

  private static let mostStatements = 20

  var html: HTMLFragment {
    let rows: [HTMLFragment] = group.statements.prefix(Self.mostStatements).map(row)
    let rest = group.statements.count - rows.count
    let more: HTMLFragment = rest > 0 ? "<p class=\"muted\">and \(Figure.count(rest, "statement")) more.</p>" : ""
    let findings: HTMLFragment =
      cards.isEmpty
      ? ""
      : """
      <details class="findings"><summary>\(Figure.count(cards.count, "finding")) in full</summary>
      \(cards)</details>
      """
    return """
      <article class="card fix" id="fix\(number)" aria-labelledby="fix\(number)-title">
      <h3 id="fix\(number)-title">\(group.headline(of: total))</h3>
      \(HTMLCode(script: group.sql).html)
      <ul class="served">\(rows)</ul>\(more)
      \(findings)
      </article>

      """
  }

  private func row(_ id: Int) -> HTMLFragment {
    let sql = statements[id]?.text(showsValues: showsValues).visible(limit: 400) ?? ""
    let figures: HTMLFragment =
      times.entries[id].map {
        "<b>\($0.change)</b> "
      } ?? ""
    return "<li>\(HTMLFragment(statement: id, among: linked)) \(figures)<code>\(sql)</code></li>"
  }
}

extension HTMLFragment {
  /// A statement's name, as a link to its card if there is one.
  init(statement id: Int, among linked: Set<Int>) {
    self = linked.contains(id) ? "<a href=\"#S\(id)\">S\(id)</a>" : "S\(id)"
  }
}
