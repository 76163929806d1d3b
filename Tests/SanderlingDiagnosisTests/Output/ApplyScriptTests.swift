import Foundation
import SanderlingDiagnosis
import Testing

/// The printed script runs as printed, in the shell and in a migration, and gives one consistent answer.
struct ApplyScriptTests {
  /// Schemas with indexes to drop, JSON, NULLs, wrong sums, full-text tables and foreign keys. All others are looked at by
  /// `make corpus`.
  @Test(arguments: ["library", "tickets", "sensors", "llm", "svn"])
  func everyFixRunsAsPrinted(name: String) async throws {
    let schema = try #require(Corpus.schemas.first { $0.name == name })
    let path = try await CorpusFolder.shared.path(of: schema)
    var reader = WorkloadReader()
    for statement in schema.statements { reader.add(sql: statement.sql) }
    // Values are hidden, as they are without being asked for.
    let options = Diagnosis.Options()
    let report = try Diagnosis(database: URL(fileURLWithPath: path), options: options).run(reader.workload)
    var score = ReportScore()
    try await score.add(report, of: schema, timeBudget: options.timeBudget)
    #expect(score.printed > 0)
    #expect(score.refused.isEmpty && score.contradictions.isEmpty && score.wrong.isEmpty, "\(score)")
  }
}
