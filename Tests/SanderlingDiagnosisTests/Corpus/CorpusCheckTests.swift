import Foundation
import Testing

/// Checks of the corpus itself; no tool takes part.
@Suite(.serialized) struct CorpusCheckTests {
  @Test func `each statement runs, and each best fix makes it cheaper`() async throws {
    let only = ProcessInfo.processInfo.environment["SANDERLING_CORPUS_ONLY"]
    for schema in Corpus.schemas where only == nil || only == schema.name {
      let clock = ContinuousClock()
      let start = clock.now
      let path = try await CorpusFolder.shared.copy(of: schema)
      defer { try? FileManager.default.removeItem(atPath: path) }
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
      print("== \(schema.name): \(size / 1_000_000) MB, made in \(clock.now - start)")
      for statement in schema.statements {
        do { try check(statement, path) } catch { Issue.record("\(statement.id): \(error)") }
      }
    }
  }

  private func check(_ statement: CorpusStatement, _ path: String) throws {
    let trial = CorpusTrial(path: path)
    let before = try trial.cost(of: statement, Remedy())
    print(statement.id, "before", before)
    guard case .fix(_, let best, let alternatives, _) = statement.verdict else { return }
    for (index, remedy) in ([best] + alternatives).enumerated() where remedy.isMeasurable {
      let after = try trial.cost(of: statement, remedy)
      let saved = 1 - after.cost / before.cost
      print("   ", index == 0 ? "best" : "alternative", after, "saves \(Int((saved * 100).rounded())) %")
      if let replacement = remedy.replacement, !remedy.changesResults {
        #expect(before.digest == after.digest, "\(statement.id): \(replacement) returns other rows")
      }
      #expect(saved > 0.3, "\(statement.id): remedy \(index) saves \(saved)")
    }
  }
}
