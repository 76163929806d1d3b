import Testing

@testable import SanderlingDiagnosis

/// Indexes that SQLite uses only after ANALYZE, and ANALYZE without new indexes.
@Suite struct StatisticsWithIndexesTests {
  private static let script = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, owner INTEGER NOT NULL, note TEXT);
    \(AdviceFixture.numbers(20_000)) INSERT INTO item SELECT i, i % 5000, i * 7 % 4000, printf('%.80c', 'x') FROM n;
    """
  /// A statement that needs two indexes, since neither serves it alone:
  /// https://www.sqlite.org/optoverview.html#or_optimizations
  private static let either = "SELECT note FROM item WHERE kind = 7 OR owner = 9"

  private func candidate(_ column: String) -> IndexCandidate {
    IndexCandidate(table: "item", keys: [.init(column: column, sql: "\"\(column)\"")], purposes: [.filter])
  }

  /// Advice that a statement needs all indexes of `set` and ANALYZE, whether or not this is true.
  private func advice(
    _ statement: AnalyzedStatement, _ set: [IndexCandidate], in fixture: AdviceFixture
  ) -> StatementAdvice {
    var advice = StatementAdvice(statement: statement.statement.id, planBefore: statement.plan)
    advice.change = .create(set)
    advice.sql = set.map { $0.creation(named: fixture.advisor.names.name(of: $0)) } + ["ANALYZE"]
    return advice
  }

  /// Two indexes that gain only together are chosen together, for one statement and for several.
  @Test(arguments: [1, 2])
  func indexesThatGainTogether(statements: Int) throws {
    let fixture = try AdviceFixture(Self.script)
    let all = try [Self.either, "SELECT note FROM item WHERE id = 5"].prefix(statements).enumerated().map {
      try fixture.analyze($1, id: $0 + 1)
    }
    let set = [candidate("kind"), candidate("owner")]
    let chosen = try fixture.advisor.indexSet(
      for: all, advice: [advice(all[0], set, in: fixture)], maximumIndexes: 5)
    #expect(Set(chosen.candidates) == Set(set), "\(chosen.migrationSQL)")
    let gain = try #require(chosen.gain(of: 1))
    #expect(gain.workAfter * 20 < gain.before.work)
  }

  /// ANALYZE is not proposed if it changes no plan, even if the advice for a statement contains it.
  @Test func noBareAnalyze() throws {
    let fixture = try AdviceFixture(Self.script)
    let all = [try fixture.analyze(Self.either), try fixture.analyze("SELECT note FROM item WHERE id = 5", id: 2)]
    let useless = [candidate("note")]
    let chosen = try fixture.advisor.indexSet(
      for: all, advice: [advice(all[0], useless, in: fixture)], maximumIndexes: 5)
    #expect(chosen.create.isEmpty && chosen.migrationSQL.isEmpty, "\(chosen.migrationSQL)")
  }

  /// The report for one statement has both indexes that the statement needs, and claims no harm for other statements.
  @Test func singleStatementGetsBothIndexes() throws {
    let files = try DatabaseFixture()
    _ = try files.app("app.sqlite", Self.script)
    var reader = WorkloadReader()
    reader.add(sql: Self.either)
    let report = try Diagnosis(database: files.url()).run(reader.workload)
    let sql = report.findings.filter { $0.isProven && $0.statement == 1 }.flatMap { $0.fix?.sql ?? [] }
    #expect(sql.count(where: \.createsIndex) == 2, "\(sql)")
    let reasons = report.findings.compactMap { finding -> String? in
      if case .notMeasured(let reason) = finding.outcome { reason } else { nil }
    }
    #expect(!reasons.contains { $0.contains("costs others") })
    #expect(report.indexAdvice?.verdict.contains("left out") != true)
  }
}
