import Foundation
import GRDB
import SanderlingTerminal
import Testing

@testable import SanderlingCLI

/// Columns, records and orders of `sanderling browse`, run as a program on a terminal.
struct BrowseViewTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("rows.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try BrowsedRows.make(at: folder.file("rows.sqlite"))
  }

  // MARK: Columns

  @Test func scrollsSidewaysWithTheKeyInPlace() throws {
    let screen = try BrowseScreen(path, "wide", columns: 60)
    try screen.sees("id  c1", "1 of 1 ", "of 300, column 1 of 201: id")
    let end = try screen.lines(after: "$") { $0[0].contains("c200") }
    #expect(end[0].hasPrefix("id  ‹") && end[1].hasPrefix(">  1  1 of 1") && end[1].contains("1 of 200"))
    try screen.sees("column 200 of 201: c199", after: "h")
    let start = try screen.lines(after: "0") { $0[0].hasPrefix("id  c1 ") }
    #expect(start[0].hasSuffix(" ›"))
    try screen.sees("c20 ", "column 21 of 201: c20", after: String(repeating: "\u{1B}[C", count: 20))
    // The columns stay while the rows scroll.
    let last = try screen.lines(after: "G") { $0.contains { $0.hasPrefix("> 300  ") } }
    #expect(last[0].contains("c20 "))
    let frames = try screen.quit()
    #expect(frames.allSatisfy { frame in frame.components(separatedBy: "\r\n").count <= 12 })
    // Clearing the rest of a line would remove the character in the last column.
    let full = frames.flatMap { $0.components(separatedBy: "\r\r\n") }.filter { $0.contains(" ›") }
    #expect(!full.isEmpty && full.allSatisfy { $0.hasSuffix(" ›") })
  }

  @Test func narrowAndResizedWindows() throws {
    let screen = try BrowseScreen(path, "wide", columns: 20, rows: 6)
    func fits(_ columns: Int, _ rows: Int) -> ([String]) -> Bool {
      { $0.count == rows && $0.allSatisfy { $0.displayWidth <= columns } }
    }
    try screen.lines { fits(20, 6)($0) && $0[0].hasPrefix("id  c1") }
    try screen.lines(after: "$") { fits(20, 6)($0) && $0[0].hasPrefix("id  ‹") && $0[0].contains("c200") }
    try screen.lines(after: "\n") { fits(20, 6)($0) && $0[0].hasPrefix("id (integer): 1") }
    try screen.terminal.resize(columns: 140, rows: 30)
    try screen.lines { fits(140, 30)($0) && $0.contains { $0.hasPrefix("c20 (text): 1 of 20") } }
    try screen.lines(after: "?") { fits(140, 30)($0) && $0.contains { $0.hasPrefix("any key goes back") } }
    try screen.terminal.resize(columns: 20, rows: 4)
    try screen.lines { fits(20, 4)($0) && $0.last == "any key shows more k…" || $0.last == "any key shows more …" }
    // Each key shows the next keys, and the last one goes back.
    for _ in 0..<40 { try screen.terminal.type("x") }
    try screen.lines { fits(20, 4)($0) && $0[0].hasPrefix("id (integer)") }
    try screen.lines(after: "q") { fits(20, 4)($0) && $0[0].hasPrefix("id  ‹") }
    try screen.terminal.resize(columns: 1, rows: 1)
    try screen.lines { $0.count == 1 && $0[0].displayWidth <= 1 }
    try screen.terminal.resize(columns: 60, rows: 12)
    try screen.lines { fits(60, 12)($0) && $0[0].contains("c200") }
    _ = try screen.quit()
  }

  /// The chosen row stays chosen in a window of another size.
  @Test func theChosenRowStaysInWindowsOfOtherSizes() throws {
    let screen = try BrowseScreen(path, "item", columns: 40)
    try screen.sees("1 (1 to 10) of 300")
    try screen.sees("> 300  name 000", "300 (291 to 300)", after: "G")
    try screen.terminal.resize(columns: 40, rows: 5)
    try screen.sees("> 300  name 000", "300 (298 to 300)")
    try screen.sees("id (integer): 300", after: "\n")
    try screen.terminal.resize(columns: 40, rows: 32)
    try screen.sees("id (integer): 300", "item: row 300 of 300")
    try screen.sees("> 300  name 000", "300 (271 to 300)", after: "q")
    try screen.sees("> 280  name 160", after: "g280\n")
    try screen.terminal.resize(columns: 40, rows: 4)
    try screen.sees("> 280  name 160", "280 (279 to 280)")
    _ = try screen.quit()
  }

  /// The screen doesn't wrap lines, because terminals disagree about the widths of these characters.
  @Test func scriptsOfUncertainWidth() throws {
    let screen = try BrowseScreen(path, "scripts", columns: 30)
    let lines = try screen.lines { $0[1].contains("ภาษาไทย") && $0[2].contains("हिन्दी") }
    #expect(lines[3].contains("\u{FFFD}2J\u{FFFD}[31m"))
    try screen.sees("t (text): \\u{9B}2J\\u{1B}[31m", after: "G\n")
    try screen.sees("u (text): 日本語テキスト", after: "p")
    let frames = try screen.quit("qq")
    #expect(frames[0].contains("\u{1B}[?7l") && frames.last?.contains("\u{1B}[?7h") == true)
  }

  // MARK: Records

  @Test func showsARowAsARecord() throws {
    let screen = try BrowseScreen(path, "item")
    try screen.sees("1 (1 to 10) of 300")
    let first = try screen.lines(after: "\n") { $0[0] == "id (integer): 1" }
    #expect(
      first.prefix(9) == [
        "id (integer): 1", "name (text): name 007", "size (integer): 1", "body (JSON, 12 bytes):", "  {",
        "    \"n\": [",
        "      1,", "      {}", "    ]",
      ])
    #expect(first.last?.hasPrefix("item: row 1 of 300, column 1 of 4   escape goes back") == true)
    try screen.lines(after: "n") { $0[0] == "id (integer): 2" && $0[3] == "body (NULL)" }
    try screen.lines(after: "\u{1B}[C") { $0[0] == "id (integer): 3" }
    try screen.lines(after: "p") { $0[0] == "id (integer): 2" }
    try screen.sees(">  2  name 014", "2 (1 to 10) of 300", after: "\u{1B}")
    // The record follows rows that are not visible in the table.
    try screen.lines(after: "\n" + String(repeating: "l", count: 30)) { $0[0] == "id (integer): 32" }
    try screen.sees("> 32  name 224", "32 (23 to 32)", after: "q")
    try screen.lines(after: "G\n") { $0[0] == "id (integer): 300" }
    try screen.lines(after: "n") { $0[0] == "id (integer): 300" }
    _ = try screen.quit("qq")
  }

  @Test func aRecordFollowsTheDatabase() throws {
    let screen = try BrowseScreen(path, "item")
    try screen.sees("1 (1 to 10) of 300")
    try screen.lines(after: "j\n") { $0[1] == "name (text): name 014" }
    try DatabaseQueue(path: path).write { try $0.execute(sql: "UPDATE item SET name = 'other' WHERE id = 2") }
    try screen.lines { $0[1] == "name (text): other" }
    try DatabaseQueue(path: path).write { try $0.execute(sql: "DELETE FROM item WHERE id = 2") }
    try screen.lines { $0[0] == "This row was deleted." }
    try screen.sees(">  3  name 021", "of 299", after: "\u{1B}")
    _ = try screen.quit()
  }

  /// The list holds little of long values, and a record shows them whole.
  @Test func valuesOfOneMegabyte() throws {
    try DatabaseQueue(path: path).write { db in
      try db.execute(
        sql: """
          CREATE TABLE long (id INTEGER PRIMARY KEY, t TEXT, b BLOB);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
          INSERT INTO long SELECT i, printf('%d ', i) || replace(hex(zeroblob(500000)), '00', 'ab') || 'end', zeroblob(1000000) FROM n
          """)
    }
    let screen = try BrowseScreen(path, "long", columns: 60)
    try screen.sees("1 ababab", "x'000000", "1 (1 to 10) of 200")
    for _ in 0..<30 { try screen.terminal.type("\u{1B}[6~") }
    try screen.sees("200 ababab", "200 (191 to 200) of 200")
    try screen.lines(after: "\n") { $0[1] == "t (text, 1,000,007 bytes):" && $0[2].hasPrefix("  200 abab") }
    try screen.lines(after: "\t\t") { $0[0] == "b (blob, 1,000,000 bytes)" && $0[1].hasPrefix("  00000  00 00") }
    try screen.lines(after: "k") { $0[0].hasSuffix("abend") }
    try screen.sees("f4238  00 00", "row 200 of 200, column 3 of 3, line 124", after: "G")
    if let memory = screen.peakMemory { #expect(memory < 400 << 20, "\(memory >> 20) MB") }
    _ = try screen.quit("qq")
  }

  // MARK: Orders

  /// Returns the values of a column in the first rows of a fresh SELECT.
  private func expected(_ sql: String) throws -> [String] {
    try DatabaseQueue(path: path).read { try String.fetchAll($0, sql: sql + " LIMIT 10") }
  }

  private func shows(_ screen: BrowseScreen, _ values: [String], after keys: String) throws {
    try screen.lines(after: keys) { lines in
      zip(lines.dropFirst(), values).allSatisfy { $0.contains($1) } && lines.count == 12
    }
  }

  @Test(arguments: [
    ("item", "l", "name", "name", ["id"]), ("item", "ll", "size", "id || '  '", ["id"]),
    ("bare", "", "a", "b", ["rowid"]), ("pair", "ll", "note", "note", ["y", "x"]), ("pair", "l", "y", "note", ["x"]),
  ])
  func sortsByAColumn(table: String, moves: String, column: String, shown: String, key: [String]) throws {
    let screen = try BrowseScreen(path, table)
    try screen.sees("1 (1 to 10) of 300")
    let terms = [column] + key
    try shows(
      screen, try expected("SELECT \(shown) FROM \(table) ORDER BY \(terms.joined(separator: ", "))"),
      after: moves + "s")
    try screen.sees("\(column) ↑")
    let descending = terms.map { $0 + " DESC" }
    try shows(
      screen, try expected("SELECT \(shown) FROM \(table) ORDER BY \(descending.joined(separator: ", "))"), after: "s")
    try screen.sees("\(column) ↓")
    let first = table == "pair" ? "y, x" : "rowid"
    try shows(screen, try expected("SELECT \(shown) FROM \(table) ORDER BY \(first)"), after: "s")
    try screen.lines { !$0[0].contains("↓") && !$0[0].contains("↑") }
    _ = try screen.quit()
  }

  /// Escape doesn't quit, since a key that ends a wait may come after the wait.
  @Test func escapeEndsWhatIsShownAndNeverQuits() throws {
    let screen = try BrowseScreen(path, "item")
    try screen.sees("1 (1 to 10) of 300")
    try screen.sees("> 300  name 000", after: "\u{1B}\u{1B}G")
    try screen.sees("id (integer): 300", after: "\n")
    try screen.sees("> 300  name 000", "300 (291 to 300) of 300   /", after: "\u{1B}\u{1B}?\u{1B}g5\u{1B}\u{1B}\u{1B}")
    _ = try screen.quit()
  }

  @Test func theChosenRowStaysChosenInAnotherOrder() throws {
    let screen = try BrowseScreen(path, "item")
    try screen.sees("1 (1 to 10) of 300")
    try screen.sees(">  6  name 042", after: "jjjjj")
    // 42 names sort before it.
    try screen.sees("name ↑", "6  name 042", "43 (38 to 47) of 300", after: "ls")
    try screen.sees("name ↓", "6  name 042", "258 (253 to 262) of 300", after: "s")
    try screen.sees("6  name 042", "6 (1 to 10) of 300", after: "s")
    // A search keeps the order, and a value is looked for in it.
    try screen.sees("name ↑", after: "s")
    try screen.sees("3 (1 to 10), 10 of 300 match", "name ↑", after: "/name 04\n")
    try screen.sees("43 (41 to 50) of 300", after: "\u{1B}")
    try screen.sees("name: name 2", after: "vname 2")
    try screen.sees("201 (201 to 210) of 300", "name 200", after: "\n")
    _ = try screen.quit()
  }

  /// Without an index, all rows are sorted, which the status line says. Escape stops that, and the former order stays.
  @Test func sortingWithoutAnIndexCanBeStopped() throws {
    try DatabaseQueue(path: path).write { db in
      try db.execute(
        sql: """
          CREATE TABLE many (id INTEGER PRIMARY KEY, t TEXT);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
          INSERT INTO many SELECT i, i * 7919 % 20000 FROM n
          """)
    }
    let slow =
      "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT count(*) FROM n WHERE i <> many.id) > 0"
    let screen = try BrowseScreen(path, "many", "--where", slow)
    try screen.sees("> ", "1  7919 ")
    try screen.sees("sorting by t…", "No index has this order", after: "ls")
    try screen.lines(after: "\u{1B}") { !$0[11].contains("sorting") && $0[1].contains("1  7919") }
    _ = try screen.quit()
  }
}
