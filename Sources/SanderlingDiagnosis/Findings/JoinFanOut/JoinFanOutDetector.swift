/// Finds joins that multiply rows before these are counted, added up or made distinct.
struct JoinFanOutDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    let trial = RewriteTrial(context: context, analyzed: analyzed, statement: statement)
    for part in try FanOutPart.all(of: analyzed, statement, in: context) {
      let findings = try findings(in: part, of: trial)
      if !findings.isEmpty { return findings }
    }
    return []
  }

  private func findings(in part: FanOutPart, of whole: RewriteTrial) throws -> [Finding] {
    let context = whole.context
    guard let sample = part.analyzed.samples.last else { return [] }
    guard let rewrite = FanOutRewrite(part.statement, in: context), rewrite.repeatsRows else {
      return try countedPairs(in: part, of: whole)
    }
    let count = try rowCount(rewrite.sql, sample, part.analyzed, context)
    let inner = RewriteTrial(context: context, analyzed: part.analyzed, statement: part.statement)
    var report = FanOutReport(analyzed: whole.analyzed, rewrite: rewrite, context: context)
    report.part = part.name
    let candidates = rewrite.candidates().map(part.embed)
    guard let proof = try proof(inner, rewrite, count) else {
      guard let count, count.isMultiplied, let plainest = candidates.first else { return [] }
      let verdict = try whole.verdict(on: plainest)
      return report.unproven(count, plainest, verdict).map { [$0] } ?? []
    }
    report.isOfSample = proof.isOfSample
    if let last = proof.samples.last, let wrong = try proof.wrongGroups(last), wrong.wrong > 0 {
      // Right results are more important than fast ones.
      var trial = whole
      trial.permitsHarm = true
      let right = RightForms(trial: trial, candidates: candidates, proof: proof, rewrite: rewrite)
      let best = try right.best()
      if let best, best.doubt == nil { try whole.note(best) }
      return report.wrongResults(count, wrong, best)
    }
    let best = try whole.proven(of: candidates) { try proof.isEqual(at: candidates.firstIndex(of: $0) ?? 0) }
    guard let best else { return [] }
    return report.fanOut(count, try planned(best, whole)).map { [$0] } ?? []
  }

  /// The result with the indexes that the rewrite needs. It is noted for the plan of the report.
  private func planned(_ result: RewriteTrial.Result, _ trial: RewriteTrial) throws -> RewriteTrial.Result {
    guard result.doubt == nil else { return result }
    let indexed = try trial.indexed(result) ?? result
    try trial.note(indexed)
    return indexed
  }

  /// The finding of a COUNT(*) over several branches: the counted combinations are rows of no branch.
  private func countedPairs(in part: FanOutPart, of whole: RewriteTrial) throws -> [Finding] {
    guard let core = part.statement.core, let sample = part.analyzed.samples.last,
      let star = core.shape.aggregates.first(where: { $0.function == "count" && $0.hasStar && !$0.hasFilter }),
      let (form, tree) = FanOutRewrite.formAndTree(part.statement, in: whole.context),
      form == .grouped || form == .regrouped, tree.siblings.count > 1
    else { return [] }
    let sql = FanOutSQL(statement: part.statement, tree: tree, core: core.syntax)
    guard let count = try rowCount(sql, sample, part.analyzed, whole.context), count.isMultiplied,
      let rewrite = FanOutRewrite(part.statement, tree, form)
    else { return [] }
    var report = FanOutReport(analyzed: whole.analyzed, rewrite: rewrite, context: whole.context)
    report.part = part.name
    return [report.countedPairs(count, part.statement.text[star.range])]
  }

  /// The share of the time that the first form of counting may take.
  private static let shareOfFirstCount = 0.2

  /// The number of joined rows for each row of the root; nil if counting them takes too long.
  private func rowCount(
    _ sql: FanOutSQL, _ sample: BindingSample, _ analyzed: AnalyzedStatement, _ context: DetectorContext
  ) throws -> FanOutCount? {
    var context = context
    // A slow statement justifies a longer search.
    if analyzed.measurements.contains(where: { !$0.isComplete }) { context.questionTime = context.questionTime * 3.0 }
    for form in FanOutCount.Form.allCases {
      do {
        // Without indexes, a subquery for each row may take as long as the statement. The other form needs time, too.
        let isLast = form == FanOutCount.Form.allCases.last
        let time = isLast ? context.questionTime : context.questionTime * Self.shareOfFirstCount
        if let count = try context.connection.limited(
          to: time, { try FanOutCount.of(sql, sample.values, by: form, in: context) })
        {
          return count
        }
      } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
        // If the whole time ended, nothing is known about the number of rows.
        if context.connection.budget.deadline.hasPassed { throw DiagnosisError.stopped(reason) }
        continue
      } catch DiagnosisError.statement {
        continue
      }
    }
    return nil
  }

  /// Some rows of the root, from all parts of its table.
  private func someRows(
    _ rewrite: FanOutRewrite, _ samples: [BindingSample], _ context: DetectorContext
  ) throws -> [Int64]? {
    guard let key = rewrite.sql.rootKey, let sample = samples.last else { return nil }
    let step = max(1, (rewrite.tree.core[0].table.rowCount ?? 0) / 20)
    let (from, _) = rewrite.sql.from()
    let sql = rewrite.sql.select(
      key, from: from, where: rewrite.tree.filters.map(rewrite.sql.condition) + ["\(key) % \(step) = 0"],
      tail: " LIMIT 20")
    let rows = try context.rows(sql, rewrite.statement.values(sample.values, for: sql)).compactMap { $0.first?.integer }
    return rows.isEmpty ? nil : rows
  }

  /// The comparison: of all rows, or of as many as the budget allows; nil if it allows none.
  private func proof(_ trial: RewriteTrial, _ rewrite: FanOutRewrite, _ count: FanOutCount?) throws -> FanOutProof? {
    let baseline = trial.analyzed.baseline
    let complete = baseline.filter(\.measurement.isComplete).map(\.sample)
    if complete.count == baseline.count, count == nil, let rows = try someRows(rewrite, complete, trial.context),
      let part = rewrite.restricted(to: rows)
    {
      // Counting takes too long, and so would a comparison.
      return FanOutProof(trial: trial, rewrite: part, samples: complete, isOfSample: true)
    }
    if complete.count == baseline.count { return FanOutProof(trial: trial, rewrite: rewrite, samples: complete) }
    // The comparison uses the values with which the statement ends, and the rows of the root with few joined rows.
    if !complete.isEmpty { return FanOutProof(trial: trial, rewrite: rewrite, samples: complete, isOfSample: true) }
    let context = trial.context
    if let sample = baseline.last?.sample,
      let rows = try count.map({ $0.sample() }) ?? someRows(rewrite, [sample], context),
      let part = rewrite.restricted(to: rows)
    {
      return FanOutProof(trial: trial, rewrite: part, samples: [sample], isOfSample: true)
    }
    // The logged values select a row with too many joined rows, so other values are tried.
    let sampler = BindingSampler(connection: context.connection, schema: context.schema)
    for sample in try context.limited({ try sampler.samples(for: trial.analyzed.sql) }) {
      let other = try rowCount(rewrite.sql, sample, trial.analyzed, context)
      if let rows = other?.sample(), let part = rewrite.restricted(to: rows) {
        return FanOutProof(trial: trial, rewrite: part, samples: [sample], isOfSample: true)
      }
    }
    return nil
  }
}

