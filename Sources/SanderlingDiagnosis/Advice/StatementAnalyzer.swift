/// Reads, plans and measures a statement in its present form.
struct StatementAnalyzer {
  let connection: SQLiteConnection
  let schema: DatabaseSchema
  let runner: StatementRunner
  /// The sampler of a copy, which keeps the results of its queries. Nil makes a sampler for the statement.
  var sampler: BindingSampler?

  static let lowerBounds = "The budget ended the statement: its figures are lower bounds."

  /// Analyzes a statement. Throws `DiagnosisError` if SQLite refuses the statement or fails in it. O(rows) that the
  /// statement reads, a few times.
  func analyze(_ statement: WorkloadStatement) throws -> AnalyzedStatement {
    try analyze(
      statement, plan: PlanReader(connection: connection, schema: schema).plan(of: statement.sql),
      shape: try? ShapeReader.shape(of: statement.sql, in: schema.description))
  }

  /// Measures a statement whose plan and shape are known. Throws `DiagnosisError` as ``analyze(_:)`` does.
  func analyze(_ statement: WorkloadStatement, plan: QueryPlan, shape: QueryShape?) throws -> AnalyzedStatement {
    let sampler = sampler ?? BindingSampler(connection: connection, schema: schema)
    var analyzed = AnalyzedStatement(
      statement: statement, shape: shape,
      samples: try sampler.samples(for: statement.sql, logged: statement.bindings), plan: plan)
    analyzed.fired = shape.map { FiredStatements(schema: schema).statements(beside: $0) } ?? []
    try measure(&analyzed)
    if analyzed.shape == nil {
      analyzed.limits.append("The statement's syntax is not known here: no fix is searched for.")
    }
    if analyzed.measurements.contains(where: { !$0.isComplete }) {
      analyzed.limits.append(Self.lowerBounds)
    }
    return analyzed
  }

  /// Measures as many samples as time allows, each with the same share of the time.
  private func measure(_ analyzed: inout AnalyzedStatement) throws {
    var runner = runner
    runner.keepsBounds = true
    for (place, sample) in analyzed.samples.enumerated() {
      let share = connection.budget.deadline.remaining() / (analyzed.samples.count - place)
      runner.timeBudget = min(self.runner.timeBudget, share)
      do {
        analyzed.measurements.append(try runner.measure(analyzed.sql, bindings: sample.values))
      } catch DiagnosisError.stopped(.time) {
        analyzed.limits.append("The budget ended before it was measured\(place > 0 ? " with all values" : "").")
        if place > 0 { analyzed.samples.removeLast(analyzed.samples.count - place) }
        return
      }
    }
  }
}
