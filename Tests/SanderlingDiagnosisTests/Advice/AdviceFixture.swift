import Foundation
import Testing

@testable import SanderlingDiagnosis

/// A database that a test creates, and an index advisor on a copy of the database.
struct AdviceFixture {
  let files: DatabaseFixture
  let copy: DatabaseCopy
  let schema: DatabaseSchema
  let advisor: IndexAdvisor

  init(_ sql: String, buildTime: Duration = .seconds(20), hasClock: Bool = false) throws {
    files = try DatabaseFixture()
    copy = try files.copy(sql)
    schema = try DatabaseSchemaReader(connection: copy.connection).read()
    var runner = StatementRunner(connection: copy.connection)
    // The clock stands still, so only counted work decides. Other tests run meanwhile and use the processor's caches.
    if !hasClock { runner.now = { .zero } }
    advisor = try IndexAdvisor(copy: copy, schema: schema, runner: runner, buildTime: buildTime)
  }

  func analyze(_ sql: String, id: Int = 1, count: Int = 1, _ bindings: [[Int: BoundValue]] = []) throws
    -> AnalyzedStatement
  {
    let statement = WorkloadStatement(
      id: id, fingerprint: Fingerprint.of(sql), sql: sql, count: count, bindings: bindings)
    return try StatementAnalyzer(connection: copy.connection, schema: schema, runner: advisor.runner)
      .analyze(statement)
  }

  func advise(_ sql: String, _ bindings: [[Int: BoundValue]] = []) throws -> StatementAdvice {
    try advisor.advise(on: analyze(sql, bindings))
  }

  /// The fix that the advisor proposes for a statement, as SQL statements.
  func fix(_ sql: String, _ bindings: [[Int: BoundValue]] = []) throws -> [String] {
    try advise(sql, bindings).sql
  }

  /// SQL of a common table expression `n` with one column `i`, which holds the numbers from 1 to `count`.
  static func numbers(_ count: Int) -> String {
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))"
  }

  /// The tables `project` and `task`: 200 projects and 20,000 tasks. Every tenth task is open, every 500th is flagged.
  static let tasks = """
    CREATE TABLE project (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE task (
      id INTEGER PRIMARY KEY, projectID INTEGER REFERENCES project (id) ON DELETE CASCADE, title TEXT NOT NULL,
      note TEXT, due INTEGER, isDone INTEGER NOT NULL, isFlagged INTEGER NOT NULL, priority INTEGER NOT NULL,
      size REAL);
    \(numbers(200)) INSERT INTO project SELECT i, 'Project ' || i FROM n;
    \(numbers(20_000)) INSERT INTO task
      SELECT i, i % 200 + 1, 'Task ' || (i * 7919 % 20000), printf('%.120c', 'x'), i * 7907 % 20000, i % 10 > 0,
        i % 500 = 0, i % 5, i / 3.0 FROM n;
    """
}
