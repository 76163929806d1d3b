import SanderlingTerminal

/// A finding as a card: the problem, the evidence, the fix, and the gain.
struct HTMLFindingCard: Sendable {
  let finding: Finding
  let number: Int
  /// The plan line of the finding.
  let node: String?
  /// The finding's statement as shown; nil if another card shows it.
  var sql: String?
  /// The total saving of the fix.
  var headline: String?
  /// Whether the fix is shown here; otherwise the surrounding card shows it.
  var showsFix = true

  var html: HTMLFragment {
    let severity = finding.severity
    var place: [HTMLFragment] = [
      "<span class=\"badge \(severity.rawValue)\">\(severity.title)</span>", "<code>\(finding.kind.rawValue)</code>",
    ]
    if let statement = finding.statement { place.append("<a href=\"#S\(statement)\">statement S\(statement)</a>") }
    if let caller = finding.caller { place.append("<code><bdi>\(caller.visible(limit: 200))</bdi></code>") }
    let limits: [HTMLFragment] = finding.limits.map { "<p class=\"limit\">Limit: \($0.visible())</p>" }
    return """
      <article class="card finding \(severity.rawValue)" id="F\(number)" aria-labelledby="F\(number)-title">
      <div class="heading"><div><p class="place">\(place)</p>
      <h3 id="F\(number)-title">\(finding.title.visible())</h3></div>\(gain)</div>
      \(statement)\(at)<p class="text">\(finding.explanation.visibleLines())</p>
      \(evidence)\(fix)\(outcome)\(proof)\(limits)
      </article>

      """
  }

  private var statement: HTMLFragment {
    let saving: HTMLFragment = headline.map { "<p class=\"saving\">\($0).</p>" } ?? ""
    return sql.map { "\(saving)\(HTMLCode(sql: $0).html)" } ?? saving
  }

  private var gain: HTMLFragment {
    switch finding.outcome {
    case .proven:
      guard let gain = FindingGain(finding.outcome) else { return .empty }
      let number = (gain.isLowerBound ? "≥ " : "") + Figure.ratio(gain.ratio)
      let measure: String =
        switch gain.measure {
        case .time: gain.ratio >= 1.95 ? "faster" : "time"
        case .steps: gain.ratio >= 1.95 ? "fewer steps" : "steps"
        case .pages: gain.ratio >= 1.95 ? "fewer pages" : "pages"
        }
      return "<p class=\"gain\"><b>\(number)</b> <span>\(measure)</span></p>"
    case .triedNotBetter:
      return "<p class=\"gain none\"><span>tried, not better</span></p>"
    case .notMeasured:
      return .empty
    }
  }

  private var at: HTMLFragment {
    node.map { "<p class=\"muted\">at <code>\($0)</code></p>" } ?? ""
  }

  private var evidence: HTMLFragment {
    guard !finding.evidence.isEmpty else { return .empty }
    let items: [HTMLFragment] = finding.evidence.map { evidence in
      let formula: HTMLFragment =
        evidence.formula.map { "<span class=\"formula\">\($0.visible(limit: 200))</span>" } ?? ""
      let value = Figure.quantity(evidence.value, unit: evidence.unit.visible(limit: 40))
      return "<div><dt>\(evidence.name.visible(limit: 200))</dt><dd><b>\(value)</b>\(formula)</dd></div>"
    }
    return "<dl class=\"evidence\">\(items)</dl>"
  }

  private var fix: HTMLFragment {
    guard let fix = finding.fix else { return .empty }
    let sql: HTMLFragment = fix.sql.isEmpty || !showsFix ? "" : HTMLCode(script: fix.sql).html
    let others: [HTMLFragment] = fix.codes.map { name, code in
      "<details><summary>\(name)</summary>\(HTMLCode(code: code).html)</details>"
    }
    return "<h4>\(finding.fixLabel): \(fix.summary.visible())</h4>\(sql)\(others)"
  }

  private var outcome: HTMLFragment {
    switch finding.outcome {
    case .proven(let comparisons):
      "<h4>Measured on a copy</h4>\(charts(comparisons))"
    case .triedNotBetter(let comparisons):
      "<h4>Tried, not better</h4>\(charts(comparisons))"
    case .notMeasured(let reason):
      "<p class=\"limit\">Not measured: \(reason.visible())</p>"
    }
  }

  private var proof: HTMLFragment {
    finding.formProof.map { "<p class=\"muted\">Same rows: \($0.text)</p>" } ?? ""
  }

  /// The set of values with the greatest gain in full; other sets are folded.
  private func charts(_ comparisons: [Comparison]) -> HTMLFragment {
    let charts = FindingGain.sorted(comparisons).map {
      HTMLComparisonChart(title: "Values: \($0.bindings)", comparison: $0).html
    }
    guard let first = charts.first else { return .empty }
    guard charts.count > 1 else { return first }
    return """
      \(first)<details><summary>\(Figure.count(charts.count - 1, "more set")) of values</summary>\
      \(Array(charts.dropFirst()))</details>
      """
  }
}
