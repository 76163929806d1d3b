import Testing

@testable import SanderlingDiagnosis

@Suite struct ResultComparerTests {
  let comparer: ResultComparer

  init() throws {
    let connection = try SQLiteConnection(path: "", mode: .memory)
    try connection.run("CREATE TABLE t (a, b)")
    try connection.run("INSERT INTO t VALUES (1, 'x'), (1, 'y'), (2, 'x'), (3, NULL), (3, 0.1), (3, x'00')")
    try connection.run("CREATE TABLE s (id INTEGER PRIMARY KEY, v REAL)")
    try connection.run("INSERT INTO s VALUES (1, 0), (2, 3e-13), (3, 1), (4, 1 + 1e-12)")
    try connection.run("CREATE VIEW w AS SELECT id, v, v + 0 AS x FROM s")
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
    // If numbers cancel each other out, the remainder depends on the order of the sum.
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

  /// A stored number is no sum, so it is exact and must be equal in every comparison.
  @Test(arguments: [
    ("SELECT v FROM s WHERE id = 1", "SELECT v FROM s WHERE id = 2", false),
    ("SELECT v FROM s WHERE id = 3", "SELECT v FROM s WHERE id = 4", false),
    ("SELECT v FROM s WHERE id = 2", "SELECT 0.0 AS v", false),
    ("SELECT v FROM s WHERE id = 1", "SELECT 0.0 AS v", true),
    ("SELECT v FROM w WHERE id = 1", "SELECT v FROM (SELECT * FROM s WHERE id = 2)", false),
    ("SELECT v FROM s WHERE id = 3", "SELECT max(v) AS v FROM s WHERE id < 4", true),
    ("SELECT id, v FROM s ORDER BY id", "SELECT id, v FROM w ORDER BY v", true),
    // Computed numbers may differ by as much as the order of a sum can cause.
    ("SELECT sum(v) AS v FROM s WHERE id < 2", "SELECT sum(v) AS v FROM s WHERE id < 3", true),
    ("SELECT x FROM w WHERE id = 1", "SELECT x FROM w WHERE id = 2", true),
  ])
  func storedNumbers(one: String, other: String, areSame: Bool) throws {
    #expect(try (comparer.compare(one, other) == .same) == areSame)
    #expect(try (comparer.compare(one, other, order: .by([0], isLimited: false)) == .same) == areSame)
  }

  /// Finds pairs of rows with numbers so close that another order of a sum could exchange them, also among many rows.
  @Test func neighbours() throws {
    func rows(_ sql: String) throws -> [RowImage] {
      let statement = try comparer.connection.prepare(sql, authority: .reading)
      var rows: [RowImage] = []
      while try statement.step() { rows.append(RowImage(statement, stored: statement.storedColumns)) }
      return rows
    }
    let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
    let many = try rows("\(numbers) SELECT i * 0.5 FROM n")
    // Each row is compared only with rows whose first numbers are close, so no comparison is needed here.
    #expect(!RowImage.hasNeighbours(many, mostComparisons: 0))
    #expect(try RowImage.hasNeighbours(many + rows("SELECT 0.5 * 7 + 1e-13")))
    let alike = try rows("\(numbers) SELECT 1.5 + 0, i * 0.5 FROM n LIMIT 100")
    #expect(!RowImage.hasNeighbours(alike) && RowImage.hasNeighbours(alike, mostComparisons: 100))
    let behind = "SELECT 1 + 0.0, 5 + 0.0 UNION ALL SELECT 1 + 1e-13, 0.0 + 0 UNION ALL SELECT 1 + 2e-13, 5 + 0.0"
    #expect(try RowImage.hasNeighbours(rows(behind)))
    #expect(try !RowImage.hasNeighbours(rows("SELECT v FROM s")))
  }

  /// The compared results may exchange ties, but not rows with different keys.
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

  /// With more rows than are kept for comparison, a number that moves to another row is still noticed.
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
