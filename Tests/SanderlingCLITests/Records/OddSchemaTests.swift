import Foundation
import GRDB
import TestPrograms
import Testing

@testable import SanderlingCLI

/// Each command names an unreadable schema object with the reason, and reads all other objects.
struct OddSchemaTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("app.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func make(_ schema: OddSchema) throws {
    try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: schema.sql) }
  }

  private func run(_ arguments: String...) throws -> Subcommand.Result {
    try Subcommand(DemoRun.executable, arguments, directory: folder.path).result()
  }

  @Test(arguments: OddSchema.all) func browseReadsTheOtherTables(schema: OddSchema) throws {
    try make(schema)
    let note = try run("browse", "app.sqlite", "note")
    #expect(note.status == 0 && note.errors == "", "\(note.errors)")
    #expect(note.output == "id,title,size\n1,one,1\n2,two,2\n3,three,\n")
    for (name, reason) in schema.unusable {
      let result = try run("browse", "app.sqlite", name)
      #expect(result.status == 1 && result.output == "")
      #expect(
        result.errors.hasPrefix("Error: The ")
          && result.errors.contains(" \(name) can't be read: \(reason). Name one of note"),
        "\(result.errors)")
    }
    let readable = ["odd", "select", "from"].filter { name in
      schema.unusable[name] == nil && schema.sql.contains(name == "odd" ? "odd " : "\"\(name)\" ")
    }
    #expect(!readable.isEmpty || !schema.unusable.isEmpty)
    for name in readable {
      let result = try run("browse", "app.sqlite", name)
      #expect(result.status == 0 && result.output.contains("x"), "\(name): \(result.errors)")
    }
  }

  @Test(arguments: OddSchema.all) func browseNamesUnreadableObjects(schema: OddSchema) throws {
    try make(schema)
    let result = try run("browse", "app.sqlite")
    let isOnlyTable = schema.unusable["odd"] != nil
    #expect(result.status == (isOnlyTable ? 0 : 1))
    #expect(isOnlyTable == result.output.hasPrefix("id,title,size\n1,one"))
    for (name, reason) in schema.unusable {
      #expect(result.errors.contains(" \(name) can't be read: \(reason)"), "\(result.errors)")
    }
  }

  @Test(arguments: OddSchema.all) func recordsPrintsTheOtherTables(schema: OddSchema) throws {
    try make(schema)
    let result = try run("records", "app.sqlite")
    #expect(result.status == 0)
    #expect(result.output.contains("struct Note {\n  var id: Int64?\n  var title: String\n  var size: Int?\n}"))
    for (name, reason) in schema.unusable {
      #expect(result.errors.contains(" \(name) can't be read: \(reason)\n"), "\(result.errors)")
      #expect(result.output.contains(" \(name) can't be read: \(reason).\n"), "\(result.output)")
    }
  }

  @Test(arguments: OddSchema.all.filter { !$0.isDamaged }) func syncWritesTheOtherTables(schema: OddSchema) throws {
    try make(schema)
    try Data(#"{"id":3,"title":"drei"}"#.utf8 + Data("\n".utf8) + #"{"id":4,"title":"vier"}"#.utf8)
      .write(to: URL(filePath: folder.file("notes.jsonl")))
    for _ in 1...2 {
      let result = try run("sync", "notes.jsonl", "--into", "app.sqlite", "--record", "note")
      #expect(result.status == 0, "\(result.errors)")
    }
    let titles = try DatabaseQueue(path: path).read {
      try String.fetchAll($0, sql: "SELECT title FROM note ORDER BY id")
    }
    #expect(titles == ["one", "two", "drei", "vier"])
  }

  @Test(arguments: OddSchema.all.filter { !$0.isDamaged }) func diagnosisAndProfileReadTheOtherTables(schema: OddSchema)
    throws
  {
    try make(schema)
    let report = try run("diagnose", "app.sqlite", "SELECT * FROM note WHERE title = 'one'", "--quiet")
    #expect(report.status == 0, "\(report.errors)")
    let profile = try run("profile", "app.sqlite", "--dry-run", "--quiet")
    #expect(profile.status == 0 && profile.output.contains("\"note\""), "\(profile.errors)")
  }

  @Test func columnThatCannotBeComputedIsLeftOut() throws {
    try make(try #require(OddSchema.all.first { $0.description.hasPrefix("a generated column") }))
    let result = try run("browse", "app.sqlite", "odd", "--json")
    #expect(result.status == 0)
    #expect(result.output == "{\"id\":1,\"a\":\"x\"}\n")
    #expect(
      result.errors
        == "sanderling: odd.low is left out, since it can't be computed: it calls the function mysort, which only an app has\n"
    )
    let records = try run("records", "app.sqlite")
    #expect(records.output.contains("  // low is generated, and left out.\n"))
    #expect(
      records.errors
        == "sanderling: odd.low is generated: read it by SQL, in the app only: it calls the function mysort, which only an app has\n"
    )
  }

  /// A computed value that can't be read doesn't hide its table, the table's other columns, or other tables.
  @Test func valueThatCannotBeComputedHidesNoOtherTable() throws {
    try DatabaseQueue(path: path).writeWithoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TABLE a (id INTEGER PRIMARY KEY, n INT, size AS (likely(n)));
          INSERT INTO a (id, n) VALUES (1, -9223372036854775808);
          CREATE TABLE b (id INTEGER PRIMARY KEY, flag BOOLEAN);
          INSERT INTO b VALUES (1, 1);
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = replace(sql, 'likely(', 'abs(');
          PRAGMA writable_schema = OFF;
          """)
    }
    let result = try run("browse", "app.sqlite", "a")
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("Error: The rows can't be read: integer overflow."), "\(result.errors)")
    #expect(try run("browse", "app.sqlite", "b").status == 0)
    let records = try run("records", "app.sqlite")
    #expect(records.status == 0 && records.output.contains("var flag: Bool?") && records.output.contains("var n: Int?"))
    #expect(
      records.errors.contains(
        "a: its rows can't be read (integer overflow), so the types come from the declarations"), "\(records.errors)"
    )
  }

  @Test func databaseWithoutReadableObjectsIsAnError() throws {
    try DatabaseQueue(path: path).writeWithoutTransaction {
      try $0.execute(sql: "CREATE VIEW odd AS SELECT x FROM nosuch")
    }
    for command in ["browse", "records"] {
      let result = try run(command, "app.sqlite")
      #expect(result.status == 1 && result.output == "")
      #expect(
        result.errors.contains("the view odd can't be read: it reads the table nosuch, which doesn't exist. "),
        "\(result.errors)")
    }
  }
}
