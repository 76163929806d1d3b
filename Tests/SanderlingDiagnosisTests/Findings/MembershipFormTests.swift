import Foundation
import Testing

@testable import SanderlingDiagnosis

/// Rewrites of EXISTS and IN, in SELECT and in writes.
struct MembershipFormTests {
  private let fixture: DetectorFixture

  init() throws {
    fixture = try DetectorFixture(
      """
      CREATE TABLE issue (id INTEGER PRIMARY KEY, title TEXT NOT NULL, state INTEGER NOT NULL, parent INTEGER);
      CREATE TABLE change (id INTEGER PRIMARY KEY, issue INTEGER, author INTEGER NOT NULL, at INTEGER NOT NULL);
      CREATE TABLE rule (id INTEGER PRIMARY KEY, conditions TEXT NOT NULL);
      CREATE INDEX change_issue ON change (issue);
      CREATE INDEX change_author ON change (author);
      CREATE INDEX issue_parent ON issue (parent);
      \(DetectorFixture.numbers(6_000)) INSERT INTO issue SELECT i, 'Issue ' || i, i % 7, i / 3 FROM n;
      \(DetectorFixture.numbers(9_000)) INSERT INTO change SELECT i, i * 7 % 6100, i % 400, i * 5 FROM n;
      \(DetectorFixture.numbers(60)) INSERT INTO rule SELECT i, '[{"issue": ' || (i * 31) || '}]' FROM n;
      """, showsValues: true)
  }

  private func form(_ sql: String, _ values: [Int: BoundValue] = [:]) throws -> String? {
    let findings = try fixture.findings(MembershipDetector(), sql, bindings: values.isEmpty ? [] : [values])
    return findings.first { $0.isProven && $0.kind == .subqueryPerRow }?.fix?.sql.last
  }

