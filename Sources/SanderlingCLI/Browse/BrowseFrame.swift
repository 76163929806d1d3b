import Sanderling
import SanderlingTerminal

/// The visible part of a long list: a line of titles, rows, and a status line with the position.
struct BrowseFrame: Equatable {
  let title: String
  let columns: [String]
  /// The position of the first visible row.
  let top: Int
  /// The visible rows, nil for rows that are still being read.
  let rows: [[StorageValue]?]
  /// The index of the chosen row in `rows`.
  let chosen: Int
  /// The number of rows that the search matches; of all rows without a search.
  let count: RowCount
  /// The search; nil for none.
  var search: BrowsedSearch?
  /// The number of all rows.
  var total: RowCount
  /// Whether a search has begun and the visible rows are still those from before.
  var isSearching = false
  /// The text of the search prompt; nil while no search is typed.
  var typed: String?
  /// The text of another prompt, or the error in its answer.
  var prompt: String?
  /// Why the rows can't be read.
  var problem: String?

  /// Returns the frame as lines that fit the screen.
  func lines(size: TerminalScreen.Size, style: TextStyle) -> [String] {
    let height = max(0, size.rows - 2)
    let shown = rows.prefix(height).map { row in row.map { $0.map { $0.cell(marking: search?.highlights) } } }
    let widths = widths(of: shown, total: size.columns)
    let titles = line(columns.map { (MarkedText($0), false) }, widths).cut(toWidth: size.columns)
    var lines = [style.heading(titles.text())]
    for (index, row) in shown.enumerated() {
      let cells = row.map { Array(zip($0, (rows[index] ?? []).map(\.isNumber))) }
      let text = line(cells ?? columns.map { _ in (MarkedText("…"), false) }, widths)
      lines.append(style.line(text, isChosen: index == chosen, width: size.columns))
    }
    if rows.isEmpty { lines.append(style.note((problem ?? emptiness).cut(toWidth: size.columns))) }
    while lines.count < size.rows - 1 { lines.append("") }
    lines.append(style.note(status(width: size.columns).cut(toWidth: size.columns)))
    return Array(lines.prefix(size.rows))
  }

  private var emptiness: String {
    if isSearching { return "searching…" }
    if count == RowCount(count: nil, least: 0) { return "reading…" }
    return search == nil ? "no rows" : "no row has that"
  }

  private func status(width: Int) -> String {
    if let prompt { return prompt }
    if let typed {
      let found = problem ?? (search == nil ? "\(total) rows" : matches)
      return "/" + typed.printable.ending(inWidth: max(8, width - found.displayWidth - 4)) + "   " + found
    }
    if let problem { return problem }
    let last = top + rows.count
    let place = rows.isEmpty ? "0" : "\((top + chosen + 1).grouped) (\((top + 1).grouped) to \(last.grouped))"
    let keys = "/ search, g position, v value, q quit; arrows, page up/down, home, end"
    guard let search else { return "\(title): \(place) of \(count)   \(keys)" }
    return "\(title) /\(search.text.printable.cut(toWidth: 20)): \(place), \(matches)   escape shows all, \(keys)"
  }

  private var matches: String { isSearching ? "searching…" : "\(count) of \(total) match" }

  /// Returns columns as wide as their texts if all fit. Otherwise columns wider than their share are cut.
  private func widths(of rows: [[MarkedText]?], total: Int) -> [Int] {
    var widths = columns.indices.map { column in
      rows.reduce(columns[column].printable.displayWidth) { max($0, $1.map { $0[column].width } ?? 1) }
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

  private func line(_ cells: [(text: MarkedText, isNumber: Bool)], _ widths: [Int]) -> MarkedText {
    var line = MarkedText("")
    for (index, (cell, width)) in zip(cells, widths).enumerated() {
      if index > 0 { line.append(MarkedText("  ")) }
      line.append(cell.text.cut(toWidth: width, showsMark: true).padded(toWidth: width, atEnd: cell.isNumber))
    }
    return line
  }
}

extension String {
  /// The end of the text that fits a width, with an ellipsis in place of a beginning that doesn't fit.
  fileprivate func ending(inWidth limit: Int) -> String {
    var (start, width) = (endIndex, 0)
    while start > startIndex {
      let before = index(before: start)
      width += self[before].displayWidth
      // A cut text needs one column for the ellipsis.
      if width > limit || width == limit && before > startIndex { return "…" + self[start...] }
      start = before
    }
    return self
  }
}
