import SanderlingTerminal

/// Rows of texts in aligned columns.
struct TextTable {
  enum Alignment {
    case left
    case right
  }

  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// - Parameter columns: The titles, and where each column's texts stand.
  init(_ columns: [(title: String, alignment: Alignment)]) {
    alignments = columns.map(\.alignment)
    rows = [columns.map(\.title)]
  }

  mutating func append(_ row: [String]) {
    precondition(row.count == alignments.count, "a row has a text for every column")
    rows.append(row)
  }

  /// One line for each row, indented by two spaces.
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

  /// The lines, each with its end.
  var text: String {
    lines.map { $0 + "\n" }.joined()
  }
}
