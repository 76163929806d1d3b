import Sanderling
import SanderlingTerminal

/// The columns of a frame that fit the window's width. The columns of the key stay visible at the left.
struct ColumnWindow {
  struct Column {
    let index: Int
    let title: MarkedText
    /// The cells of the rows; nil for rows that are still being read.
    let cells: [MarkedText?]
    /// The width in which no cell is cut.
    let wholeWidth: Int
    var width: Int
  }

  /// The visible columns, from left to right. There is at least one, unless the frame has none.
  private(set) var columns: [Column] = []
  /// The first column after those of the key that stay visible.
  private(set) var first = 0
  /// Whether columns are left out before ``first`` and after the last visible column.
  private(set) var (hidesLeft, hidesRight) = (false, false)

  private static let gap = 2
  /// Other columns don't make a column narrower than this.
  private static let narrowest = 12

  /// - Parameters:
  ///   - rows: The number of rows that fit the window's height.
  ///   - total: The window's width.
  init(_ frame: BrowseFrame, rows: Int, width total: Int) {
    var measure = Measure(frame, rows: rows, narrowest: min(Self.narrowest, max(1, total / 3)))
    let count = frame.columns.count
    if count == 0 { return }
    let all = measure.fitting(0..<count, in: total)
    // Marks show that columns are left out.
    let room = all == count ? total : total - Self.gap
    var fixed: [Int] = []
    while fixed.count < frame.keyColumns.count, measure.least(fixed + [frame.keyColumns[fixed.count]]) <= total / 2 {
      fixed.append(frame.keyColumns[fixed.count])
    }
    func shown(from first: Int) -> [Int] { fixed.filter { $0 < first } }
    let chosen = min(max(0, frame.column), count - 1)
    first = min(max(0, frame.firstColumn), count - 1)
    if all == count { first = 0 }
    if chosen < first, !fixed.contains(chosen) { first = chosen }
    if chosen > first {
      // As many columns before the chosen column as fit, at most those from the first column on.
      var start = chosen
      while start > first, measure.least(shown(from: start - 1) + (start - 1...chosen)) <= room { start -= 1 }
      first = start
    }
    var left = shown(from: first)
    var visible = measure.fitting(first..<count, in: room - measure.least(left) - (left.isEmpty ? 0 : Self.gap))
    // A wider window shows more columns before the last one.
    while first > 0, first + visible == count, measure.least(shown(from: first - 1) + (first - 1..<count)) <= room {
      first -= 1
      visible += 1
      left = shown(from: first)
    }
    let indices = left + (first..<first + max(1, visible))
    hidesLeft = first > left.count
    hidesRight = (indices.last ?? 0) < count - 1
    columns = indices.map { measure.column($0) }
    shareWidth(room - (columns.count - 1) * Self.gap)
    if hidesLeft { columns[left.count] = measure.column(first, mark: "‹", width: columns[left.count].width) }
  }

  /// Makes the columns as wide as their texts if all fit. Otherwise columns wider than their share are cut.
  private mutating func shareWidth(_ room: Int) {
    var room = room
    var isOpen = columns.map { _ in true }
    while room > 0, zip(columns, isOpen).reduce(0, { $1.1 ? $0 + $1.0.width : $0 }) > room {
      let open = isOpen.filter { $0 }.count
      let share = max(1, room / max(1, open))
      let fitting = columns.indices.filter { isOpen[$0] && columns[$0].width <= share }
      if fitting.isEmpty {
        for column in columns.indices where isOpen[column] { columns[column].width = share }
        break
      }
      for column in fitting {
        isOpen[column] = false
        room -= columns[column].width
      }
    }
  }

  /// The titles on one line.
  func titles(width: Int) -> MarkedText {
    var line = line(columns.map { ($0.title, false) })
    if hidesRight {
      line = line.cut(toWidth: max(0, width - Self.gap)).padded(toWidth: max(0, width - Self.gap), atEnd: false)
      line.append(MarkedText(" ›"))
    }
    return line.cut(toWidth: width)
  }

  /// The cells of a row on one line.
  ///
  /// - Parameter values: The row's values; nil for a row that is still being read.
  func line(row: Int, _ values: [StorageValue]?) -> MarkedText {
    line(columns.map { ($0.cells[row] ?? MarkedText("…"), values?[$0.index].isNumber ?? false) })
  }

  private func line(_ cells: [(text: MarkedText, isNumber: Bool)]) -> MarkedText {
    var line = MarkedText("")
    for (index, (cell, column)) in zip(cells, columns).enumerated() {
      if index > 0 { line.append(MarkedText(String(repeating: " ", count: Self.gap))) }
      line.append(
        cell.text.cut(toWidth: column.width, showsMark: true).padded(toWidth: column.width, atEnd: cell.isNumber))
    }
    return line
  }

  /// The columns of a frame, each with its texts. Texts of columns that aren't visible are never made.
  private struct Measure {
    private let frame: BrowseFrame
    private let rows: Int
    private let narrowest: Int
    private var made: [Int: Column] = [:]

    init(_ frame: BrowseFrame, rows: Int, narrowest: Int) {
      (self.frame, self.rows, self.narrowest) = (frame, rows, narrowest)
    }

    mutating func column(_ index: Int) -> Column {
      if let column = made[index] { return column }
      let title = title(index)
      let cells = frame.rows.prefix(rows).map { row in row.map { $0[index].cell(marking: frame.search?.highlights) } }
      let width = cells.reduce(title.width) { max($0, $1?.width ?? 1) }
      let column = Column(index: index, title: title, cells: cells, wholeWidth: width, width: max(1, width))
      made[index] = column
      return column
    }

    /// Returns a column with a mark before its title.
    mutating func column(_ index: Int, mark: String, width: Int) -> Column {
      let column = column(index)
      var title = MarkedText(mark)
      title.append(column.title)
      return Column(index: index, title: title, cells: column.cells, wholeWidth: column.wholeWidth, width: width)
    }

    private func title(_ index: Int) -> MarkedText {
      var text = frame.columns[index]
      if let order = frame.order, order.column == index { text += order.isDescending ? " ↓" : " ↑" }
      return MarkedText(text[...], marking: index == frame.column ? [text.startIndex..<text.endIndex] : [])
    }

    /// The least width of columns, with the gaps between them.
    mutating func least(_ columns: [Int]) -> Int {
      columns.reduce(0) { $0 + min(column($1).width, narrowest) } + max(0, columns.count - 1) * ColumnWindow.gap
    }

    /// The number of columns of a range that fit a width.
    mutating func fitting(_ columns: Range<Int>, in width: Int) -> Int {
      var (used, count) = (-ColumnWindow.gap, 0)
      for index in columns {
        used += ColumnWindow.gap + min(column(index).width, narrowest)
        if used > width { break }
        count += 1
      }
      return count
    }
  }
}
