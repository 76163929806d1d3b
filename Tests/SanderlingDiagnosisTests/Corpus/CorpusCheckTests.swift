import Foundation
import SanderlingDiagnosis
import Testing

/// The corpus keeps its own promises. No tool takes part.
struct CorpusCheckTests {
  @Test func `it is large, varied, and a third of it is fine`() {
    let statements = Corpus.statements
    #expect(Corpus.schemas.count >= 8)
    #expect(statements.count >= 130)
    #expect((0.3...0.4).contains(Double(statements.filter(\.isFine).count) / Double(statements.count)))
    #expect(Set(statements.map(\.id)).count == statements.count)
    for schema in Corpus.schemas {
      #expect(schema.statements.allSatisfy { $0.id.hasPrefix(schema.name + "-") }, "\(schema.name)")
    }
  }

  @Test func `each kind of finding that is about statements occurs`() {
    let aboutDatabases: Set<FindingKind> = [
      .redundantIndex, .duplicateIndex, .unusedIndex, .journalMode, .synchronousMode, .pageSize, .cacheSize,
      .autoVacuum,
      .fragmentation,
    ]
    let named = Corpus.statements.reduce(into: Set<FindingKind>()) { kinds, statement in
      if case .fix(let own, _, _, _) = statement.verdict { kinds.formUnion(own) }
    }
    #expect(named == Set(FindingKind.allCases).subtracting(aboutDatabases))
  }

  @Test(arguments: CorpusTests.schemas.map(\.name))
  func `each statement runs, and each remedy makes it cheaper without changing its rows`(name: String) async throws {
    let schema = try #require(Corpus.schemas.first { $0.name == name })
    let baseline = try await CorpusBaseline.shared.costs(of: schema)
    for statement in schema.statements {
      let costs = try #require(baseline[statement.id])
      var lines = ["\(statement.id): \(costs.before)"]
      for (remedy, after) in zip(statement.remedies.filter(\.isMeasurable), costs.remedies) {
        let saved = 1 - after.cost / costs.before.cost
        lines.append("  → \(after), saves \(Int((saved * 100).rounded())) %")
        #expect(saved > 0.3, "\(statement.id): \(remedy)")
        #expect(costs.before.cost - after.cost > CorpusScore.leastDifference, "\(statement.id): \(remedy)")
        #expect(after.digest == costs.before.digest || remedy.changesResults, "\(statement.id): other rows: \(remedy)")
      }
      print(lines.joined(separator: "\n"))
    }
  }

  @Test(arguments: CorpusTests.schemas.map(\.name))
  func `the indexes that can go are there`(name: String) async throws {
    let schema = try #require(Corpus.schemas.first { $0.name == name })
    let connection = try CorpusConnection(path: try await CorpusFolder.shared.path(of: schema))
    for index in schema.superfluousIndexes.flatMap(\.names) {
      let rows = try connection.run("SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ?", [.text(index)])
      #expect(rows.rowCount == 1, "\(index)")
    }
  }
}
