import Foundation
import Testing

@testable import SanderlingDiagnosis

/// Joins that multiply rows. One project has 281 open tasks, 114 completed tasks and 4 comments; 20 projects are small.
@Suite struct JoinFanOutTests {
  let fixture: DetectorFixture
  let detector = JoinFanOutDetector()

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE project (id INTEGER PRIMARY KEY, name TEXT NOT NULL, budget INTEGER);
      CREATE TABLE task (
        id INTEGER PRIMARY KEY, projectId INTEGER NOT NULL REFERENCES project, isCompleted INTEGER NOT NULL,
        minutes INTEGER, price REAL);
      CREATE INDEX task_on_projectId ON task(projectId);
      CREATE TABLE comment (id INTEGER PRIMARY KEY, projectId INTEGER NOT NULL REFERENCES project, text TEXT);
      CREATE INDEX comment_on_projectId ON comment(projectId);
      \(DetectorFixture.numbers(21)) INSERT INTO project SELECT i, 'Project ' || i, i * 10 FROM n;
      \(DetectorFixture.numbers(395))
      INSERT INTO task SELECT i, 1, i > 281, i % 90, i * 0.25 FROM n;
      \(DetectorFixture.numbers(4)) INSERT INTO comment SELECT i, 1, 'text' FROM n;
      \(DetectorFixture.numbers(57)) INSERT INTO task SELECT 1000 + i, 2 + i % 19, i % 2, i, i * 0.5 FROM n;
      \(DetectorFixture.numbers(30)) INSERT INTO comment SELECT 1000 + i, 2 + i % 15, 'text' FROM n;
      """)
  }

  static let reported = """
    SELECT project.*,
      COUNT(DISTINCT task1.id) AS uncompletedTasksCount,
      COUNT(DISTINCT task2.id) AS completedTasksCount,
      COUNT(DISTINCT comment.id) AS commentsCount
    FROM project
    LEFT JOIN task task1 ON task1.projectId = project.id AND NOT task1.isCompleted
    LEFT JOIN task task2 ON task2.projectId = project.id AND task2.isCompleted
    LEFT JOIN comment ON comment.projectId = project.id
    GROUP BY project.id
    """

  @Test func reportedCase() throws {
    let finding = try #require(try fixture.findings(detector, Self.reported).first)
    #expect(finding.kind == .joinFanOut)
    #expect(finding.severity == .error)
    #expect(finding.isProven)
    #expect(finding.evidence("intermediate rows of the worst")?.value == 128_136)
    #expect(finding.evidence("intermediate rows of the worst")?.formula == "281 × 114 × 4 = 128,136")
    #expect(
      finding.fix?.sql == [
        "SELECT project.*, "
          + "(SELECT COUNT(*) FROM task task1 WHERE task1.projectId = project.id AND NOT task1.isCompleted) "
          + "AS uncompletedTasksCount, "
          + "(SELECT COUNT(*) FROM task task2 WHERE task2.projectId = project.id AND task2.isCompleted) "
          + "AS completedTasksCount, "
          + "(SELECT COUNT(*) FROM comment WHERE comment.projectId = project.id) AS commentsCount FROM project"
      ])
  }

  /// Sums and counts without DISTINCT are wrong if a second joined table multiplies the rows. The right values are the
  /// values of each table alone.
  @Test(arguments: [
    "SELECT p.id, SUM(t.minutes) AS minutes, COUNT(c.id) AS comments",
    "SELECT p.id, TOTAL(t.price), COUNT(DISTINCT c.id)",
    "SELECT p.id, COUNT(*) FILTER (WHERE t.isCompleted), COUNT(DISTINCT c.id)",
    "SELECT p.id, SUM(CASE WHEN t.isCompleted THEN 1 ELSE 0 END) AS done, COUNT(DISTINCT c.id)",
  ])
  func wrongResults(columns: String) throws {
    let joins = """
       FROM project p LEFT JOIN task t ON t.projectId = p.id LEFT JOIN comment AS c ON c.projectId = p.id
       GROUP BY p.id ORDER BY p.name
      """
    let findings = try fixture.findings(detector, columns + joins)
    let finding = try #require(findings.first)
    #expect(finding.kind == .multipliedAggregate)
    #expect(finding.severity == .wrongResult)
    #expect(finding.fix != nil)
    #expect(findings.contains { $0.kind == .joinFanOut && $0.isProven })
    #expect((finding.evidence("wrong rows")?.value ?? 0) > 1)
  }

  /// The rows of the last joined table can be grouped before the join, which reads each row once.
  @Test func theLastTableIsGrouped() throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE builder (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE build (id INTEGER PRIMARY KEY, builder INTEGER NOT NULL, seconds INTEGER);
      CREATE INDEX build_builder ON build (builder);
      CREATE TABLE step (id INTEGER PRIMARY KEY, build INTEGER NOT NULL, result INTEGER);
      CREATE INDEX step_build ON step (build);
      \(DetectorFixture.numbers(20)) INSERT INTO builder SELECT i, 'b' || i FROM n;
      \(DetectorFixture.numbers(4_000)) INSERT INTO build SELECT i, i % 20 + 1, i % 900 FROM n;
      \(DetectorFixture.numbers(16_000)) INSERT INTO step SELECT i, i % 4000 + 1, i % 8 FROM n;
      """)
    // If a table only filters, count(*) doesn't count its rows.
    for (filter, count) in [("", "SUM(s.value1)"), ("WHERE s.result IN (1, 5) ", "count(*)")] {
      let sql =
        "SELECT r.name, count(*), sum(b.seconds) AS seconds FROM builder r JOIN build b ON b.builder = r.id JOIN step s ON s.build = b.id "
        + "\(filter)GROUP BY r.id ORDER BY seconds DESC"
      let statement = try #require(MovableStatement(try fixture.analyzed(sql), schema: fixture.context.schema))
      let rewrite = try #require(FanOutRewrite(statement, in: fixture.context))
      let candidates = rewrite.candidates()
      let grouped = try #require(candidates.last)
      #expect(
        grouped.contains("SELECT r.name, \(count)") && grouped.contains("GROUP BY s.build) AS s ON s.link = b.id"),
        "\(grouped)")
      #expect(try fixture.context.comparer.compare(candidates[0], grouped, order: statement.order) == .same)
      #expect(rewrite.multiplied.count == (filter.isEmpty ? 1 : 2))
    }
  }

  /// A rewrite whose comparison was stopped is not taken for different. At whatever moment the time ends, the right
  /// rewrite is found, or the context notes that more time may find more.
  @Test func theTimeEnds() throws {
    let sql = """
      SELECT p.id, SUM(t.minutes) AS minutes, COUNT(c.id) AS comments FROM project p LEFT JOIN task t ON t.projectId = p.id
      LEFT JOIN comment AS c ON c.projectId = p.id GROUP BY p.id
      """
    let analyzed = try fixture.analyzed(sql)
    let all = try detector.findings(for: analyzed, in: fixture.context)
    #expect(all.first?.fix != nil)
    var stops = 0
    for looks in stride(from: 0, to: 400, by: 10) {
      let left = LooksAtTheClock(looks)
      let budget = StatementBudget(deadline: Deadline { left.next() ? .seconds(1000) : .zero })
      fixture.context.shortfall.happened = false
      do {
        let findings = try fixture.context.connection.limited(to: budget) {
          try detector.findings(for: analyzed, in: fixture.context)
        }
        if fixture.context.shortfall.happened {
          stops += 1
          continue
        }
        #expect(findings.map(\.fix?.sql) == all.map(\.fix?.sql), "\(looks) looks at the clock")
      } catch DiagnosisError.stopped {
        stops += 1
      }
    }
    #expect(stops > 0)
  }
}

