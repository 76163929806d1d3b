import Testing

@testable import SanderlingDiagnosis

/// Advice where names, tables and statistics are unusual.
@Suite struct UnusualSchemaTests {
  @Test func namesAreQuoted() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE "my ""table" ("a column" INTEGER, "select" TEXT, "Größe" REAL);
      \(AdviceFixture.numbers(20_000)) INSERT INTO "my ""table" SELECT i % 2000, 'x' || i, i FROM n;
      """)
    let advice = try fixture.advise(
      #"SELECT * FROM "my ""table" WHERE "a column" = 5 AND "select" > 'x' ORDER BY "Größe""#)
    #expect(advice.sql.count == 1)
    #expect(advice.indexes.first?.table == #"my "table"#)
    #expect(advice.kind == .fullScan)
  }

  @Test func keyOfATableWithoutRowidNeedsNoIndex() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE word (language TEXT, text TEXT, count INTEGER, PRIMARY KEY (language, text)) WITHOUT ROWID;
      \(AdviceFixture.numbers(20_000)) INSERT INTO word SELECT 'l' || i % 4, 'w' || i, i * 31 % 20000 FROM n;
      """)
    #expect(try fixture.fix("SELECT * FROM word WHERE language = 'l1' AND text = 'w5'") == [])
    #expect(try fixture.fix("SELECT * FROM word WHERE language = 'l1' ORDER BY text LIMIT 5") == [])
    #expect(
      try fixture.fix("SELECT * FROM word WHERE count = 7") == [
        #"CREATE INDEX "word_on_count" ON "word" ("count")"#
      ])
  }

  @Test func takenIndexNameGetsANumber() throws {
    let fixture = try AdviceFixture(
      AdviceFixture.tasks + "CREATE VIEW task_on_due AS SELECT 1; CREATE TABLE TASK_ON_DUE_2 (x)")
    #expect(
      try fixture.advise("SELECT * FROM task WHERE due = 77").indexes.map(\.name) == ["task_on_due_3"])
  }

  @Test func fullTextTablesAreLeftAlone() throws {
    let fixture = try AdviceFixture(
      AdviceFixture.tasks + """
        CREATE VIRTUAL TABLE text USING fts5(title, content='task', content_rowid='id');
        INSERT INTO text (text) VALUES ('rebuild');
        """)
    let advice = try fixture.advise(
      "SELECT task.* FROM text JOIN task ON task.id = text.rowid WHERE text MATCH 'task' ORDER BY task.due LIMIT 5")
    #expect(advice.indexes.allSatisfy { $0.table == "task" })
  }

  @Test func tablesOfViewsAreIndexed() throws {
    let fixture = try AdviceFixture(
      AdviceFixture.tasks
        + "CREATE VIEW open AS SELECT t.*, p.name FROM task t JOIN project p ON p.id = t.projectID WHERE isDone = 0")
    let advice = try fixture.advise("SELECT title FROM open WHERE projectID = 8")
    #expect(advice.indexes.map(\.table) == ["task"])
  }

  @Test func staleStatisticsAreRenewedWithTheIndex() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE entry (id INTEGER PRIMARY KEY, kind INTEGER, day INTEGER, note TEXT);
      CREATE INDEX entry_on_kind ON entry (kind);
      INSERT INTO entry VALUES (1, 1, 1, 'x'), (2, 2, 2, 'y'); ANALYZE;
      \(AdviceFixture.numbers(20_000)) INSERT INTO entry SELECT i + 2, i % 3, i % 5000, printf('%.80c', 'x') FROM n;
      """)
    #expect(fixture.advisor.statistics.isStale)
    let advice = try fixture.advise("SELECT * FROM entry WHERE kind = 1 AND day = 4000")
    #expect(advice.candidates.contains { $0.keys.contains { $0.column == "day" } })
    #expect(advice.sql.contains { $0.hasPrefix("ANALYZE") })
  }

  @Test func unreadableStatementIsReported() throws {
    let fixture = try AdviceFixture(AdviceFixture.tasks)
    var analyzed = try fixture.analyze("SELECT * FROM task WHERE due = 1")
    analyzed.shape = nil
    let advice = try fixture.advisor.advise(on: analyzed)
    #expect(advice.sql.isEmpty && advice.verdict.hasPrefix("The statement could not be read"))
  }

  /// An index of a JSON expression refuses rows with other texts. Only another condition tells which rows are JSON, so
  /// it becomes the index's condition.
  @Test func indexOfJSONIsLimitedToRowsWithJSON() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE entry (id INTEGER PRIMARY KEY, host TEXT, type TEXT, value TEXT);
      \(AdviceFixture.numbers(20_000)) INSERT INTO entry
        SELECT i, 'h' || (i % 3), iif(i % 3 = 0, 'xml', 'json'), iif(i % 3 = 0, '<a/>', json_object('ask', 'a' || (i % 900))) FROM n;
      """)
    let sql = "SELECT id FROM entry WHERE host = ? AND type = 'json' AND json_extract(value, '$.ask') = 'a7'"
    let statement = try fixture.analyze(sql, [[1: .text("h1")]])
    let advisor = try IndexAdvisor(
      copy: fixture.copy, schema: fixture.schema, buildTime: .seconds(20), evidence: LiteralEvidence([statement]))
    let advice = try advisor.advise(on: statement)
    #expect(advice.kind == .fullScan)
    let index = try #require(advice.candidates.first)
    #expect(index.condition == "\"type\" = 'json'" && advice.candidates.count == 1)
    #expect(index.keys.last?.sql == "json_extract(\"value\", '$.ask')")
    // Nothing shows that the app always asks for this type.
    #expect(try !fixture.advise(sql, [[1: .text("h1")]]).candidates.contains { $0.hasExpression })
  }

  /// CAST keeps the collation of its column. An index of the CAST doesn't, so the index names the collation.
  @Test func aCastOfTextThatIgnoresCase() throws {
    let fixture = try AdviceFixture(
      """
      CREATE TABLE meta (id INTEGER PRIMARY KEY, key TEXT COLLATE NOCASE, value TEXT COLLATE NOCASE);
      \(AdviceFixture.numbers(20_000)) INSERT INTO meta SELECT i, 'key ' || (i % 4), i * 7919 % 20000 / 100.0 FROM n;
      """)
    let index = try #require(
      try fixture.advise("SELECT id FROM meta WHERE CAST(value AS REAL) BETWEEN 4 AND 5").candidates.first)
    #expect(index.keys.map(\.definition) == [#"CAST("value" AS REAL) COLLATE "NOCASE""#])
  }
}
