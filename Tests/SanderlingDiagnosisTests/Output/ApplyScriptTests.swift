import Foundation
import GRDB
import SanderlingDiagnosis
import Testing

/// What is printed runs as it is printed, by the shell and in a migration.
struct ApplyScriptTests {
  /// Schemas with indexes to drop, JSON, NULLs and wrong sums.
  @Test(arguments: ["library", "tickets", "sensors"])
  func everyFixRunsAsPrinted(name: String) async throws {
    let schema = try #require(Corpus.schemas.first { $0.name == name })
    let path = try await CorpusFolder.shared.path(of: schema)
    var reader = WorkloadReader()
    for statement in schema.statements { reader.add(sql: statement.sql) }
    // Values are hidden, as they are without being asked for.
    let report = try Diagnosis(database: URL(fileURLWithPath: path)).run(reader.workload)
    try checkOnePlan(report)
    let copy = try await CorpusFolder.shared.copy(of: schema)
    defer { try? FileManager.default.removeItem(atPath: copy) }
    try migrate(copy, report)
    if let shell = ExpertAdvice.shell {
      let script = URL(fileURLWithPath: copy + ".sql")
      defer { try? FileManager.default.removeItem(at: script) }
      try Data(ApplyScript(report).text.utf8).write(to: script)
      let result = try Program.run(
        shell, ["-bail", "-batch", copy], input: FileHandle(forReadingFrom: script))
      #expect(result.status == 0, "\(result)")
    }
  }

  /// DDL in a migration that is undone, and each statement prepared.
  private func migrate(_ path: String, _ report: DiagnosisReport) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      for finding in report.findings {
        for sql in finding.fix?.sql ?? [] where !sql.hasPrefix("PRAGMA") && sql != "VACUUM" {
          #expect(throws: Never.self, "\(sql)") {
            try db.inTransaction {
              if sql.hasPrefix("CREATE") || sql.hasPrefix("DROP") || sql.hasPrefix("ANALYZE") {
                try db.execute(sql: sql)
              } else if !sql.contains("_search") {
                _ = try db.makeStatement(sql: sql)
              }
              return .rollback
            }
          }
        }
      }
    }
    var migrator = DatabaseMigrator()
    let changes = report.indexAdvice?.migrationSQL ?? []
    migrator.registerMigration("apply") { db in
      for sql in changes { try db.execute(sql: sql) }
    }
    try migrator.migrate(queue)
    // As it was, for the shell.
    try queue.writeWithoutTransaction { db in
      for index in report.indexAdvice?.create ?? [] { try db.execute(sql: "DROP INDEX \"\(index.name)\"") }
      for index in report.indexAdvice?.drop ?? [] {
        let columns = try Row.fetchAll(db, sql: "PRAGMA table_info(\"\(index.table)\")")
        try db.execute(
          sql: "CREATE INDEX \"\(index.name)\" ON \"\(index.table)\" (\"\(columns[0]["name"] as String)\")")
      }
    }
    try queue.close()
  }

  /// One answer for each statement, and no index both made and not.
  private func checkOnePlan(_ report: DiagnosisReport) throws {
    let planned = Set(report.indexAdvice?.migrationSQL ?? [])
    var fixed: Set<Int> = []
    for finding in report.findings {
      let sql = finding.fix?.sql ?? []
      guard case .proven = finding.outcome else { continue }
      if let statement = finding.statement, !sql.isEmpty, finding.kind != .wideRowsForCount {
        #expect(fixed.insert(statement).inserted, "S\(statement) has two answers")
      }
      for change in sql where change.hasPrefix("CREATE INDEX") && !planned.isEmpty {
        #expect(planned.contains(change), "\(change)")
        #expect(!change.contains("?"))
      }
    }
    // Of two indexes, none begins the other.
    let keys = (report.indexAdvice?.create ?? []).map { String($0.sql.drop { $0 != "(" }.dropLast()) + $0.table }
    #expect(Set(keys).count == keys.count)
  }
}
