import Testing

@testable import SanderlingDiagnosis

/// Differences in a result that a new index may cause: another order of ties, and other tied rows at the limit.
@Suite struct ResultImageTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT, c REAL);
      INSERT INTO t VALUES (1, 1, 'x', 0.5), (2, 1, 'y', 1.5), (3, 2, 'x', 2.5), (4, 2, 'y', 3.5), (5, 3, 'z', 4.5);
      """)
  }

  /// Whether the results of `sql` and `other` count as the same, as if `other` were the result of `sql` after a change.
  private func areSame(_ sql: String, _ other: String) throws -> Bool {
    let analyzed = try fixture.analyzed(sql)
    let statement = try #require(MovableStatement(analyzed, schema: fixture.context.schema))
    let images = try [sql, other].map { sql in
      try ResultImage(fixture.context.connection.prepare(sql, authority: .reading), order: statement.imageOrder)
    }
    return images[0].isSame(as: images[1])
  }

  @Test(arguments: [
    ("SELECT a, b FROM t", "SELECT a, b FROM t ORDER BY id DESC", true),
    ("SELECT a, b FROM t", "SELECT a, 'x' FROM t", false),
    ("SELECT a, b FROM t", "SELECT a, b FROM t WHERE id < 5", false),
    ("SELECT a, b FROM t ORDER BY a", "SELECT a, b FROM t ORDER BY a, b DESC", true),
    ("SELECT a, b FROM t ORDER BY a", "SELECT a, b FROM t ORDER BY a DESC", false),
    // The third row is one of two ties; the first two rows must be present.
    ("SELECT a, b FROM t ORDER BY a LIMIT 3", "SELECT a, b FROM t ORDER BY a, b DESC LIMIT 3", true),
    ("SELECT a, b FROM t ORDER BY a LIMIT 3", "SELECT a, 'x' FROM t ORDER BY a LIMIT 3", false),
    ("SELECT a, b FROM t ORDER BY a LIMIT 3", "SELECT a, b FROM t WHERE a > 1 ORDER BY a LIMIT 3", false),
    ("SELECT a, b FROM t LIMIT 2", "SELECT a, b FROM t WHERE id > 3", true),
    ("SELECT sum(c) FROM t", "SELECT sum(c) + 1e-12 FROM t", true),
    ("SELECT sum(c) FROM t", "SELECT sum(c) + 0.1 FROM t", false),
    ("SELECT c FROM t", "SELECT c + 1e-13 FROM t", false),
    ("SELECT a, max(c) FROM t GROUP BY a", "SELECT a, max(c) FROM t GROUP BY a ORDER BY a DESC", true),
    ("SELECT group_concat(b) FROM t", "SELECT 'other order'", false),
    // SQLite may choose these values freely.
    ("SELECT a, b, count(*) FROM t GROUP BY a", "SELECT a, 'q', count(*) FROM t GROUP BY a", true),
    ("SELECT id, row_number() OVER (ORDER BY a) FROM t", "SELECT 6 - id, id FROM t", true),
  ])
  func comparison(sql: String, other: String, isSame: Bool) throws {
    #expect(try areSame(sql, other) == isSame)
  }
}
