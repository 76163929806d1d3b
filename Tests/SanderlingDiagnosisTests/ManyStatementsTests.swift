import Foundation
import Testing

@testable import SanderlingDiagnosis

/// Workloads with more statements than there is time to try fixes for. Indexes are chosen and measured for all
/// statements together.
@Suite(.countedTime) struct ManyStatementsTests {
  private let seed = SeededGenerator.defaultSeed

  /// The report's measurements of an index set equal the measurements of a fresh copy with these indexes. Steps are
  /// compared, which are the same in each run.
  @Test func reportedIndexSetEqualsAFreshCopysMeasurements() throws {
    print("SANDERLING_SEED=\(seed)")
    var random = ShopRandom(seed: seed)
    let files = try DatabaseFixture()
    _ = try files.app("app.sqlite", random.schema)
    var reader = WorkloadReader()
    for sql in random.executions(shapes: 220) { reader.add(sql: sql) }
    var options = Diagnosis.Options()
    let (start, budget) = (Deadline.timeOfThread, Duration.seconds(20))
    options.deadline = Deadline(afterWorking: budget)
    let report = try Diagnosis(database: files.url(), options: options).run(reader.workload)
    #expect(Deadline.timeOfThread - start < budget * 1.5, "seed \(seed)")
    let set = try #require(report.indexAdvice, "seed \(seed)")
    try #require(set.isMeasured && !set.create.isEmpty, "seed \(seed): \(set.verdict)")
    expectOneAnswer(report, set)
    let lines = TerminalReport(report, width: 80).text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 80, "seed \(seed): \(lines.count) lines")

    let before = try DatabaseCopy(of: files.url(), options: files.options)
    let after = try DatabaseCopy(of: files.url(), options: files.options)
    for sql in set.migrationSQL { try after.connection.run(sql) }
    let gains = Dictionary(set.gains.map { ($0.statement, $0.comparison) }) { first, _ in first }
    var compared = 0
    for statement in report.statements where !statement.measurements.isEmpty && !statement.statement.isWrite {
      let sql = statement.statement.sql
      let (now, then) = (try measurement(of: sql, on: before), try measurement(of: sql, on: after))
      if let gain = gains[statement.statement.id] {
        compared += 1
        if gain.before.isComplete { #expect(gain.before.steps == now.steps, "seed \(seed): \(sql)") }
        if gain.after.isComplete { #expect(gain.after.steps == then.steps, "seed \(seed): \(sql)") }
        #expect(now.rowsReturned == then.rowsReturned, "seed \(seed): \(sql)")
      } else {
        // A statement that isn't mentioned costs as much as before.
        let change = abs(ExecutionCost.of(now) - ExecutionCost.of(then))
        #expect(change <= max(300, 0.06 * ExecutionCost.of(now)), "seed \(seed): \(sql)")
      }
    }
    #expect(compared > 5, "seed \(seed)")
  }

  private func measurement(of sql: String, on copy: DatabaseCopy) throws -> StatementMeasurement {
    try StatementRunner(connection: copy.connection).measure(sql)
  }

  /// Expects no duplicate index and no index that is a prefix of another. All indexes of findings are in the set, and
  /// each statement has one fix at most.
  private func expectOneAnswer(_ report: DiagnosisReport, _ set: IndexAdvice) {
    let created = set.create.map(\.sql)
    #expect(Set(created).count == created.count, "seed \(seed)")
    for one in set.candidates {
      #expect(
        !set.candidates.contains { $0 != one && $0.serves(one) && $0.keys.count > one.keys.count }, "seed \(seed)")
    }
    for finding in report.findings where finding.isProven && finding.statement != nil {
      let indexes = finding.fix?.sql.filter(\.createsIndex) ?? []
      #expect(indexes.allSatisfy(created.contains), "seed \(seed): \(indexes)")
    }
    let proven = report.findings.filter { $0.isProven && $0.statement != nil }
    #expect(Set(proven.map(\.statement)).count == proven.count, "seed \(seed): two fixes of one statement")
  }

  // MARK: The choice

  private func set(
    _ statements: [(sql: String, count: Int)], on fixture: AdviceFixture, maximumIndexes: Int = 12
  ) throws -> JointIndexSet {
    let analyzed = try statements.enumerated().map { place, statement in
      try fixture.analyze(statement.sql, id: place + 1, count: statement.count)
    }
    var advisor = fixture.advisor
    advisor.evidence = LiteralEvidence(analyzed)
    let planner = PlannedSets(advisor)
    let planned = try Dictionary(uniqueKeysWithValues: analyzed.map { ($0.statement.id, try planner.sets(for: $0)) })
    return try advisor.jointIndexSet(
      for: analyzed, planned: planned, maximumIndexes: maximumIndexes, dropping: [], searchTime: .seconds(60))
  }

