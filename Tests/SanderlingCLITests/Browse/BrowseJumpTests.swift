import Foundation
import GRDB
import Testing

@testable import SanderlingCLI

/// Jumps of `sanderling browse` while the rows are counted, run as a program on a terminal.
struct BrowseJumpTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("rows.sqlite") }

  /// A condition that takes long for each row until the table `gate` is empty.
  private static let condition = """
    CASE WHEN (SELECT count(*) FROM gate) = 0 THEN 1 ELSE
      (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000) SELECT count(*) FROM n WHERE i <> item.id) > 0
    END
    """

  init() throws {
    folder = try TemporaryFolder()
    // With a write-ahead log, the gate can be opened while rows are counted.
    try DatabaseQueue(path: folder.file("rows.sqlite")).writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA journal_mode = WAL;
          CREATE TABLE gate (id INTEGER PRIMARY KEY);
          INSERT INTO gate VALUES (1);
          CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
          INSERT INTO item SELECT i, 'name ' || i FROM n;
          """)
    }
  }

  private func openGate() throws {
    try DatabaseQueue(path: path).write { try $0.execute(sql: "DELETE FROM gate") }
  }

  /// While the rows before it are counted, a jump waits and says so. No frame shows a wrong number.
  @Test func jumpsWaitForTheCount() throws {
    let screen = try BrowseScreen(path, "item", "--where", Self.condition)
    try screen.sees("1 (1 to 10) of at least")
    try screen.sees("rows before row 290 are being counted", "at least", "Escape stays here", after: "g290\n")
    try screen.sees("1 (1 to 10) of at least", after: "\u{1B}")
    // Keys that are typed meanwhile wait.
    try screen.sees("rows before row 295 are being counted", after: "g295\nkk")
    try openGate()
    let lines = try screen.lines { $0.contains { $0.hasPrefix("> 293 ") } }
    #expect(lines.last?.contains(": 293 (") == true, "\(lines.last ?? "")")
    try screen.sees("There is no row 301: the last row is 300.", after: "g301\n")
    for frame in try screen.quit("xq") {
      guard let match = frame.firstMatch(of: #/item: (\d+) \(/#), let row = Int(match.1) else { continue }
      let lines = frame.replacing(#/\u{1B}\[[0-9;?]*[a-zA-Z]/#, with: "").components(separatedBy: "\r\n")
      guard let chosen = lines.first(where: { $0.hasPrefix("> ") }), !chosen.contains("…") else { continue }
      #expect(chosen.dropFirst(2).split(separator: " ").first.flatMap { Int($0) } == row, "\(frame)")
    }
  }

  @Test func theEndIsShownBeforeTheRowsAreCounted() throws {
    let screen = try BrowseScreen(path, "item", "--where", Self.condition)
    try screen.sees("1 (1 to 10) of at least")
    try screen.sees("> 300  name 300", "not counted yet of at least", after: "G")
    // The rows stay while rows before them are counted, whatever key is pressed.
    for _ in 0..<20 {
      try screen.terminal.type("kkj")
      Thread.sleep(forTimeInterval: 0.02)
      try screen.terminal.type("jl")
    }
    try screen.sees("> 300  name 300", "not counted yet of at least")
    try openGate()
    try screen.sees("> 300  name 300", "300 (291 to 300) of 300")
    for frame in try screen.quit().drop(while: { !$0.contains("> 300") }) where frame.contains(" not counted yet of ") {
      #expect(frame.contains("300  name 300"), "\(frame)")
    }
  }
}
