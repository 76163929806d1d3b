import Testing

@testable import SanderlingDiagnosis

/// min() together with max(), the newest row of each group, and outer joins that are in effect inner joins.
@Suite struct JoinAndExtremeTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE album (id INTEGER PRIMARY KEY, artistID INTEGER, title TEXT, year INTEGER);
      CREATE TABLE track (id INTEGER PRIMARY KEY, albumID INTEGER, title TEXT, length INTEGER);
      CREATE INDEX track_on_albumID ON track(albumID);
      CREATE INDEX track_on_length ON track(length);
      \(DetectorFixture.numbers(500)) INSERT INTO artist SELECT i, 'Artist ' || i FROM n;
      \(DetectorFixture.numbers(1_500)) INSERT INTO album SELECT i, i % 500, 'Album ' || i, 1960 + i % 60 FROM n;
      \(DetectorFixture.numbers(12_000)) INSERT INTO track
        SELECT i, i % 1700, 'Track ' || i, (i * 7919) % 12000 FROM n;
      """, showsValues: true)
  }

  @Test func bothEndsOfAnIndex() throws {
    let sql = "SELECT min(length), max(length) AS longest FROM track WHERE length > 3"
    let finding = try #require(try fixture.findings(ExtremesDetector(), sql).first)
    #expect(finding.kind == .fullScan)
    #expect(finding.isProven)
    #expect(
      finding.fix?.sql == [
        "SELECT (SELECT min(length) FROM track WHERE length > 3) AS \"min(length)\", "
          + "(SELECT max(length) FROM track WHERE length > 3) AS longest"
      ])
  }

  @Test func bothEndsNeedAnIndex() throws {
    var context = fixture.context
    context.advisor = try IndexAdvisor(copy: context.copy, schema: context.schema, runner: context.runner)
    let analyzed = try fixture.analyzed("SELECT min(title), max(title) FROM track")
    let finding = try #require(try ExtremesDetector().findings(for: analyzed, in: context).first)
    #expect(finding.isProven)
    #expect(finding.fix?.sql.count == 2)
    #expect(finding.fix?.sql.first?.hasPrefix("CREATE INDEX \"track_on_title\"") == true)
  }

  @Test(arguments: [
    "SELECT min(length) FROM track", "SELECT min(length), count(*) FROM track",
    "SELECT albumID, min(length), max(length) FROM track GROUP BY albumID",
    "SELECT min(length), max(length) FILTER (WHERE albumID = 3) FROM track",
  ])
  func otherAggregates(sql: String) throws {
    #expect(try fixture.findings(ExtremesDetector(), sql).isEmpty)
  }

  /// Statements for the newest or oldest of 12,000 readings of each of 40 sensors.
  private static let newest = [
    "SELECT r.sensor, r.value FROM reading r JOIN (SELECT sensor, MAX(at) AS at FROM reading GROUP BY sensor) n "
      + "ON n.sensor = r.sensor AND n.at = r.at",
    "SELECT r.* FROM (SELECT max(x.at) AS last, x.sensor AS s FROM reading x WHERE x.value > 3 GROUP BY x.sensor) n, "
      + "reading r WHERE r.sensor = n.s AND r.at = n.last AND n.s <> ?",
    "WITH oldest(s, t) AS (SELECT sensor, min(at) FROM reading GROUP BY sensor) "
      + "SELECT value FROM oldest JOIN reading ON sensor = s AND at = t",
    "SELECT r.value FROM reading r JOIN (SELECT sensor, MAX(at) AS at FROM reading GROUP BY sensor) n "
      + "USING (sensor, at) ORDER BY r.value LIMIT 5",
  ]

  private func readings() throws -> DetectorFixture {
    try DetectorFixture(
      """
      CREATE TABLE reading (sensor INTEGER, at INTEGER, value INTEGER);
      CREATE INDEX reading_on_sensor_at ON reading(sensor, at);
      \(DetectorFixture.numbers(12_000)) INSERT INTO reading SELECT nullif(i % 40, 39), i * 7919 % 12000, i % 90 FROM n;
      INSERT INTO reading VALUES (77, NULL, 1), (78, 5, 1), (78, NULL, 2), (79, 6, 9), (79, 6, 8);
      """, showsValues: true)
  }

  @Test(arguments: newest) func firstRowOfEachGroupIsFoundRecursively(sql: String) throws {
    let fixture = try readings()
    let values: [Int: BoundValue] = sql.contains("?") ? [1: .integer(5)] : [:]
    let finding = try #require(
      try fixture.findings(ExtremeOfGroupsDetector(), sql, bindings: [values]).first)
    #expect(finding.isProven)
    let fix = try #require(finding.fix?.sql.last)
    #expect(fix.contains("RECURSIVE"))
    let (before, after) = (try fixture.context.rows(sql, values), try fixture.context.rows(fix, values))
    #expect(!before.isEmpty && Set(before) == Set(after) && before.count == after.count, "\(fix)")
  }

  @Test(arguments: [
    // The statement also returns groups without a value.
    "SELECT r.value, n.at FROM reading r JOIN (SELECT sensor, MAX(at) AS at FROM reading GROUP BY sensor) n "
      + "ON n.sensor = r.sensor",
    "SELECT r.value FROM reading r LEFT JOIN (SELECT sensor, MAX(at) AS at FROM reading GROUP BY sensor) n "
      + "ON n.sensor = r.sensor AND n.at = r.at",
    "SELECT r.value FROM reading r JOIN (SELECT sensor, MAX(at) AS at, count(*) FROM reading GROUP BY sensor) n "
      + "ON n.sensor = r.sensor AND n.at = r.at",
    "SELECT r.value FROM reading r JOIN (SELECT sensor, sum(at) AS at FROM reading GROUP BY sensor) n "
      + "ON n.sensor = r.sensor AND n.at = r.at",
    "SELECT r.value FROM reading r JOIN (SELECT sensor, MAX(at) AS at FROM reading GROUP BY sensor HAVING count(*) > 2) n "
      + "ON n.sensor = r.sensor AND n.at = r.at",
  ])
  func otherGroups(sql: String) throws {
    #expect(try readings().findings(ExtremeOfGroupsDetector(), sql).isEmpty)
  }

  /// The condition on the artist makes the second join an inner join. The condition of that join does the same to the
  /// first.
  @Test func outerJoinsWithAFilterBecomeInnerJoins() throws {
    var context = fixture.context
    context.advisor = try IndexAdvisor(copy: context.copy, schema: context.schema, runner: context.runner)
    let analyzed = try fixture.analyzed(
      """
      SELECT t.id, a.title FROM track t LEFT OUTER JOIN album a ON a.id = t.albumID
      LEFT JOIN artist r ON r.id = a.artistID WHERE r.name = 'Artist 7'
      """)
    let finding = try #require(try OuterJoinDetector().findings(for: analyzed, in: context).first)
    #expect(finding.isProven)
    #expect(finding.fix?.sql.last?.contains("LEFT") == false)
    #expect(finding.fix?.sql.contains { $0.contains("ON \"artist\" (\"name\"") } == true, "\(finding.fix?.sql ?? [])")
  }

  @Test(arguments: [
    "SELECT t.id FROM track t LEFT JOIN album a ON a.id = t.albumID WHERE t.title = 'Track 7'",
    "SELECT t.id FROM track t LEFT JOIN album a ON a.id = t.albumID WHERE a.year IS NULL",
    "SELECT t.id FROM track t LEFT JOIN album a ON a.id = t.albumID WHERE coalesce(a.year, 1999) = 1999",
  ])
  func outerJoinsThatMatter(sql: String) throws {
    #expect(try fixture.findings(OuterJoinDetector(), sql).isEmpty)
  }
}