extension FanOutRewrite {
  /// The pairs of queries that must be equal if a candidate has the right values. The statement itself has wrong
  /// values, so it is no measure.
  fileprivate func pairsOfRightValues(of candidates: [String], at place: Int) -> [RewriteProof.Pair] {
    guard place == 0 else { return [RewriteProof.Pair(one: candidates[0], other: candidates[place])] }
    guard let all = FanOutValues(self, of: aggregates) else { return [] }
    return [RewriteProof.Pair(one: all.once, other: all.rewritten, isWhole: false)]
  }
}

/// The rewrites of a join with right values. The best rewrite is the one that is best with indexes. The join itself is
/// not among them.
private struct RightForms {
  let trial: RewriteTrial
  let candidates: [String]
  let proof: FanOutProof
  let rewrite: FanOutRewrite

  func best() throws -> RewriteTrial.Result? {
    // The comparison of a statement that doesn't end would take all of the time.
    if let indexed = try trial.context.unlessStopped({ try firstWithIndexes() }) { return indexed }
    guard var best = try trial.context.unlessStopped({ try proven(candidates) }) else { return nil }
    guard best.doubt == nil else { return best }
    best = try trial.indexed(best, isWrong: true) ?? best
    // The rewrite that reads most without an index may read least with one.
    for candidate in candidates where candidate != best.sql && best.comparisons.workAfter > GainRule.leastCostOfTrial {
      guard let other = try trial.context.unlessStopped({ try proven([candidate]) }), other.doubt == nil,
        let indexed = try trial.indexed(other, isWrong: true),
        indexed.comparisons.workAfter < 0.5 * best.comparisons.workAfter
      else { continue }
      best = indexed
    }
    // If a right rewrite takes several times as long, there was probably no time to find its indexes.
    let isSlow = trial.context.shortfall.happened && best.comparisons.workAfter > 2 * best.comparisons.workBefore
    return isSlow ? nil : best
  }

