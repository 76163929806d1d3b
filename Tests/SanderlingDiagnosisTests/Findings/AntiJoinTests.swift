import Testing

@testable import SanderlingDiagnosis

@Suite struct AntiJoinTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE volume (id INTEGER PRIMARY KEY, name TEXT NOT NULL, label TEXT);
      CREATE TABLE block (id INTEGER PRIMARY KEY, volume INTEGER, label TEXT, size INTEGER NOT NULL, note TEXT);
      CREATE INDEX block_on_volume ON block (volume);
      \(DetectorFixture.numbers(300)) INSERT INTO volume SELECT i, 'volume ' || i, nullif('v' || i, 'v77') FROM n;
      \(DetectorFixture.numbers(9_000)) INSERT INTO block SELECT i, i % 280, 'v' || (i % 280), i % 90, NULL FROM n;
      """, showsValues: true)
  }

  @Test(arguments: [
    "SELECT v.id, v.name FROM volume v LEFT JOIN block b ON b.volume = v.id WHERE b.id IS NULL",
    "SELECT v.* FROM volume v LEFT OUTER JOIN block AS b ON v.id = b.volume AND b.size > 2 WHERE v.name <> '' AND b.volume IS NULL ORDER BY v.name LIMIT 9",
    "SELECT count(*) FROM volume v LEFT JOIN block b ON b.label = v.label WHERE b.size IS NULL",
    "SELECT v.id, v.label FROM volume v LEFT JOIN block b ON b.volume = v.id GROUP BY v.id HAVING count(b.volume) = 0",
    "SELECT v.name FROM volume v LEFT JOIN block b ON b.volume = v.id AND b.size > 2 WHERE v.id > 9 GROUP BY v.name, v.id HAVING (count(b.id) = 0)",
  ])
  func antiJoinsAreRewritten(sql: String) throws {
    let finding = try #require(try fixture.findings(AntiJoinDetector(), sql).first)
    #expect(finding.kind == .joinFanOut && finding.isProven)
    let fix = try #require(finding.fix?.sql.last)
    #expect(fix.contains("NOT EXISTS (SELECT 1 FROM block") || fix.contains("NOT IN (SELECT b."), "\(fix)")
    #expect(!fix.contains("LEFT") && !fix.contains("IS NULL ORDER"))
    #expect(try fixture.context.rows(fix) == fixture.context.rows(sql))
  }

  @Test(arguments: [
    // A matching row may have NULL there, its columns are read, or another condition excludes it.
    "SELECT v.id FROM volume v LEFT JOIN block b ON b.volume = v.id WHERE b.note IS NULL",
    "SELECT v.id, b.size FROM volume v LEFT JOIN block b ON b.volume = v.id WHERE b.id IS NULL",
    "SELECT * FROM volume v LEFT JOIN block b ON b.volume = v.id WHERE b.id IS NULL",
    "SELECT v.id FROM volume v LEFT JOIN block b ON b.volume = v.id WHERE b.id IS NULL OR b.size > 3",
    "SELECT v.id FROM volume v JOIN block b ON b.volume = v.id WHERE b.id IS NULL",
    // A group has several rows, or its rows may have NULL.
    "SELECT v.name FROM volume v LEFT JOIN block b ON b.volume = v.id GROUP BY v.name HAVING count(b.volume) = 0",
    "SELECT v.id FROM volume v LEFT JOIN block b ON b.volume = v.id GROUP BY v.id HAVING count(b.note) = 0",
    "SELECT v.id FROM volume v LEFT JOIN block b ON b.volume = v.id GROUP BY v.id HAVING count(b.id) = 1",
  ])
  func otherJoins(sql: String) throws {
    #expect(try fixture.findings(AntiJoinDetector(), sql).isEmpty)
  }
}
