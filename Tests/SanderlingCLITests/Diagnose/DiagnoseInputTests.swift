import Foundation
import SanderlingDiagnosis
import Testing

@testable import SanderlingCLI

/// Input that can't be diagnosed is an error that names the place of the input.
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

  @Test func emptyInputIsNoError() throws {
    #expect(try DiagnoseInput.parse([]).workload(with: []).statements.isEmpty)
  }

  @Test func leftOutArgumentsFailAndLeftOutLogLinesDoNot() throws {
    var report = DiagnosisReport(
      database: DatabaseSummary(
        name: "app.sqlite", sqliteVersion: "3", bytes: 0, pageSize: 4096, journalMode: "wal", tables: 0, indexes: 0,
        analyzedIndexes: 0))
    let input = try DiagnoseInput.parse(["--sql-file", "a.sql", "--log", "b.log"])
    #expect(input.failure(in: report) == nil)
    report.statements = [
      Self.statement(2, InputPlace(source: "b.log", line: 6), .measured([], .tried(0, isCutShort: false)))
    ]
    report.skipped = [SkippedInput(place: InputPlace(source: "b.log", line: 7), reason: "Cut off.")]
    // A log may contain lines that are not statements.
    #expect(input.failure(in: report) == nil)
    report.skipped.append(SkippedInput(place: InputPlace(source: "a.sql", line: 3), reason: "No such table."))
    #expect(
      input.failure(in: report) == .leftOut(count: 1, place: "a.sql:3", reason: "No such table."))
    #expect(input.failure(in: report)?.description.contains("a.sql:3: No such table.") == true)
  }

  private static func statement(_ id: Int, _ place: InputPlace, _ state: StatementReport.State) -> StatementReport {
    StatementReport(
      statement: WorkloadStatement(id: id, fingerprint: "", sql: "", places: [place]), plan: QueryPlan(), state: state)
  }

  private static let database = DatabaseSummary(
    name: "app.sqlite", sqliteVersion: "3", bytes: 0, pageSize: 4096, journalMode: "wal", tables: 0, indexes: 0,
    analyzedIndexes: 0)

  private static let argument = InputPlace(source: "argument 1", line: nil)
  private static let ofLog = InputPlace(source: "b.log", line: 6)
  private static let untried = StatementReport.State.measured([], .none)
  private static let fine = StatementReport.State.measured([], .tried(2, isCutShort: false))

  /// Each statement in the arguments must be measured. Of a log's statements, one is enough.
  @Test func statementsThatDidNotRun() throws {
    let input = try DiagnoseInput.parse(["--log", "b.log"])
    let state = StatementReport.State.notMeasured(reason: "The time ended; --budget allows more.")
    var report = DiagnosisReport(
      database: Self.database,
      statements: [Self.statement(1, Self.argument, state), Self.statement(2, Self.ofLog, Self.fine)])
    let failure = try #require(input.failure(in: report))
    #expect(failure == .notMeasured(count: 1, place: "argument 1", reason: "The time ended; --budget allows more."))
    #expect(
      failure.description == "A statement was not measured. argument 1: The time ended; --budget allows more.")
    report.statements = [Self.statement(1, Self.ofLog, state), Self.statement(2, Self.ofLog, Self.fine)]
    #expect(input.failure(in: report) == nil)
    report.statements.removeLast()
    #expect(
      input.failure(in: report)
        == .notMeasured(count: 1, place: "b.log:6", reason: "The time ended; --budget allows more."))
  }

  @Test func statementsThatNoFixWasTriedFor() throws {
    let input = try DiagnoseInput.parse(["--log", "b.log"])
    func lacksTime(_ statements: [StatementReport]) -> Bool {
      input.lacksTime(in: DiagnosisReport(database: Self.database, statements: statements))
    }
    #expect(lacksTime([Self.statement(1, Self.argument, Self.untried), Self.statement(2, Self.ofLog, Self.fine)]))
    #expect(!lacksTime([Self.statement(1, Self.argument, Self.fine), Self.statement(2, Self.ofLog, Self.untried)]))
    #expect(lacksTime([Self.statement(1, Self.ofLog, Self.untried)]))
    #expect(!lacksTime([]))
  }

  /// An error without a place doesn't begin its second sentence with a colon.
  @Test func failuresWithoutAPlace() {
    #expect(
      DiagnoseError.leftOut(count: 1, place: "", reason: "No such table").description
        == "A statement was left out. No such table. Correct it, and run again; the report has the others.")
  }
}
