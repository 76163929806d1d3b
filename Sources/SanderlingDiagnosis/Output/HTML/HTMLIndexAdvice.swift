import SanderlingTerminal

/// The index set: the indexes to create and drop, the gain of each statement, and the migration.
struct HTMLIndexAdvice: Sendable {
  let advice: IndexAdvice
  let times: WorkloadTimes

  var html: HTMLFragment {
    let facts = AdviceFacts(advice, times)
    let cost: HTMLFragment =
      facts.cost.isEmpty ? "" : "<p class=\"muted\">The set \(facts.cost.joined(separator: ", ")).</p>"
    let changes: [HTMLFragment] = facts.changes.flatMap { verb, changes in
      changes.map { change -> HTMLFragment in
        let style = verb == "Create" ? "create" : "drop"
        return "<li><span class=\"badge \(style)\">\(verb)</span> <bdi>\(facts.text(of: change))</bdi></li>"
      }
    }
    let list: HTMLFragment = changes.isEmpty ? "" : "<ul class=\"changes\">\(changes)</ul>"
    let gains = advice.gains.map { gain in
      HTMLComparisonChart(
        title: "S\(gain.statement) · \(gain.comparison.bindings)", comparison: gain.comparison
      ).html
    }
    let charts: HTMLFragment =
      gains.isEmpty
      ? "" : "<details><summary>All figures of \(Figure.count(gains.count, "measurement"))</summary>\(gains)</details>"
    return """
      <section aria-labelledby="indexes"><h2 id="indexes">Indexes for the whole workload</h2>
      <div class="card"><p class="verdict">\(advice.verdict.visible())</p>\(cost)\(list)\(migration(facts))\(charts)</div>
      </section>
      """
  }

  private func migration(_ facts: AdviceFacts) -> HTMLFragment {
    guard !advice.migrationSQL.isEmpty else { return .empty }
    let others: [HTMLFragment] = facts.migrations.map { name, code in
      "<details><summary>\(name)</summary>\(HTMLCode(code: code).html)</details>"
    }
    return "<h3>Migration</h3>\(HTMLCode(script: advice.migrationSQL).html)\(others)"
  }
}
