import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingCLI

/// Searches in `sanderling browse`, run as a program.
struct BrowseSearchTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("notes.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try Self.database(folder.file("notes.sqlite")).write { db in
      try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, body)")
    }
  }

  /// Opens the database as an import program would: with a write-ahead log, and waiting for locks.
  private static func database(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(20)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF") }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  private func add(_ rows: (title: String?, body: (any DatabaseValueConvertible)?)...) throws {
    try Self.database(path).write { db in
      for row in rows {
        try db.execute(sql: "INSERT INTO note (title, body) VALUES (?, ?)", arguments: [row.title, row.body])
      }
    }
  }

  private func printed(_ arguments: String...) throws -> [String] {
    let result = try Subcommand(DemoRun.executable, ["browse", path] + arguments).result()
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  // MARK: Printing

  @Test func printsMatchingRows() throws {
    try add(
      ("Café Orval", 1), ("STRASSE", nil), (nil, "eine Straße in 東京"), ("100 % 'sure'", "say \"x\""), ("12", 12),
      ("blob", Data("orval".utf8)))
    #expect(try printed("note", "--search", "orval") == ["id,title,body", "1,Café Orval,1"])
    #expect(try printed("note", "--search", "strass", "--json").count == 2)
    #expect(
      try printed("note", "--search", "straß", "--where", "id = 2 -- few") == ["id,title,body", "2,STRASSE,"])
    #expect(try printed("note", "--search", "% 'SURE'").count == 2)
    #expect(try printed("note", "--search", "\"").count == 2)
    #expect(try printed("note", "--search", "京").count == 2)
    // Numbers and blobs are not searched.
    #expect(try printed("note", "--search", "12") == ["id,title,body", "5,12,12"])
    #expect(try printed("note", "--search", "nowhere") == ["id,title,body"])
    #expect(try printed("note", "--search", " ").count == 7)
    #expect(try printed("note", "--search", String(repeating: "x", count: 10_000)) == ["id,title,body"])
  }

  @Test func printsMatchingRowsOfQueries() throws {
    try add(("Café", "x"), ("other", "CAFE"), ("none", 7))
    let sql = "SELECT title AS a, body AS a, count(*) FROM note GROUP BY id -- all"
    #expect(try printed(sql, "--search", "cafe") == ["a,a,count(*)", "Café,\"x\",1", "other,\"CAFE\",1"])
    #expect(try printed(sql, "--search", "cafe", "--order", "a desc").dropFirst().first == "other,\"CAFE\",1")
    #expect(try printed("WITH n AS (SELECT title FROM note LIMIT 1) SELECT * FROM n", "--search", "OTHER") == ["title"])
    #expect(try printed("SELECT 'it''s' AS \"quo\"\"te\"", "--search", "it's") == ["\"quo\"\"te\"", "\"it's\""])
  }

  /// A search covers any number of columns, although SQLite's functions take at most 127 arguments.
  @Test func searchesAnyNumberOfColumns() throws {
    try Self.database(path).write { db in
      let names = (0..<350).map { "\"column \"\"\($0)\"" }
      try db.execute(sql: "CREATE TABLE wide (\(names.joined(separator: ", ")))")
      for column in [0, 99, 100, 199, 349] {
        try db.execute(sql: "INSERT INTO wide (\(names[column])) VALUES ('found \(column)')")
      }
      try db.execute(sql: "INSERT INTO wide DEFAULT VALUES")
    }
    #expect(try printed("wide", "--search", "FOUND").count == 6)
    #expect(try printed("SELECT * FROM wide", "--search", "found 1", "--json").count == 2)
  }

  // MARK: Typing

  @Test func eachKeyNarrowsTheRows() throws {
    for number in 1...300 { try add(("Cafe\u{301} \(number)", "x")) }
    try add(("Über den Straßen", nil), ("cafe au lait", nil))
    let screen = try BrowseScreen(path, "note")
    try screen.sees(">  1  Cafe\u{301} 1 ", "1 (1 to 10) of 302")
    try screen.sees("/   302 rows", after: "/")
    try screen.sees("/c   301 of 302 match", "  1  Caf", after: "c")
    try screen.sees("/cafe\u{301} 30   2 of 302", "300  Cafe\u{301} 300", after: "afe\u{301} 3\u{7F}30\u{7F}0")
    // One backspace deletes a whole character.
    try screen.sees("/caf   301 of 302", after: String(repeating: "\u{7F}", count: 4))
    try screen.sees("/caff   0 of 302 match", "no row has that", after: "f")
    try screen.sees("/caf   301 of 302", "> 30  Caf", after: "\u{7F}")
    // The chosen row stays chosen as long as it matches, whatever its place.
    try screen.sees("> 302  cafe au", after: "\u{1B}[F")
    try screen.sees("/cafe au   1 of", "> 302  cafe au", after: "e au")
    try screen.sees("/cafe   301 of", "\n300  Cafe\u{301} 300", "> 302  cafe au", after: "\u{7F}\u{7F}\u{7F}")
    try screen.sees("note /cafe: 301 (292 to 301), 301 of 302 match", after: "\n")
    try screen.sees("> 300  ", "300 (292 to 301), 301", after: "\u{1B}[A")
    try screen.sees("of 302   /", "> 300  ", "\n301  Über", after: "\u{1B}")
    // Another search, then a pasted one. No pasted letter acts as a command.
    try screen.sees("/STRASS   1 of 302", "> 301  Über", after: "/STRASS")
    try screen.sees("/STRASS q /   0 of 302", after: "\u{1B}[200~ q\n/\u{1B}[201~")
    try screen.sees("302   /", after: "\u{1B}")
    let pasted = String(repeating: "'\"%👩\u{200D}👧", count: 2_500)
    try screen.sees("/…", "0 of 302 match", after: "/\u{1B}[200~\(pasted)\u{1B}[201~")
    try screen.sees("302   /", after: "\u{1B}")
    let frames = try screen.quit()
    // Each frame after the first rows shows rows. Exceptions: frames of a search that no row matches.
    for frame in frames.drop(while: { !$0.contains("1 (1 to") })
    where frame.contains("no row") || frame.contains("…\r\n") {
      #expect(
        frame.contains("/caff") || frame.contains("q /") || frame.contains("/…") || frame.contains("302   /"),
        "\(frame)")
    }
  }

  @Test func beginsWithASearchAndFollowsAnImport() throws {
    try add(("one apple", nil), ("two", nil))
    let screen = try BrowseScreen(path, "note", "--search", "APPLE")
    try screen.sees("note /APPLE: 1 (1 to 1), 1 of 2 match", "one apple")
    try add(("three", nil), ("four Äpple", nil))
    try screen.sees("1 (1 to 2), 2 of 4 match", "four Äpple")
    try Self.database(path).write { try $0.execute(sql: "UPDATE note SET title = 'pear' WHERE id = 1") }
    try screen.sees("1 (1 to 1), 1 of 4 match")
    _ = try screen.quit()
  }

  @Test func searchesTheRowsOfAQuery() throws {
    for number in 1...50 { try add(("title \(number)", "body \(number % 5)")) }
    let screen = try BrowseScreen(path, "SELECT count(*) AS n, body, body AS body FROM note GROUP BY body")
    try screen.sees("of 5   /")
    try screen.sees("/y 4   1 of 5 match", "10  body 4", after: "/y 4")
    try add(("one more", "body 4"), ("another", "day 4"))
    try screen.sees("/y 4   2 of 6 match", "11  body 4", " 1  day 4")
    try screen.sees("query /y 4: ", after: "\n")
    _ = try screen.quit()
  }

  /// A search finishes although another connection commits several times while it runs.
  @Test func findsRareRowsDuringConcurrentCommits() async throws {
    let writer = try Self.database(path)
    try await writer.write { db in
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
          INSERT INTO note SELECT i, 'a title ' || i, 'Körper ' || i FROM n
          """)
    }
    let isOver = Lock(false)
    let writing = Task.detached {
      while !isOver.withLock({ $0 }) {
        try await writer.write { try $0.execute(sql: "INSERT INTO note (title) VALUES ('another')") }
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    defer { isOver.withLock { $0 = true } }
    let screen = try BrowseScreen(path, "note")
    try screen.sees("/ search")
    try screen.sees("> 99999  a title", after: "/korper 99999")
    isOver.withLock { $0 = true }
    try await writing.value
    try screen.sees("note /korper 99999: 1 (1 to 1), 1 of 1", after: "\n")
    _ = try screen.quit()
  }

  // MARK: At random

  private static let words = ["a", "Ab", "é", "e\u{301}", "ß", "SS", "日本", "ﬁ", "%", "\"", "'", " ", "b", "\u{7}"]

  private static func text(_ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...8, using: &generator)).map { _ in words.randomElement(using: &generator) ?? "" }.joined()
  }

  /// Inserts, replaces and deletes random rows.
  private static func write(_ database: DatabaseQueue, _ generator: inout SeededGenerator) throws {
    try database.write { db in
      for _ in 0..<Int.random(in: 1...30, using: &generator) {
        let id = Int.random(in: 1...400, using: &generator)
        let arguments: StatementArguments = [
          id, text(&generator), Bool.random(using: &generator) ? text(&generator) : nil,
        ]
        if Int.random(in: 0..<4, using: &generator) == 0 {
          try db.execute(sql: "DELETE FROM note WHERE id = ?", arguments: [id])
        } else {
          try db.execute(sql: "INSERT OR REPLACE INTO note VALUES (?, ?, ?)", arguments: arguments)
        }
      }
    }
  }

  @Test func showsMatchesDuringConcurrentWrites() async throws {
    var generator = SeededGenerator()
    print("Browsing: SANDERLING_SEED=\(generator.seed)")
    let writer = try Self.database(path)
    try Self.write(writer, &generator)
    let screen = try BrowseScreen(path, "note")
    try screen.sees("/ search")
    var typed: String?
    for round in 0..<12 {
      // The concurrent writes have their own random numbers.
      var other = generator
      _ = generator.next()
      let isOver = Lock(false)
      let writing = Task.detached {
        while !isOver.withLock({ $0 }) {
          try Self.write(writer, &other)
          try await Task.sleep(for: .milliseconds(20))
        }
      }
      for _ in 0..<Int.random(in: 1...15, using: &generator) {
        try screen.terminal.type(Self.press(&typed, &generator))
        if Bool.random(using: &generator) {
          try await Task.sleep(for: .milliseconds(Int.random(in: 0...60, using: &generator)))
        }
      }
      isOver.withLock { $0 = true }
      try await writing.value
      let comment: Testing.Comment = "SANDERLING_SEED=\(generator.seed), round \(round), \(typed.debugDescription)"
      let (ids, status) = try await Self.expected(writer, typed)
      try screen.showsFirst(ids, status, comment)
    }
    if typed != nil { try screen.terminal.type("\u{1B}") }
    try screen.sees("/ search")
    _ = try screen.quit()
  }

  /// Returns the next random key of a search, and updates the typed text.
  private static func press(_ typed: inout String?, _ generator: inout SeededGenerator) -> String {
    guard let text = typed else {
      typed = ""
      return "/"
    }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0:
      typed = nil
      return "\u{1B}"
    case 1: return ["\u{1B}[A", "\u{1B}[B", "\u{1B}[6~"].randomElement(using: &generator) ?? ""
    case 2...5:
      typed = String(text.dropLast())
      return "\u{7F}"
    default:
      let key = words.filter { $0 != "\u{7}" }.randomElement(using: &generator) ?? ""
      typed = text + key
      return key
    }
  }

  /// The result of a fresh SELECT: the first rows, and the line that describes them.
  private static func expected(_ database: DatabaseQueue, _ typed: String?) async throws -> ([Int], String) {
    try await database.read { db in
      let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM note") ?? 0
      guard let typed, typed.contains(where: { $0 != " " }) else {
        let ids = try Int.fetchAll(db, sql: "SELECT id FROM note ORDER BY id LIMIT \(BrowseScreen.height)")
        return (ids, typed.map { "/\($0)   \(total) rows" } ?? "note: 1 (1 to \(ids.count)) of \(total) ")
      }
      let sql = "SELECT id FROM note WHERE sanderling_matches('substrings', ?, title, body) ORDER BY id"
      let statement = try TextFunctions.registering(on: db) { try db.makeStatement(sql: sql) }
      let ids = try Int.fetchAll(statement, arguments: [typed])
      return (Array(ids.prefix(BrowseScreen.height)), "/\(typed)   \(ids.count) of \(total) match")
    }
  }
}
