/// Reads, plans and measures a statement as it is.
struct StatementAnalyzer {
  let connection: SQLiteConnection
  let schema: DatabaseSchema
  let runner: StatementRunner
  var deadline = Deadline.never
  /// One for a copy, since it keeps what it asked. Nil makes one for the statement.
  var sampler: BindingSampler?

  /// Throws `DiagnosisError` when SQLite refuses the statement or fails in it. O(rows) that the statement reads, a few times.
  func analyze(_ statement: WorkloadStatement) throws -> AnalyzedStatement {
    let plan = try PlanReader(connection: connection, schema: schema).plan(of: statement.sql)
    let sampler = sampler ?? BindingSampler(connection: connection, schema: schema, deadline: deadline)
    var analyzed = AnalyzedStatement(
      statement: statement, shape: try? ShapeReader.shape(of: statement.sql, in: schema.description),
      samples: try sampler.samples(for: statement.sql, logged: statement.bindings), plan: plan)
    for sample in analyzed.samples {
      analyzed.measurements.append(try runner.measure(statement.sql, bindings: sample.values))
    }
    if analyzed.shape == nil {
      analyzed.limits.append("The statement's syntax is not known here: no fix is searched for.")
    }
    if analyzed.measurements.contains(where: { !$0.isComplete }) {
      analyzed.limits.append("The budget ended the statement: its figures are lower bounds.")
    }
    return analyzed
  }
}
