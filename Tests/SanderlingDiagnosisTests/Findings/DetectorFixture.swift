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
    // The clock stands still, so only counted work decides. Other tests run meanwhile and use the processor's caches.
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
    try StatementAnalyzer(connection: context.connection, schema: context.schema, runner: context.runner)
      .analyze(statement)
  }

  func findings(
    _ detector: any FindingDetector, _ sql: String, bindings: [[Int: BoundValue]] = []
  ) throws -> [Finding] {
    try detector.findings(for: analyzed(sql, bindings: bindings), in: context)
  }

  /// SQL of a common table expression `n(i)` with the numbers from 1 to `count`, for scripts.
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
