extension StatementRunner {
  /// Runs a statement again for the samples whose runs never ended. The `enough` time of a sample suffices to show that
  /// a fix is faster. Throws `DiagnosisError`.
  func lowerBounds(of statement: AnalyzedStatement, enough: [Duration]) throws -> [StatementMeasurement] {
    var bounds = statement.measurements
    for (place, (sample, before)) in statement.baseline.enumerated() {
      guard !before.isComplete, let time = enough[safe: place], before.coldTime < time else { continue }
      var runner = self
      (runner.timeBudget, runner.keepsBounds) = (time, true)
      let bound = try runner.measure(statement.sql, bindings: sample.values)
      if bound.isComplete || bound.steps > before.steps { bounds[place] = bound }
    }
    return bounds
  }

  /// Measures a statement with each of its samples.
  ///
  /// With `noLongerThanBefore`, a run that takes much longer than before, or than `best`, ends early. If the earlier
  /// run never ended, the new one may take until the `limit`.
  ///
  /// Throws `DiagnosisError`.
  func measure(
    _ statement: AnalyzedStatement, noLongerThanBefore: Bool, noLongerThan best: [StatementMeasurement]? = nil,
    limit: Duration? = nil
  ) throws -> [StatementMeasurement] {
    var measurements: [StatementMeasurement] = []
    for (place, (sample, before)) in statement.baseline.enumerated() {
      var runner = self
      // An interrupted write would undo more than its own changes.
      if noLongerThanBefore, !statement.isWrite {
        // Fewer pages can outweigh a few more steps.
        let isBound = !before.isComplete && limit != nil
        let steps = min(isBound ? .max : before.steps, best.flatMap { $0[safe: place]?.steps } ?? .max)
        runner.stepBudget = steps > .max / 4 ? .max : 2 * steps + 10_000
        runner.timeBudget =
          isBound
          ? limit ?? timeBudget
          : min(max(timeBudget, before.warmTime * 1.5), before.warmTime * 2.5 + .milliseconds(150))
      }
      let measurement = try runner.measure(statement.sql, bindings: sample.values)
      measurements.append(measurement)
      if !measurement.isComplete { break }
    }
    return measurements
  }
}
