import SanderlingTerminal

/// A page of lines as wide as the terminal.
struct TerminalPage {
  let width: Int
  let style: TextStyle
  private(set) var lines: [String] = []

  init(width: Int, style: TextStyle) {
    self.width = width
    self.style = style
  }

  var text: String {
    lines.map { $0 + "\n" }.joined()
  }

  /// Adds an empty line, unless the last line is empty.
  mutating func space() {
    if lines.last?.isEmpty == false { lines.append("") }
  }

  /// Adds a line unchanged.
  mutating func line(_ line: String) {
    lines.append(line)
  }

  /// Adds a paragraph, wrapped to the width. Further lines are indented to the text after the mark, unless the mark is
  /// long.
  mutating func paragraph(
    _ text: String, indentation: Int = 2, mark: String = "", style: ((String) -> String)? = nil
  ) {
    guard mark.displayWidth <= width / 3 else {
      return paragraph(mark + text, indentation: indentation, style: style)
    }
    let margin = String(repeating: " ", count: indentation)
    let inner = String(repeating: " ", count: mark.displayWidth)
    let wrapped = text.wrapped(toWidth: max(20, width - indentation - mark.displayWidth))
    for (index, line) in wrapped.enumerated() {
      lines.append(margin + (index == 0 ? mark : inner) + (style?(line) ?? line))
    }
  }

  /// Adds a title, wrapped to the width, with a rule after its last line.
  mutating func title(_ title: String) {
    space()
    let wrapped = title.wrapped(toWidth: max(10, width - 4))
    for line in wrapped.dropLast() { lines.append(style.heading(line)) }
    let title = wrapped.last ?? ""
    let rule = String(repeating: "─", count: max(2, width - title.displayWidth - 1))
    lines.append("\(style.heading(title)) \(style.note(rule))")
  }

  /// Adds rows of cells in aligned columns: the first to the left, the others to the right. If a row is too long, its
  /// first cell is wrapped.
  mutating func table(_ rows: [[String]], header: [String]? = nil, indentation: Int = 4, leftColumns: Int = 1) {
    let limit = max(12, width / 2)
    let all = ((header.map { [$0] } ?? []) + rows).map { row in
      row.enumerated().map { $0 == 0 ? $1 : $1.cut(toWidth: limit) }
    }
    let count = all.map(\.count).max() ?? 0
    var widths = (0..<count).map { column in
      all.map { column < $0.count ? $0[column].displayWidth : 0 }.max() ?? 0
    }
    guard let longest = widths.first else { return }
    let others = widths.dropFirst().reduce(0) { $0 + $1 + 2 }
    widths[0] = min(longest, max(12, width - indentation - others))
    for (index, row) in all.enumerated() {
      let names = (row.first ?? "").wrapped(toWidth: widths[0])
      for (number, name) in (names.isEmpty ? [""] : names).enumerated() {
        var line = String(repeating: " ", count: indentation) + name.padded(toWidth: widths[0])
        if number == 0 {
          for (column, cell) in row.enumerated().dropFirst() {
            line += "  " + cell.padded(toWidth: widths[column], alignsRight: column >= leftColumns)
          }
        }
        while line.last == " " { line.removeLast() }
        line = line.cut(toWidth: max(20, width))
        lines.append(header != nil && index == 0 ? style.note(line) : line)
      }
    }
  }
}
