import Testing

@testable import SanderlingDiagnosis

/// Subqueries and joins that add up all rows before each row.
@Suite struct RunningTotalTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE entry (id INTEGER PRIMARY KEY, account INTEGER NOT NULL, day INTEGER NOT NULL, due INTEGER, note TEXT, amount REAL);
      \(DetectorFixture.numbers(900)) INSERT INTO entry
        SELECT i, i * 7919 % 7, i * 31 % 400, nullif(i % 300, 9), 'n' || (i % 5), nullif(i % 50, 7) * 0.1 FROM n;
      CREATE TABLE stamp (at INTEGER NOT NULL UNIQUE, amount INTEGER);
      INSERT INTO stamp SELECT id * 3, id % 11 FROM entry;
      """, showsValues: true)
  }

  @Test(arguments: [
    "SELECT a.id, (SELECT sum(b.amount) FROM entry b WHERE b.day <= a.day) AS total FROM entry a ORDER BY a.id",
    "SELECT a.id, (SELECT count(*) FROM entry b WHERE b.account = a.account AND a.day <= b.day) FROM entry a",
    // A row with NULL as its key precedes no row, and no row precedes it.
    "SELECT a.id, (SELECT count(*) FROM entry b WHERE b.due <= a.due) AS n, (SELECT max(b.day) FROM entry b WHERE b.due >= a.due) FROM entry a",
    """
    SELECT a.id, round((SELECT total(b.amount) FROM entry b WHERE a.day >= b.day AND b.note = 'n3'), 2) AS n FROM entry a
    WHERE a.account = 4 AND a.day < 300 AND a.day > 10
    """,
    "SELECT a.id, (SELECT sum(b.amount) FROM entry b WHERE b.day > a.day - 90 AND b.day <= a.day) AS recent FROM entry a WHERE a.day BETWEEN 200 AND 390",
    "SELECT a.id, (SELECT count(*) FROM entry b WHERE b.day BETWEEN a.day - 90 AND a.day) AS recent FROM entry a WHERE a.day > 200",
    "SELECT a.id, 1 + (SELECT count(*) FROM entry b WHERE b.day <= a.day) * 2 FROM entry a",
    "SELECT a.at, sum(b.amount), count(*) AS n FROM stamp a JOIN stamp b ON b.at <= a.at GROUP BY a.at ORDER BY a.at",
    """
    SELECT a.id, a.note, sum(b.amount) AS total FROM entry b, entry a WHERE b.account = a.account AND b.id >= a.id AND a.account < 5
    GROUP BY a.id ORDER BY total
    """,
  ])
  func addedUpInAWindow(sql: String) throws {
    let finding = try #require(try fixture.findings(RunningTotalDetector(), sql).first)
    #expect(finding.kind == .subqueryPerRow && finding.isProven)
    let fix = try #require(finding.fix?.sql.last)
    #expect(fix.contains(" OVER ("))
    #expect(
      try ResultComparer(connection: fixture.context.connection).compare(sql, fix) == .same)
  }

  /// A range of numeric distances becomes a window only if the column holds just numbers. With a text among them, the
  /// window would compare otherwise than the statement.
  @Test(arguments: [("UPDATE entry SET day = 'x' WHERE id = 5", false), ("SELECT 1", true)])
  func distancesBetweenNumbers(change: String, isFound: Bool) throws {
    try fixture.context.connection.run(change)
    let sql =
      "SELECT a.id, (SELECT count(*) FROM entry b WHERE b.day BETWEEN a.day - 90 AND a.day) AS recent FROM entry a WHERE a.day > 200"
    let finding = try fixture.findings(RunningTotalDetector(), sql).first
    #expect((finding != nil) == isFound)
    #expect(finding?.limits.contains { $0.hasPrefix("The same as long as the rows are sorted by numbers") } ?? !isFound)
  }

  @Test(arguments: [
    // The sum isn't over all rows up to the current row in one order.
    "SELECT a.id, (SELECT sum(b.amount) FROM entry b WHERE b.day < a.day) AS total FROM entry a",
    "SELECT a.id, (SELECT sum(b.amount) FROM entry b WHERE b.day <= a.due) AS total FROM entry a",
    "SELECT a.id, (SELECT sum(b.amount) FROM entry b WHERE b.day <= a.day AND b.due >= a.due) AS total FROM entry a",
    "SELECT a.id, (SELECT sum(DISTINCT b.amount) FROM entry b WHERE b.day <= a.day) AS total FROM entry a",
    "SELECT a.id, (SELECT sum(b.amount + a.amount) FROM entry b WHERE b.day <= a.day) AS total FROM entry a",
    // A group has several rows, or a row may be missing.
    "SELECT a.day, sum(b.amount) AS total FROM entry a JOIN entry b ON b.day <= a.day GROUP BY a.day",
    "SELECT a.id, sum(b.amount) AS total FROM entry a JOIN entry b ON b.due <= a.due GROUP BY a.id",
    "SELECT a.id, sum(b.amount) AS total FROM entry a JOIN entry b ON b.day <= a.day AND b.note = 'n3' GROUP BY a.id",
  ])
  func otherQuestions(sql: String) throws {
    #expect(try fixture.findings(RunningTotalDetector(), sql).isEmpty)
  }
}
