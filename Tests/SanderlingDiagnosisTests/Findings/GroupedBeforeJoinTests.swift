import Testing

@testable import SanderlingDiagnosis

@Suite struct GroupedBeforeJoinTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE device (id TEXT PRIMARY KEY NOT NULL, type TEXT NOT NULL, name TEXT, active INTEGER NOT NULL);
      CREATE TABLE packet (id INTEGER PRIMARY KEY, device TEXT, length INTEGER, at INTEGER NOT NULL);
      CREATE INDEX packet_on_device ON packet (device, length);
      \(DetectorFixture.numbers(200)) INSERT INTO device SELECT 'k' || i, 't' || (i % 4), 'd' || i, i % 3 FROM n;
      \(DetectorFixture.numbers(9_000)) INSERT INTO packet SELECT i, nullif('k' || (i % 210), 'k7'), i % 1400, i FROM n;
      """, showsValues: true)
  }

  @Test(arguments: [
    "SELECT d.name, sum(p.length) AS bytes FROM packet AS p JOIN device AS d ON d.id = p.device GROUP BY p.device ORDER BY bytes DESC, p.device LIMIT 5",
    "SELECT d.type, count(*), sum(length) AS bytes, max(p.length) FROM packet p JOIN device d ON d.id = p.device GROUP BY d.type ORDER BY 3",
    "SELECT p.device, d.name, avg(p.length) FROM packet p, device d WHERE p.device = d.id AND p.length > 9 AND d.active >= 0 GROUP BY p.device HAVING count(*) > 3 ORDER BY avg(p.length), 1",
    "SELECT upper(d.type) AS t, count(*) AS n, total(p.length), min(p.length) FROM packet p JOIN device d ON p.device = d.id GROUP BY t HAVING count(*) > 10 ORDER BY t",
    "SELECT d.id, d.name FROM packet p JOIN device d ON d.id = p.device GROUP BY d.id HAVING count(d.id) >= 20 ORDER BY d.name",
    "SELECT d.type, count(d.id) AS n FROM packet p JOIN device d ON d.id = p.device GROUP BY d.type ORDER BY n",
  ])
  func groupsAreFormedBeforeTheJoin(sql: String) throws {
    let finding = try #require(try fixture.findings(GroupedBeforeJoinDetector(), sql).first)
    #expect(finding.kind == .groupWithoutIndex && finding.isProven)
    let fix = try #require(finding.fix?.sql.last)
    #expect(fix.contains(") AS grouped JOIN device"))
    #expect(try fixture.context.rows(fix) == fixture.context.rows(sql), "\(fix)")
  }

  @Test(arguments: [
    // The result has other columns of the rows, or aggregates that can't be combined from partial groups.
    "SELECT d.type, max(p.at), p.length FROM packet p JOIN device d ON d.id = p.device GROUP BY d.type",
    "SELECT d.type, count(DISTINCT p.length) FROM packet p JOIN device d ON d.id = p.device GROUP BY d.type",
    "SELECT d.type, avg(p.length) FROM packet p JOIN device d ON d.id = p.device GROUP BY d.type",
    "SELECT d.type, sum(p.length * d.active) FROM packet p JOIN device d ON d.id = p.device GROUP BY d.type",
    "SELECT d.type, count(d.name) FROM packet p JOIN device d ON d.id = p.device GROUP BY d.type",
    // Joins that are not by equality with a unique key, and outer joins.
    "SELECT d.type, count(p.id) FROM device d LEFT JOIN packet p ON d.id = p.device GROUP BY d.type",
    "SELECT d.type, count(*) FROM packet p JOIN device d ON d.active = p.device GROUP BY d.type",
    "SELECT d.type, count(*) FROM packet p JOIN device d ON d.id = p.device AND d.active < p.length GROUP BY d.type",
  ])
  func otherGroups(sql: String) throws {
    #expect(try fixture.findings(GroupedBeforeJoinDetector(), sql).isEmpty)
  }
}
