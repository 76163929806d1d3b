import Testing

@testable import SanderlingDiagnosis

/// Rewrites of statements on a view to statements on its tables, whose join order can then be changed.
@Suite struct ViewExpansionTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE file (id INTEGER PRIMARY KEY, path TEXT, added INTEGER);
      CREATE TABLE show (id INTEGER PRIMARY KEY, title TEXT);
      CREATE TABLE episode (id INTEGER PRIMARY KEY, file INTEGER, show INTEGER, title TEXT);
      CREATE TABLE mark (id INTEGER PRIMARY KEY, file INTEGER, seconds REAL, kind INTEGER);
      CREATE INDEX file_added ON file(added); CREATE INDEX episode_of_file ON episode(file); CREATE INDEX mark_of_file ON mark(file, kind);
      CREATE VIEW list AS SELECT episode.*, file.path AS path, file.added AS added, show.title AS showTitle,
        mark.seconds / 60 AS minutes FROM episode JOIN show ON show.id = episode.show JOIN file ON file.id = episode.file
        LEFT JOIN mark ON mark.file = episode.file AND mark.kind = 1 WHERE episode.title <> '';
      CREATE VIEW counted AS SELECT show, count(*) AS n FROM episode GROUP BY show;
      \(DetectorFixture.numbers(60)) INSERT INTO show SELECT i, 'show ' || i FROM n;
      \(DetectorFixture.numbers(6_000)) INSERT INTO file SELECT i, '/' || i, i * 7919 % 6007 FROM n;
      \(DetectorFixture.numbers(6_000)) INSERT INTO episode SELECT i, i, i % 60 + 1, 'episode ' || i FROM n;
      \(DetectorFixture.numbers(50)) INSERT INTO mark SELECT i, i * 100, i * 30.5, 1 FROM n;
      """, showsValues: true)
  }

  private func expansion(_ sql: String) throws -> String? {
    let statement = try #require(MovableStatement(try fixture.analyzed(sql), schema: fixture.context.schema))
    return ViewExpansion(statement)?.sql
  }

  @Test func tablesOfTheViewReplaceIt() throws {
    let sql = "SELECT title, minutes + 1 AS m, l.showTitle FROM list l WHERE l.show = 3 OR minutes > 2 ORDER BY added"
    let expanded = try #require(try expansion(sql))
    #expect(
      expanded.contains(
        "SELECT episode.title AS title, (mark.seconds / 60) + 1 AS m, show.title AS showTitle FROM episode JOIN"))
    #expect(
      expanded.contains(
        "WHERE (episode.title <> '') AND (episode.show = 3 OR (mark.seconds / 60) > 2) ORDER BY file.added"))
    #expect(try fixture.context.rows(expanded) == fixture.context.rows(sql))
    let all = "SELECT * FROM list ORDER BY added DESC LIMIT 3"
    #expect(try fixture.context.rows(#require(try expansion(all))) == fixture.context.rows(all))
  }

  @Test(arguments: [
    ("SELECT count(*) FROM list", "SELECT count(*) FROM episode JOIN"),
    ("SELECT DISTINCT show FROM list ORDER BY show", "SELECT DISTINCT episode.show AS show FROM"),
    (
      "SELECT show, max(minutes) FROM list GROUP BY show HAVING max(added) > 7 ORDER BY 1",
      "SELECT episode.show AS show, max((mark.seconds / 60)) FROM"
    ),
  ])
  func groupsOfAView(sql: String, beginning: String) throws {
    let expanded = try #require(try expansion(sql))
    #expect(expanded.hasPrefix(beginning), "\(expanded)")
    #expect(try fixture.context.rows(expanded) == fixture.context.rows(sql))
  }

  @Test(arguments: [
    "SELECT * FROM counted WHERE n > 3", "SELECT id, row_number() OVER (ORDER BY added) FROM list",
    "SELECT l.id FROM list l JOIN show s ON s.id = l.show",
    "SELECT id FROM list WHERE show IN (SELECT id FROM show WHERE title = path)", "SELECT id FROM episode",
  ])
  func otherStatementsStay(sql: String) throws {
    #expect(try expansion(sql) == nil)
  }

  /// The first rows of a view in an order. The rewrite begins the joins with the table that has the order, and ends at
  /// the limit.
  @Test func theJoinsOfAViewBeginWithTheOrder() throws {
    let sql = "SELECT * FROM list ORDER BY added DESC, id DESC LIMIT 25"
    let finding = try #require(try fixture.findings(JoinOrderDetector(), sql).first)
    #expect(finding.kind == .joinOrder && finding.isProven, "\(finding)")
    let fix = try #require(finding.fix?.sql.last)
    #expect(fix.contains("FROM file CROSS JOIN episode CROSS JOIN show LEFT JOIN mark ON"), "\(fix)")
    #expect(try fixture.context.rows(fix) == fixture.context.rows(sql))
    #expect(finding.limits.contains { $0.contains("view") })
  }

  /// A view looks up a name for each row, or the row itself contains the name. The rewrite looks the name up once and
  /// finds the rows by its key.
  @Test(arguments: [
    "SELECT id, at, name FROM named WHERE name = ?1 ORDER BY at DESC LIMIT 20",
    "SELECT q.id FROM query q WHERE ?1 = (SELECT d.name FROM domain d WHERE q.domain = d.id)",
  ])
  func nameIsLookedUpOnceForAllRows(sql: String) throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE domain (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
      CREATE TABLE query (id INTEGER PRIMARY KEY, domain INTEGER, at INTEGER NOT NULL);
      CREATE INDEX query_of_domain ON query(domain); CREATE INDEX query_at ON query(at);
      CREATE VIEW named AS SELECT id, at, CASE typeof(domain) WHEN 'integer' THEN
        (SELECT name FROM domain d WHERE d.id = q.domain) ELSE domain END AS name FROM query q;
      \(DetectorFixture.numbers(900)) INSERT INTO domain SELECT i, 'name ' || i FROM n;
      \(DetectorFixture.numbers(9_000)) INSERT INTO query SELECT i, CASE WHEN i % 50 = 0 THEN 'name ' || (i % 90) ELSE i * 7919 % 900 END,
        i * 31 % 9001 FROM n;
      """, showsValues: true)
    for name in ["name 7", "name 50"] {
      let values: [Int: BoundValue] = [1: .text(name)]
      let finding = try #require(try fixture.findings(ConditionRewriteDetector(), sql, bindings: [values]).first)
      #expect(finding.kind == .subqueryPerRow && finding.isProven, "\(finding)")
      let fix = try #require(finding.fix?.sql.last)
      #expect(fix.contains("IN (SELECT d.id FROM domain d WHERE"), "\(fix)")
      #expect(try fixture.context.rows(fix, values) == fixture.context.rows(sql, values))
    }
  }

  @Test(arguments: [
    // A subquery by another column than the key may have several rows, and a comparison other than equality needs all
    // values.
    "SELECT q.id FROM episode q WHERE (SELECT s.title FROM show s WHERE s.title = q.title) = 'show 3'",
    "SELECT q.id FROM episode q WHERE (SELECT s.title FROM show s WHERE s.id = q.show) > 'show 3'",
    "SELECT q.id FROM episode q WHERE (SELECT max(s.title) FROM show s WHERE s.id = q.show) = 'show 3'",
    "SELECT q.id FROM episode q WHERE (SELECT s.title FROM show s WHERE s.id = q.show) = q.title",
  ])
  func otherConditionsStay(sql: String) throws {
    #expect(try fixture.findings(ConditionRewriteDetector(), sql).isEmpty)
  }
}
