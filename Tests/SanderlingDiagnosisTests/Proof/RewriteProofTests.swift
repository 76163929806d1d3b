import Testing

@testable import SanderlingDiagnosis

/// Small adversarial tables reveal that two statements differ which have the same result on the present rows.
struct RewriteProofTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT, rank INTEGER, code TEXT COLLATE NOCASE);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p(id), amount INTEGER, kind TEXT NOT NULL);
      CREATE TABLE pair (a INTEGER NOT NULL, b TEXT NOT NULL, PRIMARY KEY (a, b)) WITHOUT ROWID;
      \(DetectorFixture.numbers(60)) INSERT INTO p SELECT i, 'name ' || i, i, 'c' || i FROM n;
      \(DetectorFixture.numbers(60)) INSERT INTO c SELECT i, i, i, 'kind ' || (i % 3) FROM n;
      \(DetectorFixture.numbers(60)) INSERT INTO pair SELECT i, 'b' || i FROM n;
      """)
  }

  private func verdict(
    _ one: String, _ other: String, _ assumption: RewriteAssumption = .none, bindings: [[Int: BoundValue]] = []
  ) throws -> RewriteProof.Verdict {
    let analyzed = try fixture.analyzed(one, bindings: bindings)
    let statement = try #require(MovableStatement(analyzed, schema: fixture.context.schema))
    return try RewriteTrial(context: fixture.context, analyzed: analyzed, statement: statement)
      .verdict(on: other, assuming: assumption)
  }

  /// The adversarial tables contain rows that match both subqueries, also in columns without a type.
  @Test func subqueriesThatHaveToMeet() throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE page (id INTEGER PRIMARY KEY, title BLOB NOT NULL, size INTEGER NOT NULL, state INTEGER NOT NULL);
      CREATE TABLE link (page INTEGER NOT NULL, target BLOB NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (page, target));
      \(DetectorFixture.numbers(300)) INSERT INTO page SELECT i, 'page ' || i, i, 1 FROM n;
      \(DetectorFixture.numbers(300)) INSERT INTO link SELECT i, 'target ' || (i % 100), 'page' FROM n;
      """)
    let sql =
      "SELECT id FROM page WHERE id IN (SELECT page FROM link WHERE target = ?1) AND id IN (SELECT page FROM link WHERE target = ?2)"
    let analyzed = try fixture.analyzed(sql, bindings: [[1: .text("target 7"), 2: .text("target 9")]])
    let statement = try #require(MovableStatement(analyzed, schema: fixture.context.schema))
    let trial = RewriteTrial(context: fixture.context, analyzed: analyzed, statement: statement)
    let other =
      "SELECT id FROM page WHERE EXISTS (SELECT 1 FROM link WHERE target = ?1 AND link.page = page.id) "
      + "AND id IN (SELECT page FROM link WHERE target = ?2)"
    let verdict = try trial.verdict(on: other)
    #expect(verdict.isSame)
  }

  /// The order of rows with nearly equal sums depends on the order in which the numbers were added, so it may differ.
  @Test func rowsWithNearlyEqualSumsMayChangeOrder() throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE amount (id INTEGER PRIMARY KEY, a REAL, b REAL, c REAL);
      INSERT INTO amount VALUES (1, 0.1, 0.2, 0.3), (2, 0.6, 0.0, 0.0), (3, 1.5, 0.0, 0.0);
      """)
    let analyzed = try fixture.analyzed("SELECT id, a + b + c AS total FROM amount ORDER BY total")
    let statement = try #require(MovableStatement(analyzed, schema: fixture.context.schema))
    let comparison = StatementComparison(statement: statement, connection: fixture.context.connection)
    func isDifferent(_ other: String) throws -> Bool? {
      try comparison.result(of: [RewriteProof.Pair(one: statement.sql, other: other)], [:], within: .never)?.isDifferent
    }
    #expect(try fixture.context.rows(statement.sql).map { $0[0] } == [.integer(2), .integer(1), .integer(3)])
    let other = "SELECT id, a + (b + c) AS total FROM amount ORDER BY total"
    #expect(try fixture.context.rows(other).map { $0[0] } == [.integer(1), .integer(2), .integer(3)])
    #expect(try isDifferent(other) == false)
    #expect(try isDifferent("SELECT id, a + b + c AS total FROM amount ORDER BY total DESC") == true)
  }

  /// The statements of each pair have the same result on the present rows, but not on all rows.
  @Test(arguments: [
    (
      "SELECT id FROM p WHERE id NOT IN (SELECT p FROM c)",
      "SELECT id FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.p = p.id)"
    ),
    ("SELECT p.id FROM p JOIN c ON c.p = p.id", "SELECT p.id FROM p WHERE p.id IN (SELECT c.p FROM c)"),
    ("SELECT p.id FROM p LEFT JOIN c ON c.p = p.id", "SELECT p.id FROM p JOIN c ON c.p = p.id"),
    (
      "SELECT p.id, count(c.id) FROM p LEFT JOIN c ON c.p = p.id GROUP BY p.id",
      "SELECT p AS id, count(id) AS \"count(c.id)\" FROM c GROUP BY p"
    ),
    (
      "SELECT id FROM p WHERE rank = 5 OR name = 'name 7'",
      "SELECT id FROM p WHERE rank = 5 UNION ALL SELECT id FROM p WHERE name = 'name 7'"
    ),
    (
      "SELECT name FROM p WHERE rank > 5 OR rank < 3",
      "SELECT name FROM p WHERE rank > 5 UNION SELECT name FROM p WHERE rank < 3"
    ),
    ("SELECT id FROM p WHERE coalesce(rank, 0) < 5", "SELECT id FROM p WHERE rank < 5"),
    ("SELECT DISTINCT name FROM p", "SELECT name FROM p"),
    ("SELECT id FROM p WHERE substr(code, 1, 1) = 'c'", "SELECT id FROM p WHERE code >= 'c' AND code < 'd'"),
    ("SELECT id FROM p WHERE +name = 7", "SELECT id FROM p WHERE name = 7"),
    ("SELECT id, rank FROM p ORDER BY rank, id", "SELECT id, rank FROM p ORDER BY rank IS NULL, rank, id"),
    ("SELECT id FROM p ORDER BY rank, id LIMIT 5", "SELECT id FROM p WHERE rank IS NOT NULL ORDER BY rank, id LIMIT 5"),
    ("SELECT sum(amount) FROM c WHERE p = 3", "SELECT total(amount) AS \"sum(amount)\" FROM c WHERE p = 3"),
    ("SELECT a FROM pair WHERE b > 'b'", "SELECT DISTINCT a FROM pair WHERE b > 'b'"),
  ])
  func differentPairs(one: String, other: String) throws {
    #expect(try verdict(one, other) == .different, "\(other)")
  }

  @Test(arguments: [
    (
      "SELECT id FROM p WHERE id IN (SELECT p FROM c)",
      "SELECT id FROM p WHERE EXISTS (SELECT 1 FROM c WHERE c.p = p.id)"
    ),
    ("SELECT count(*) > 0 AS any FROM c WHERE amount = 5", "SELECT EXISTS (SELECT 1 FROM c WHERE amount = 5) AS any"),
    ("SELECT id FROM p ORDER BY rank LIMIT 5", "SELECT id FROM p ORDER BY rank, name LIMIT 5"),
    ("SELECT DISTINCT id, name FROM p", "SELECT id, name FROM p"),
    ("SELECT id FROM p WHERE rank + 0 = 5", "SELECT id FROM p WHERE rank = 5"),
    (
      "SELECT min(amount), max(amount) FROM c",
      "SELECT (SELECT min(amount) FROM c) AS \"min(amount)\", (SELECT max(amount) FROM c) AS \"max(amount)\""
    ),
  ])
  func samePairs(one: String, other: String) throws {
    let rows = [RewriteAssumption.Rows(table: "p", condition: "typeof(rank) IN ('integer', 'null')")]
    #expect(try verdict(one, other, RewriteAssumption(rows: rows)).isSame, "\(other)")
  }

  /// Statements that agree for the measured value of a parameter, but not for other values, are different.
  @Test func otherBindings() throws {
    let sql = "SELECT id FROM p WHERE (SELECT count(*) FROM c WHERE c.p = p.id) >= ?1"
    let other = "SELECT id FROM p WHERE id IN (SELECT p FROM c GROUP BY p HAVING count(*) >= ?1)"
    #expect(try verdict(sql, other, bindings: [[1: .integer(1)]]) == .different)
    let literal = (sql.replacing("?1", with: "1"), other.replacing("?1", with: "1"))
    #expect(try verdict(literal.0, literal.1).isSame)
  }

  /// If no row can be inserted, the proof can't find a difference, and the rewrite counts as untried.
  @Test func untried() throws {
    let fixture = try DetectorFixture(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER CHECK (v > 10 AND v < 10)); CREATE INDEX i ON t (v);")
    let analyzed = try fixture.analyzed("SELECT id FROM t WHERE v = 3")
    let statement = try #require(MovableStatement(analyzed, schema: fixture.context.schema))
    let verdict = try RewriteTrial(context: fixture.context, analyzed: analyzed, statement: statement)
      .verdict(on: "SELECT id FROM t WHERE v = 3 AND 1")
    guard case .untried = verdict else {
      Issue.record("\(verdict)")
      return
    }
  }

  /// Rows of the app with long texts are used as adversarial rows too.
  @Test func longTextsOfTheApp() throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT CHECK (code GLOB 'k[0-9][0-9][0-9]-z'), body TEXT, v INTEGER);
      \(DetectorFixture.numbers(40)) INSERT INTO t SELECT i, printf('k%03d-z', i), printf('%.900c', 'x'), i FROM n;
      """)
    let analyzed = try fixture.analyzed("SELECT id FROM t WHERE code > '' AND v < 30")
    let statement = try #require(MovableStatement(analyzed, schema: fixture.context.schema))
    let trial = RewriteTrial(context: fixture.context, analyzed: analyzed, statement: statement)
    #expect(try trial.verdict(on: "SELECT id FROM t WHERE NOT (code <= '' OR v >= 30)").isSame)
  }

  /// Two statements that differ only by NULL count as the same under an assumption that excludes NULL from generated
  /// rows, whatever the present rows are.
  @Test func assumptionExcludesNullFromGeneratedRows() throws {
    let sql = "SELECT id FROM p WHERE id NOT IN (SELECT p FROM c)"
    let fixed = "SELECT id FROM p WHERE id NOT IN (SELECT p FROM c WHERE p IS NOT NULL)"
    #expect(try verdict(sql, fixed) == .different)
    let made = RewriteAssumption(madeRows: [.init(table: "c", condition: "p IS NOT NULL")])
    #expect(try verdict(sql, fixed, made).isSame)
    #expect(try verdict(sql, "SELECT id FROM p WHERE id NOT IN (SELECT p FROM c WHERE p <> 2)", made) == .different)
  }

  /// An assumption that present rows violate doesn't hold, so the statements count as different.
  @Test func brokenAssumption() throws {
    let rows = RewriteAssumption(rows: [.init(table: "p", condition: "rank < 60")])
    #expect(try verdict("SELECT id FROM p", "SELECT id FROM p WHERE 1", rows) == .different)
  }
}
