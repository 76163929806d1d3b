/// Finds the cost of a statement by one run for each sample. One run suffices for steps and pages, but not for times.
struct CostProbe {
  let connection: SQLiteConnection
  let deadline: Deadline

  /// The cost with all samples; nil if a run takes more steps than before, by more than other samples might save.
  ///
  /// Throws `DiagnosisError`. Writes are undone.
  func cost(of statement: AnalyzedStatement) throws -> Double? {
    var cost = 0.0
    for (sample, before) in statement.baseline {
      // A run that a budget ended would have taken more in any case.
      let margin = before.isComplete ? min(before.steps, .max / 4) / 4 + 10_000 : 0
      let steps = min(before.steps, .max / 4) + margin
      let budget = StatementBudget(deadline: deadline, steps: statement.isWrite ? .max : steps)
      do {
        cost += ExecutionCost.of(try connection.limited(to: budget) { try execution(statement, sample) })
      } catch DiagnosisError.stopped(.steps) {
        return nil
      }
    }
    return cost
  }

  private func execution(_ analyzed: AnalyzedStatement, _ sample: BindingSample) throws -> StatementMeasurement {
    guard analyzed.isWrite else { return try run(analyzed, sample) }
    return try connection.undoingWrite { try run(analyzed, sample) }
  }

  private func run(_ analyzed: AnalyzedStatement, _ sample: BindingSample) throws -> StatementMeasurement {
    let statement = try connection.prepare(analyzed.sql, authority: analyzed.isWrite ? .writing : .reading)
    try statement.bind(sample.values)
    _ = connection.takePageCounts()
    var rows: Int64 = 0
    while try statement.step() { rows += 1 }
    let pages = connection.takePageCounts()
    return StatementMeasurement(
      steps: statement.counter(.steps), pages: pages.all, coldPages: pages.missed, warmTime: .zero, coldTime: .zero,
      rowsReturned: rows, sorts: statement.counter(.sorts), automaticIndexRows: statement.counter(.automaticIndexRows))
  }
}
