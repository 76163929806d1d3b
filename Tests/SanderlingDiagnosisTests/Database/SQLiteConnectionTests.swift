import Foundation
import Testing

@testable import SanderlingDiagnosis

@Suite struct SQLiteConnectionTests {
  let connection: SQLiteConnection

  init() throws {
    connection = try SQLiteConnection(path: "", mode: .memory)
    try connection.run("CREATE TABLE bird (id INTEGER PRIMARY KEY, name TEXT, ring TEXT UNIQUE)")
    try connection.run(
      "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n")
  }

  @Test func values() throws {
    let values: [BoundValue] = [
      .null, .integer(.min), .real(0.5), .text(""), .text("é\0x"), .blob([]), .blob([0, 255]),
    ]
    #expect(try connection.rows("SELECT ?, ?, ?, ?, ?, ?, ?", values) == [values])
    let statement = try connection.prepare("SELECT :a, ?5")
    #expect(statement.parameterCount == 5 && statement.parameterName(1) == ":a" && statement.parameterName(2) == nil)
    try statement.bind([1: .integer(1), 5: .integer(5), 9: .integer(9), -1: .null])
    #expect(try statement.step() && statement.row == [.integer(1), .integer(5)])
  }

  @Test func severalStatementsAreRefused() throws {
    _ = try connection.prepare("SELECT 1; -- done\n ;; /* really */")
    #expect(throws: DiagnosisError.severalStatements(sql: "SELECT ?; DELETE FROM bird")) {
      try connection.prepare("SELECT 1; DELETE FROM bird")
    }
    #expect(throws: DiagnosisError.noStatement) { try connection.prepare(" -- nothing") }
    #expect(throws: DiagnosisError.self) { try connection.prepare("SELECT 1\0; DELETE FROM bird") }
  }

  @Test(arguments: [
    "INSERT INTO bird (id) VALUES (1)", "UPDATE bird SET name = 'x'", "DELETE FROM bird",
    "CREATE TABLE t (a)", "CREATE TEMP TABLE t (a)", "DROP TABLE bird", "ALTER TABLE bird ADD b",
    "CREATE INDEX i ON bird (name)",
    "ATTACH 'x' AS y", "DETACH main", "PRAGMA writable_schema = 1", "PRAGMA user_version", "VACUUM", "VACUUM INTO 'x'",
    "BEGIN", "SAVEPOINT x", "ROLLBACK", "REINDEX", "ANALYZE", "SELECT load_extension('x')",
    "SELECT * FROM pragma_writable_schema", "CREATE VIRTUAL TABLE f USING fts5(a)", "SELECT fts3_tokenizer('x')",
    "CREATE TRIGGER t AFTER INSERT ON bird BEGIN SELECT 1; END", "EXPLAIN DELETE FROM bird",
  ])
  func readingRefuses(sql: String) throws {
    #expect(throws: DiagnosisError.self) {
      let statement = try connection.prepare(sql, authority: .reading)
      _ = try statement.step()
    }
  }

  @Test func writingStaysInOrdinaryTables() throws {
    _ = try connection.prepare("DELETE FROM bird", authority: .writing)
    try connection.run("ANALYZE")
    #expect(throws: DiagnosisError.notAllowed(sql: "DELETE FROM sqlite_stat1", action: "write to SQLite's own tables"))
    {
      try connection.prepare("DELETE FROM sqlite_stat1", authority: .writing)
    }
    #expect(throws: DiagnosisError.self) { try connection.prepare("DROP TABLE bird", authority: .writing) }
    _ = try connection.prepare("CREATE INDEX i ON bird (name)", authority: .trial)
    #expect(throws: DiagnosisError.self) { try connection.prepare("ATTACH 'x' AS y", authority: .trial) }
  }

  @Test func errorsHoldNoValues() throws {
    for sql in [
      "SELECT 'secret' FROM none", "SELECT * FROM bird WHERE name = 'secret' 'secret'", "SELECT 'secret", "'secret'",
    ] {
      do {
        _ = try connection.prepare(sql)
        Issue.record("\(sql) was prepared")
      } catch {
        #expect(!"\(error)".contains("secret"), "\(error)")
      }
    }
  }

  @Test func budgets() throws {
    let sql = "SELECT count(*) FROM endless"
    connection.budget = StatementBudget(steps: 100_000)
    #expect(throws: DiagnosisError.stopped(.steps)) { try connection.rows(sql, authority: .reading) }
    connection.budget = StatementBudget(deadline: Deadline { .zero })
    #expect(throws: DiagnosisError.stopped(.time)) { try connection.rows(sql) }
    connection.budget = StatementBudget(memory: 50_000_000)
    #expect(throws: DiagnosisError.stopped(.memory)) {
      try connection.rows("SELECT randomblob(100000) AS b FROM endless ORDER BY b")
    }
    let cancellation = Cancellation()
    cancellation.cancel()
    connection.budget = StatementBudget(cancellation: cancellation)
    #expect(throws: DiagnosisError.stopped(.cancelled)) { try connection.rows(sql) }
    connection.budget = .unlimited
    #expect(try connection.value("SELECT 1") == .integer(1))
  }

  /// The memory of the process is limited where SQLite doesn't count its own memory.
  @Test func memoryOfTheProcess() throws {
    #expect(MemoryMeter.available == .sqlite && MemoryMeter.process.bytes > MemoryMeter.sqlite.bytes)
    connection.statementGuard.chosenMeter = .process
    connection.budget = StatementBudget(memory: 50_000_000)
    #expect(throws: DiagnosisError.stopped(.memory)) {
      try connection.rows("SELECT randomblob(100000) AS b FROM endless ORDER BY b")
    }
    connection.budget = .unlimited
    #expect(try connection.value("SELECT 1") == .integer(1))
  }

  @Test func undoing() throws {
    struct Failure: Error {}
    try connection.undoing {
      try connection.run("INSERT INTO bird (id, name) VALUES (1, 'knot')")
      try connection.undoing { try connection.run("CREATE INDEX i ON bird (name)") }
      #expect(try connection.value("SELECT count(*) FROM bird") == .integer(1))
    }
    #expect(throws: Failure.self) {
      try connection.undoing {
        try connection.run("DROP TABLE bird")
        throw Failure()
      }
    }
    connection.budget = StatementBudget(deadline: Deadline { .zero })
    try connection.undoing { try? connection.run("INSERT INTO bird SELECT i, i, i FROM endless") }
    connection.budget = .unlimited
    #expect(try connection.value("SELECT count(*) FROM bird") == .integer(0))
    #expect(try connection.value("SELECT count(*) FROM sqlite_master WHERE name = 'i'") == .integer(0))
  }

  /// The first use of a table-valued function declares its columns. This isn't refused as a change of the schema.
  @Test func tableValuedFunctions() throws {
    let connection = try SQLiteConnection(path: "", mode: .memory)
    let statement = try connection.prepare("SELECT value FROM json_each('[3]')", authority: .reading)
    #expect(try statement.step())
    #expect(statement.integer(at: 0) == 3)
  }

  /// A schema may use virtual tables that keep their rows in the database, and no others.
  @Test func virtualTablesInTriggers() throws {
    let connection = try SQLiteConnection(path: "", mode: .memory)
    try connection.run("CREATE TABLE note (body)")
    try connection.run("CREATE VIRTUAL TABLE words USING fts5(body)")
    try connection.run("CREATE VIEW pages AS SELECT * FROM dbstat")
    #expect(throws: DiagnosisError.self) { try connection.prepare("SELECT * FROM pages", authority: .reading) }
    try connection.run(
      "CREATE TRIGGER added AFTER INSERT ON note BEGIN INSERT INTO words VALUES (new.body); END")
    try connection.undoing { try connection.run("INSERT INTO note VALUES ('tide')", authority: .writing) }
    #expect(try connection.value("SELECT count(*) FROM words") == .integer(0))
  }

  /// After the rollback of a schema change, SQLite connects virtual tables again, which isn't refused.
  @Test func virtualTablesAfterARollback() throws {
    let connection = try SQLiteConnection(path: "", mode: .memory)
    try connection.run("CREATE TABLE note (body)")
    try connection.run("CREATE VIRTUAL TABLE words USING fts5(body, content='note')")
    for _ in 0..<3 {
      try connection.undoing { try connection.run("CREATE INDEX i ON note (body)", authority: .trial) }
      #expect(throws: Never.self) {
        try connection.prepare("SELECT rowid FROM words WHERE words MATCH 'a'", authority: .reading)
      }
    }
  }
}
