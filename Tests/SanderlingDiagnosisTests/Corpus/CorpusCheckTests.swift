import Foundation
import SanderlingDiagnosis
import Testing

/// The corpus keeps its own rules. No diagnosis tool takes part in this.
struct CorpusCheckTests {
  @Test func corpusIsLargeAndAThirdNeedsNoFix() {
    let statements = Corpus.statements
    #expect(Corpus.schemas.count >= 8)
    #expect(statements.count >= 130)
    #expect((0.3...0.4).contains(Double(statements.filter(\.isFine).count) / Double(statements.count)))
    #expect(Set(statements.map(\.id)).count == statements.count)
    for schema in Corpus.schemas {
      #expect(schema.statements.allSatisfy { $0.id.hasPrefix(schema.name + "-") }, "\(schema.name)")
    }
  }

  @Test func eachKindOfStatementFindingOccurs() {
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

  /// Checks some schemas. `make corpus` checks every schema that it scores.
  @Test(arguments: ["todo", "commerce", "library", "tickets", "sensors", "llm", "svn"])
  func recordedFixesAndSuperfluousIndexesAreRight(name: String) async throws {
    try await CorpusCheck.check(try #require(Corpus.schemas.first { $0.name == name }))
  }
}

enum CorpusCheck {
  /// Checks that each statement runs, that each remedy makes its statement cheaper without changing its rows, and that
  /// the superfluous indexes exist.
  static func check(_ schema: CorpusSchema) async throws {
    let baseline = try await CorpusBaseline.shared.costs(of: schema)
    for statement in schema.statements {
      let costs = try #require(baseline[statement.id])
      for (remedy, after) in zip(statement.remedies.filter(\.isMeasurable), costs.remedies) {
        let saved = 1 - after.cost / costs.before.cost
        let comment: Comment = "\(statement.id): \(remedy): \(costs.before) → \(after)"
        #expect(saved > 0.3, comment)
        #expect(costs.before.cost - after.cost > CorpusScore.leastDifference, comment)
        #expect(after.digest == costs.before.digest || remedy.changesResults, comment)
      }
    }
    let connection = try CorpusConnection(path: try await CorpusFolder.shared.path(of: schema))
    for index in schema.superfluousIndexes.flatMap(\.names) {
      let rows = try connection.run("SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ?", [.text(index)])
      #expect(rows.rowCount == 1, "\(index)")
    }
  }
}
