import SanderlingTerminal

/// A plan as a tree. Each node has SQLite's text, its meaning, counted rows, and its share of the work.
struct HTMLPlanTree: Sendable {
  private let lines: [ShownPlanLine]
  private let findings: [Int: [HTMLFragment]]

  init(_ lines: [ShownPlanLine], findings: [HTMLStatementCard.Reference]) {
    self.lines = lines
    var byNode: [Int: [HTMLFragment]] = [:]
    for finding in findings { if let node = finding.node { byNode[node, default: []].append(" \(finding.html)") } }
    self.findings = byNode
  }

  var html: HTMLFragment {
    guard !lines.isEmpty else { return .empty }
    let hottest = ShownPlanLine.hottest(of: lines)
    let nodes: [HTMLFragment] = lines.map { node($0, isHottest: $0.node.id == hottest) }
    return "<h4>Plan</h4><ol class=\"plan\">\(nodes)</ol>"
  }

  private func node(_ line: ShownPlanLine, isHottest: Bool) -> HTMLFragment {
    let node = line.node
    var figures: [HTMLFragment] = []
    if let rows = node.rows {
      figures.append("<span><b>\(Figure.count(rows))</b> \(rows == 1 ? "row" : "rows")</span>")
    }
    if let read = node.rowsRead { figures.append("<span>\(Figure.count(read)) read</span>") }
    if let share = node.share {
      figures.append(
        """
        <span class="share">\(HTMLBar(share: share, style: isHottest ? "work most" : "work").html)\
        <span class="value">\(Figure.share(share))</span></span>
        """)
    }
    let mark: HTMLFragment = isHottest ? " <span class=\"badge error\">most work</span>" : ""
    let meaning: HTMLFragment = node.meaning.isEmpty ? "" : "<p>\(node.meaning.visible(limit: 500))</p>"
    let level: HTMLFragment = line.depth > 0 ? "<span class=\"unseen\">Level \(line.depth + 1): </span>" : ""
    return """
      <li class="\(isHottest ? "hot" : "")" style="--depth: \(min(line.depth, 24))">\
      <div class="node">\(level)<code>\(node.detail.visible(limit: 500))</code>\(mark)\(findings[node.id] ?? [])\(meaning)</div>\
      <div class="figures">\(figures)</div></li>
      """
  }
}
