import SanderlingTerminal

/// A statement as a card: its SQL, its present cost, the rows of its joins, and its plan.
struct HTMLStatementCard: Sendable {
  /// A finding about a statement: its number, and its plan node.
  struct Reference: Sendable {
    let finding: Int
    let node: Int?

    var html: HTMLFragment { "<a class=\"reference\" href=\"#F\(finding)\">finding \(finding)</a>" }
  }

  let statement: StatementReport
  let outcome: StatementOutcome
  let findings: [Reference]
  let showsValues: Bool

  var html: HTMLFragment {
    let id = statement.statement.id
    let facts = StatementFacts(statement).facts(showsValues: showsValues).joined(separator: " · ")
    let links: [HTMLFragment] = findings.map(\.html)
    let hidden: [HTMLFragment] = statement.hidden.map {
      "<p class=\"limit\">The plan does not show: \($0.visible())</p>"
    }
    let lines = ShownPlanLine.all(statement.plan)
    let join = HTMLJoinChart(lines)?.html ?? .empty
    return """
      <article class="card statement" id="S\(id)" aria-labelledby="S\(id)-title">
      <div class="heading"><h3 id="S\(id)-title">S\(id)</h3><p class="place">\(links)</p></div>
      <p class="muted"><bdi>\(facts)</bdi></p>
      <p class="outcome">\(OutcomeText(outcome, of: statement).text)</p>
      \(HTMLCode(sql: statement.text(showsValues: showsValues)).html)
      \(measurements)\(join)\(HTMLPlanTree(lines, findings: findings).html)\(hidden)
      </article>

      """
  }

  private var measurements: HTMLFragment {
    guard !statement.measurements.isEmpty else { return .empty }
    let rows: [HTMLFragment] = statement.measurements.map { bindings, measurement in
      let bound = measurement.isComplete ? "" : "≥ "
      let cells: [HTMLFragment] = [
        Figure.duration(measurement.warmTime), Figure.duration(measurement.coldTime),
        Figure.count(measurement.steps), Figure.count(measurement.pages), Figure.count(measurement.rowsReturned),
      ].map { "<td>\(bound + $0)</td>" }
      let name = bindings.visible(limit: 120) + (measurement.isComplete ? "" : " (ended by the budget)")
      return "<tr><th scope=\"row\">\(name)</th>\(cells)</tr>"
    }
    return """
      <div class="scroll" tabindex="0" role="group" aria-label="Measurements"><table>
      <thead><tr><th scope="col">Values</th><th scope="col">Warm</th><th scope="col">Cold</th>\
      <th scope="col">Steps</th><th scope="col">Pages</th><th scope="col">Rows</th></tr></thead>
      <tbody>\(rows)</tbody></table></div>
      """
  }
}
