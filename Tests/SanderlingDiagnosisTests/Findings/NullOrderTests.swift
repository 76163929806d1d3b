import Testing

@testable import SanderlingDiagnosis

@Suite struct NullOrderTests {
  let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE task (id INTEGER PRIMARY KEY, title TEXT, due INTEGER); CREATE INDEX task_on_due ON task (due);
      \(DetectorFixture.numbers(6_000))
      INSERT INTO task SELECT i, 'Task ' || i, CASE WHEN i % 3 THEN i * 7919 % 5000 END FROM n;
      """, showsValues: true)
  }

  @Test(arguments: [
    ("CASE WHEN due IS NULL THEN 1 ELSE 0 END, due, id", "due NULLS LAST, id"),
    ("due IS NULL, due", "due NULLS LAST"), ("due IS NOT NULL DESC, due ASC", "due ASC NULLS LAST"),
    ("CASE WHEN due IS NOT NULL THEN 1 ELSE 2 END DESC, due DESC", "due DESC NULLS FIRST"),
    ("(due ISNULL) DESC, due", "due"), ("due IS NULL ASC, due DESC", "due DESC"),
  ])
  func orderOfNullsIsRewritten(order: String, expected: String) throws {
    let sql = "SELECT id, due FROM task ORDER BY \(order) LIMIT 10"
    let finding = try #require(try fixture.findings(NullOrderDetector(), sql).first)
    #expect(finding.kind == .sortWithoutIndex && finding.isProven)
    #expect(finding.limits.isEmpty == !expected.contains("NULLS"))
    let fix = try #require(finding.fix?.sql.last)
    #expect(fix == "SELECT id, due FROM task ORDER BY \(expected) LIMIT 10")
    #expect(try fixture.context.rows(fix).map { $0[1] } == fixture.context.rows(sql).map { $0[1] })
  }

  @Test(arguments: [
    "due IS NULL, title", "CASE WHEN due IS NULL THEN 1 ELSE 1 END, due", "due = 3, due",
    "CASE WHEN due IS NULL THEN 'a' ELSE 'b' END, due", "due IS NULL, due NULLS FIRST", "due, due IS NULL",
    "CASE WHEN due IS NULL THEN 1 END, due",
  ])
  func otherOrders(order: String) throws {
    #expect(
      try fixture.findings(NullOrderDetector(), "SELECT id, due FROM task ORDER BY \(order) LIMIT 10").isEmpty)
  }
}
