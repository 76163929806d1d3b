/// Measures statements that could take the place of another one.
struct RewriteTrial {
  let context: DetectorContext
  let analyzed: AnalyzedStatement
  let statement: MovableStatement

  struct Result {
    var sql: String
    var comparisons: [Comparison]
    var isBetter: Bool

    var outcome: Finding.Outcome { isBetter ? .proven(comparisons) : .triedNotBetter(comparisons) }
  }

  /// The best of the candidates, the plainest first, that return the same rows for all samples; nil when none does.
  ///
  /// `isEqual` replaces the comparison of rows. Throws `DiagnosisError`. O(rows read), a few times for each.
  func best(of candidates: [String], isEqual: ((String) throws -> Bool)? = nil) throws -> Result? {
    var best: Result?
    for candidate in candidates {
      do {
        guard try isEqual?(candidate) ?? returnsSameRows(candidate) else { continue }
        let result = try measured(candidate)
        if best.map({ isBetter(result, than: $0) }) ?? true { best = result }
      } catch DiagnosisError.statement, DiagnosisError.stopped(.time), DiagnosisError.stopped(.steps),
        DiagnosisError.stopped(.memory)
      {
        // One that SQLite refuses, or that takes longer than allowed, takes no statement's place.
        continue
      }
    }
    return best
  }

  /// Whether the rows are the same for each sample, and some sample has rows to compare.
  func returnsSameRows(_ candidate: String) throws -> Bool {
    guard analyzed.measurements.contains(where: { $0.rowsReturned > 0 }) else { return false }
    return try analyzed.samples.allSatisfy { sample in
      let values = statement.values(sample.values, for: candidate)
      // All rows prove more than those that a LIMIT leaves.
      if let all = Self.unlimited(statement.sql), let others = Self.unlimited(candidate) {
        switch try verdict(all, others, sample.values, values) {
        case .same: return true
        case .different: return false
        case .unknown: break
        }
      }
      return try verdict(statement.sql, candidate, sample.values, values) == .same
    }
  }

  private func verdict(
    _ one: String, _ other: String, _ values: [Int: BoundValue], _ otherValues: [Int: BoundValue]
  ) throws -> ResultComparer.Verdict {
    let verdict = try context.limited {
      try context.comparer.compare(one, other, bindings: values, otherBindings: otherValues, order: statement.order)
    }
    if verdict == .unknown(.cancelled) { throw DiagnosisError.stopped(.cancelled) }
    return verdict
  }

  /// The statement without its LIMIT; nil when it has none.
  private static func unlimited(_ sql: String) -> String? {
    guard let parsed = try? SQLParser.parse(sql), case .select(let select) = parsed.kind, let range = select.limitRange
    else { return nil }
    var rewriter = SQLRewriter(parsed.text)
    rewriter.replace(range, with: "")
    return rewriter.rewritten()
  }

  func measured(_ candidate: String) throws -> Result {
    let comparisons = try analyzed.baseline.map { sample, before in
      Comparison(
        bindings: sample.name, before: before,
        after: try context.runner.measure(candidate, bindings: statement.values(sample.values, for: candidate)))
    }
    return Result(sql: candidate, comparisons: comparisons, isBetter: comparisons.areBetter)
  }

  private func isBetter(_ one: Result, than other: Result) -> Bool {
    if one.isBetter != other.isBetter { return one.isBetter }
    // The plainer form came first, and stays unless the gain is worth reading another one.
    return one.comparisons.workAfter < 0.7 * other.comparisons.workAfter
  }
}
