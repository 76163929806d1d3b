import Testing

@testable import SanderlingDiagnosis

/// Statements that number the rows of each group and keep the first, and statements for the greatest row of each group.
@Suite struct NewestRowTests {
  /// A table of 9,000 runs of 30 tasks, with NULL in some queues, and a table of revisions of 60 names.
  private func fixture() throws -> DetectorFixture {
    try DetectorFixture(
      """
      CREATE TABLE run (id INTEGER PRIMARY KEY, task TEXT NOT NULL, at INTEGER NOT NULL, job INTEGER, queue TEXT);
      CREATE UNIQUE INDEX run_of_task ON run(task, at);
      CREATE INDEX run_of_queue ON run(queue, at);
      \(DetectorFixture.numbers(9_000)) INSERT INTO run
        SELECT i, 'task ' || (i % 30), i / 30 * 31 % 307 * 1000 + i % 7, i * 7, nullif('queue ' || (i % 9), 'queue 4') FROM n;
      CREATE TABLE revision (id INTEGER PRIMARY KEY, name TEXT, at INTEGER, isDeleted INTEGER, value TEXT,
        label TEXT COLLATE NOCASE);
      CREATE INDEX revision_of_name ON revision(name);
      \(DetectorFixture.numbers(6_000)) INSERT INTO revision
        SELECT i, nullif('name ' || (i % 60), 'name 59'), i * 7919 % 500, i % 11 = 0, printf('%.80c', 'x'),
          substr('Ll', 1 + i % 2, 1) || (i / 2 % 50) FROM n;
      """, showsValues: true)
  }

  private func check(
    _ detector: any FindingDetector, _ sql: String, _ values: [Int: BoundValue] = [:]
  ) throws -> String {
    let fixture = try fixture()
    let finding = try #require(try fixture.findings(detector, sql, bindings: [values]).first)
    #expect(finding.isProven)
    let fix = try #require(finding.fix?.sql.last)
    let (before, after) = (try fixture.context.rows(sql, values), try fixture.context.rows(fix, values))
    #expect(!before.isEmpty && Set(before) == Set(after) && before.count == after.count, "\(fix)")
    return fix
  }

  /// Pages by row_number(), as in databases without LIMIT.
  @Test(arguments: [
    "SELECT id, task FROM (SELECT id, task, row_number() OVER (ORDER BY at DESC, id) AS n FROM run) WHERE n <= 20",
    "SELECT * FROM (SELECT r.*, row_number() OVER (ORDER BY r.job, r.id DESC) AS n FROM run r WHERE r.at > 7000) AS x "
      + "WHERE n BETWEEN 11 AND 30 ORDER BY n",
  ])
  func numberedList(sql: String) throws {
    let fix = try check(NumberedListDetector(), sql)
    #expect(fix.contains("FROM (SELECT * FROM run") && fix.contains("LIMIT"), "\(fix)")
  }

  @Test(arguments: [
    // Other window functions, and other ranges of the number.
    "SELECT id FROM (SELECT id, row_number() OVER (ORDER BY at, id) AS n, count(*) OVER () AS c FROM run) WHERE n <= 20",
    "SELECT id FROM (SELECT id, rank() OVER (ORDER BY at, id) AS n FROM run) WHERE n <= 20",
    "SELECT id FROM (SELECT id, row_number() OVER (ORDER BY at, id) AS n FROM run) WHERE n > 20",
    "SELECT id FROM (SELECT row_number() OVER (ORDER BY at, id) AS n, r.* FROM run r) WHERE n <= 20",
    // The order leaves ties.
    "SELECT id FROM (SELECT id, row_number() OVER (ORDER BY task) AS n FROM run) WHERE n <= 20",
  ])
  func otherLists(sql: String) throws {
    #expect(try fixture().findings(NumberedListDetector(), sql).isEmpty)
  }

  @Test(arguments: [
    "SELECT task, at, job FROM (SELECT task, at, job, row_number() OVER (PARTITION BY task ORDER BY at DESC) AS n FROM run) "
      + "WHERE n = 1",
    "SELECT n, x.job FROM (SELECT ROW_NUMBER() OVER (PARTITION BY r.task ORDER BY r.at) n, r.job FROM run r "
      + "WHERE r.job > ?) x WHERE 1 = x.n ORDER BY x.job",
    "WITH first(j, n) AS (SELECT job, row_number() OVER (PARTITION BY queue ORDER BY at, id) FROM run WHERE at > ?) "
      + "SELECT j FROM first WHERE n <= 1 AND j > 3",
  ])
  func firstOfEachPartition(sql: String) throws {
    let fix = try check(FirstOfPartitionDetector(), sql, sql.contains("?") ? [1: .integer(700)] : [:])
    #expect(fix.contains("RECURSIVE") && !fix.lowercased().contains("row_number"))
    // The rows of the group with NULL are numbered too.
    #expect(fix.contains("IS NULL ORDER BY") == sql.contains("queue"))
  }

