import Foundation
import SanderlingTerminal
import Testing

@testable import SanderlingCLI

struct BoardFrameTests {
  private let frame = BoardFrame(
    newestCommits: [
      NewestCommit(
        hash: Data([0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc]), authoredDay: "2001-09-09", author: "Ada\u{1B}[31m",
        subject: "Add a file")
    ],
    topAuthors: (1...10).map { number in
      AuthorSummary(
        name: "Author \(number)", commits: 1000, merges: 1, filesChanged: 5, linesAdded: 12, linesDeleted: 3,
        firstDay: "2001-09-09", lastDay: nil)
    },
    commits: 10_000, merges: 10, authors: 10, fileChanges: 50, deliveryCount: 1234)
  private let plain = TextStyle(environment: ["NO_COLOR": "1"])

  @Test func showsTotalsListsAndDeliveries() {
    let lines = frame.lines(title: "Importing", size: TerminalScreen.Size(columns: 100, rows: 18), style: plain)
    #expect(
      lines.joined(separator: "\n") == """
        Importing

          Commits  Merges  Authors  File changes
           10,000      10       10            50

        Newest commits
          Commit      Day         Author    Subject
          123456789a  2001-09-09  Ada\u{FFFD}[31m  Add a file

        Authors with most commits
          Author    Commits  Merges  Files changed  Lines added  Lines deleted  First day   Last day
          Author 1    1,000       1              5           12              3  2001-09-09
          Author 2    1,000       1              5           12              3  2001-09-09
          Author 3    1,000       1              5           12              3  2001-09-09

        1,234 deliveries to six live results
        """)
  }

  @Test(arguments: [1, 2, 11, 12, 24, 100], [1, 5, 40, 300])
  func fitsIntoAnyTerminal(rows: Int, columns: Int) {
    let size = TerminalScreen.Size(columns: columns, rows: rows)
    let lines = frame.lines(title: "Importing", size: size, style: plain)
    #expect(lines.count <= rows)
    #expect(lines.allSatisfy { $0.displayWidth <= columns })
  }

  @Test(arguments: [([:], true), (["NO_COLOR": ""], true), (["NO_COLOR": "1"], false)])
  func emphasizesUnlessAskedNotTo(environment: [String: String], isColored: Bool) {
    let style = TextStyle(environment: environment)
    #expect(style.heading("a") == (isColored ? "\u{1B}[1ma\u{1B}[0m" : "a"))
    #expect(style.note("") == "")
  }

  @Test func summaryIsOneLine() {
    #expect(frame.summary == "10,000 commits, 10 merges, 10 authors, 50 file changes, 1,234 deliveries")
  }
}