  @Test func anIndexServesSeveralStatements() throws {
    let set = try set(
      [
        ("SELECT * FROM task WHERE projectID = ?", 10),
        ("SELECT * FROM task WHERE projectID = ? ORDER BY due LIMIT 20", 10),
        ("SELECT max(due) FROM task WHERE projectID = ?", 1),
      ], on: AdviceFixture(AdviceFixture.tasks))
    #expect(set.advice.create.map(\.name) == ["task_on_projectID_due"])
    #expect(set.advice.create.first?.statements == [1, 2, 3])
    #expect(set.statements.map(\.statement).sorted() == [1, 2, 3])
    #expect(set.statements.allSatisfy { $0.sql == set.advice.create.map(\.sql) })
  }

  @Test func costOfWritesCountsAgainstAnIndex() throws {
    let fixture = try AdviceFixture(AdviceFixture.tasks)
    let read = "SELECT * FROM task WHERE projectID = ?"
    let insertion = "INSERT INTO task (projectID, title, isDone, isFlagged, priority) VALUES (?, ?, ?, ?, ?)"
    #expect(try set([(read, 100), (insertion, 1)], on: fixture).advice.create.count == 1)
    #expect(try set([(read, 1), (insertion, 5_000)], on: fixture).advice.create.isEmpty)
  }

  @Test func mostUsefulIndexesAreKeptWithinTheLimit() throws {
    let statements = [
      ("SELECT * FROM task WHERE projectID = ?", 1), ("SELECT * FROM task WHERE due = ?", 50),
      ("SELECT * FROM task WHERE title = ?", 2),
    ]
    let fixture = try AdviceFixture(AdviceFixture.tasks)
    #expect(try set(statements, on: fixture).advice.create.count == 3)
    #expect(try set(statements, on: fixture, maximumIndexes: 1).advice.create.map(\.name) == ["task_on_due"])
    #expect(try set(statements, on: fixture, maximumIndexes: 0).advice.create.isEmpty)
  }

  /// An index by which another statement loses more is not created, or not without an index that serves the other
  /// statement. With the first index alone, SQLite walks it for GROUP BY and looks up each row, instead of a scan.
  @Test func indexThatCostsAnotherStatementMoreIsNotCreatedAlone() throws {
    func entries() throws -> AdviceFixture {
      try AdviceFixture(
        """
        CREATE TABLE entry (id INTEGER PRIMARY KEY, day INTEGER, kind INTEGER, size INTEGER, note TEXT);
        \(AdviceFixture.numbers(20_000)) INSERT INTO entry
          SELECT i, i * 7919 % 4000, i % 7, i * 31 % 5000, printf('%.90c', 'x') FROM n;
        """)
    }
    let search = (sql: "SELECT note FROM entry WHERE day = 77", count: 1)
    let groups = (
      sql: "SELECT day, count(*), max(note) FROM entry WHERE size + kind = 9 GROUP BY day", count: 500
    )
    func workOfGroups(with migration: [String]) throws -> Double {
      let fixture = try entries()
      for sql in migration { try fixture.copy.connection.run(sql) }
      return try fixture.advisor.runner.measure(groups.sql).work
    }
    let alone = try set([search], on: entries()).advice
    #expect(alone.create.map(\.name) == ["entry_on_day"])
    let before = try workOfGroups(with: [])
    try #require(try workOfGroups(with: alone.migrationSQL) > 5 * before)
    let both = try set([search, groups], on: entries()).advice
    #expect(both.create.map(\.name) != ["entry_on_day"])
    #expect(try workOfGroups(with: both.migrationSQL) <= 1.1 * before, "\(both.migrationSQL)")
  }

  // MARK: Estimates

  @Test func sampledRowsEstimateTheRowsOfAKey() throws {
    let fixture = try AdviceFixture(AdviceFixture.tasks)
    let frequencies = KeyFrequencies(connection: fixture.copy.connection, schema: fixture.schema)
    // 100 rows of each project, 4,000 of each priority, one of each due time; nine of ten are done.
    for (keys, expected) in [
      (["\"projectID\""], 100.0), (["\"priority\""], 4_000), (["\"isDone\""], 16_400),
      (["\"projectID\"", "\"priority\""], 100),
    ] {
      let found = try #require(frequencies.rows(sharing: keys, in: "task"))
      #expect(found > expected / 1.5 && found < expected * 1.5, "\(keys): \(found)")
    }
    #expect(try #require(frequencies.rows(sharing: ["\"due\""], in: "task")) < 5)
    #expect(frequencies.rows(sharing: ["\"missing column\"()"], in: "task") == nil)
    #expect(frequencies.rows(sharing: ["\"due\""], in: "missing") == nil)
  }

  @Test func longerIndexServesForItsPrefix() {
    func index(_ keys: [String], free: Int = 0) -> IndexCandidate {
      IndexCandidate(
        table: "task", keys: keys.map { IndexCandidate.Key(column: $0, sql: $0) }, interchangeable: free,
        purposes: [.filter])
    }
    #expect(index(["a", "b"]).serves(index(["a"])))
    #expect(!index(["a"]).serves(index(["a", "b"])))
    #expect(!index(["b", "a"]).serves(index(["a", "b"])))
    #expect(index(["b", "a", "c"]).serves(index(["a", "b"], free: 2)))
    #expect(!index(["b", "c", "a"]).serves(index(["a", "b"], free: 2)))
  }
}
