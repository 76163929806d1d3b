import Testing

@testable import SanderlingDiagnosis

/// Comparisons and writes of values whose type differs from the values in the column.
@Suite struct ValueTypeTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE part (
        id INTEGER PRIMARY KEY, code TEXT, size TEXT, loose, weight REAL, made TIMESTAMP, seen INTEGER, name TEXT);
      CREATE INDEX part_on_loose ON part(loose);
      \(DetectorFixture.numbers(200)) INSERT INTO part
        SELECT i, printf('%05d', i), CAST(i AS TEXT), CAST(i AS TEXT), i / 2.0, 700000000.5 + i * 86400,
          1600000000 + i * 86400, 'Part ' || i FROM n;
      """, showsValues: true)
  }

  /// The fix contains this conversion of the value; nil if SQL alone can't correct the comparison.
  @Test(arguments: [
    ("SELECT id FROM part WHERE loose = 7", "loose = CAST(7 AS TEXT)"),
    ("SELECT id FROM part WHERE loose IN (7, '8')", "CAST(7 AS TEXT)"),
    (
      "SELECT id FROM part WHERE made > '2023-06-01'",
      "made > (CAST(strftime('%s', '2023-06-01') AS INTEGER) - 978307200)"
    ),
    (
      "SELECT id FROM part WHERE seen BETWEEN '2020-10-01' AND 1700000000",
      "BETWEEN CAST(strftime('%s', '2020-10-01') AS INTEGER) AND"
    ),
    ("SELECT id FROM part WHERE size > 12", "CAST(size AS NUMERIC) > 12"),
    ("SELECT id FROM part WHERE weight = 'heavy'", nil),
    ("DELETE FROM part WHERE seen < '2021-01-01'", nil),
  ])
  func comparedValues(sql: String, conversion: String?) throws {
    let finding = try #require(try fixture.findings(ValueTypeDetector(), sql).first)
    #expect(finding.kind == .typeMismatch)
    #expect(finding.severity == .wrongResult)
    #expect(finding.fix?.sql.first?.contains(conversion ?? "") == (conversion == nil ? nil : true), "\(finding)")
    if conversion != nil {
      let right = try #require(finding.evidence("rows with the right kind")?.value)
      #expect(right > 0 && right != finding.evidence("rows returned")?.value)
    }
  }

  /// A few numbers among the texts of a large table prevent the finding, though a sample of rows would miss them.
  @Test(arguments: [
    "SELECT id FROM mixed WHERE value = 1999", "SELECT id FROM mixed WHERE value > 1998",
    "SELECT id FROM mixed WHERE value IN (1999, 'x')",
  ])
  func valuesOfAFewRows(sql: String) throws {
    let fixture = try DetectorFixture(
      """
      CREATE TABLE mixed (id INTEGER PRIMARY KEY, value);
      \(DetectorFixture.numbers(20_000)) INSERT INTO mixed SELECT i, 'text ' || i FROM n;
      INSERT INTO mixed SELECT id + 100000, 1999 FROM mixed WHERE id % 4000 = 7;
      """, showsValues: true)
    #expect(try fixture.findings(ValueTypeDetector(), sql).isEmpty)
    try fixture.context.connection.run("DELETE FROM mixed WHERE id > 100000")
    #expect(try fixture.findings(ValueTypeDetector(), sql).count == 1)
  }

  @Test func boundValues() throws {
    let sql = "SELECT id FROM part WHERE loose = ?"
    #expect(try fixture.findings(ValueTypeDetector(), sql, bindings: [[1: .integer(7)]]).count == 1)
    #expect(try fixture.findings(ValueTypeDetector(), sql, bindings: [[1: .text("7")]]).isEmpty)
    // Without values in the log, values of the column are chosen.
    #expect(try fixture.findings(ValueTypeDetector(), sql).isEmpty)
  }

  @Test(arguments: [
    "INSERT INTO part (id, seen) VALUES (900, '2024-01-01 10:00')", "UPDATE part SET made = '2024-01-01' WHERE id = 7",
    "UPDATE part SET loose = 12 WHERE id = 7",
  ])
  func writtenValues(sql: String) throws {
    let finding = try #require(try fixture.findings(ValueTypeDetector(), sql).first)
    #expect(finding.severity == .warning)
    #expect(finding.title.contains("is written to it"))
  }

  /// No finding: the column's type converts the value, or the comparison of two types is meant.
  @Test(arguments: [
    "SELECT id FROM part WHERE code = 7", "SELECT id FROM part WHERE seen = '1600086400'",
    "SELECT id FROM part WHERE weight > 3", "SELECT id FROM part WHERE loose = '7'",
    "SELECT id FROM part WHERE made > 700000000", "SELECT id FROM part WHERE name > 'Part 5' AND seen IS NOT NULL",
    "UPDATE part SET size = 7 WHERE id = 7", "SELECT id FROM part WHERE size <> 12",
  ])
  func suitableComparisonsAreNotReported(sql: String) throws {
    #expect(try fixture.findings(ValueTypeDetector(), sql).isEmpty)
  }
}
