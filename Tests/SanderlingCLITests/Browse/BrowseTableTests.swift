import Foundation
import GRDB
import SanderlingTerminal
import Testing

@testable import SanderlingCLI

/// Tables of all kinds in `sanderling browse`, run as a program on a terminal.
struct BrowseTableTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("rows.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try BrowsedRows.make(at: folder.file("rows.sqlite"))
  }

  @Test(arguments: [
    ("bare", "a "), ("pair", "x "), ("named", "name "), ("wide", "id "), ("scripts", "id "),
    ("SELECT name AS n, size FROM item -- all", "n "),
    ("SELECT NULL, x'00' AS b, 1 UNION ALL SELECT '', 2, 3", "NULL "),
  ])
  func allKeysOnAllTables(table: String, title: String) throws {
    for (columns, rows) in [(20, 5), (100, 12)] {
      let screen = try BrowseScreen(path, table, columns: UInt16(columns), rows: UInt16(rows))
      try screen.lines { $0[0].hasPrefix(title) && $0.count == rows && $0[1].hasPrefix("> ") }
      let keys =
        "jk\u{1B}[6~\u{1B}[5~GlhssslSs$0\nnp\tGjk \u{1B}[H?xq?xxxxxxxxxxxxxxxxxxxxg2\ng99999\nx/a\u{1B}v1\n\u{1B}[H"
      try screen.terminal.type(keys)
      try screen.lines(after: "gg1\n") { $0.joined(separator: " ").contains("g1 is no position") }
      let lines = try screen.lines(after: "x\u{1B}[H") { $0[1].hasPrefix("> ") && $0.last?.contains(": 1 (") == true }
      #expect(lines.allSatisfy { $0.displayWidth <= columns })
      let frames = try screen.quit()
      #expect(frames.allSatisfy { $0.components(separatedBy: "\r\n").count <= rows })
    }
  }

  /// SQLite accepts several rows with the key NULL, unless the key is declared NOT NULL.
  @Test func rowsWithoutTheirKey() throws {
    try DatabaseQueue(path: path).write { db in
      try db.execute(
        sql:
          "CREATE TABLE loose (k TEXT PRIMARY KEY, v); INSERT INTO loose VALUES ('b', 1), (NULL, 2), ('a', 3), (NULL, 4)"
      )
    }
    let screen = try BrowseScreen(path, "loose")
    let lines = try screen.lines { $0.last?.hasPrefix("loose: 1 (1 to 4) of 4") == true }
    #expect(lines[1...4].map { $0.split(separator: " ").last } == ["2", "4", "3", "1"])
    try screen.lines(after: "j\n") { $0.prefix(2) == ["k (NULL)", "v (integer): 4"] }
    try screen.lines(after: "p") { $0.prefix(2) == ["k (NULL)", "v (integer): 2"] }
    try screen.sees("loose: 3 (1 to 4)", after: "q va\n")
    _ = try screen.quit()
  }

  /// The rows keep their former order if they can't be sorted by a column.
  @Test func textsThatAreNotUTF8AreNotSorted() throws {
    try DatabaseQueue(path: path).write { db in
      try db.execute(
        sql:
          "CREATE TABLE latin (id INTEGER PRIMARY KEY, t TEXT); INSERT INTO latin VALUES (1, CAST(X'E9E8' AS TEXT)), (2, 'a')"
      )
    }
    let screen = try BrowseScreen(path, "latin", columns: 200)
    try screen.sees("1 (1 to 2) of 2")
    try screen.sees("no order to scroll in", "is not UTF-8. Sort by another column", after: "ls")
    try screen.sees("1  \u{FFFD}\u{FFFD}", "1 (1 to 2) of 2", after: " ")
    _ = try screen.quit()
  }

  @Test func anEmptyTable() throws {
    let screen = try BrowseScreen(path, "hollow", columns: 40)
    try screen.sees("id  t", "no rows", "hollow: 0 of 0")
    try screen.sees("There is no row 1: there are no rows.", after: "\nG\u{1B}[Hjklhsg1\n")
    _ = try screen.quit("xq")
  }

  @Test func ctrlZSuspendsAndTheScreenComesBack() throws {
    let screen = try BrowseScreen(path, "item")
    try screen.sees("1 (1 to 10) of 300")
    screen.run.program.signal(SIGTSTP)
    for _ in 0..<500 where !screen.isStopped { Thread.sleep(forTimeInterval: 0.01) }
    #expect(screen.isStopped)
    screen.run.program.signal(SIGCONT)
    try screen.sees("3 (1 to 10) of 300", after: "jj")
    let text = try screen.quit().joined()
    #expect(text.components(separatedBy: "\u{1B}[?7l").count == 3)
    #expect(text.components(separatedBy: "\u{1B}[?7h").count == 3)
  }
}
