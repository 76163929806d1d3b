import SanderlingTerminal

/// Rows of texts in aligned columns.
struct TextTable {
  enum Alignment {
    case left
    case right
  }

  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// - Parameter columns: The titles and the alignments.
  init(_ columns: [(title: String, alignment: Alignment)]) {
    alignments = columns.map(\.alignment)
    rows = [columns.map(\.title)]
  }

  mutating func append(_ row: [String]) {
    precondition(row.count == alignments.count, "a row has a text for every column")
    rows.append(row)
  }

  /// The rows as lines, indented by two spaces.
  var lines: [String] {
    let widths = alignments.indices.map { column in rows.map { $0[column].displayWidth }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (column, text) in row.enumerated() {
        line += "  " + text.padded(toWidth: widths[column], alignsRight: alignments[column] == .right)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// The lines, each with a line break.
  var text: String {
    lines.map { $0 + "\n" }.joined()
  }
}
