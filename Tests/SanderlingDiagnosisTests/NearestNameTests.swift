import SanderlingSQL
import Testing

@testable import SanderlingDiagnosis

/// A statement with a misspelled name gets an error with the nearest name, and no finding.
struct NearestNameTests {
  private let files: DatabaseFixture

  init() throws {
    files = try DatabaseFixture()
    _ = try files.app("app.sqlite", AdviceFixture.tasks)
  }

  private func report(_ sql: [String]) throws -> DiagnosisReport {
    var reader = WorkloadReader()
    for sql in sql { reader.add(sql: sql) }
    return try Diagnosis(database: files.url()).run(reader.workload)
  }

  @Test(arguments: [
    ("SELECT * FROM tsk WHERE size = 1", "no such table: tsk. The nearest name is task."),
    ("SELECT * FROM taks", "The nearest name is task."),
    ("SELECT title FROM task WHERE projctID = 7", "no such column: projctID. The nearest name is projectID."),
    ("SELECT t.sise FROM task AS t", "The nearest name is size."),
    ("UPDATE task SET sizze = 1", "The nearest name is size."),
    ("INSERT INTO task (sizes) VALUES (1)", "The nearest name is size."),
  ])
  func nearestNameIsShownInTheError(sql: String, message: String) throws {
    let report = try report([sql])
    #expect(report.skipped.count == 1)
    #expect(report.skipped.first?.reason.contains(message) == true, "\(report.skipped)")
    #expect(report.findings.isEmpty)
    #expect(report.statements.isEmpty)
  }

  @Test func distantNameIsNotSuggested() throws {
    let report = try report(["SELECT * FROM zzzzzzzzzz"])
    #expect(report.skipped.first?.reason.contains("nearest") == false)
    #expect(report.skipped.first?.reason.hasSuffix("no such table: zzzzzzzzzz.") == true)
  }

  /// Other statements are diagnosed beside a statement with a misspelled name, and so is the database.
  @Test func otherStatementsAreDiagnosed() throws {
    let report = try report(["SELECT * FROM tsk", "SELECT * FROM task WHERE projectID = 7"])
    #expect(report.statements.map(\.statement.id) == [2])
    #expect(report.skipped.map { $0.reason.hasPrefix("S1: ") } == [true])
    #expect(!report.findings.isEmpty)
  }

  @Test(arguments: [("", "", 0), ("a", "", 1), ("task", "taks", 1), ("task", "tasks", 1), ("kitten", "sitting", 3)])
  func distanceCountsChangesOfCharacters(one: String, other: String, distance: Int) {
    #expect(SimilarNames.distance(one, other) == distance)
    #expect(SimilarNames.distance(other, one) == distance)
  }
}
