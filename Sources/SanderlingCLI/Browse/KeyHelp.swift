import SanderlingTerminal

/// The list of the browser's keys, on one or more screens.
struct KeyHelp: Equatable {
  private static let keys: [(keys: String, meaning: String)] = [
    ("up, down, k, j", "the previous or next row"),
    ("page up, page down, space", "a screen of rows"),
    ("home, end, G", "the first or last row"),
    ("left, right, h, l", "the previous or next column"),
    ("0, $", "the first or last column"),
    ("g", "go to the row of a number"),
    ("v", "go to a value of the first sorted column"),
    ("s", "sort by the column: ascending, descending, off"),
    ("/", "search all texts"),
    ("enter", "show the row as a record"),
    ("left, right, p, n", "in a record: the previous or next row"),
    ("tab", "in a record: the next column"),
    ("escape", "end a search, a wait or a record"),
    ("q", "leave a record, or quit"),
    ("?", "show these keys"),
  ]

  /// The number of the first line that is shown.
  private var start = 0

  private static func texts(width: Int) -> [String] {
    let column = keys.reduce(0) { max($0, $1.keys.count) }
    let isWide = width >= column + 30
    return keys.flatMap { entry in
      isWide
        ? ["\(entry.keys.padded(toWidth: column))  \(entry.meaning)"]
        : "\(entry.keys): \(entry.meaning)".wrapped(toWidth: max(1, width))
    }
  }

  /// The number of lines on a screen, beside the last line.
  private static func height(_ size: TerminalScreen.Size) -> Int { max(1, size.rows - 1) }

  /// Moves to the next screen.
  ///
  /// - Returns: False if the last screen was shown.
  mutating func advance(_ size: TerminalScreen.Size) -> Bool {
    start += Self.height(size)
    return start < Self.texts(width: size.columns).count
  }

  /// Returns the list as lines that fit the screen.
  func lines(size: TerminalScreen.Size, style: TextStyle) -> [String] {
    let all = Self.texts(width: size.columns)
    var lines = all.dropFirst(start).prefix(Self.height(size)).map { $0.cut(toWidth: size.columns) }
    let isLast = start + lines.count >= all.count
    while lines.count < size.rows - 1 { lines.append("") }
    lines.append(style.note((isLast ? "any key goes back" : "any key shows more keys").cut(toWidth: size.columns)))
    return Array(lines.prefix(size.rows))
  }
}
