import Testing

@testable import SanderlingDiagnosis

/// Conditions that count the children of each parent, and the last child of each of many parents.
@Suite struct CountedChildrenTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE entry (id INTEGER PRIMARY KEY, title TEXT);
      CREATE TABLE media (id INTEGER PRIMARY KEY, entry INTEGER, size INTEGER, taken INTEGER);
      CREATE INDEX media_on_entry ON media(entry);
      CREATE TABLE reading (sensor INTEGER, at INTEGER, value REAL, PRIMARY KEY (sensor, at)) WITHOUT ROWID;
      \(DetectorFixture.numbers(4_000)) INSERT INTO entry SELECT i, 'Entry ' || i FROM n;
      \(DetectorFixture.numbers(6_000)) INSERT INTO media SELECT i, i * i % 1000, i % 7, i FROM n;
      \(DetectorFixture.numbers(5_000)) INSERT INTO reading SELECT i % 50, i, i / 2.0 FROM n;
      """, showsValues: true)
  }

  @Test(arguments: [
    "SELECT e.id FROM entry e WHERE (SELECT COUNT(m.id) FROM media m WHERE e.id = m.entry) > 6",
    "SELECT e.id FROM entry e WHERE (SELECT COUNT(*) FROM media m WHERE m.entry = e.id AND m.size > 2) >= ?",
  ])
  func counts(sql: String) throws {
    let finding = try #require(
      try fixture.findings(CountedChildrenDetector(), sql, bindings: [[1: .integer(4)]]).first)
    #expect(finding.kind == .subqueryPerRow && finding.isProven)
    #expect(finding.fix?.sql.first?.contains("e.id IN (SELECT m.entry FROM media m") == true)
  }

  /// A count of IN values is rewritten if it asks for all of them. Small tables reveal a wrong rewrite only if some row
  /// has each value.
  @Test func eachOfSomeValues() throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE entry (id INTEGER PRIMARY KEY); CREATE TABLE tagged (entry INTEGER, tag INTEGER, PRIMARY KEY (entry, tag));
      \(DetectorFixture.numbers(4_000)) INSERT INTO entry SELECT i FROM n;
      \(DetectorFixture.numbers(6_000)) INSERT INTO tagged SELECT i % 900, i / 900 FROM n WHERE i % 11 > 0;
      """, showsValues: true)
    let sql =
      "SELECT e.id FROM entry e WHERE (SELECT count(*) FROM tagged t WHERE t.entry = e.id AND t.tag IN (1, 3, 4)) = 3"
    let finding = try #require(try fixture.findings(CountedChildrenDetector(), sql).first)
    #expect(finding.isProven && finding.limits.isEmpty)
    let fix = try #require(finding.fix?.sql.last)
    #expect(Set(try fixture.context.rows(sql)) == Set(try fixture.context.rows(fix)))
  }

  @Test(arguments: [
    "SELECT e.id FROM entry e WHERE (SELECT COUNT(*) FROM media m WHERE m.entry = e.id) < 3",
    "SELECT e.id FROM entry e WHERE (SELECT COUNT(*) FROM media m WHERE m.entry > e.id) > 3",
    "SELECT e.id FROM entry e WHERE (SELECT COUNT(*) FROM media m WHERE m.size = 3) > 3",
    // The statement also returns parents without children.
    "SELECT e.id FROM entry e WHERE (SELECT COUNT(*) FROM media m WHERE m.entry = e.id) > -1",
  ])
  func otherCounts(sql: String) throws {
    #expect(try fixture.findings(CountedChildrenDetector(), sql).isEmpty)
  }

  @Test(arguments: [
    "SELECT e.title, count(m.id) AS n FROM entry e LEFT JOIN media m ON m.entry = e.id GROUP BY e.id HAVING count(m.id) > 15",
    """
    SELECT e.title, max(m.id) FROM entry e LEFT JOIN media m ON e.id = m.entry \
    WHERE e.title LIKE 'E%' OR e.id = 3 GROUP BY e.id HAVING count(m.id) >= ?1 AND min(m.id) > 0
    """,
  ])
  func childrenAreCountedBeforeTheJoin(sql: String) throws {
    let finding = try #require(
      try fixture.findings(CountedGroupsDetector(), sql, bindings: [[1: .integer(12)]]).first)
    #expect(finding.kind == .groupWithoutIndex && finding.isProven)
    #expect(finding.fix?.sql.last?.contains("e.id IN (SELECT m.entry FROM media m") == true)
  }

  @Test(arguments: [
    "SELECT e.id FROM entry e LEFT JOIN media m ON m.entry = e.id GROUP BY e.id HAVING count(*) > 15",
    "SELECT e.id FROM entry e LEFT JOIN media m ON m.entry = e.id GROUP BY e.id HAVING count(m.id) >= 0",
    "SELECT e.id FROM entry e LEFT JOIN media m ON m.entry = e.id GROUP BY e.id HAVING count(m.id) < 2",
    "SELECT e.id FROM entry e JOIN media m ON m.entry = e.id WHERE m.size = 3 GROUP BY e.id HAVING count(m.id) > 15",
    "SELECT e.id FROM entry e JOIN media m ON m.entry = e.id GROUP BY e.title HAVING count(m.id) > 15",
  ])
  func otherGroupsAreNotRewritten(sql: String) throws {
    #expect(try fixture.findings(CountedGroupsDetector(), sql).isEmpty)
  }

  @Test(arguments: [
    "SELECT id, size FROM media WHERE entry = ? ORDER BY taken DESC LIMIT 1",
    "SELECT at, value FROM reading WHERE sensor = ? ORDER BY at DESC LIMIT 1",
    "SELECT at, value FROM reading WHERE value > 7 AND sensor = ? ORDER BY at LIMIT 1",
  ])
  func firstRowOfEachKey(sql: String) throws {
    let statement = WorkloadStatement(
      id: 1, fingerprint: "", sql: sql, count: 40, operations: ["refresh": 1], mostPerOperation: 40,
      bindings: (1...8).map { [1: .integer($0)] })
    let analyzed = try fixture.analyzed(statement)
    let finding = try #require(try RepeatedStatementDetector().findings(for: analyzed, in: fixture.context).first)
    let fix = try #require(finding.fix?.sql.first)
    var expected: Set<[BoundValue]> = []
    for key in 1...40 {
      expected.formUnion(try fixture.context.rows(sql, [1: .integer(Int64(key))]))
    }
    let list = "[" + (1...40).map(String.init).joined(separator: ",") + "]"
    let rows = try fixture.context.rows(fix, [1: .text(list)])
    #expect(Set(rows.map { Array($0.prefix(2)) }) == expected, "\(fix)")
  }
}