  @Test func nestedSubqueryReadsTheRowWithinAfterTheRewrite() throws {
    let sql = """
      SELECT count(*) FROM issue WHERE EXISTS (SELECT 1 FROM change c WHERE c.issue = issue.id AND c.author = 17 \
      AND c.id IN (SELECT max(d.id) FROM change d WHERE d.issue = issue.id))
      """
    #expect(
      try form(sql) == """
        SELECT count(*) FROM issue WHERE issue.id IN (SELECT c.issue FROM change c WHERE (c.author = 17) \
        AND (c.id IN (SELECT max(d.id) FROM change d WHERE d.issue = c.issue)))
        """)
    // A subquery that reads another column of the outer row stays in place.
    #expect(
      try form(
        """
        SELECT count(*) FROM issue WHERE EXISTS (SELECT 1 FROM change c WHERE c.issue = issue.id AND c.author = 17 \
        AND c.at > issue.parent)
        """) == nil)
  }

  @Test func groupedMembershipBecomesExists() throws {
    let sql = """
      SELECT id FROM issue WHERE parent IN (SELECT parent FROM issue GROUP BY parent HAVING count(*) > 2) AND id > 5990
      """
    #expect(
      try form(sql) == """
        SELECT id FROM issue WHERE EXISTS (SELECT 1 FROM issue AS issue_2 WHERE issue_2.parent = issue.parent \
        GROUP BY parent HAVING count(*) > 2) AND id > 5990
        """)
    let named = """
      SELECT i.id FROM issue i WHERE i.parent IN (SELECT o.parent FROM issue o GROUP BY o.parent HAVING count(*) > 2) \
      AND i.id > 5990
      """
    #expect(
      try form(named) == """
        SELECT i.id FROM issue i WHERE EXISTS (SELECT 1 FROM issue o WHERE o.parent = i.parent GROUP BY o.parent \
        HAVING count(*) > 2) AND i.id > 5990
        """)
  }

  @Test func notExistsBecomesNotIn() throws {
    let sql = """
      SELECT i.id FROM issue i WHERE i.state = 3 AND NOT EXISTS (SELECT 1 FROM rule r, json_each(r.conditions) c \
      WHERE json_extract(c.value, '$.issue') = i.parent)
      """
    #expect(
      try form(sql) == """
        SELECT i.id FROM issue i WHERE i.state = 3 AND (i.parent IS NULL OR i.parent NOT IN \
        (SELECT json_extract(c.value, '$.issue') FROM rule r, json_each(r.conditions) c \
        WHERE json_extract(c.value, '$.issue') IS NOT NULL))
        """)
  }

  @Test func existsOfAWriteBecomesMembership() throws {
    let sql = """
      UPDATE issue SET state = ? WHERE EXISTS (SELECT 1 FROM change WHERE change.issue = issue.id AND change.author = ?)
      """
    let finding = try #require(
      try fixture.findings(WriteConditionDetector(), sql, bindings: [[1: .integer(1), 2: .integer(17)]]).first)
    #expect(finding.isProven && finding.kind == .subqueryPerRow)
    #expect(
      finding.fix?.sql == [
        "UPDATE issue SET state = ?1 WHERE issue.id IN (SELECT change.issue FROM change WHERE (change.author = ?2))"
      ])
    for other in [
      "DELETE FROM issue WHERE id = 7",
      "UPDATE issue SET state = :state WHERE EXISTS (SELECT 1 FROM change WHERE issue = issue.id AND author = :author)",
    ] {
      #expect(try fixture.findings(WriteConditionDetector(), other).isEmpty)
    }
  }

  @Test(arguments: [
    (
      "SELECT title FROM issue WHERE id > 5900 AND id NOT IN (SELECT author FROM change UNION SELECT issue FROM change WHERE issue NOT NULL)",
      """
      SELECT title FROM issue WHERE id > 5900 AND NOT EXISTS (SELECT 1 FROM change WHERE change.author = issue.id) \
      AND NOT EXISTS (SELECT 1 FROM change WHERE change.issue = issue.id)
      """
    ),
    (
      """
      SELECT i.title FROM issue i WHERE i.id BETWEEN 5 AND 9 AND NOT i.id IN (SELECT DISTINCT c.author FROM change c WHERE c.at > 9 \
      UNION ALL SELECT issue FROM change WHERE (issue IS NOT NULL) AND author = 3 UNION SELECT id FROM rule)
      """,
      """
      SELECT i.title FROM issue i WHERE i.id BETWEEN 5 AND 9 AND NOT EXISTS (SELECT 1 FROM change c WHERE (c.at > 9) AND c.author = i.id) \
      AND NOT EXISTS (SELECT 1 FROM change WHERE (author = 3) AND change.issue = i.id) AND NOT EXISTS (SELECT 1 FROM rule WHERE rule.id = i.id)
      """
    ),
    (
      "SELECT title FROM issue WHERE state = 3 AND id < 40 AND parent IN (SELECT issue FROM change UNION SELECT parent FROM issue)",
      """
      SELECT title FROM issue WHERE state = 3 AND id < 40 AND (EXISTS (SELECT 1 FROM change WHERE change.issue = issue.parent) \
      OR EXISTS (SELECT 1 FROM issue AS issue_2 WHERE issue_2.parent = issue.parent))
      """
    ),
  ])
  func membershipInAUnionBecomesExistsForEachSelect(sql: String, other: String) throws {
    #expect(try form(sql) == other)
    #expect(try Set(fixture.context.rows(sql)) == Set(fixture.context.rows(other)))
  }

  @Test(arguments: [
    // NULL is among the values of the subquery or of the outer column.
    "SELECT id FROM issue WHERE id < 9 AND id NOT IN (SELECT author FROM change UNION SELECT issue FROM change)",
    "SELECT id FROM issue WHERE id < 9 AND parent NOT IN (SELECT author FROM change UNION SELECT id FROM rule)",
    "SELECT id FROM issue WHERE id < 9 AND id NOT IN (SELECT author FROM change UNION SELECT issue FROM change WHERE issue IS NOT NULL OR id = 3)",
    // EXCEPT, LIMIT, or values of other types.
    "SELECT id FROM issue WHERE id < 9 AND id NOT IN (SELECT author FROM change EXCEPT SELECT id FROM rule)",
    "SELECT id FROM issue WHERE id < 9 AND id NOT IN (SELECT author FROM change UNION SELECT id FROM rule LIMIT 7)",
    "SELECT id FROM issue WHERE id < 9 AND id NOT IN (SELECT author FROM change UNION SELECT conditions FROM rule)",
    "SELECT id FROM issue WHERE id < 9 AND id NOT IN (SELECT author FROM change UNION VALUES (7))",
    "SELECT id FROM issue WHERE id < 9 AND lower(title) IN (SELECT conditions FROM rule UNION SELECT author FROM change)",
  ])
  func otherUnionsAreNotRewritten(sql: String) throws {
    #expect(try form(sql) == nil)
  }

  @Test(arguments: [
    "DELETE FROM issue WHERE id > 5800 AND", "UPDATE issue SET state = 9 WHERE id < 90 AND state < 5 AND",
  ])
  func membershipInAUnionOfAWriteBecomesExists(write: String) throws {
    let sql = """
      \(write) id NOT IN (SELECT author FROM change UNION SELECT DISTINCT issue FROM change WHERE issue IS NOT NULL)
      """
    let finding = try #require(try fixture.findings(WriteConditionDetector(), sql).first)
    #expect(finding.isProven && finding.kind == .subqueryPerRow)
    let other = """
      \(write) NOT EXISTS (SELECT 1 FROM change WHERE change.author = issue.id) AND NOT EXISTS (SELECT 1 FROM change \
      WHERE change.issue = issue.id)
      """
    #expect(finding.fix?.sql == [other])
    let rows = { (sql: String) in
      var rows: [[BoundValue]] = []
      try fixture.context.connection.undoing {
        try fixture.context.connection.run(sql)
        rows = try fixture.context.rows("SELECT id, state FROM issue ORDER BY id")
      }
      return rows
    }
    #expect(try rows(sql) == rows(other))
  }
}
