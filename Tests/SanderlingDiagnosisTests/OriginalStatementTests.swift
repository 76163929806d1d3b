import Foundation
import Testing

@testable import SanderlingDiagnosis

/// The app runs its statements without the proposed rewrite until its code changes, so index changes must suit both.
struct OriginalStatementTests {
  @Test func indexThatTheOriginalStatementNeedsIsNotDropped() throws {
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

  /// A new index must not mislead the statement as the app runs it. With an index that begins with a unique column,
  /// SQLite 3.40 joins in the reverse order.
  @Test func newIndexDoesNotMisleadTheOriginalStatement() throws {
    let files = try DatabaseFixture()
    _ = try files.app(
      "app.sqlite",
      """
      CREATE TABLE book (id TEXT PRIMARY KEY NOT NULL, library TEXT NOT NULL, note TEXT);
      CREATE INDEX book_of_library ON book (library);
      CREATE TABLE media (book TEXT PRIMARY KEY NOT NULL, status TEXT, comment TEXT);
      CREATE INDEX media_of_status ON media (status);
      \(AdviceFixture.numbers(20_000)) INSERT INTO book SELECT 'b' || i, 'L' || (i % 4), printf('%.300c', 'x') FROM n;
      INSERT INTO media SELECT id, iif(rowid % 100 = 0, 'old', 'new'), printf('%.200c', 'x') FROM book;
      """)
    let sql =
      "SELECT m.book, m.comment FROM media m JOIN book b ON b.id = m.book WHERE m.status = 'old' AND b.library = ?"
    var reader = WorkloadReader()
    reader.add(sql: sql)
    let report = try Diagnosis(database: files.url(), options: Diagnosis.Options()).run(reader.workload)
    let path = files.url().path
    let connection = try SQLiteConnection(path: path, mode: .copy)
    let before = try PlanReader(connection: connection).lines(of: sql, bindings: [:]).map(\.detail)
    for change in report.indexAdvice?.migrationSQL ?? [] { try connection.run(change) }
    let after = try PlanReader(connection: connection).lines(of: sql, bindings: [:]).map(\.detail)
    #expect(before.first?.hasPrefix("SEARCH m USING INDEX media_of_status") == true)
    #expect(after.first?.hasPrefix("SEARCH m ") == true, "\(report.indexAdvice?.migrationSQL ?? [])")
  }
}
