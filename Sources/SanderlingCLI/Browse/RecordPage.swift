import Sanderling
import SanderlingTerminal

/// A record on the screen: one block of lines for each column, and the first visible line.
///
/// Only the blocks near the visible lines are laid out, since a record may have many columns and long values.
struct RecordPage {
  private let names: [String]
  private let values: [StorageValue]
  /// The window's size that the blocks are laid out for.
  private var size = TerminalScreen.Size(columns: 0, rows: 0)
  private var blocks: [Int: RecordBlock] = [:]
  /// The first line when the last line is at the window's end.
  private var last: (column: Int, line: Int) = (0, 0)
  /// The first visible line: a column, and a line of its block.
  private(set) var column = 0
  private(set) var line = 0

  init(names: [String], values: [StorageValue]) {
    (self.names, self.values) = (names, values)
  }

  /// Returns the page of other values, at the same line.
  func replaced(by values: [StorageValue]) -> RecordPage {
    var page = RecordPage(names: names, values: values)
    (page.column, page.line) = (column, line)
    return page
  }

  private mutating func block(_ column: Int) -> RecordBlock {
    if let block = blocks[column] { return block }
    let block = RecordBlock(name: names[column], values[column], width: size.columns)
    blocks[column] = block
    return block
  }

  private var height: Int { max(1, size.rows - 1) }

  /// Lays the record out for a window, and moves the first line back to where the last lines fill the window.
  mutating func fit(_ size: TerminalScreen.Size) {
    if names.isEmpty { return }
    if size != self.size {
      let former = blocks[column].map { (line, $0.count) }
      if size.columns != self.size.columns { blocks = [:] }
      self.size = size
      // The same part of the value stays visible.
      if let (line, count) = former { self.line = line * block(column).count / count }
      findLast()
    }
    line = min(line, block(column).count - 1)
    if (column, line) > last { (column, line) = last }
    if blocks.count > 3 * height { blocks = blocks.filter { abs($0.key - column) <= height } }
  }

  private mutating func findLast() {
    var (column, room) = (names.count - 1, height)
    while block(column).count < room, column > 0 {
      room -= block(column).count
      column -= 1
    }
    last = (column, max(0, block(column).count - room))
  }

  mutating func move(by distance: Int) {
    if names.isEmpty { return }
    line += distance
    while line < 0 {
      if column == 0 {
        line = 0
      } else {
        column -= 1
        line += block(column).count
      }
    }
    while line >= block(column).count, column < names.count - 1 {
      line -= block(column).count
      column += 1
    }
    fit(size)
  }

  mutating func moveToStart() { (column, line) = (0, 0) }

  mutating func moveToEnd() {
    if names.isEmpty { return }
    (column, line) = (names.count - 1, block(names.count - 1).count - 1)
    fit(size)
  }

  /// Moves to the next column's title.
  mutating func moveToNextColumn() {
    if names.isEmpty { return }
    (column, line) = (min(names.count - 1, column + 1), 0)
    fit(size)
  }

  /// The visible lines, and whether each is a title.
  mutating func visibleLines() -> [RecordFrame.Line] {
    var lines: [RecordFrame.Line] = []
    var (column, line) = (column, line)
    while lines.count < height, column < names.count {
      let block = block(column)
      lines.append(RecordFrame.Line(text: block.line(line), isTitle: line == 0))
      line += 1
      if line == block.count { (column, line) = (column + 1, 0) }
    }
    return lines
  }

  /// The place of the first visible line, as in `column 3 of 200, line 1,200 of 13,000`.
  var place: String {
    guard let block = blocks[column] else { return "" }
    return "column \((column + 1).grouped) of \(names.count.grouped)"
      + (block.count > height ? ", line \((line + 1).grouped) of \(block.count.grouped)" : "")
  }
}

/// A record on the screen, with a status line.
struct RecordFrame: Equatable {
  struct Line: Equatable {
    let text: String
    let isTitle: Bool
  }

  let lines: [Line]
  let status: String

  /// Returns the frame as lines that fit the screen.
  func lines(size: TerminalScreen.Size, style: TextStyle) -> [String] {
    var texts = lines.prefix(max(0, size.rows - 1)).map { line in
      let text = line.text.cut(toWidth: size.columns)
      return line.isTitle ? style.heading(text) : text
    }
    while texts.count < size.rows - 1 { texts.append("") }
    texts.append(style.note(status.cut(toWidth: size.columns)))
    return Array(texts.prefix(size.rows))
  }
}
