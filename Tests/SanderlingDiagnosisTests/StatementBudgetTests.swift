import Foundation
import Testing

@testable import SanderlingDiagnosis

/// All work on a statement has one budget, and the report names the work that the budget left out.
@Suite(.countedTime) struct StatementBudgetTests {
  let files: DatabaseFixture

  init() throws {
    files = try DatabaseFixture()
  }

  private func report(_ sql: [String], _ budget: Duration?) throws -> DiagnosisReport {
    var reader = WorkloadReader()
    for sql in sql { reader.add(sql: sql) }
    var options = Diagnosis.Options()
    options.statementBudget = budget
    options.deadline = Deadline(afterWorking: .seconds(60))
    _ = try files.app("app.sqlite", AdviceFixture.tasks)
    return try Diagnosis(database: files.url(), options: options).run(reader.workload)
  }

  private static let endless =
    "SELECT count(*) FROM task a, task b, task c WHERE a.size + b.size + c.size > a.priority * b.priority"

  /// A statement that never ends doesn't use up the time of the next statement. Its cost is a lower bound, and the
  /// report names the omitted trials.
  @Test func endlessStatementLeavesTimeForTheNext() throws {
    let report = try report([Self.endless, "SELECT * FROM task WHERE projectID = 7"], .seconds(2))
    #expect(!report.notes.contains { $0.hasPrefix("The time budget ended") }, "\(report.notes)")
    let endless = try #require(report.statements.first { $0.statement.sql == Self.endless })
    #expect(endless.measurements.map(\.measurement.isComplete) == [false])
    #expect(report.notes.contains { $0.hasPrefix("S\(endless.statement.id): ") && $0.contains("lower bounds") })
    let other = try #require(report.statements.first { $0.statement.sql != Self.endless })
    #expect(report.findings.contains { $0.statement == other.statement.id && $0.fix?.sql.isEmpty == false })
  }

  @Test func unmeasuredStatementIsReported() throws {
    let report = try report(["SELECT * FROM task WHERE projectID = 7 AND size > 5"], .nanoseconds(1))
    #expect(report.statements.map(\.measurements.isEmpty) == [true])
    #expect(report.notes.contains { $0.hasPrefix("S1: ") && $0.contains("budget") }, "\(report.notes)")
    #expect(!report.findings.contains { $0.statement == 1 })
  }

  /// However many deadlines are nested, a deadline with a clock of its own is asked once.
  @Test func earlierMoments() {
    let questions = Deadline.Questions()
    var deadline = Deadline.passing(with: questions, 100)
    for _ in 0..<20 { deadline = Deadline(afterWorking: .seconds(1_000)).earlier(deadline) }
    #expect(!deadline.hasPassed)
    #expect(questions.asked == 1)
    #expect(Deadline(after: .zero).earlier(.never).hasPassed)
    #expect(Deadline.never.earlier(Deadline(afterWorking: .zero)).hasPassed)
    #expect(!Deadline.never.earlier(.standingStill).hasPassed)
    for _ in 0..<100 { _ = deadline.remaining() }
    #expect(deadline.hasPassed)
  }

  @Test func nestedBudgetsAreNeverLarger() throws {
    let copy = try files.copy(AdviceFixture.tasks)
    copy.connection.limited(to: StatementBudget(deadline: Deadline { .seconds(3) }, steps: 50)) {
      copy.connection.limited(to: StatementBudget(deadline: Deadline { .seconds(9) }, steps: 70)) {
        #expect(copy.connection.budget.deadline.remaining() == .seconds(3))
        #expect(copy.connection.budget.steps == 50)
      }
      copy.connection.limited(to: StatementBudget(deadline: Deadline { .seconds(2) }, steps: 40)) {
        #expect(copy.connection.budget.deadline.remaining() == .seconds(2))
        #expect(copy.connection.budget.steps == 40)
      }
      #expect(copy.connection.budget.steps == 50)
    }
    #expect(copy.connection.budget.steps == .max)
  }
}
