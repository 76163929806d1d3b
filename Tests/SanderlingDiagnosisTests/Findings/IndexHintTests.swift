import Testing

@testable import SanderlingDiagnosis

@Suite struct IndexHintTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, kind INTEGER, name TEXT, at INTEGER);
      CREATE INDEX item_on_kind ON item (kind); CREATE INDEX item_on_name ON item (name);
      \(DetectorFixture.numbers(6_000)) INSERT INTO item SELECT i, i % 3, 'n' || (i % 2000), i FROM n;
      """, showsValues: true)
  }

  @Test(arguments: [
    (
      "SELECT at FROM item INDEXED BY item_on_kind WHERE kind > 0 AND name = 'n7'", "INDEXED BY item_on_kind",
      FindingKind.harmfulIndex
    ),
    ("SELECT i.at FROM item AS i NOT INDEXED WHERE i.name = 'n7'", "NOT INDEXED", .fullScan),
  ])
  func harmfulHintsAreRemoved(sql: String, hint: String, kind: FindingKind) throws {
    let finding = try #require(try fixture.findings(IndexHintDetector(), sql).first)
    #expect(finding.kind == kind && finding.isProven && finding.title.hasPrefix(hint))
    let fix = try #require(finding.fix?.sql.last)
    #expect(!fix.contains("INDEXED") && !fix.contains("  "))
    #expect(try fixture.context.rows(sql) == fixture.context.rows(fix))
  }

  @Test func usefulHintIsNotReported() throws {
    #expect(
      try fixture.findings(IndexHintDetector(), "SELECT at FROM item INDEXED BY item_on_name WHERE name = 'n7'").isEmpty
    )
  }
}
