import Foundation
import Testing

@testable import SanderlingDiagnosis

/// Statements that a report has in another form run as they are until the app's code is changed.
struct FormerFormTests {
  @Test func noIndexGoesThatTheStatementNeedsAsItIs() throws {
    let files = try DatabaseFixture()
    _ = try files.app(
      "app.sqlite",
      """
      CREATE TABLE revision (id INTEGER PRIMARY KEY, name TEXT NOT NULL, previous INTEGER, lease INTEGER, value TEXT);
      CREATE INDEX revision_of_name ON revision (name);
      CREATE UNIQUE INDEX revision_before ON revision (name, previous);
      \(AdviceFixture.numbers(12_000)) INSERT INTO revision
        SELECT i, 'name ' || (i * 7919 % 40), i - 1, i * 7907 % 12000, printf('%.200c', 'x') FROM n;
      """)
    var reader = WorkloadReader()
    reader.add(
      sql: "SELECT r.name, length(r.value) FROM revision r WHERE r.id = "
        + "(SELECT max(x.id) FROM revision x WHERE x.name = r.name)")
    reader.add(sql: "SELECT id, name FROM revision WHERE lease > ?")
    let report = try Diagnosis(database: files.url(), options: Diagnosis.Options()).run(reader.workload)
    let finding = try #require(report.findings.first { $0.kind == .subqueryPerRow })
    #expect(finding.isProven && finding.fix?.sql.last?.contains("GROUP BY x.name") == true)
    let migration = try #require(report.indexAdvice?.migrationSQL)
    #expect(migration.contains { $0.contains("\"lease\"") })
    #expect(!migration.contains { $0.hasPrefix("DROP INDEX") }, "\(migration)")
  }
}
