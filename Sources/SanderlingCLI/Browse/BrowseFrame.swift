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
  /// The column that was chosen for sorting; nil for none.
  var order: BrowsedArrangement.Order?
  /// A sentence about the sorting that the visible rows wait for; nil if they don't wait.
  var sorting: String?
  /// Whether the positions of the visible rows are counted, and no estimates.
  var isExact = true
  /// The columns that are the key, which stay visible.
  var keyColumns: [Int] = []
  /// The chosen column.
  var column = 0
  /// The first column to show after those of the key.
  var firstColumn = 0
  /// The text of the search prompt; nil while no search is typed.
  var typed: String?
  /// The text of another prompt, or the error in its answer.
  var prompt: String?
  /// Why the rows can't be read.
  var problem: String?

  /// Returns the number of rows of a list that fit the screen.
  static func height(_ size: TerminalScreen.Size) -> Int { max(1, size.rows - 2) }

  /// Returns the columns that fit the screen.
  func window(_ size: TerminalScreen.Size) -> ColumnWindow {
    ColumnWindow(self, rows: max(0, size.rows - 2), width: size.columns)
  }

  /// Returns the frame as lines that fit the screen.
  func lines(size: TerminalScreen.Size, style: TextStyle) -> [String] {
    lines(window(size), size: size, style: style)
  }

  /// - Parameter window: The columns that fit the screen.
  func lines(_ window: ColumnWindow, size: TerminalScreen.Size, style: TextStyle) -> [String] {
    let titles = window.titles(width: size.columns)
    var lines = [style.heading(style.isColored ? titles.text { "\u{1B}[7m\($0)\u{1B}[27m" } : titles.text())]
    for (index, row) in rows.prefix(max(0, size.rows - 2)).enumerated() {
      lines.append(style.line(window.line(row: index, row), isChosen: index == chosen, width: size.columns))
    }
    if rows.isEmpty, problem == nil { lines.append(style.note(emptiness.cut(toWidth: size.columns))) }
    // A message is never cut. On a narrow screen, it covers several lines.
    let message = prompt ?? (typed == nil ? problem ?? sorting : nil)
    let status =
      message.map { Array($0.wrapped(toWidth: max(1, size.columns)).suffix(max(1, size.rows - 1))) }
      ?? [self.status(window, width: size.columns)]
    while lines.count < size.rows - status.count { lines.append("") }
    lines = lines.prefix(max(0, size.rows - status.count)) + status.map { style.note($0.cut(toWidth: size.columns)) }
    return Array(lines.prefix(size.rows))
  }

  private var emptiness: String {
    if isSearching { return "searching…" }
    if count == RowCount(count: nil, least: 0) { return "reading…" }
    return search == nil ? "no rows" : "no row has that"
  }

  private func status(_ window: ColumnWindow, width: Int) -> String {
    if let typed {
      let found = problem ?? (search == nil ? "\(total) rows" : matches)
      return "/" + typed.printable.ending(inWidth: max(8, width - found.displayWidth - 4)) + "   " + found
    }
    let keys = "/ search, s sort, enter row, ? keys, q quit"
    guard let search else { return "\(title): \(place) of \(count)\(columnPlace(window))   \(keys)" }
    return "\(title) /\(search.text.printable.cut(toWidth: 20)): \(place), \(matches)\(columnPlace(window))   "
      + "escape shows all, \(keys)"
  }

  private var place: String {
    if rows.isEmpty { return "0" }
    if !isExact { return "not counted yet" }
    return "\((top + chosen + 1).grouped) (\((top + 1).grouped) to \((top + rows.count).grouped))"
  }

  /// The place of the chosen row among all rows.
  var rowPlace: String {
    "\(title): row \(isExact ? (top + chosen + 1).grouped : "not counted yet,") of \(count)"
  }

  /// The place of the chosen column, unless it is the first of columns that are all visible.
  private func columnPlace(_ window: ColumnWindow) -> String {
    guard column > 0 || window.hidesLeft || window.hidesRight, columns.indices.contains(column) else { return "" }
    return ", column \((column + 1).grouped) of \(columns.count.grouped): \(columns[column].printable.cut(toWidth: 30))"
  }

  private var matches: String { isSearching ? "searching…" : "\(count) of \(total) match" }
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