/// A clock that can be read `left` times before its time is over.
private final class LooksAtTheClock: @unchecked Sendable {
  private var left: Int

  init(_ left: Int) { self.left = left }

  func next() -> Bool {
    left -= 1
    return left >= 0
  }
}

extension JoinFanOutTests {
  /// A key of texts may be NULL in several rows. These rows form one group and refer to no other row.
  @Test(arguments: [
    "count(DISTINCT i.id), sum(t.minutes)", "count(DISTINCT i.state), avg(t.minutes)",
    "group_concat(DISTINCT i.state), total(t.minutes)", "count(i.id), sum(DISTINCT t.minutes)",
  ])
  func keyThatMayBeNull(aggregates: String) throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE user (id TEXT PRIMARY KEY, login TEXT NOT NULL);
      CREATE TABLE issue (id INTEGER PRIMARY KEY, assignee TEXT, state TEXT);
      CREATE INDEX issue_on_assignee ON issue (assignee);
      CREATE TABLE entry (id INTEGER PRIMARY KEY, user TEXT, minutes INTEGER); CREATE INDEX entry_on_user ON entry (user);
      \(DetectorFixture.numbers(60)) INSERT INTO user SELECT 'u' || i, 'user ' || i FROM n;
      INSERT INTO user VALUES (NULL, 'nobody'), (NULL, 'no one');
      \(DetectorFixture.numbers(900)) INSERT INTO issue SELECT i, 'u' || (i % 31), 's' || (i * i % 3) FROM n;
      \(DetectorFixture.numbers(900)) INSERT INTO entry SELECT i, 'u' || (i % 29), 5 + i % 7 FROM n;
      """, showsValues: true)
    let finding = try #require(
      try fixture.findings(
        detector,
        "SELECT u.id, \(aggregates) FROM user u LEFT JOIN issue i ON i.assignee = u.id "
          + "LEFT JOIN entry t ON t.user = u.id GROUP BY u.id"
      ).first)
    #expect(finding.isProven, "\(finding)")
    let fix = try #require(finding.fix?.sql.last)
    let rows = try fixture.context.rows(fix)
    #expect(rows.count == 61)
    for row in rows {
      let (issues, entries) = (
        "(SELECT * FROM issue WHERE assignee = ?1) AS i", "(SELECT * FROM entry WHERE user = ?1) AS t"
      )
      let calls = aggregates.components(separatedBy: "), ")
      let right = try fixture.context.rows(
        "SELECT (SELECT \(calls[0])) FROM \(issues)), (SELECT \(calls[1]) FROM \(entries))", [1: row[0]])
      #expect(Array(row.dropFirst()) == right[0], "\(row)")
    }
  }

  /// Statements without a fan-out, or without a rewrite that certainly has the same result.
  @Test(arguments: [
    // A single branch, whose rows are counted once.
    "SELECT p.id, COUNT(t.id) FROM project p LEFT JOIN task t ON t.projectId = p.id GROUP BY p.id",
    "SELECT COUNT(*) FROM project p JOIN task t ON t.projectId = p.id",
    // The statement asks for the combinations of two branches.
    "SELECT p.id, SUM(t.minutes * c.id) FROM project p JOIN task t ON t.projectId = p.id "
      + "JOIN comment c ON c.projectId = p.id GROUP BY p.id",
    "SELECT p.id, t.id, c.id FROM project p JOIN task t ON t.projectId = p.id JOIN comment c ON c.projectId = p.id",
    // To-one joins.
    "SELECT t.id, p.name FROM task t JOIN project p ON p.id = t.projectId",
    "SELECT t.projectId, COUNT(*), MAX(p.name) FROM task t JOIN project p ON p.id = t.projectId GROUP BY t.projectId",
    // Subqueries instead of joins.
    "SELECT p.*, (SELECT COUNT(*) FROM task WHERE projectId = p.id) FROM project p",
    // Columns of a branch outside of aggregates.
    "SELECT p.id, t.minutes, COUNT(DISTINCT c.id) FROM project p JOIN task t ON t.projectId = p.id "
      + "JOIN comment c ON c.projectId = p.id GROUP BY p.id",
    "SELECT DISTINCT name FROM project",
    "SELECT * FROM project p, task t, comment c",
    "SELECT p.id, COUNT(DISTINCT t.id) FROM project p NATURAL JOIN task t GROUP BY p.id",
  ])
  func otherStatementsAreNotReported(sql: String) throws {
    #expect(try fixture.findings(detector, sql).isEmpty)
  }

  /// Each rewrite returns the same rows as its statement. The comparison of this test is independent of the detector's.
  @Test(arguments: [
    "SELECT project.id, name, COUNT(DISTINCT t.id) FROM project JOIN task t ON t.projectId = project.id LEFT "
      + "JOIN comment c "
      + "ON c.projectId = project.id WHERE t.minutes > 3 AND budget > 0 "
      + "GROUP BY project.id ORDER BY COUNT(DISTINCT t.id) DESC, project.id",
    "SELECT p.id, COUNT(DISTINCT t.id) AS tasks, MAX(c.id) FROM project p LEFT JOIN task t ON t.projectId = p.id "
      + "LEFT JOIN comment c ON c.projectId = p.id GROUP BY p.id HAVING tasks > 2 ORDER BY tasks, p.id LIMIT 5",
    "SELECT p.id, COUNT(DISTINCT t.id), COUNT(DISTINCT c.id) FROM comment c JOIN project p ON p.id = c.projectId "
      + "JOIN task t ON p.id = t.projectId WHERE p.budget < ? AND t.isCompleted = ? GROUP BY p.id",
    "SELECT COUNT(DISTINCT t.id), COUNT(DISTINCT c.id), COUNT(DISTINCT p.id) FROM project p "
      + "LEFT JOIN task t ON t.projectId = p.id LEFT JOIN comment c ON c.projectId = p.id WHERE p.id = :id",
    "SELECT DISTINCT p.* FROM project p JOIN task t ON t.projectId = p.id JOIN comment c ON c.projectId = p.id "
      + "WHERE t.isCompleted = 0 ORDER BY p.name",
    "SELECT DISTINCT p.name FROM project p JOIN task t ON t.projectId = p.id LEFT JOIN comment c "
      + "ON c.projectId = p.id ORDER BY 1 LIMIT 3",
  ])
  func sameRows(sql: String) throws {
    let finding = try #require(try fixture.findings(detector, sql).first)
    #expect(finding.kind == .joinFanOut && finding.isProven, "\(finding)")
    #expect(finding.fix?.sql.first?.contains("SELECT") ?? false)
  }
}

extension JoinFanOutTests {
  /// The rewrite of a statement that doesn't end within its budget is compared for some rows of the root table.
  @Test(arguments: [
    (reported, FindingKind.joinFanOut),
    (
      "SELECT p.id, SUM(a.minutes) AS minutes, COUNT(DISTINCT b.id) AS tasks FROM project p "
        + "LEFT JOIN task a ON a.projectId = p.id LEFT JOIN task b ON b.projectId = p.id GROUP BY p.id",
      .multipliedAggregate
    ),
  ])
  func tooSlowToCompare(sql: String, kind: FindingKind) throws {
    var context = fixture.context
    context.runner.stepBudget = 100_000
    let analyzed = try StatementAnalyzer(
      connection: context.connection, schema: context.schema, runner: context.runner
    ).analyze(WorkloadStatement(id: 1, fingerprint: "", sql: sql))
    #expect(analyzed.measurements.contains { !$0.isComplete })
    let finding = try #require(try detector.findings(for: analyzed, in: context).first)
    #expect(finding.kind == kind && finding.isProven)
    #expect(finding.limits.contains { $0.contains("some rows of project only") })
  }
}
