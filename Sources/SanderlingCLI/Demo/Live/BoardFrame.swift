import Sanderling
import SanderlingTerminal

/// The contents of the live board at one moment.
struct BoardFrame: Hashable, Sendable {
  var newestCommits: [NewestCommit] = []
  var topAuthors: [AuthorSummary] = []
  var commits = 0
  var merges = 0
  var authors = 0
  var fileChanges = 0
  var deliveryCount = 0

  /// Whether a report of the same store has the same contents.
  func equals(_ report: DemoReport) -> Bool {
    newestCommits == report.newestCommits && topAuthors == report.topAuthors && commits == report.commits
      && merges == report.merges && authors == report.authors && fileChanges == report.fileChanges
      && Self.texts(newestCommits, topAuthors) == Self.texts(report.newestCommits, report.topAuthors)
  }

  /// Returns the stored texts of rows. They are compared by bytes, unlike Swift's strings.
  private static func texts(_ commits: [NewestCommit], _ authors: [AuthorSummary]) -> [StorageValue] {
    commits.flatMap { [.text($0.author), .text($0.subject)] } + authors.map { .text($0.name) }
  }
}

// MARK: - Text

extension BoardFrame {
  /// Returns the frame as lines that fit a terminal.
  ///
  /// - Parameter title: The first line.
  func lines(title: String, size: TerminalScreen.Size, style: TextStyle) -> [String] {
    // Twelve lines are needed beside the rows of the two lists.
    let rowCount = max(1, (size.rows - 12) / 2)
    let totals = DemoTables.totals(commits: commits, merges: merges, authors: authors, fileChanges: fileChanges)
    let sections: [(heading: String, lines: [String])] = [
      ("", totals.lines),
      ("Newest commits", DemoTables.newest(newestCommits.prefix(rowCount)).lines),
      ("Authors with most commits", DemoTables.authors(topAuthors.prefix(rowCount)).lines),
    ]
    func fitting(_ line: String) -> String { line.cut(toWidth: size.columns) }
    var lines = [style.heading(fitting(title.printable))]
    for section in sections {
      lines.append("")
      if !section.heading.isEmpty { lines.append(style.heading(fitting(section.heading))) }
      lines += section.lines.map(fitting)
    }
    lines += ["", style.note(fitting("\(deliveryCount.grouped) deliveries to six live results"))]
    return Array(lines.prefix(size.rows))
  }

  /// The totals on one line.
  var summary: String {
    "\(commits.grouped) commits, \(merges.grouped) merges, \(authors.grouped) authors, "
      + "\(fileChanges.grouped) file changes, \(deliveryCount.grouped) deliveries"
  }
}
