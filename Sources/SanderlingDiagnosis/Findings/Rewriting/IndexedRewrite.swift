/// A statement in another form with indexes of its own.
struct IndexedRewrite {
  let context: DetectorContext
  let analyzed: AnalyzedStatement

  /// A form with the indexes that it needs to be better than the statement with its best ones, or alone where the statement is
  /// wrong; nil where none are worth it.
  ///
  /// - Parameter rewritten: The statement in this form, as measured.
  ///
  /// Throws `DiagnosisError`. O(rows · log rows) for each index.
  func indexed(
    _ result: RewriteTrial.Result, as rewritten: @autoclosure () throws -> AnalyzedStatement, isWrong: Bool = false
  ) throws -> RewriteTrial.Result? {
    guard let advisor = context.advisor else { return nil }
    let alone = context.advice.flatMap { advice in
      advice.comparisons.count == result.comparisons.count ? advice.comparisons.workAfter : nil
    }
    let most = isWrong ? result.comparisons.workAfter : alone ?? result.comparisons.workBefore
    let least = min(result.comparisons.workAfter, most)
    let rows = result.comparisons.reduce(0.0) { $0 + Double($1.after.rowsReturned) }
    guard result.comparisons.allSatisfy(\.after.isComplete), least > GainRule.leastCostOfTrial + 120 * rows else {
      return nil
    }
    let rewritten = try rewritten()
    let advice = try advisor.advise(on: rewritten)
    guard !advice.candidates.isEmpty, advice.comparisons.count == result.comparisons.count else { return nil }
    let comparisons = zip(result.comparisons, advice.comparisons).map {
      Comparison(bindings: $0.bindings, before: $0.before, after: $1.after)
    }
    // The plainer advice stays unless this gains much more.
    guard comparisons.areBetter, comparisons.workAfter < 0.5 * least else { return nil }
    return RewriteTrial.Result(
      sql: result.sql, changes: advice.sql, comparisons: comparisons, isBetter: true, statement: rewritten,
      advice: advice)
  }
}

extension Fix {
  /// What the words for another form end with where it needs an index.
  static let withIndex = ", with an index for it"
}
