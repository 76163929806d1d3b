/// Finds the indexes that a rewrite needs.
struct IndexedRewrite {
  let context: DetectorContext
  let analyzed: AnalyzedStatement
  /// The samples that decide whether indexes are a gain; nil for all.
  var decisive: Set<Int>?

  /// A rewrite with the indexes that make it better than the statement with its best indexes; nil if no indexes are a
  /// gain. If the statement returns wrong results, the measure is the rewrite without indexes.
  /// - Parameter rewritten: The measured statement in the form of the rewrite.
  /// Throws `DiagnosisError`. O(rows · log rows) for each index.
  func indexed(
    _ result: RewriteTrial.Result, as rewritten: @autoclosure () throws -> AnalyzedStatement, isWrong: Bool = false
  ) throws -> RewriteTrial.Result? {
    let plain = counted(result.comparisons)
    let most = isWrong ? plain.workAfter : workOfAdvice(result.comparisons.count) ?? plain.workBefore
    let least = min(plain.workAfter, most)
    let rows = plain.reduce(0.0) { $0 + Double($1.after.rowsReturned) }
    guard result.comparisons.allSatisfy(\.after.isComplete), least > GainRule.leastCostOfTrial + 120 * rows else {
      return nil
    }
    // A right rewrite should not take longer than the wrong statement.
    let isSlower = isWrong && plain.workAfter > plain.workBefore
    return try indexed(result, as: rewritten(), below: (isSlower ? 0.85 : 0.5) * least)
  }

  /// A candidate with its own indexes, if the candidate without them was stopped because it took too long.
  func indexed(
    tooSlow result: RewriteTrial.Result, as rewritten: AnalyzedStatement
  ) throws -> RewriteTrial.Result? {
    let alone = workOfAdvice(result.comparisons.count) ?? counted(result.comparisons).workBefore
    return try indexed(result, as: rewritten, below: 0.5 * alone)
  }

  /// The candidate with its own indexes, if its work is less than `most`. Otherwise the plainer advice stays.
  private func indexed(
    _ result: RewriteTrial.Result, as rewritten: AnalyzedStatement, below most: Double
  ) throws -> RewriteTrial.Result? {
    guard let advice = try context.unlessStopped({ try context.advisor?.advise(on: rewritten) }) else { return nil }
    if advice.isCutShort, advice.candidates.isEmpty { context.shortfall.happened = true }
    guard !advice.candidates.isEmpty, advice.comparisons.count == result.comparisons.count
    else { return nil }
    let comparisons = zip(result.comparisons, advice.comparisons).map {
      Comparison(bindings: $0.bindings, before: $0.before, after: $1.after)
    }
    guard comparisons.allSatisfy(\.after.isComplete), comparisons.areBetter, counted(comparisons).workAfter < most
    else {
      return nil
    }
    return RewriteTrial.Result(
      sql: result.sql, changes: advice.sql, comparisons: comparisons, isBetter: true, limits: result.limits,
      statement: rewritten, advice: advice)
  }

  /// The cost of the statement with its best indexes; nil if there are none.
  private func workOfAdvice(_ count: Int) -> Double? {
    context.advice.flatMap { $0.comparisons.count == count ? counted($0.comparisons).workAfter : nil }
  }

  private func counted(_ comparisons: [Comparison]) -> [Comparison] {
    guard let decisive else { return comparisons }
    return comparisons.indices.filter(decisive.contains).map { comparisons[$0] }
  }
}

extension Fix {
  /// The end of a rewrite's summary if it needs an index.
  static let withIndex = ", with an index for it"
}
