import Foundation
import SanderlingTerminal

/// The number of rows after each step of a join, as bars.
struct HTMLJoinChart: Sendable {
  private struct Step {
    let name: String
    let rows: Int64
  }

  private let steps: [Step]

  /// Draws the chart; nil if fewer than two steps of one join have counted rows.
  init?(_ lines: [ShownPlanLine]) {
    var groups: [(parent: Int?, steps: [Step])] = []
    for line in lines {
      guard let rows = line.node.rows, rows >= 0, let name = Self.name(line.node.step) else { continue }
      let step = Step(name: name.visible(limit: 200), rows: rows)
      if let index = groups.lastIndex(where: { $0.parent == line.parent }) {
        groups[index].steps.append(step)
      } else if groups.count < 50 {
        groups.append((line.parent, [step]))
      }
    }
    guard let steps = groups.map(\.steps).max(by: { ($0.map(\.rows).max() ?? 0) < ($1.map(\.rows).max() ?? 0) }),
      steps.count > 1
    else { return nil }
    self.steps = Array(steps.prefix(64))
  }

  var html: HTMLFragment {
    let mostRows = steps.map(\.rows).max() ?? 0
    let most = Double(mostRows)
    let least = Double(steps.map(\.rows).filter { $0 > 0 }.min() ?? 1)
    let isLogarithmic = most / max(least, 1) > 100
    let decades = isLogarithmic ? max(1, Int(Int64(clamping: log10(max(most, 1)).rounded(.up)))) : 0
    let ticks = isLogarithmic ? (1..<max(decades, 2)).map { Double($0) / Double(decades) } : []
    let bars: [HTMLFragment] = steps.map { step in
      let rows = Double(step.rows)
      // One row counts as a tenth of a decade, which distinguishes it from none.
      let share =
        isLogarithmic ? (rows >= 1 ? max(0.1, log10(rows)) / Double(decades) : 0) : (most > 0 ? rows / most : 0)
      return """
        <span class="label"><bdi>\(step.name)</bdi></span>\
        \(HTMLBar(share: share, style: step.rows == mostRows ? "rows most" : "rows", ticks: ticks).html)\
        <span class="value">\(Figure.count(step.rows))</span>
        """
    }
    let scale =
      isLogarithmic
      ? "Logarithmic scale from 1 to \(Figure.count(Self.power(decades))); each line is ten times the one before."
      : "Linear scale from 0 to \(Figure.count(mostRows))."
    return """
      <figure class="join"><figcaption><span>Rows behind each step of the join</span></figcaption>
      <div class="scale wide">\(bars)</div><p class="muted">\(scale)</p></figure>
      """
  }

  private static func power(_ decades: Int) -> UInt64 {
    (0..<min(max(decades, 0), 19)).reduce(1) { result, _ in result * 10 }
  }

  /// Returns the table that a step of a join reads; nil for other steps.
  private static func name(_ step: PlanStep) -> String? {
    switch step {
    case .scan(let table, _, _), .search(let table, _, _, _), .automaticIndex(let table, _, _),
      .virtualTable(let table, _):
      table
    default: nil
    }
  }
}
