import Foundation
import Testing

@testable import SanderlingDiagnosis

/// Rewrites of groups of one row, of groups whose least or greatest row is requested, and of joins that are sorted for
/// their first rows.
@Suite struct GroupRewriteTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY, number INTEGER UNIQUE, name TEXT COLLATE NOCASE);
      CREATE TABLE play (id INTEGER PRIMARY KEY, person INTEGER, begin INTEGER NOT NULL, pause INTEGER, title TEXT);
      CREATE TABLE task (id INTEGER PRIMARY KEY, name TEXT NOT NULL, isOpen INTEGER NOT NULL);
      CREATE TABLE done (id INTEGER PRIMARY KEY, task INTEGER NOT NULL, isUndone INTEGER NOT NULL, time INTEGER);
      CREATE INDEX done_on_task ON done(task, isUndone, time);
      CREATE INDEX play_on_begin ON play(begin);
      \(DetectorFixture.numbers(60)) INSERT INTO person SELECT i, nullif(i, 9), 'Name ' || i FROM n;
      \(DetectorFixture.numbers(6_000)) INSERT INTO play
        SELECT i, i % 70, (i * 7919) % 6007, nullif(i % 5, 3), printf('%.60c', 'x') FROM n;
      UPDATE play SET pause = 'none', begin = 0 WHERE id = 7;
      \(DetectorFixture.numbers(40)) INSERT INTO task SELECT i, 'Task ' || i, i % 9 > 0 FROM n;
      \(DetectorFixture.numbers(8_000)) INSERT INTO done SELECT i, i % 39, i % 50 = 0, nullif(i * 3, 33) FROM n;
      """, showsValues: true)
  }

  private func rows(_ sql: String) throws -> [[BoundValue]] { try fixture.context.rows(sql) }

  @Test(arguments: [
    "SELECT id, max(begin) AS date, sum(begin - pause), count(pause), count(*) FROM play GROUP BY id ORDER BY date DESC LIMIT 20",
    """
    SELECT play.id, max(begin), sum(pause), p.number FROM play LEFT JOIN person p ON p.number = play.person
    GROUP BY play.id ORDER BY max(begin) LIMIT 20
    """,
  ])
  func groupsOfOneRowNeedNoGroups(sql: String) throws {
    let finding = try #require(try fixture.findings(GroupsOfOneDetector(), sql).first)
    #expect(finding.kind == .groupWithoutIndex && finding.isProven)
    let fix = try #require(finding.fix?.sql.last)
    #expect(!fix.contains("GROUP BY"))
    #expect(try rows(fix) == rows(sql), "\(fix)")
  }

  @Test(arguments: [
    // A person has many plays.
    "SELECT p.id, max(begin) AS date FROM person p JOIN play ON play.person = p.number GROUP BY p.id ORDER BY date LIMIT 9",
    // NULL may occur twice in the unique column.
    "SELECT number, count(*) AS c FROM person GROUP BY number ORDER BY c LIMIT 9",
    // The plan decides which rows LIMIT keeps.
    "SELECT id, max(begin) FROM play GROUP BY id LIMIT 9",
    "SELECT id, max(begin) AS date FROM play GROUP BY id HAVING max(begin) > 7 ORDER BY date LIMIT 9",
    "SELECT id, group_concat(title) AS t FROM play GROUP BY id ORDER BY t LIMIT 9",
    "SELECT id, max(name) AS n FROM person GROUP BY id ORDER BY n LIMIT 9",
    "SELECT person, max(begin) AS date FROM play GROUP BY person ORDER BY date LIMIT 9",
  ])
  func otherGroupsStay(sql: String) throws {
    #expect(try fixture.findings(GroupsOfOneDetector(), sql).isEmpty)
  }

  @Test func theEndOfEachGroupIsAskedForAlone() throws {
    let sql = """
      SELECT t.id, t.name, max(d.time) AS last FROM task t LEFT JOIN done d ON d.task = t.id AND d.isUndone = 0
      WHERE t.isOpen = 1 GROUP BY t.id
      """
    let finding = try #require(try fixture.findings(EndsOfGroupsDetector(), sql).first)
    #expect(finding.kind == .groupWithoutIndex && finding.isProven)
    let fix = try #require(finding.fix?.sql.last)
    #expect(fix.contains("(SELECT max(d.time) FROM done d WHERE d.task = t.id AND d.isUndone = 0)"), "\(fix)")
    #expect(Set(try rows(fix)) == Set(try rows(sql)))
    let inner = sql.replacingOccurrences(of: "LEFT JOIN", with: "JOIN")
    if let other = try fixture.findings(EndsOfGroupsDetector(), inner).first?.fix?.sql.last {
      #expect(Set(try rows(other)) == Set(try rows(inner)), "\(other)")
    }
  }

  @Test(arguments: ["count(d.id)", "max(d.time), count(*)", "sum(d.time)", "max(d.time, t.id)"])
  func aggregatesOfAllRowsAreNotRewritten(result: String) throws {
    let sql = "SELECT t.id, \(result) FROM task t LEFT JOIN done d ON d.task = t.id GROUP BY t.id"
    #expect(try fixture.findings(EndsOfGroupsDetector(), sql).isEmpty)
  }

  private static let sales = """
    SELECT s.key, s.day, p.value FROM part p JOIN sale s ON s.key = p.sale WHERE p.account = ? ORDER BY s.day DESC, p.value LIMIT 20
    """

  private func sales(accounts: String) throws -> DetectorFixture {
    try DetectorFixture(
      """
      CREATE TABLE sale (key TEXT PRIMARY KEY, day INTEGER NOT NULL, note TEXT);
      CREATE TABLE part (key TEXT PRIMARY KEY, sale TEXT NOT NULL, account INTEGER NOT NULL, value INTEGER);
      CREATE INDEX sale_on_day ON sale(day); CREATE INDEX part_on_sale ON part(sale); CREATE INDEX part_on_account ON part(account);
      \(DetectorFixture.numbers(4_000)) INSERT INTO sale SELECT 'sale ' || i, i * 7919 % 4003, printf('%.50c', 'x') FROM n;
      \(DetectorFixture.numbers(8_000)) INSERT INTO part
        SELECT 'part ' || i, 'sale ' || ((i + 1) / 2), \(accounts), i FROM n;
      """, showsValues: true)
  }

  /// The rewrite begins the join with the rows in their order, if each account has many rows. SQLite expects ten rows
  /// by either index of the table `part`.
  @Test func aJoinBeginsWithTheRowsInTheirOrder() throws {
    let (fixture, sql) = (try sales(accounts: "i % 2"), Self.sales)
    let finding = try #require(try fixture.findings(JoinOrderDetector(), sql, bindings: [[1: .integer(1)]]).first)
    #expect(finding.kind == .joinOrder && finding.isProven, "\(finding)")
    let fix = try #require(finding.fix?.sql.last)
    #expect(fix.contains("FROM sale s CROSS JOIN part p"), "\(fix)")
    for account: Int64 in [1, 0, 77] {
      let values: [Int: BoundValue] = [1: .integer(account)]
      #expect(try fixture.context.rows(fix, values) == fixture.context.rows(sql, values))
    }
    // A result without LIMIT is sorted in either join order.
    let all = sql.replacingOccurrences(of: " LIMIT 20", with: "")
    #expect(try fixture.findings(JoinOrderDetector(), all, bindings: [[1: .integer(1)]]).isEmpty)
    // For an account with few parts or none, the join order reads all sales. It is then no fix.
    let other = try sales(accounts: "CASE WHEN i % 2 THEN 1 ELSE i % 30 END")
    #expect(try other.findings(JoinOrderDetector(), sql, bindings: [[1: .integer(1)]]).isEmpty)
    let verdict = try other.context.harm.verdict(on: other.analyzed(sql, bindings: [[1: .integer(1)]]), as: fix)
    #expect(verdict.isHarmful, "\(verdict)")
  }
}

/// Rows that are read in the order of an index, and searches for one of several patterns.
@Suite struct OrderWalkTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE change (id INTEGER PRIMARY KEY, repository INTEGER, revision INTEGER, path TEXT, note TEXT);
      CREATE INDEX change_on_path ON change(repository, path, revision);
      CREATE INDEX change_on_path_nocase ON change(repository, path COLLATE NOCASE);
      CREATE TABLE mark (id INTEGER PRIMARY KEY, owner INTEGER, title TEXT, url TEXT);
      CREATE INDEX mark_on_owner ON mark(owner);
      \(DetectorFixture.numbers(9_000)) INSERT INTO change SELECT i, 1, i, 'folder' || (i % 300) || '/' || i, 'note' FROM n;
      \(DetectorFixture.numbers(9_000)) INSERT INTO mark SELECT i, i % 2, 'title ' || (i * 7919), 'https://' || i FROM n;
      """, showsValues: true)
  }

  @Test func theOrderDoesNotChooseTheIndex() throws {
    let sql =
      "SELECT revision, path FROM change WHERE repository = 1 AND path LIKE 'folder77/%' ORDER BY path, revision"
    let finding = try #require(try fixture.findings(OrderWalkDetector(), sql).first)
    #expect(finding.kind == .fullScan && finding.isProven, "\(finding)")
    let fix = try #require(finding.fix?.sql.last)
    #expect(fix.hasSuffix("ORDER BY +path, revision"), "\(fix)")
    #expect(try fixture.context.rows(fix) == fixture.context.rows(sql))
  }

  /// SQLite walks an index to have the rows of each group together. The rewrite keeps it from doing so if another index
  /// finds the few rows of the filter.
  @Test func groupsDoNotChooseTheIndex() throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE edit (id INTEGER PRIMARY KEY, author INTEGER NOT NULL, at TEXT NOT NULL, size INTEGER);
      CREATE INDEX edit_of_author ON edit(author, at); CREATE INDEX edit_at ON edit(at);
      \(DetectorFixture.numbers(9_000)) INSERT INTO edit SELECT i, i * 7919 % 50, printf('%06d', i), i % 90 FROM n;
      """, showsValues: true)
    let sql =
      "SELECT author, count(*) AS n FROM edit WHERE at >= '008900' GROUP BY author ORDER BY n DESC, author LIMIT 5"
    let finding = try #require(try fixture.findings(OrderWalkDetector(), sql).first)
    #expect(finding.kind == .fullScan && finding.isProven && finding.title.contains("groups"), "\(finding)")
    let fix = try #require(finding.fix?.sql.last)
    #expect(fix.contains("GROUP BY +author ORDER BY"), "\(fix)")
    #expect(try fixture.context.rows(fix) == fixture.context.rows(sql))
    let all =
      "SELECT author, count(*) AS n FROM edit WHERE at >= '000100' GROUP BY author ORDER BY n DESC, author LIMIT 5"
    #expect(try fixture.findings(OrderWalkDetector(), all).isEmpty)
  }

  @Test(arguments: [
    // All rows are requested, the order is an expression without an index, or the rows are sorted in any case.
    "SELECT revision, path FROM change WHERE repository = 1 ORDER BY path",
    "SELECT revision FROM change WHERE repository = 1 AND path LIKE 'folder77/%' ORDER BY lower(path)",
    "SELECT revision, path FROM change WHERE note = 'note' AND path LIKE 'folder77/%' ORDER BY path",
    // Rows that lie in the requested order are read from few pages, whatever the steps.
    "SELECT * FROM change WHERE id > 10 ORDER BY id",
    "SELECT count(*) AS path FROM change WHERE repository = 1 AND path LIKE 'folder77/%' ORDER BY path",
  ])
  func otherOrdersStay(sql: String) throws {
    #expect(try fixture.findings(OrderWalkDetector(), sql).isEmpty)
  }

  @Test func searchesInOneOfSeveralTexts() throws {
    let sql =
      "SELECT id FROM mark WHERE owner = 1 AND (title LIKE '%' || ?1 || '%' OR url LIKE '%' || ?1 || '%') ORDER BY id"
    let finding = try #require(
      try fixture.findings(TextSearchDetector(), sql, bindings: [[1: .text("4711")]]).first)
    #expect(finding.kind == .patternWithoutIndex)
    for sql in finding.fix?.sql.dropLast() ?? [] { try fixture.context.connection.run(sql) }
    let search = try #require(finding.fix?.sql.last)
    #expect(try fixture.context.rows(search, [1: .text("%4711%")]).count > 3)
    let other = "SELECT id FROM mark WHERE owner = 1 AND (title LIKE '%4711%' OR url = 'https://7') ORDER BY id"
    #expect(try fixture.findings(TextSearchDetector(), other).isEmpty)
  }
}
