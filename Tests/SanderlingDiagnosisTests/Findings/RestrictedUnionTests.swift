import Testing

@testable import SanderlingDiagnosis

@Suite struct RestrictedUnionTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE sent (id INTEGER PRIMARY KEY, payment INTEGER, value INTEGER, memo TEXT);
      CREATE TABLE received (id INTEGER PRIMARY KEY, payment INTEGER, value INTEGER, account INTEGER);
      CREATE INDEX sent_on_payment ON sent (payment); CREATE INDEX received_on_payment ON received (payment);
      CREATE VIEW output AS
        SELECT s.id, 2 AS pool, s.payment, s.value + 1 AS value FROM sent AS s LEFT JOIN received AS r ON r.id = s.id WHERE s.memo <> ''
        UNION SELECT id, 3, payment, value FROM received;
      CREATE VIEW counted AS SELECT payment, count(*) AS n FROM sent GROUP BY payment UNION SELECT payment, 0 FROM received;
      \(DetectorFixture.numbers(4_000)) INSERT INTO sent SELECT i, i % 900, i % 70, 'm' FROM n;
      \(DetectorFixture.numbers(4_000)) INSERT INTO received SELECT i, i % 800, i % 90, i % 5 FROM n;
      """, showsValues: true)
  }

  @Test(arguments: [
    "SELECT pool, value FROM output WHERE payment = 700",
    "SELECT o.pool, r.account FROM output AS o JOIN received AS r ON r.id = o.id WHERE (o.payment = 3 OR o.payment = 5) AND r.account > 0",
    "SELECT count(*), sum(value) FROM output WHERE payment IN (4, 5) AND pool = 3 AND value > 1",
    "SELECT x.v FROM (SELECT payment AS p, value AS v FROM sent UNION SELECT payment, value FROM received) AS x WHERE x.p = 33",
  ])
  func filterMovesIntoTheUnion(sql: String) throws {
    let finding = try #require(try fixture.findings(RestrictedUnionDetector(), sql).first)
    #expect(finding.kind == .fullScan && finding.isProven)
    let fix = try #require(finding.fix?.sql.last)
    let (before, after) = (try fixture.context.rows(sql), try fixture.context.rows(fix))
    #expect(Set(before) == Set(after) && before.count == after.count && !before.isEmpty)
  }

  @Test(arguments: [
    "SELECT * FROM output", "SELECT n FROM counted WHERE payment = 7",
    "SELECT r.id FROM received r WHERE r.payment = 7",
    "SELECT r.id, o.value FROM received r LEFT JOIN output o ON o.id = r.id AND o.payment = 7 WHERE r.payment = 7",
    "SELECT v FROM (SELECT payment AS p, value AS v FROM sent UNION SELECT payment, value FROM received LIMIT 50) WHERE p = 33",
  ])
  func otherSources(sql: String) throws {
    #expect(try fixture.findings(RestrictedUnionDetector(), sql).isEmpty)
  }
}
