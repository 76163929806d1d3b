import Foundation
import Testing

@testable import SanderlingDiagnosis

/// If time does not suffice for all statements, the statements that cost most come first.
@Suite(.countedTime) struct WorkloadOrderTests {
  private let files: DatabaseFixture

  init() throws {
    files = try DatabaseFixture()
    _ = try files.app("app.sqlite", AdviceFixture.tasks)
  }

  private func workload(_ sql: [String]) -> Workload {
    var reader = WorkloadReader()
    for sql in sql { reader.add(sql: sql) }
    return reader.workload
  }

  private func order(_ workload: Workload) throws -> WorkloadOrder {
    let copy = try files.copy("")
    let schema = try DatabaseSchemaReader(connection: copy.connection).read()
    return try WorkloadOrder(workload, connection: copy.connection, schema: schema)
  }

  @Test func plansEstimateTheCostliestStatements() throws {
    let order = try order(
      workload([
        "SELECT * FROM task WHERE id = 7", "SELECT * FROM task a JOIN task b ON a.size = b.priority",
        "SELECT * FROM task WHERE size = 3", "INSERT INTO task (title) VALUES ('a')",
      ]))
    #expect(order.isEstimated)
    #expect(order.items.prefix(2).map(\.statement.id) == [2, 3])
    #expect(order.coverage(measured: [1: 1, 2: 1, 3: 1, 4: 1], searched: []).share == 1)
    #expect(order.coverage(measured: [2: 1], searched: [2]).share > 0.5)
  }

  @Test func loggedTimesDecideTheOrder() throws {
    var workload = workload(["SELECT * FROM task WHERE id = 7", "SELECT * FROM task WHERE size = 3"])
    workload.statements[0].totalTime = .seconds(3)
    workload.statements[1].totalTime = .seconds(1)
    let order = try order(workload)
    #expect(!order.isEstimated)
    #expect(order.items.map(\.statement.id) == [1, 2])
    #expect(order.coverage(measured: [1: 0.001], searched: []).share == 0.75)
  }

  /// Measured times count more than estimates from plans. By its plan, the join takes nearly all of the time; measured,
  /// it takes half.
  @Test func measuredTimesCountMoreThanPlans() throws {
    let order = try order(
      workload(["SELECT * FROM task a JOIN task b ON a.size = b.priority", "SELECT * FROM task WHERE size = 3"]))
    let coverage = order.coverage(measured: [1: 0.120, 2: 0.126], searched: [1])
    #expect(coverage.share == 1)
    #expect(abs(coverage.searchedShare - 120.0 / 246) < 1e-9)
  }

  /// If the budget suffices only for some of many statements, the report states their share of the time, and the
  /// diagnosis stays within the budget.
  @Test func manyStatementsKeepToTheBudget() throws {
    let sql = (1...300).map { "SELECT title FROM task WHERE size + \($0) = 7" + String(repeating: " AND 1", count: $0) }
    let (questions, most) = (Deadline.Questions(), 10_000)
    var options = Diagnosis.Options()
    options.deadline = .passing(with: questions, most)
    let report = try Diagnosis(database: files.url(), options: options).run(
      workload(sql + ["SELECT count(*) FROM task a JOIN task b ON a.size = b.priority"]))
    // SQLite checks the budget every few thousand instructions, so work that continued after the end would ask many
    // times.
    #expect(questions.asked < 2 * most, "\(questions.asked)")
    let coverage = try #require(report.coverage)
    #expect(coverage.statements == 301)
    #expect(report.statements.count == 301)
    #expect(coverage.searched <= coverage.measured)
    #expect(report.statements.last?.measurements.isEmpty == false)
    let lines = TerminalReport(report, width: 80).text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 101)
  }

  @Test(arguments: [
    ("SELECT 1", false), ("INSERT INTO t VALUES (1)", true), ("replace into t values (1)", true),
    ("WITH a AS (SELECT 1) DELETE FROM t WHERE id IN a", true), ("WITH a AS (SELECT 1) SELECT * FROM a", false),
    ("WITH \"update\" AS (SELECT 1) SELECT * FROM \"update\"", false), ("/* UPDATE */ VALUES (1)", false),
    ("UPDATE t SET a = (SELECT 1)", true), ("SELECT replace(a, 'b', 'c') FROM t", false),
  ])
  func writesAreRecognisedByTheirKeywords(sql: String, isWrite: Bool) {
    #expect(WorkloadStatement(id: 1, fingerprint: "", sql: sql).isWrite == isWrite)
  }

  /// For writes, only changes of the schema are proposed, and an index that only slows them down counts as a cost.
  @Test func writesAreCostsOfIndexes() throws {
    let report = try Diagnosis(database: files.url()).run(
      workload([
        "SELECT title FROM task WHERE size = 3", "UPDATE task SET title = 'a' WHERE size = 3",
        "DELETE FROM task WHERE id = 7",
      ]))
    #expect(report.statements.count == 3, "\(report.skipped)")
    let advice = try #require(report.indexAdvice)
    #expect(advice.writeCost != nil)
    for finding in report.findings where [2, 3].contains(finding.statement) {
      #expect(!finding.title.contains("return"), "\(finding.title)")
      #expect(finding.fix?.sql.allSatisfy { $0.changesSchema } ?? true)
    }
  }
}
