import Testing

@testable import SanderlingDiagnosis

/// Advice for statements that do not end within their budget, and indexes with no more columns than necessary.
@Suite struct SlowestFirstTests {
  /// The statement with measurements of a run that a budget stopped after `steps` steps.
  private func stopped(_ analyzed: AnalyzedStatement, after steps: Int64) -> AnalyzedStatement {
    var stopped = analyzed
    stopped.measurements = analyzed.measurements.map { _ in
      StatementMeasurement(
        steps: steps, pages: steps / 100, coldPages: 10, warmTime: .microseconds(100), coldTime: .microseconds(100),
        rowsReturned: 0, isComplete: false)
    }
    return stopped
  }

  /// A statement that was stopped before its end may take even more steps with the index. Its run continues until the
  /// gain of the index is certain, and no longer.
  @Test func endlessStatementGetsAnIndexThatStillTakesLong() throws {
    let fixture = try AdviceFixture(AdviceFixture.tasks)
    let sql = """
      SELECT sum((SELECT count(*) FROM task b WHERE b.projectID = a.projectID AND b.due < a.due)) FROM task a
      WHERE a.id < 1500
      """
    let statement = WorkloadStatement(id: 1, fingerprint: Fingerprint.of(sql), sql: sql, count: 1, bindings: [])
    let shape = try ShapeReader.shape(of: sql, in: fixture.schema.description)
    let plan = try PlanReader(connection: fixture.copy.connection, schema: fixture.schema).plan(of: sql)
    let seen = stopped(
      AnalyzedStatement(
        statement: statement, shape: shape, samples: [BindingSample(name: "none", values: [:])], plan: plan,
        measurements: [
          StatementMeasurement(
            steps: 0, pages: 0, coldPages: 0, warmTime: .zero, coldTime: .zero, rowsReturned: 0)
        ]), after: 20_000)
    let advice = try fixture.advisor.advise(on: seen)
    #expect(advice.sql.contains { $0.contains("ON \"task\" (\"projectID\", \"due\")") }, "\(advice.sql)")
    let comparison = try #require(advice.comparisons.first)
    #expect(comparison.after.isComplete)
    // The run with the index takes more than twice the steps at which the first run was stopped.
    #expect(comparison.after.steps > 50_000)
    let baseline = try #require(advice.baseline?.first)
    #expect(baseline.steps > 20_000 && baseline.steps == comparison.before.steps)
    #expect(ExecutionCost.of(comparison.after) < 0.8 * ExecutionCost.of(baseline))
  }

  /// A statement that no index brings to an end gets no advice.
  @Test func statementThatNoIndexEndsGetsNoIndex() throws {
    let fixture = try AdviceFixture(AdviceFixture.tasks, buildTime: .milliseconds(500))
    let sql = "SELECT count(*) FROM task a, task b WHERE abs(a.size - b.size) < 1 AND a.priority + b.priority > 3"
    let analyzed = try fixture.analyze(sql)
    try #require(analyzed.isIncomplete)
    #expect(try fixture.advisor.advise(on: analyzed).sql.isEmpty)
  }

  @Test func selectedColumnsAreLeftOutIfTheyGainLittle() throws {
    let fixture = try AdviceFixture(AdviceFixture.tasks)
    #expect(
      try fixture.fix("SELECT id, size, priority FROM task WHERE due = 17")
        == ["CREATE INDEX \"task_on_due\" ON \"task\" (\"due\")"])
    // Without `size` in the index, SQLite would look up each row in the table.
    let covering = try fixture.fix("SELECT sum(size) FROM task WHERE priority = 3")
    #expect(covering.first?.contains("(\"priority\", \"size\")") == true, "\(covering)")
  }

  @Test func namesHaveAtMostFortyCharacters() throws {
    let fixture = try AdviceFixture(AdviceFixture.tasks)
    let names = IndexNames(schema: fixture.schema)
    let keys = ["projectID", "isDone", "isFlagged", "priority", "due"]
      .map { IndexCandidate.Key(column: $0, sql: $0.quotedIdentifier) }
    var seen: Set<String> = []
    for count in 1...keys.count {
      for condition in [nil, "\"isDone\" = 0 AND \"isFlagged\" = 1"] {
        let index = IndexCandidate(
          table: "task", keys: Array(keys.prefix(count)), condition: condition, purposes: [.filter])
        let name = names.name(of: index)
        #expect(name.count <= IndexNames.maximumLength && name.hasPrefix("task_on_projectID"), "\(name)")
        #expect(seen.insert(name).inserted)
        #expect(IndexNames(schema: fixture.schema).name(of: index) == name)
      }
    }
  }
}
