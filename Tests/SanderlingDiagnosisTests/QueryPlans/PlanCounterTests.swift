import Testing

@testable import SanderlingDiagnosis

/// The numbers of rows in each step of a plan. The first of ten projects has 20 tasks (5 of them open) and 4 comments;
/// the other projects have one task each.
@Suite struct PlanCounterTests {
  let fixture: DatabaseFixture
  let copy: DatabaseCopy
  let schema: DatabaseSchema

  init() throws {
    fixture = try DatabaseFixture()
    copy = try fixture.copy(
      """
      CREATE TABLE project (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE task (id INTEGER PRIMARY KEY, projectID INTEGER, open INTEGER);
      CREATE TABLE comment (id INTEGER PRIMARY KEY, projectID INTEGER);
      CREATE INDEX taskProject ON task (projectID); CREATE INDEX commentProject ON comment (projectID);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 29)
      INSERT INTO task SELECT i, max(1, i - 19), i <= 5 FROM n;
      INSERT INTO project SELECT DISTINCT projectID, 'p' FROM task;
      INSERT INTO comment (projectID) VALUES (1), (1), (1), (1);
      """)
    schema = try DatabaseSchemaReader(connection: copy.connection).read()
  }

  private func counted(_ sql: String, _ bindings: [Int: BoundValue] = [:]) throws -> [PlanNode] {
    let plan = try PlanReader(connection: copy.connection, schema: schema).plan(of: sql)
    let measurement = try StatementRunner(connection: copy.connection).measure(sql, bindings: bindings)
    return PlanCounter(connection: copy.connection, schema: schema, timeBudget: .seconds(60))
      .counted(plan, of: sql, bindings: bindings, measurement: measurement).roots
  }

  private static let joins =
    "FROM project p LEFT JOIN task t ON t.projectID = p.id LEFT JOIN comment c ON c.projectID = p.id"

  @Test(arguments: [
    ("SELECT p.id, count(t.id), count(c.id) \(joins) GROUP BY p.id", [10, 29, 89]),
    ("SELECT p.id, count(t.id), count(c.id) \(joins) AND t.open = 1 WHERE p.id = ? GROUP BY p.id", [1, 20, 35]),
    ("SELECT * FROM task CROSS JOIN project ON project.id = projectID WHERE open AND name = 'p'", [5, 5]),
    ("SELECT * FROM task WHERE open = ?1 ORDER BY projectID + 1 LIMIT 2", [5, nil]),
    ("SELECT * FROM task LIMIT 2", [nil]), ("DELETE FROM task WHERE open", [5]),
    ("WITH big AS (SELECT * FROM task WHERE projectID = 1 LIMIT 10) SELECT * FROM big WHERE open", [nil, 5]),
    ("SELECT * FROM task WHERE projectID = 3 OR id = 1", [2]),
    ("SELECT * FROM task JOIN project USING (id)", [29, nil]),
  ])
  func rows(sql: String, rows: [Int64?]) throws {
    let found = try counted(sql, [1: .integer(1)])
    #expect(found.map(\.rows) == rows, "\(found.map { ($0.detail, $0.rows) })")
  }

  @Test func sharesOfTheWork() throws {
    let nodes = try counted("SELECT * FROM task a CROSS JOIN task b WHERE a.open + 0 = b.open + 0 ORDER BY a.id + b.id")
    #expect(nodes.map(\.rows) == [29, 601, nil])
    #expect(nodes.map(\.rowsRead) == [29, 841, nil])
    let shares = nodes.compactMap(\.share)
    #expect(shares.count == 3 && abs(shares.reduce(0, +) - 1) < 1e-9)
    #expect(shares[1] > shares[0])
  }

  @Test func budget() throws {
    let sql = "SELECT * FROM task"
    let plan = try PlanReader(connection: copy.connection).plan(of: sql)
    var counter = PlanCounter(connection: copy.connection, schema: schema)
    counter.timeBudget = .zero
    let endless =
      "SELECT * FROM task a, task b, task c, task d, task e, task f WHERE a.id + b.id + c.id = d.id + e.id + f.id"
    let large = try PlanReader(connection: copy.connection).plan(of: endless)
    #expect(counter.counted(large, of: endless, bindings: [:]).roots.last?.rows == nil)
    #expect(counter.counted(plan, of: "garbage", bindings: [:]).roots.count == 1)
  }
}
