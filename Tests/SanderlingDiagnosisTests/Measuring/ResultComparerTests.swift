import Testing

@testable import SanderlingDiagnosis

@Suite struct ResultComparerTests {
  let comparer: ResultComparer

  init() throws {
    let connection = try SQLiteConnection(path: "", mode: .memory)
    try connection.run("CREATE TABLE t (a, b)")
    try connection.run("INSERT INTO t VALUES (1, 'x'), (1, 'y'), (2, 'x'), (3, NULL), (3, 0.1), (3, x'00')")
    comparer = ResultComparer(connection: connection)
  }

  @Test(arguments: [
    ("SELECT * FROM t", "SELECT * FROM t ORDER BY b DESC", true),
    ("SELECT a FROM t", "SELECT DISTINCT a FROM t", false),
    ("SELECT a FROM t", "SELECT b AS a FROM t", false),
    ("SELECT a FROM t", "SELECT a AS other FROM t", false),
    ("SELECT a, b FROM t", "SELECT b, a FROM t", false),
    (
      "SELECT 1 AS x UNION ALL SELECT 1 UNION ALL SELECT 2", "SELECT 1 AS x UNION ALL SELECT 2 UNION ALL SELECT 2",
      false
    ),
    ("SELECT 0.1 + 0.2 AS x", "SELECT 0.3 AS x", true), ("SELECT 0.1 AS x", "SELECT 0.1001 AS x", false),
    // What is left of numbers that cancel each other depends on their order.
    ("SELECT 0.1 + 0.2 - 0.3 AS x", "SELECT 0.0 AS x", true), ("SELECT 1e-9 AS x", "SELECT 0.0 AS x", false),
    ("SELECT 1 AS x", "SELECT 1.0 AS x", false), ("SELECT NULL AS x", "SELECT 0 AS x", false),
    ("SELECT '1' AS x", "SELECT 1 AS x", false), ("SELECT 'a' AS x", "SELECT x'61' AS x", false),
    ("SELECT 1 AS x WHERE 0", "SELECT 2 AS x WHERE 0", true),
    ("SELECT 'a' AS x, 'bc' AS y", "SELECT 'ab' AS x, 'c' AS y", false),
  ])
  func anyOrder(one: String, other: String, areSame: Bool) throws {
    let verdict = try comparer.compare(one, other)
    #expect((verdict == .same) == areSame, "\(verdict)")
  }

  /// Ties may change places; rows of different keys may not.
  @Test(arguments: [
    ("SELECT a, b FROM t ORDER BY a, b", "SELECT a, b FROM t ORDER BY a, b DESC", [0], false, true),
    ("SELECT a, b FROM t ORDER BY a, b", "SELECT a, b FROM t ORDER BY a, b DESC", [0, 1], false, false),
    ("SELECT a, b FROM t ORDER BY a", "SELECT a, b FROM t ORDER BY a DESC", [0], false, false),
    ("SELECT a, b FROM t ORDER BY a, b LIMIT 1", "SELECT a, b FROM t ORDER BY a, b DESC LIMIT 1", [0], true, true),
    ("SELECT a, b FROM t ORDER BY a, b LIMIT 1", "SELECT a, b FROM t ORDER BY a, b DESC LIMIT 1", [0], false, false),
    ("SELECT a, b FROM t ORDER BY a, b LIMIT 1", "SELECT a, b FROM t ORDER BY a, b LIMIT 2", [0], true, false),
  ])
  func ordered(one: String, other: String, keys: [Int], isLimited: Bool, areSame: Bool) throws {
    let verdict = try comparer.compare(one, other, order: .by(keys, isLimited: isLimited))
    #expect((verdict == .same) == areSame, "\(verdict)")
  }

  /// More rows than are kept: a number that moves to another row is noticed.
  @Test func manyRows() throws {
    var comparer = comparer
    comparer.maximumRows = 100
    let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
    let one = "\(rows) SELECT i, i * 0.5 AS x FROM n"
    #expect(try comparer.compare(one, "\(rows) SELECT 2001 - i AS i, (2001 - i) * 0.5 AS x FROM n") == .same)
    #expect(try comparer.compare(one, "\(rows) SELECT i, (2001 - i) * 0.5 AS x FROM n") != .same)
  }

  @Test func budget() throws {
    comparer.connection.budget = StatementBudget(steps: 10_000)
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT * FROM n"
    #expect(try comparer.compare(endless, endless) == .unknown(.steps))
    #expect(throws: DiagnosisError.self) { try comparer.compare("DELETE FROM t", "DELETE FROM t") }
  }
}
