import Foundation
import SanderlingDiagnosis
import Testing

@testable import SanderlingCLI

/// What is given and can't be diagnosed is an error that names the place.
struct DiagnoseInputTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func log(_ text: String) throws -> String {
    let path = folder.file("input.log")
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  @Test(arguments: ["", "\n\n", "2026-11-21 12:00 App started\n", "\u{0}\u{1}\u{2}"])
  func aLogWithoutStatements(text: String) throws {
    let path = try log(text)
    let input = try DiagnoseInput.parse(["--log", path])
    let error = #expect(throws: WorkloadReadingError.self) { try input.workload(with: []) }
    #expect(error?.description.contains(path) == true)
    #expect(error?.description.contains("SQLDebug") == true)
  }

  @Test(arguments: [";", "SELEC 1", "DROP TABLE t", "PRAGMA user_version = 3"])
  func argumentsWithoutStatements(sql: String) throws {
    let error = #expect(throws: DiagnoseError.self) { try DiagnoseInput.parse([]).workload(with: [sql]) }
    #expect(error?.description.contains("SELECT, INSERT, UPDATE or DELETE") == true)
    #expect(error?.description.contains("..") == false)
  }

  @Test func aFileInPlaceOfAStatement() throws {
    let path = try log("SELECT 1;")
    #expect(throws: DiagnoseError.isFile(path)) { try DiagnoseInput.parse([]).workload(with: [path]) }
  }

  @Test func noInputIsNoError() throws {
    #expect(try DiagnoseInput.parse([]).workload(with: []).statements.isEmpty)
  }

  @Test func argumentsThatAreLeftOut() throws {
    var report = DiagnosisReport(
      database: DatabaseSummary(
        name: "app.sqlite", sqliteVersion: "3", bytes: 0, pageSize: 4096, journalMode: "wal", tables: 0, indexes: 0,
        analyzedIndexes: 0))
    let input = try DiagnoseInput.parse(["--sql-file", "a.sql", "--log", "b.log"])
    #expect(input.failure(in: report) == nil)
    report.statements = [
      StatementReport(statement: WorkloadStatement(id: 2, fingerprint: "", sql: ""), plan: QueryPlan())
    ]
    report.skipped = [SkippedInput(place: InputPlace(source: "b.log", line: 7), reason: "Cut off.")]
    // A log has other lines, too.
    #expect(input.failure(in: report) == nil)
    report.skipped.append(SkippedInput(place: InputPlace(source: "a.sql", line: 3), reason: "No such table."))
    #expect(
      input.failure(in: report) == .leftOut(count: 1, place: "a.sql:3", reason: "No such table."))
    #expect(input.failure(in: report)?.description.contains("a.sql:3: No such table.") == true)
  }
}
