import Testing

@testable import SanderlingDiagnosis

/// Fan-outs that are not grouped by the parent's key, that stand in views and subqueries, or whose statements never
/// end.
@Suite struct FanOutPartTests {
  static let script = """
    CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE project (id INTEGER PRIMARY KEY, townId INTEGER NOT NULL, name TEXT NOT NULL);
    CREATE TABLE task (id INTEGER PRIMARY KEY, projectId INTEGER NOT NULL, minutes INTEGER, price REAL);
    CREATE TABLE comment (id INTEGER PRIMARY KEY, projectId INTEGER NOT NULL, length INTEGER);
    CREATE INDEX task_on_projectId ON task(projectId);
    CREATE INDEX comment_on_projectId ON comment(projectId);
    CREATE VIEW summary AS SELECT p.id, p.name, SUM(t.minutes) AS minutes, COUNT(c.id) AS comments
      FROM project p LEFT JOIN task t ON t.projectId = p.id LEFT JOIN comment c ON c.projectId = p.id GROUP BY p.id;
    \(DetectorFixture.numbers(5)) INSERT INTO town SELECT i, 'Town ' || i FROM n;
    \(DetectorFixture.numbers(40)) INSERT INTO project SELECT i, 1 + i % 5, 'Project ' || (i % 30) FROM n;
    \(DetectorFixture.numbers(2_000)) INSERT INTO task SELECT i, 1 + i % 37, i % 90, i * 0.25 FROM n;
    \(DetectorFixture.numbers(1_000)) INSERT INTO comment SELECT i, 2 + i % 38, i % 70 FROM n;
    """

  static let joins =
    "FROM project p LEFT JOIN task t ON t.projectId = p.id LEFT JOIN comment c ON c.projectId = p.id"

  /// The fix returns the right values, which are written out here as subqueries for each aggregate.
  @Test(arguments: [
    (
      "SELECT p.townId, SUM(t.minutes) AS minutes, COUNT(c.id) AS comments \(joins) GROUP BY p.townId",
      "SELECT p.townId, (SELECT SUM(t.minutes) FROM task t JOIN project q ON q.id = t.projectId WHERE q.townId = p.townId), "
        + "(SELECT COUNT(*) FROM comment c JOIN project q ON q.id = c.projectId WHERE q.townId = p.townId) "
        + "FROM project p GROUP BY 1"
    ),
    (
      "SELECT p.name, AVG(t.price) AS price, TOTAL(c.length) / 2 AS length, MAX(t.minutes) AS most \(joins) GROUP BY p.name",
      "SELECT p.name, (SELECT AVG(t.price) FROM task t JOIN project q ON q.id = t.projectId WHERE q.name = p.name), "
        + "(SELECT TOTAL(c.length) / 2 FROM comment c JOIN project q ON q.id = c.projectId WHERE q.name = p.name), "
        + "(SELECT MAX(t.minutes) FROM task t JOIN project q ON q.id = t.projectId WHERE q.name = p.name) "
        + "FROM project p GROUP BY 1"
    ),
    (
      "SELECT id, minutes, comments FROM summary WHERE id = 7",
      "SELECT 7, (SELECT SUM(minutes) FROM task WHERE projectId = 7), (SELECT COUNT(*) FROM comment WHERE projectId = 7)"
    ),
    (
      "SELECT s.townId, MAX(s.minutes) AS most FROM (SELECT p.townId, SUM(t.minutes) AS minutes, COUNT(c.id) AS n \(joins) "
        + "WHERE p.id > 3 GROUP BY p.id) s GROUP BY s.townId",
      "SELECT p.townId, MAX((SELECT SUM(minutes) FROM task WHERE projectId = p.id)) FROM project p WHERE p.id > 3 GROUP BY 1"
    ),
  ])
  func wrongResults(sql: String, right: String) throws {
    let fixture = try DetectorFixture(Self.script, showsValues: true)
    let finding = try #require(try fixture.findings(JoinFanOutDetector(), sql).first)
    #expect(finding.kind == .multipliedAggregate && finding.severity == .wrongResult)
    let fix = try #require(finding.fix?.sql.first)
    let rows = try fixture.context.rows(fix)
    let expected = try fixture.context.rows(right)
    #expect(Set(rows.map(Self.rounded)) == Set(expected.map(Self.rounded)), "\(fix)")
    #expect(rows.count == expected.count)
  }

