/// Finds joins whose rows multiply before they are counted, added up or made distinct.
struct JoinFanOutDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema),
      let rewrite = FanOutRewrite(statement, in: context), rewrite.repeatsRows, let sample = analyzed.samples.last
    else { return [] }
    let report = FanOutReport(analyzed: analyzed, rewrite: rewrite, context: context)
    let count = try? context.limited { try FanOutCount.of(rewrite.sql, sample.values, in: context) }
    let trial = RewriteTrial(context: context, analyzed: analyzed, statement: statement)
    if !rewrite.multiplied.isEmpty, let values = FanOutValues(rewrite, of: rewrite.multiplied),
      let wrong = try? values.wrongGroups(statement, sample, in: context), wrong.wrong > 0
    {
      // The statement itself is no measure of what is right: each row of each table once is.
      let all = FanOutValues(rewrite, of: rewrite.aggregates)
      let areProven = try all.map { try prove($0, statement, analyzed.samples, in: context) } ?? false
      let plain = rewrite.candidates().first
      let best = try trial.best(of: areProven ? rewrite.candidates() : []) { candidate in
        guard let plain, candidate != plain else { return plain != nil }
        return try isSame(candidate, plain, trial, in: context)
      }
      return report.wrongResults(count, wrong, best)
    }
    guard let best = try trial.best(of: rewrite.candidates()) else { return [] }
    return report.fanOut(count, best).map { [$0] } ?? []
  }

  private func prove(
    _ values: FanOutValues, _ statement: MovableStatement, _ samples: [BindingSample], in context: DetectorContext
  ) throws -> Bool {
    try samples.allSatisfy { sample in
      try context.limited {
        // The names of the columns are the same, their tables aren't.
        try context.comparer.compare(
          values.once, values.rewritten, bindings: statement.values(sample.values, for: values.once),
          otherBindings: statement.values(sample.values, for: values.rewritten)) == .same
      }
    }
  }

  private func isSame(
    _ candidate: String, _ plain: String, _ trial: RewriteTrial, in context: DetectorContext
  ) throws -> Bool {
    try trial.analyzed.samples.allSatisfy { sample in
      try context.limited {
        try context.comparer.compare(
          plain, candidate, bindings: trial.statement.values(sample.values, for: plain),
          otherBindings: trial.statement.values(sample.values, for: candidate), order: trial.statement.order) == .same
      }
    }
  }
}
