import Foundation
import GRDB
import TestPrograms
import Testing

@testable import SanderlingCLI

/// The command `sanderling browse`, run as a program.
struct BrowseCommandTests {
  private static let enter = "\u{1B}[?2004h\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  private static let leave = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l\u{1B}[?2004l"

  private let folder: TemporaryFolder
  private var path: String { folder.file("words.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try DatabaseQueue(path: folder.file("words.sqlite")).write { db in
      try db.execute(
        sql: """
          CREATE TABLE word (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, size REAL);
          CREATE INDEX word_name ON word (name);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
          INSERT INTO word SELECT i, printf('word %04d', i * 7 % 3000), CASE WHEN i % 3 > 0 THEN i / 2.0 END FROM n;
          CREATE TABLE "two words" (a, b BLOB);
          INSERT INTO "two words" VALUES (1, x'00ff'), ('日本', NULL), (0.5, 'x' || char(10) || char(27) || '[2J');
          CREATE VIEW heading AS SELECT name FROM word;
          """)
    }
  }

  private func result(_ arguments: String...) throws -> Subcommand.Result {
    try Subcommand(DemoRun.executable, ["browse"] + arguments).result()
  }

  @Test func printsAllRowsWithoutATerminal() throws {
    let plain = try result(path, "two words")
    #expect(
      plain.status == 1
        && plain.errors == """
          Error: A value has another type than the column, which CSV can't express: a reader may take a blob for a text, or a \
          text for a blob or a number. The first such value is in the column b of row 3. Print the rows with --json.

          """
    )
    #expect(plain.output == "a,b\n1,X'00ff'\n\"日本\",\n0.5,\"x\n\u{1B}[2J\"\n")
    let json = try result(path, "two words", "--json")
    #expect(json.status == 0)
    #expect(
      json.output == #"""
        {"a":1,"b":"AP8="}
        {"a":"日本","b":null}
        {"a":0.5,"b":{"text":"x\n\u001b[2J"}}

