import Testing

@testable import SanderlingDiagnosis

/// The distinct values of a column, and DISTINCT rows with an OR.
@Suite struct DifferentValuesTests {
  private func fixture() throws -> DetectorFixture {
    try DetectorFixture(
      """
      CREATE TABLE message (id INTEGER PRIMARY KEY, topic TEXT, sender TEXT NOT NULL, label TEXT COLLATE NOCASE, body TEXT);
      CREATE INDEX message_on_topic ON message(topic);
      CREATE INDEX message_on_sender ON message(sender);
      CREATE INDEX message_on_label ON message(label);
      \(DetectorFixture.numbers(20_000)) INSERT INTO message
        SELECT i, nullif('topic ' || (i % 40), 'topic 7'), 'sender ' || (i % 25), substr('Ll', 1 + i % 2, 1) || (i % 9),
          printf('%.80c', 'x') FROM n;
      """, showsValues: true)
  }

  @Test(arguments: [
    "SELECT DISTINCT topic FROM message", "SELECT m.topic AS t FROM message m GROUP BY m.topic ORDER BY m.topic DESC",
    "SELECT DISTINCT sender FROM message ORDER BY 1", "SELECT DISTINCT(sender) FROM message ORDER BY sender",
  ])
  func fromValueToValue(sql: String) throws {
    let fixture = try fixture()
    let finding = try #require(try fixture.findings(DifferentValuesDetector(), sql).first)
    #expect(finding.isProven)
    let fix = try #require(finding.fix?.sql.last)
    let (before, after) = (try fixture.context.rows(sql), try fixture.context.rows(fix))
    #expect(before.count == (sql.contains("sender") ? 25 : 40) && Set(before) == Set(after), "\(fix)")
    #expect(before.count == after.count && (!sql.contains("ORDER BY") || before == after), "\(fix)")
    // NULL is one of the distinct values.
    #expect(fix.contains("IS NULL") == sql.contains("topic"))
  }

  @Test(arguments: [
    // SQLite may return any one of two spellings that compare as equal.
    "SELECT DISTINCT label FROM message", "SELECT DISTINCT topic, sender FROM message",
    "SELECT DISTINCT topic COLLATE NOCASE FROM message", "SELECT topic, count(*) FROM message GROUP BY topic",
    "SELECT topic FROM message", "SELECT sender FROM message GROUP BY topic",
    "SELECT DISTINCT topic FROM message WHERE id > 3", "SELECT DISTINCT topic FROM message LIMIT 3",
    "SELECT DISTINCT topic FROM message ORDER BY topic NULLS LAST",
  ])
  func otherQuestions(sql: String) throws {
    #expect(try fixture().findings(DifferentValuesDetector(), sql).isEmpty)
  }

  @Test func differentRowsOfEitherSide() throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE entry (id INTEGER PRIMARY KEY, owner INTEGER, team INTEGER, name TEXT);
      CREATE TABLE member (id INTEGER PRIMARY KEY, person INTEGER NOT NULL, team INTEGER NOT NULL, UNIQUE (person, team));
      CREATE INDEX entry_on_owner ON entry(owner);
      CREATE INDEX entry_on_team ON entry(team);
      \(DetectorFixture.numbers(9_000)) INSERT INTO entry SELECT i, nullif(i % 300, 7), nullif(i % 90, 3), 'name ' || (i % 50) FROM n;
      INSERT OR IGNORE INTO member SELECT id, id % 300, id % 90 FROM entry WHERE id % 30 = 0;
      ANALYZE;
      """, showsValues: true)
    let sql =
      "SELECT DISTINCT e.name FROM entry e LEFT JOIN member m ON m.team = e.team AND m.person = 30 "
      + "WHERE e.owner = 30 OR m.id IS NOT NULL"
    let finding = try #require(try fixture.findings(AlternativesDetector(), sql).first)
    #expect(finding.kind == .orWithoutIndex)
    guard let fix = finding.fix?.sql.last else { return }
    #expect(fix.contains(" UNION SELECT"))
    let (before, after) = (try fixture.context.rows(sql), try fixture.context.rows(fix))
    #expect(Set(before) == Set(after) && before.count == after.count)
  }
}
