import SanderlingTerminal

/// A plan as a tree in a terminal: counted rows and the share of work in columns, then the nodes.
struct TerminalPlanTree: Sendable {
  private let lines: [ShownPlanLine]
  private let hottest: Int?

  init(_ plan: QueryPlan) {
    lines = ShownPlanLine.all(plan)
    hottest = ShownPlanLine.hottest(of: lines)
  }

  func add(to page: inout TerminalPage) {
    guard !lines.isEmpty else { return }
    let style = page.style
    let columns = [
      column("rows", lines.map { $0.node.rows.map { Figure.count($0) } ?? "" }),
      column("read", lines.map { $0.node.rowsRead.map { Figure.count($0) } ?? "" }),
      column("work", lines.map { $0.node.share.map { Figure.share($0) } ?? "" }),
    ].filter { !$0.isEmpty }
    let bars = hottest == nil ? [] : [""] + lines.map { Self.bar($0.node.share ?? 0) }
    page.space()
    let figures = (0...lines.count).map { row in
      "  " + columns.map { $0[row] + "  " }.joined() + (bars.isEmpty ? "" : bars[row].padded(toWidth: 8) + "  ")
    }
    if !columns.isEmpty { page.line(style.note(figures[0].trimmingEnd)) }
    let margin = figures[0].displayWidth
    for (line, figures) in zip(lines, figures.dropFirst()) {
      let tree = Self.tree(line)
      // A deep node, or one after wide columns, keeps a minimum width.
      let room = max(24, page.width - margin - tree.first.displayWidth)
      let isHot = line.node.id == hottest
      for (index, text) in line.node.detail.visible(limit: 500).wrapped(toWidth: room).enumerated() {
        let isFirst = index == 0
        let prefix = isFirst ? figures + tree.first : String(repeating: " ", count: margin) + tree.next
        page.line(prefix + (isHot ? style.hot(text + (isFirst ? " ◀" : "")) : style.heading(text)))
      }
      for text in line.node.meaning.visible(limit: 500).wrapped(toWidth: room) where !text.isEmpty {
        page.line(String(repeating: " ", count: margin) + tree.next + style.note(text))
      }
    }
    if hottest != nil { page.line(style.note("  ◀ the node that does the most work")) }
  }

  /// Returns a column with its title; empty if no node has the figure.
  private func column(_ title: String, _ texts: [String]) -> [String] {
    guard texts.contains(where: { !$0.isEmpty }) else { return [] }
    let width = max(title.count, texts.map(\.displayWidth).max() ?? 0)
    return ([title] + texts).map { $0.padded(toWidth: width, alignsRight: true) }
  }

  /// Returns a bar of up to eight blocks, drawn in eighths.
  private static func bar(_ share: Double) -> String {
    guard share.isFinite, share > 0 else { return "" }
    let eighths = max(1, Int(Int64(clamping: (min(share, 1) * 64).rounded())))
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }

  /// Returns the prefix of a node's first line, and the prefix of its next lines.
  private static func tree(_ line: ShownPlanLine) -> (first: String, next: String) {
    let above = line.hasNext.dropLast().map { $0 ? "│  " : "   " }.joined()
    let hasNext = line.hasNext.last ?? false
    let hasChildren = !line.node.children.isEmpty
    return (above + (hasNext ? "├─ " : "└─ "), above + (hasNext ? "│  " : "   ") + (hasChildren ? "│  " : ""))
  }
}

extension String {
  fileprivate var trimmingEnd: String {
    var result = self
    while result.last == " " { result.removeLast() }
    return result
  }
}
