import Sanderling

/// What a terminal shows of a long list: a line of titles, rows, and a line that says where it is.
struct BrowseFrame {
  let title: String
  let columns: [String]
  /// The position of the first row that is shown.
  let top: Int
  /// Rows from the first one on, nil for those that are being read.
  let rows: [[StorageValue]?]
  /// The row of them that is chosen.
  let chosen: Int
  let count: Int?
  let leastCount: Int
  /// What is being typed, or was wrong with it.
  let prompt: String?
  /// Why the rows can't be read.
  let problem: String?

  /// Lines that fit the screen.
  func lines(size: TerminalScreen.Size, style: TextStyle) -> [String] {
    let height = max(0, size.rows - 2)
    let shown = Array(rows.prefix(height))
    let widths = widths(of: shown, total: size.columns)
    var lines = [style.heading(line(columns.map { ($0.printable, false) }, widths, size.columns))]
    for (index, row) in shown.enumerated() {
      let cells = row.map { $0.map { ($0.cell, $0.isNumber) } } ?? columns.map { _ in ("…", false) }
      let text = line(cells, widths, size.columns)
      lines.append(index == chosen ? style.chosen(text, width: size.columns) : text)
    }
    if rows.isEmpty { lines.append(style.note("no rows".truncated(toWidth: size.columns))) }
    while lines.count < size.rows - 1 { lines.append("") }
    lines.append(style.note(status.truncated(toWidth: size.columns)))
    return Array(lines.prefix(size.rows))
  }

  private var status: String {
    if let prompt { return prompt }
    if let problem { return problem }
    let last = top + rows.count
    let total = count.map(\.grouped) ?? "at least \(leastCount.grouped)"
    let place = rows.isEmpty ? "0" : "\((top + chosen + 1).grouped) (\((top + 1).grouped) to \(last.grouped))"
    return "\(title): \(place) of \(total)   arrows, page up/down, home, end; g position, / value, q quit"
  }

  /// Columns as wide as their texts where all fit; otherwise those that are wider than their share are cut.
  private func widths(of rows: [[StorageValue]?], total: Int) -> [Int] {
    var widths = columns.indices.map { column in
      rows.reduce(columns[column].terminalWidth) { width, row in
        max(width, row.map { $0[column].cell.terminalWidth } ?? 1)
      }
    }
    var room = total - max(0, widths.count - 1) * 2
    var isOpen = widths.map { _ in true }
    while room > 0, zip(widths, isOpen).reduce(0, { $1.1 ? $0 + $1.0 : $0 }) > room {
      let open = isOpen.filter { $0 }.count
      let share = max(1, room / max(1, open))
      let fitting = widths.indices.filter { isOpen[$0] && widths[$0] <= share }
      if fitting.isEmpty {
        for column in widths.indices where isOpen[column] { widths[column] = share }
        break
      }
      for column in fitting {
        isOpen[column] = false
        room -= widths[column]
      }
    }
    return widths
  }

  private func line(_ cells: [(text: String, isNumber: Bool)], _ widths: [Int], _ total: Int) -> String {
    var line = ""
    for (cell, width) in zip(cells, widths) {
      if !line.isEmpty { line += "  " }
      let text = cell.text.truncated(toWidth: width)
      let padding = String(repeating: " ", count: max(0, width - text.terminalWidth))
      line += cell.isNumber ? padding + text : text + padding
    }
    return line.truncated(toWidth: total)
  }
}