  private static func rounded(_ row: [BoundValue]) -> [BoundValue] {
    row.map { value in if case .real(let number) = value { .real((number * 1e6).rounded()) } else { value } }
  }

  @Test func viewIsNamed() throws {
    let fixture = try DetectorFixture(Self.script)
    let finding = try fixture.findings(JoinFanOutDetector(), "SELECT minutes FROM summary WHERE id = 7").first
    #expect(finding?.title.contains("in the view summary") == true)
  }

  @Test func pairsAreCounted() throws {
    let fixture = try DetectorFixture(Self.script)
    let finding = try #require(
      try fixture.findings(JoinFanOutDetector(), "SELECT p.id, COUNT(*) \(Self.joins) GROUP BY p.id").first)
    #expect(finding.kind == .multipliedAggregate && finding.severity == .wrongResult)
    #expect(finding.title.contains("55 × 27") || finding.title.contains("54 × 27"), "\(finding.title)")
    // COUNT(*) is meant to count the rows of the single joined table.
    let single = "SELECT p.id, COUNT(*) FROM project p JOIN task t ON t.projectId = p.id GROUP BY p.id"
    #expect(try fixture.findings(JoinFanOutDetector(), single).isEmpty)
  }

  /// A statement that joins three child tables to every parent has hundreds of millions of rows and never ends. Its
  /// rows are counted by parent, and its fix is compared for some parents.
  @Test(arguments: [true, false])
  func rowsOfAnEndlessJoinAreCountedByParent(hasIndexes: Bool) throws {
    let indexes = ["a", "b", "c"].map { "CREATE INDEX \($0)_on_parent ON \($0)(parent);" }.joined()
    let fixture = try DetectorFixture(
      """
      CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE a (id INTEGER PRIMARY KEY, parent INTEGER, n INTEGER);
      CREATE TABLE b (id INTEGER PRIMARY KEY, parent INTEGER, n INTEGER);
      CREATE TABLE c (id INTEGER PRIMARY KEY, parent INTEGER, n INTEGER);
      \(DetectorFixture.numbers(400)) INSERT INTO parent SELECT i, 'Parent ' || i FROM n;
      \(DetectorFixture.numbers(36_000)) INSERT INTO a SELECT i, 1 + i % 400, i FROM n;
      \(DetectorFixture.numbers(36_000)) INSERT INTO b SELECT i, 1 + i % 400, i FROM n;
      \(DetectorFixture.numbers(32_000)) INSERT INTO c SELECT i, 1 + i % 400, i FROM n;
      INSERT INTO a SELECT 40000 + id, 17, id FROM a WHERE id <= 24;
      \(hasIndexes ? indexes : "")
      """)
    var context = fixture.context
    context.questionTime = .seconds(10)
    context.runner.stepBudget = 1_000_000
    let analyzed = try StatementAnalyzer(
      connection: context.connection, schema: context.schema, runner: context.runner
    ).analyze(
      WorkloadStatement(
        id: 1, fingerprint: "",
        sql: """
          SELECT parent.id, COUNT(DISTINCT a.id) AS n, COUNT(DISTINCT b.id) AS m, COUNT(DISTINCT c.id) AS o FROM parent
          LEFT JOIN a ON a.parent = parent.id LEFT JOIN b ON b.parent = parent.id LEFT JOIN c ON c.parent = parent.id
          GROUP BY parent.id
          """))
    context.runner.stepBudget = .max
    let finding = try #require(try JoinFanOutDetector().findings(for: analyzed, in: context).first)
    #expect(finding.kind == .joinFanOut)
    #expect(finding.evidence("intermediate rows of the worst")?.formula == "114 × 90 × 80 = 820,800")
    #expect(finding.evidence("intermediate rows in all")?.value == Double(399 * 90 * 90 * 80 + 114 * 90 * 80))
    #expect(finding.limits.contains { $0.contains("some rows of parent only") })
  }
}
