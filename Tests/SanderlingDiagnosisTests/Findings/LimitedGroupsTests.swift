import Testing

@testable import SanderlingDiagnosis

/// Grouped statements in an order by columns of the group, where LIMIT drops most groups.
@Suite struct LimitedGroupsTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE thread (id TEXT PRIMARY KEY, account TEXT NOT NULL, at INTEGER NOT NULL UNIQUE, subject TEXT);
      CREATE INDEX thread_on_account ON thread (account, at);
      CREATE TABLE message (id INTEGER PRIMARY KEY, thread TEXT NOT NULL REFERENCES thread, size INTEGER, kind TEXT);
      CREATE INDEX message_on_thread ON message (thread, size);
      \(DetectorFixture.numbers(2_000)) INSERT INTO thread SELECT 't' || i, 'a' || (i % 3), i * 7919 % 20011, 's' || i FROM n;
      \(DetectorFixture.numbers(9_000)) INSERT INTO message SELECT i, 't' || (i * 31 % 1900 + 1), nullif(i % 50, 7), 'k' || (i % 4) FROM n;
      """, showsValues: true)
  }

  @Test(arguments: [
    "SELECT t.id, t.subject, count(m.id) AS n FROM thread t LEFT JOIN message m ON m.thread = t.id WHERE t.account = 'a1' GROUP BY t.id ORDER BY t.at DESC LIMIT 20",
    """
    SELECT t.subject, sum(m.size), max(m.size) FROM thread t LEFT JOIN message m ON m.thread = t.id AND m.kind = 'k1' GROUP BY t.id
    ORDER BY t.at LIMIT 5 OFFSET 10
    """,
    "SELECT t.id, count(*) AS n FROM thread t JOIN message m ON m.thread = t.id WHERE m.kind <> 'k2' GROUP BY t.id ORDER BY t.at LIMIT 9",
  ])
  func groupsWithinALimitBecomeSubqueries(sql: String) throws {
    let finding = try #require(try fixture.findings(LimitedGroupsDetector(), sql).first)
    #expect(finding.kind == .groupWithoutIndex && finding.isProven)
    #expect(finding.limits.contains { $0.contains("no id of thread is NULL") })
    let fix = try #require(finding.fix?.sql.last)
    #expect(!fix.contains("GROUP BY"))
    #expect(try fixture.context.rows(sql) == fixture.context.rows(fix))
  }

  @Test(arguments: [
    // The order depends on the rows of each group, there is no LIMIT, or the groups aren't single rows of a table.
    "SELECT t.id, count(m.id) AS n FROM thread t LEFT JOIN message m ON m.thread = t.id GROUP BY t.id ORDER BY n DESC LIMIT 20",
    "SELECT t.id, count(m.id) AS n FROM thread t LEFT JOIN message m ON m.thread = t.id GROUP BY t.id ORDER BY 2 LIMIT 20",
    "SELECT t.id, t.at FROM thread t LEFT JOIN message m ON m.thread = t.id GROUP BY t.id ORDER BY max(m.size) LIMIT 20",
    "SELECT t.id, count(m.id) AS n FROM thread t LEFT JOIN message m ON m.thread = t.id GROUP BY t.id HAVING n > 3 ORDER BY t.at LIMIT 20",
    "SELECT t.id, count(m.id) AS n FROM thread t LEFT JOIN message m ON m.thread = t.id GROUP BY t.id ORDER BY t.at",
    "SELECT t.account, count(m.id) AS n FROM thread t LEFT JOIN message m ON m.thread = t.id GROUP BY t.account ORDER BY t.account LIMIT 20",
  ])
  func otherGroups(sql: String) throws {
    #expect(try fixture.findings(LimitedGroupsDetector(), sql).isEmpty)
  }
}