  private func proven(_ candidates: [String]) throws -> RewriteTrial.Result? {
    try trial.proven(of: candidates) {
      try proof.isRight(at: place(of: $0))
    } pairs: {
      pairs($0)
    }
  }

  /// The first rewrite that ends in its time with its own indexes, if the plainest rewrite doesn't end without: each of
  /// its subqueries may read a whole table for each row.
  private func firstWithIndexes() throws -> RewriteTrial.Result? {
    for candidate in candidates {
      let plain = try trial.measured(candidate)
      if plain.comparisons.allSatisfy(\.after.isComplete) { return nil }
      let form = try trial.rewritten(plain)
      guard let advice = try trial.context.advisor?.advise(on: form), !advice.candidates.isEmpty,
        advice.comparisons.count == plain.comparisons.count, advice.comparisons.allSatisfy(\.after.isComplete)
      else { continue }
      let isRight = try Trial(connection: trial.context.connection)
        .run(advice.sql) { try proof.isRight(at: place(of: candidate)) }.value
      guard isRight else { continue }
      let verdict = try trial.verdict(on: candidate, pairs: pairs(candidate))
      guard verdict.isSame else { continue }
      let comparisons = zip(plain.comparisons, advice.comparisons).map {
        Comparison(bindings: $0.bindings, before: $0.before, after: $1.after)
      }
      return RewriteTrial.Result(
        sql: candidate, changes: advice.sql, comparisons: comparisons, isBetter: comparisons.areBetter,
        proof: verdict.proof, statement: form, advice: advice)
    }
    return nil
  }

  private func pairs(_ candidate: String) -> [RewriteProof.Pair] {
    rewrite.pairsOfRightValues(of: candidates, at: place(of: candidate))
  }

  private func place(of candidate: String) -> Int { candidates.firstIndex(of: candidate) ?? 0 }
}

/// Compares the candidates of a join's rewrite with the statement, or with the right values.
struct FanOutProof {
  let trial: RewriteTrial
  /// The rewrite, of all rows or of some rows of the root.
  let rewrite: FanOutRewrite
  let samples: [BindingSample]
  /// Whether only some values, or some rows of the root, are compared.
  var isOfSample = false

  private var context: DetectorContext { trial.context }
  private var statement: MovableStatement { trial.statement }

  /// The number of groups with wrong values; nil if it can't be determined.
  func wrongGroups(_ sample: BindingSample) throws -> (groups: Int, wrong: Int)? {
    guard !rewrite.multiplied.isEmpty, let values = FanOutValues(rewrite, of: rewrite.multiplied) else { return nil }
    do {
      return try values.wrongGroups(statement, sample, in: context)
    } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
      if context.connection.budget.deadline.hasPassed { throw DiagnosisError.stopped(reason) }
      return nil
    }
  }

  /// Whether a candidate returns the same rows as the statement.
  func isEqual(at place: Int) throws -> Bool {
    guard let candidate = rewrite.candidates()[safe: place] else { return false }
    if !isOfSample { return try trial.returnsSameRows(candidate) }
    let original = rewrite.sql.restriction.isEmpty ? statement.sql : rewrite.sql.original
    return try isSame(original, candidate, order: .none)
  }

  /// Whether a candidate has the values in which each row counts once. The statement itself is no measure of right
  /// values.
  func isRight(at place: Int) throws -> Bool {
    let candidates = rewrite.candidates()
    guard let plain = candidates.first, let candidate = candidates[safe: place] else { return false }
    if place > 0 { return try isSame(plain, candidate, order: statement.order) }
    guard let all = FanOutValues(rewrite, of: rewrite.aggregates) else { return false }
    return try isSame(all.once, all.rewritten, order: .none)
  }

  private func isSame(_ one: String, _ other: String, order: ResultComparer.Order) throws -> Bool {
    try samples.allSatisfy { sample in
      try context.compare(
        one, other, bindings: statement.values(sample.values, for: one),
        otherBindings: statement.values(sample.values, for: other), order: order) == .same
    }
  }
}