        """#)
    let all = try result(path, "word", "--order", "name desc", "--where", "id <= 2500")
    let names = all.output.split(separator: "\n").dropFirst().map { $0.split(separator: ",")[1] }
    #expect(names.count == 2500 && names == names.sorted().reversed())
  }

  @Test func printsTheRowsOfViewsAndQueries() throws {
    let view = try result(path, "heading", "--order", "name desc", "--where", "name < 'word 0003' -- few")
    #expect(view.status == 0 && view.output == "name\nword 0002\nword 0001\nword 0000\n")
    let query = try result(
      path, " select count(*), name AS n FROM word WHERE id < 3 GROUP BY id -- two", "--order", "n", "--json")
    #expect(query.status == 0 && query.errors == "")
    #expect(query.output == "{\"count(*)\":1,\"n\":\"word 0007\"}\n{\"count(*)\":1,\"n\":\"word 0014\"}\n")
  }

  @Test func aQueryFollowsTheDatabase() throws {
    let terminal = try PseudoTerminal(columns: 60, rows: 12)
    let temporary = folder.file("temporary")
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
    let run = try Subcommand(
      DemoRun.executable, ["browse", path, "SELECT name, count(*) FROM word GROUP BY name ORDER BY name DESC"],
      environment: ProcessInfo.processInfo.environment.merging(["TMPDIR": temporary]) { $1 }, terminal: terminal,
      readsTerminal: true)
    func sees(_ text: String..., after keys: String = "") throws {
      try terminal.type(keys)
      let frame = terminal.frame { frame in text.allSatisfy { frame.contains($0) } }
      try #require(frame != nil, "\(text) after \(keys.debugDescription)")
    }
    try sees("count(*)", "word 2999", "1 (1 to 10) of 3,000")
    try sees("word 0000", "3,000 (2,991 to 3,000) of 3,000", after: "\u{1B}[F")
    try DatabaseQueue(path: path).write { try $0.execute(sql: "DELETE FROM word WHERE id % 2 = 0") }
    try sees("of 1,500")
    try sees("word 0001", "1,500 (1,491 to 1,500)", after: "g1500\n")
    try terminal.type("q")
    #expect(try run.result().status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
  }

  @Test(arguments: [
    (["nowhere.sqlite"], "There is no file nowhere.sqlite. Name an SQLite database."),
    (["words.sqlite"], "words.sqlite has several tables. Name one: heading, two words, word."),
    (["words.sqlite", "sentence"], "There is no table sentence. Name one of heading, two words, word."),
    (["words.sqlite", "word", "--order", "color"], "word has no column color. Order by one of id, name, size."),
    (
      ["words.sqlite", "SELECT name FROM sentence"],
      "The query can't be used: no such table: sentence. Correct it, or name a table."
    ),
    (
      ["words.sqlite", "SELECT 1; SELECT 2"],
      "The query can't be used: it is several statements. Correct it, or name a table."
    ),
    (["words.sqlite", "WITH n AS (SELECT 1) DELETE FROM word"], "The query selects nothing."),
    (
      ["words.sqlite", "SELECT name FROM word", "--order", "size"],
      "the query has no column size. Order by one of name."
    ),
    (
      ["words.sqlite", "word", "--where", "size >"],
      "--where can't be used: near \")\": syntax error. Write an SQL condition on the columns id, name, size."
    ),
    (
      ["words.sqlite", "word", "--where", "sise > 1"],
      "--where can't be used: no such column: sise. Write an SQL condition on the columns id, name, size."
    ),
    (
      ["words.sqlite", "heading", "--where", "size > 1"],
      "--where can't be used: no such column: size. Write an SQL condition on the columns name."
    ),
    (
      ["words.sqlite", "wrod"], "There is no table wrod. Did you mean word? Name one of heading, two words, word."
    ),
    (
      ["words.sqlite", "word", "--where", "abs(-9223372036854775808) > id"],
      "The rows can't be read: integer overflow."
    ),
    (
      ["words.sqlite", "SELECT 1 AS n, 2 AS n", "--json"],
      "The query has two columns n, but a line of JSON can hold one member of that name. Rename one column with AS."
    ),
    (["."], ". is a folder. Name an SQLite database."),
  ])
  func invalidArgumentsAreExplained(arguments: [String], message: String) throws {
    let result = try Subcommand(
      DemoRun.executable, ["browse"] + arguments, directory: URL(filePath: path).deletingLastPathComponent().path
    ).result()
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("Error: \(message)"), "\(result.errors)")
    #expect(result.output == "")
  }

  @Test func terminalShowsWhyRowsCannotBeRead() throws {
    let screen = try BrowseScreen(path, "word", "--where", "abs(-9223372036854775808) > id")
    try screen.sees("The rows can't be read: ", "integer overflow")
    #expect(try screen.quit().allSatisfy { !$0.contains("no rows") })
    let result = try result(path, "word", "--where", "no such condition")
    #expect(result.status == 1 && result.errors.hasPrefix("Error: --where can't be used: "))
  }

  @Test func scrollsAndJumpsWhileRowsAreDeleted() throws {
    let terminal = try PseudoTerminal(columns: 60, rows: 12)
    let run = try Subcommand(
      DemoRun.executable, ["browse", path, "word", "--order", "name"], terminal: terminal, readsTerminal: true)
    func sees(_ text: String..., after keys: String = "") throws {
      try terminal.type(keys)
      let frame = terminal.frame { frame in text.allSatisfy { frame.contains($0) } }
      try #require(frame != nil, "\(text) after \(keys.debugDescription)")
      let lines = frame?.components(separatedBy: "\r\n") ?? []
      #expect(lines.count <= 12 && lines.allSatisfy { $0.displayWidth <= 60 })
    }
    try sees("word 0000", "word 0009", "1 (1 to 10) of 3,000")
    try sees("2 (1 to 10)", after: "\u{1B}[B")
    try sees("12 (3 to 12)", "word 0011", after: "\u{1B}[6~")
    try sees("1,500 (1,491 to 1,500) of 3,000", "word 1499", after: "g1,500\n")
    try sees("no is no position", after: "gno\n")
    try sees("There is no row 3,001: the last row is 3,000.", after: " g3001\n")
    try sees("1,500 (1,491 to 1,500)", after: " g\n")
    try sees("word 0770", "771 (771 to 780)", after: " vword 077\n")
    try sees("word 2999", "of 3,000", after: "\u{1B}[F")
    try DatabaseQueue(path: path).write { try $0.execute(sql: "DELETE FROM word WHERE id % 2 = 0") }
    try sees("word 2999", "of 1,500", "1,500)")
    try sees("1 (1 to 10) of 1,500", after: "\u{1B}[H")
    try terminal.type("q")
    #expect(try run.result().status == 0)
    let text = try terminal.allText()
    #expect(text.hasPrefix(Self.enter) && text.hasSuffix(Self.leave))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func restoresTheTerminalWhenInterrupted(signal: Int32) throws {
    let terminal = try PseudoTerminal(columns: 60, rows: 12)
    var before = termios()
    #expect(tcgetattr(terminal.device.fileDescriptor, &before) == 0)
    let run = try Subcommand(
      DemoRun.executable, ["browse", path, "word"], terminal: terminal, readsTerminal: true)
    try #require(terminal.frame { $0.contains("1 (1 to 10)") } != nil)
    var during = termios()
    #expect(tcgetattr(terminal.device.fileDescriptor, &during) == 0 && during.c_lflag != before.c_lflag)
    run.program.signal(signal)
    #expect(try run.result().status == 128 + signal)
    var after = termios()
    #expect(tcgetattr(terminal.device.fileDescriptor, &after) == 0 && after.c_lflag == before.c_lflag)
    #expect(try terminal.allText().hasSuffix(Self.leave))
  }
}
