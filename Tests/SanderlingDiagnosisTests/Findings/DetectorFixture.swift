import Foundation
import Testing

@testable import SanderlingDiagnosis

/// A database that a script creates, a copy of it, and the context in which detectors run on the copy.
struct DetectorFixture {
  let context: DetectorContext
  /// The files of the database. Its folder is removed when the last copy of this fixture is released.
  private let databases: DatabaseFixture

  init(_ script: String, showsValues: Bool = false) throws {
    databases = try DatabaseFixture()
    let url = databases.url()
    let database = try SQLiteConnection(path: url.path, mode: .copy)
    for statement in StatementSplitter.split(script) { try database.run(statement.sql) }
    let copy = try DatabaseCopy(of: url)
    let schema = try DatabaseSchemaReader(connection: copy.connection).read()
    var runner = StatementRunner(connection: copy.connection)
    // Findings are decided by counted work alone: other tests run meanwhile, and take the caches of the processor. Budgets
    // end by counted time, too: see `counted`.
    runner.now = { .zero }
    context = DetectorContext(
      copy: copy, schema: schema, runner: runner,
      questionTime: .seconds(20), showsValues: showsValues)
  }

  func analyzed(_ sql: String, bindings: [[Int: BoundValue]] = [], count: Int = 1) throws -> AnalyzedStatement {
    let statement = WorkloadStatement(
      id: 1, fingerprint: Fingerprint.of(sql), sql: sql, count: count, bindings: bindings)
    return try analyzed(statement)
  }

  func analyzed(_ statement: WorkloadStatement) throws -> AnalyzedStatement {
    try counted {
      try StatementAnalyzer(connection: context.connection, schema: context.schema, runner: context.runner)
        .analyze(statement)
    }
  }

  func findings(
    _ detector: any FindingDetector, _ sql: String, bindings: [[Int: BoundValue]] = []
  ) throws -> [Finding] {
    let statement = try analyzed(sql, bindings: bindings)
    return try counted { try detector.findings(for: statement, in: context) }
  }

  /// Runs `body` on a clock of its own, which advances only when `body` reads it. So a budget ends at the same place on a
  /// busy machine.
  func counted<Result>(_ body: () throws -> Result) rethrows -> Result {
    try WorkClock.$current.withValue(.counted(WorkClock.Questions(each: Self.ofQuestion)), operation: body)
  }

  /// Less than SQLite works between two questions, so that a proof of many small statements ends by its comparisons.
  private static let ofQuestion = Duration.microseconds(50)

  /// Numbers from 1 as a table `n(i)`, for scripts.
  static func numbers(_ count: Int) -> String {
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))"
  }
}

extension Finding {
  var isProven: Bool {
    if case .proven = outcome { return true }
    return false
  }

  func evidence(_ name: String) -> Evidence? { evidence.first { $0.name.hasPrefix(name) } }
}
