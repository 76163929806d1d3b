import Testing

@testable import SanderlingDiagnosis

/// Indexes that SQLite uses although another plan is cheaper.
@Suite struct MisleadingIndexTests {
  private static let script = """
    CREATE TABLE node (id INTEGER PRIMARY KEY, version INTEGER, one INTEGER, other INTEGER, at INTEGER, note TEXT);
    CREATE INDEX node_on_version ON node (version); CREATE INDEX node_on_one ON node (one);
    CREATE INDEX node_on_other ON node (other); CREATE INDEX node_on_at ON node (at);
    \(DetectorFixture.numbers(6_000)) INSERT INTO node SELECT i, 1, i % 900, i % 700, i * 7919 % 6007, printf('%.100c', 'x') FROM n;
    """

  @Test(arguments: [
    ("SELECT note FROM node WHERE version = 1 AND (one = 7 OR other = 7)", "(version = 1) IS TRUE"),
    // Fewer rows match than the limit, so SQLite looks up all rows in the order of the index.
    ("SELECT note FROM node WHERE one + 0 = 7 ORDER BY at DESC, id LIMIT 100", "ORDER BY +at"),
  ])
  func rewritesAvoidMisleadingIndexes(sql: String, part: String) throws {
    let fixture = try DetectorFixture(Self.script, showsValues: true)
    let finding = try #require(try fixture.findings(MisleadingIndexDetector(), sql).first)
    #expect(finding.kind == .harmfulIndex && finding.isProven)
    let fix = try #require(finding.fix?.sql.last)
    #expect(fix.contains(part))
    #expect(try ResultComparer(connection: fixture.context.connection).compare(sql, fix) == .same)
  }

  @Test(arguments: [
    "SELECT note FROM node WHERE one = 7", "SELECT note FROM node WHERE version = 1",
    "SELECT note FROM node ORDER BY at LIMIT 10",
  ])
  func usefulIndexesAreNotReported(sql: String) throws {
    let fixture = try DetectorFixture(Self.script)
    #expect(try fixture.findings(MisleadingIndexDetector(), sql).isEmpty)
  }
}
