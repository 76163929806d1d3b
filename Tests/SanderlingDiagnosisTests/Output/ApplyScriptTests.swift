import Foundation
import SanderlingDiagnosis
import Testing

/// The printed script runs as printed, in the shell and in a migration, without contradictions.
struct ApplyScriptTests {
  /// Prints and runs the fixes for schemas with superfluous indexes, JSON, NULLs, wrong sums, full-text tables and
  /// foreign keys. `make corpus` checks all other schemas.
  @Test(arguments: ["library", "tickets", "sensors", "llm", "svn"])
  func everyFixRunsAsPrinted(name: String) async throws {
    let schema = try #require(Corpus.schemas.first { $0.name == name })
    let path = try await CorpusFolder.shared.path(of: schema)
    var reader = WorkloadReader()
    for statement in schema.statements { reader.add(sql: statement.sql) }
    // Values are hidden, which is the default.
    let options = Diagnosis.Options()
    let report = try Diagnosis(database: URL(fileURLWithPath: path), options: options).run(reader.workload)
    var score = ReportScore()
    try await score.add(report, of: schema, timeBudget: options.timeBudget)
    #expect(score.printed > 0)
    #expect(score.refused.isEmpty && score.contradictions.isEmpty && score.wrong.isEmpty, "\(score)")
  }
}