  /// The rewrite numbers the first rows of each group like the statement, however many the statement keeps.
  @Test(arguments: [
    "SELECT task, at, n FROM (SELECT task, at, row_number() OVER (PARTITION BY task ORDER BY at DESC) AS n FROM run) WHERE n <= 3",
    "SELECT job FROM (SELECT job, row_number() OVER (PARTITION BY task ORDER BY at) AS n FROM run) WHERE n = 2",
    "SELECT x.job FROM (SELECT r.job, row_number() OVER (PARTITION BY r.queue ORDER BY r.at, r.id) AS n FROM run r WHERE r.job > ?1) x "
      + "WHERE ?2 > x.n",
  ])
  func firstRowsOfEachPartition(sql: String) throws {
    let values: [Int: BoundValue] = sql.contains("?") ? [1: .integer(700), 2: .integer(3)] : [:]
    let fix = try check(FirstOfPartitionDetector(), sql, values)
    #expect(fix.contains("RECURSIVE") && fix.contains("row_number"))
    if sql.contains("?") { #expect(fix.contains("LIMIT max(0, ?2 - 1)") && fix.contains("r.queue IS NULL")) }
  }

  /// The order leaves no ties in a queue, but only the rows show this and no constraint. The finding states this limit.
  @Test func tiesWithoutAConstraintAreALimitOfTheProof() throws {
    let sql =
      "SELECT job, at FROM (SELECT job, at, row_number() OVER (PARTITION BY queue ORDER BY at DESC) AS n FROM run) WHERE n = 1"
    let finding = try #require(try fixture().findings(FirstOfPartitionDetector(), sql).first)
    #expect(finding.isProven)
    #expect(finding.limits.contains { $0.contains("left to chance") })
  }

  /// The newest row of each group, newest first. The rewrite reads the rows in their order, and keeps a row if its
  /// group has no later row. It ends at the limit.
  @Test func newestRowsOfAList() throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE page (id INTEGER PRIMARY KEY, topic INTEGER, at INTEGER NOT NULL, text TEXT);
      CREATE INDEX page_of_topic ON page(topic, at); CREATE INDEX page_at ON page(at);
      \(DetectorFixture.numbers(6_000)) INSERT INTO page SELECT i, nullif(i * 7919 % 2000, 7), i * 3, 'text' FROM n;
      """, showsValues: true)
    let sql =
      "SELECT id, topic, at FROM (SELECT p.id, p.topic, p.at, row_number() OVER (PARTITION BY p.topic ORDER BY p.at DESC) AS n "
      + "FROM page p WHERE p.text > 's') WHERE n = 1 ORDER BY at DESC LIMIT 20"
    let finding = try #require(try fixture.findings(FirstOfPartitionDetector(), sql).first)
    let fix = try #require(finding.fix?.sql.last)
    #expect(finding.isProven && fix.contains("NOT EXISTS") && fix.contains("(earlier.text > 's')"), "\(fix)")
    #expect(try fixture.context.rows(sql) == fixture.context.rows(fix))
    // Of two equal rows of a group, only one is returned.
    try fixture.context.connection.run("UPDATE page SET at = 18000 WHERE topic IS NULL OR topic IN (9, 11)")
    #expect(try fixture.context.rows(fix).count == 20)
    #expect(Set(try fixture.context.rows(fix).map { $0[1] }).count == 20)
  }

  /// Without an index, going from one group to the next takes far longer than numbering all rows. The fix then contains
  /// an index.
  @Test func rewriteThatIsTooSlowWithoutAnIndexGetsOne() throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE message (id INTEGER PRIMARY KEY, sender TEXT, at INTEGER NOT NULL, body TEXT);
      \(DetectorFixture.numbers(40_000)) INSERT INTO message SELECT i, 's' || (i % 400), i * 7919 % 40009, printf('%.80c', 'x') FROM n;
      """, showsValues: true)
    var context = fixture.context
    context.advisor = try IndexAdvisor(copy: context.copy, schema: context.schema, runner: context.runner)
    let sql = """
      SELECT sender, body, at FROM (SELECT sender, body, at, row_number() OVER (PARTITION BY sender ORDER BY at DESC) AS n FROM message)
      WHERE n = 1 ORDER BY at DESC
      """
    let finding = try #require(try FirstOfPartitionDetector().findings(for: fixture.analyzed(sql), in: context).first)
    let fix = try #require(finding.fix)
    #expect(finding.isProven && fix.summary.hasSuffix("with an index for it"))
    #expect(fix.sql.first == #"CREATE INDEX "message_on_sender_at" ON "message" ("sender", "at")"#)
    for change in fix.sql.dropLast() { try context.connection.run(change) }
    #expect(try context.rows(sql) == context.rows(fix.sql.last ?? ""))
  }

  @Test(arguments: [
    // Among rows at the same time, any may come first, since 'l1' and 'L1' are in one group.
    "SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY label ORDER BY at) AS n FROM revision) WHERE n = 1",
    "SELECT job FROM (SELECT job, row_number() OVER (PARTITION BY task ORDER BY at) AS n FROM run) WHERE n > 2",
    "SELECT job FROM (SELECT job, row_number() OVER (PARTITION BY task ORDER BY at) AS n FROM run) WHERE n <= job",
    "SELECT job FROM (SELECT job, rank() OVER (PARTITION BY task ORDER BY at) AS n FROM run) WHERE n = 1",
    "SELECT job FROM (SELECT job, row_number() OVER (ORDER BY at, id) AS n FROM run) WHERE n = 1",
    "SELECT t.id, x.job FROM revision t LEFT JOIN (SELECT job, row_number() OVER (PARTITION BY task ORDER BY at) AS n FROM run) x "
      + "ON x.job = t.id AND x.n = 1",
    "SELECT c FROM (SELECT count(*) OVER (PARTITION BY task) AS c, row_number() OVER (PARTITION BY task ORDER BY at) AS n "
      + "FROM run) WHERE n = 1",
  ])
  func otherNumbers(sql: String) throws {
    #expect(try fixture().findings(FirstOfPartitionDetector(), sql).isEmpty)
  }

  @Test(arguments: [
    "SELECT r.name, length(r.value) FROM revision r WHERE r.isDeleted = 0 "
      + "AND r.id = (SELECT max(x.id) FROM revision x WHERE x.name = r.name)",
    "SELECT r.id FROM revision r WHERE r.name > ? AND r.name < 'name 9' AND r.value <> '' "
      + "AND (SELECT max(x.id) FROM revision x WHERE r.name = x.name AND x.isDeleted = 0) = r.id",
    "SELECT name, at FROM revision WHERE at = (SELECT min(x.at) FROM revision x WHERE x.name = revision.name AND x.at > ?)",
    "SELECT r.id FROM revision r WHERE r.label GLOB 'L*' "
      + "AND r.id = (SELECT max(x.id) FROM revision x WHERE x.label = r.label AND x.isDeleted = 0 AND x.id % 4 > 1)",
  ])
  func greatestOfItsGroup(sql: String) throws {
    let values: [Int: BoundValue] =
      sql.contains("at > ?") ? [1: .integer(20)] : sql.contains("?") ? [1: .text("name 2")] : [:]
    let fix = try check(ExtremePerRowDetector(), sql, values)
    #expect(fix.contains("GROUP BY x."))
    // The row "l7" is in the group of "L7", so the group must not be filtered by GLOB.
    #expect(!fix.contains("x.label GLOB"))
    if sql.contains("r.name > ?") { #expect(fix.contains("(x.name > ?1) AND (x.name < 'name 9')"), "\(fix)") }
  }

  /// If the condition stands in a subquery, a rewrite must not multiply rows, so it contains no CROSS JOIN.
  @Test func withinAnotherSubquery() throws {
    let fix = try check(
      ExtremePerRowDetector(),
      "SELECT count(*) FROM revision r WHERE NOT EXISTS (SELECT 1 FROM run y WHERE y.id = 3 "
        + "AND r.id = (SELECT max(x.id) FROM revision x WHERE x.name = r.name))")
    #expect(fix.contains("GROUP BY x.") && !fix.contains("CROSS JOIN"), "\(fix)")
  }

  @Test(arguments: [
    "SELECT id FROM revision r WHERE id = (SELECT max(x.id) FROM revision x WHERE x.name < r.name)",
    "SELECT id FROM revision r WHERE id = (SELECT max(x.at) FROM revision x WHERE x.name = r.name)",
    "SELECT id FROM revision r WHERE id = (SELECT max(x.id) FROM revision x)",
    "SELECT id FROM revision r WHERE id <> (SELECT max(x.id) FROM revision x WHERE x.name = r.name)",
    "SELECT id FROM revision r WHERE id = (SELECT max(x.id) FROM revision x WHERE x.name = r.name AND x.at > r.at)",
    "SELECT id FROM revision r WHERE at = (SELECT max(x.at) FROM revision x WHERE x.name = r.value)",
  ])
  func otherExtremes(sql: String) throws {
    #expect(try fixture().findings(ExtremePerRowDetector(), sql).isEmpty)
  }
}
