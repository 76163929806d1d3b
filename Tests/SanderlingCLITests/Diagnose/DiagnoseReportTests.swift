import Foundation
import GRDB
import Testing

/// The output of `sanderling diagnose`, and its exit codes.
struct DiagnoseReportTests {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("app.sqlite")
    try DatabaseQueue(path: database).write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, a INTEGER, b INTEGER);
          CREATE INDEX item_a ON item (a);
          CREATE INDEX item_a_b ON item (a, b);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
          INSERT INTO item SELECT i, 'Item ' || (i * 7919 % 20000), i % 100, i % 7 FROM n
          """)
    }
  }

  private func run(_ arguments: [String]) throws -> Subcommand.Result {
    var environment = ProcessInfo.processInfo.environment
    environment["COLUMNS"] = "80"
    return try Subcommand(
      DemoRun.executable, ["diagnose", database, "--quiet"] + arguments, environment: environment
    ).result()
  }

  @Test func reportOfAStatementHasAtMostFifteenLines() throws {
    let result = try run(["SELECT * FROM item WHERE name = 'Item 17'"])
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 15, "\(result.output)")
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(result.output.contains("Reads 20,000 rows to return 1 row"))
    #expect(result.output.contains("  CREATE INDEX \"item_on_name\" ON \"item\" (\"name\")"))
    let verbose = try run(["SELECT * FROM item WHERE name = 'Item 17'", "--verbose"])
    #expect(verbose.output.split(separator: "\n").count > 2 * lines.count)
  }

  @Test(arguments: ["SELECT * FROM itm", "SELECT nane FROM item"])
  func typoPrintsOnlyTheError(sql: String) throws {
    let page = folder.file("page.html")
    for format in ["terminal", "json", "markdown"] {
      let result = try run([sql, "--format", format, "--html", page])
      #expect(result.status == 1)
      #expect(result.output == "")
      #expect(result.errors.contains("The nearest name is \(sql.contains("itm") ? "item" : "name")."))
      #expect(result.errors.split(separator: "\n").count == 1)
      #expect(!FileManager.default.fileExists(atPath: page))
    }
  }

  /// The command fails if there was no time to measure a given statement.
  @Test(arguments: ["terminal", "json", "markdown"])
  func unmeasuredStatementFailsTheCommand(format: String) throws {
    let result = try run([
      "SELECT * FROM item WHERE name = 'x'", "--statement-budget", "0.000000001", "--format", format,
    ])
    #expect(result.status == 1)
    #expect(result.output.contains("The time ended before it was measured"))
    #expect(result.errors.contains("argument 1: The time ended before it was measured; --budget allows more."))
  }

  /// Each of two invalid statements is reported with its own number.
  @Test func eachInvalidStatementIsReported() throws {
    let result = try run(["SELECT * FROM item WHERE id = 3", "SELECT nane FROM item", "SELECT FROM item"])
    #expect(result.status == 1)
    #expect(result.output.contains("Left out: argument 2: ") && result.output.contains("Left out: argument 3: "))
    #expect(!result.output.contains("argument:1"))
  }

  @Test func exitCodeForAnUntriedFixIsDocumented() throws {
    let help = try Subcommand(DemoRun.executable, ["help", "diagnose"], environment: [:]).result().output
    let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("3 when the time ended before a fix was tried for a given statement"))
  }

  /// Remarks on the journal mode and on superfluous indexes are printed, and don't fail the command.
  @Test func remarksDoNotFailTheCommand() throws {
    let fine = try run(["SELECT * FROM item WHERE id = 17", "--fail-on", "warning"])
    #expect(fine.status == 0, "\(fine.output)")
    #expect(fine.output.contains("DROP INDEX \"item_a\""))
    // On any machine, a scan of this many rows costs more than a millisecond, from which on a saving is a warning.
    try DatabaseQueue(path: database).write { db in
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 20001 UNION ALL SELECT i + 1 FROM n WHERE i < 600000)
          INSERT INTO item SELECT i, 'Item ' || i, 1, 1 FROM n
          """)
    }
    let slow = try run(["SELECT * FROM item WHERE name = 'Item 17'", "--fail-on", "warning"])
    #expect(slow.status == 2)
  }
}
