import Testing

@testable import SanderlingDiagnosis

/// Subqueries with one value for all rows of a group.
@Suite struct GroupedSubqueryTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE package (id INTEGER PRIMARY KEY, name TEXT NOT NULL, arch TEXT, folded TEXT COLLATE NOCASE);
      CREATE TABLE action (id INTEGER PRIMARY KEY, package INTEGER NOT NULL, reason INTEGER, size INTEGER);
      CREATE INDEX action_on_package ON action (package); CREATE INDEX package_on_name ON package (name);
      CREATE TABLE queue (id INTEGER PRIMARY KEY, action INTEGER NOT NULL);
      \(DetectorFixture.numbers(600)) INSERT INTO package
        SELECT i, 'p' || (i % 12), nullif('a' || (i % 3), 'a2'), 'P' || (i % 5) FROM n;
      \(DetectorFixture.numbers(4_000)) INSERT INTO action SELECT i, i * 7919 % 600 + 1, i % 4, nullif(i % 50, 7) FROM n;
      INSERT INTO queue SELECT id, id FROM action;
      """, showsValues: true)
  }

  @Test(arguments: [
    """
    SELECT p.name, a.id FROM package p JOIN action a ON a.package = p.id WHERE a.reason = 2 AND a.id =
    (SELECT max(b.id) FROM action b JOIN package q ON q.id = b.package WHERE q.name = p.name AND q.arch = p.arch)
    """,
    "SELECT p.id, (SELECT count(*) FROM action b JOIN package q ON q.id = b.package WHERE q.name = p.name) AS n FROM package p",
    "SELECT p.id FROM package p WHERE p.id > (SELECT round(avg(b.size) * 2) FROM action b JOIN package q ON q.id = b.package WHERE q.name = p.name)",
    """
    SELECT p.id, (SELECT total(b.size) FROM action b JOIN package q ON q.id = b.package WHERE p.arch = q.arch AND b.reason = 1)
    + (SELECT 2 * min(b.size) + 1 FROM action b JOIN package q ON q.id = b.package WHERE q.name = p.name) AS n FROM package p WHERE p.id < 500
    """,
  ])
  func joinedByGroup(sql: String) throws {
    let finding = try #require(try fixture.findings(GroupedSubqueryDetector(), sql).first)
    #expect(finding.kind == .subqueryPerRow && finding.isProven)
    let fix = try #require(finding.fix?.sql.last)
    #expect(fix.contains("LEFT JOIN (SELECT"))
    let (before, after) = (try fixture.context.rows(sql), try fixture.context.rows(fix))
    #expect(Set(before) == Set(after) && before.count == after.count && !before.isEmpty)
  }

  @Test(arguments: [
    // The collations differ, so rows with one value of the subquery would be in two groups.
    "SELECT p.id, (SELECT count(*) FROM action b JOIN package q ON q.id = b.package WHERE q.folded = p.name) FROM package p",
    // The columns are compared by another operator than equality.
    "SELECT p.id, (SELECT count(*) FROM action b JOIN package q ON q.id = b.package WHERE q.name < p.name) FROM package p",
    // With the join of the rewrite, `*` would have more columns.
    "SELECT *, (SELECT count(*) FROM action b JOIN package q ON q.id = b.package WHERE q.name = p.name) FROM package p",
    // A column of a single row is an arbitrary row's, alone or beside an aggregate.
    "SELECT p.id, (SELECT max(b.size) + b.reason FROM action b JOIN package q ON q.id = b.package WHERE q.name = p.name) FROM package p",
    "SELECT p.id, (SELECT b.size FROM action b JOIN package q ON q.id = b.package WHERE q.name = p.name) FROM package p",
  ])
  func otherQuestions(sql: String) throws {
    #expect(try fixture.findings(GroupedSubqueryDetector(), sql).isEmpty)
  }

  @Test func conditionOfAWrite() throws {
    let sql = """
      DELETE FROM queue WHERE action IN (SELECT id FROM (SELECT a.id, (SELECT max(b.size) FROM action b JOIN package q ON q.id = b.package
      WHERE q.name = p.name) AS most FROM action a JOIN package p ON p.id = a.package WHERE a.size < 9 AND a.size <> most))
      """
    let finding = try #require(try fixture.findings(WriteConditionDetector(), sql).first)
    #expect(finding.isProven)
    #expect(
      finding.fix?.sql.last?.hasPrefix(
        "DELETE FROM queue WHERE action IN (SELECT id FROM (SELECT a.id, grouped_1.answer") == true)
  }

  /// A fixture has a clock of its own, whatever the time between two readings of the machine's clock.
  @Test func aBusyMachineFindsTheSame() throws {
    try WorkClock.$current.withValue(.counted(WorkClock.Questions(each: .seconds(10)))) { try conditionOfAWrite() }
  }
}
