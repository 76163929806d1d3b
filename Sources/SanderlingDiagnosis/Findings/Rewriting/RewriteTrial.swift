/// Compares and measures candidates for the rewrite of a statement.
struct RewriteTrial {
  let context: DetectorContext
  let analyzed: AnalyzedStatement
  let statement: MovableStatement
  /// The numbers of the samples that a rewrite is for. An index for it must be a gain with these samples, and do no
  /// harm with others. Nil for all samples.
  var decisive: Set<Int>?
  /// Whether a form may take longer with some values. It may if the statement returns wrong results.
  var permitsHarm = false

  struct Result {
    var sql: String
    /// The indexes that the rewrite needs for the measured gain.
    var changes: [String] = []
    var comparisons: [Comparison]
    var isBetter: Bool
    /// The reason why the rewrite is not proven to be equal; nil if it is proven.
    var doubt: String?
    /// The comparisons of the statement and the rewrite on small databases.
    var proof: FormProof?
    /// The limits of the rewrite.
    var limits: [String] = []
    /// The rewritten statement as measured without `changes`, and the advice that contains `changes`.
    var statement: AnalyzedStatement?
    var advice: StatementAdvice?

    var timeAfter: Duration { comparisons.reduce(.zero) { $0 + $1.after.coldTime } }

    /// Adds the verdict of small databases. With `isSameByNature`, too few comparisons leave no doubt.
    mutating func note(_ verdict: RewriteProof.Verdict, isSameByNature: Bool = false) {
      proof = verdict.proof
      proof?.followsFromRules = isSameByNature
      if case .untried(let reason, _) = verdict, !isSameByNature { doubt = reason }
    }

    var outcome: Finding.Outcome {
      if let doubt { return .notMeasured(reason: "Not proven to mean the same. \(doubt)") }
      return isBetter ? .proven(comparisons) : .triedNotBetter(comparisons)
    }
  }

  /// The best of the candidates that return the same rows for all samples; nil if no candidate does. The plainest
  /// candidate comes first.
  ///
  /// `isEqual` replaces the comparison of rows. A candidate that is slower with values of some kind is left out. A
  /// candidate that takes longer than a trial may take is passed to `tooSlow`, if given, because it may only lack an
  /// index. Throws `DiagnosisError`. O(rows read), a few times for each candidate.
  func best(
    of candidates: [String], isEqual: ((String) throws -> Bool)? = nil, tooSlow: ((Result) -> Void)? = nil
  ) throws -> Result? {
    var best: Result?
    for candidate in candidates {
      do {
        if let found = best {
          // A candidate is compared only if it is better than the plainer one.
          let other = try measured(candidate, within: found.timeAfter * 5 + .milliseconds(20))
          if isBetter(other, than: found), try isEqual?(candidate) ?? returnsSameRows(candidate),
            let other = try harmless(other)
          {
            best = other
          }
        } else if let tooSlow, !analyzed.isIncomplete {
          let result = try measured(candidate)
          if !result.comparisons.allSatisfy(\.after.isComplete) {
            tooSlow(result)
          } else if try isEqual?(candidate) ?? returnsSameRows(candidate) {
            best = try harmless(result)
          }
        } else if try isEqual?(candidate) ?? returnsSameRows(candidate) {
          best = try harmless(measured(candidate))
        }
      } catch DiagnosisError.statement {
        // A candidate that SQLite refuses is no rewrite.
        continue
      } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
        // Nor is a candidate that takes longer than allowed. If the whole time ended, nothing is known about the
        // candidate.
        if best?.isBetter != true, context.connection.budget.deadline.hasPassed { throw DiagnosisError.stopped(reason) }
        continue
      }
    }
    return best
  }

  /// The result, or nil if it is better than the statement but slower with values of some kind. A result that isn't
  /// better is returned unchanged, because an index may still make it better.
  ///
  /// Throws `DiagnosisError`. O(rows read) with each of the values.
  func harmless(_ result: Result) throws -> Result? {
    guard result.isBetter, !permitsHarm else { return result }
    let verdict = try context.harmVerdict(on: analyzed, as: result.sql, changes: result.changes)
    if verdict.isHarmful { return nil }
    var result = result
    if let limit = verdict.limit { result.limits.append(limit) }
    return result
  }

  /// The verdict of adversarial rows on a candidate.
  ///
  /// `pairs` are the queries that must be equal; nil for the statement and the candidate. `preparation` makes other
  /// tables that the candidate reads. Throws `DiagnosisError`.
  func verdict(
    on candidate: String, assuming assumption: RewriteAssumption = .none, pairs: [RewriteProof.Pair]? = nil,
    preparing preparation: [String] = []
  ) throws -> RewriteProof.Verdict {
    let proof = RewriteProof(
      context: context, statement: statement, samples: analyzed.samples, assumption: assumption,
      preparation: preparation)
    return try proof.verdict(pairs ?? [RewriteProof.Pair(one: statement.sql, other: candidate)])
  }

  /// The best of the candidates that return the statement's rows on all databases tried; nil if there is none.
  ///
  /// Throws `DiagnosisError`. O(rows read), a few times for each candidate.
  func proven(
    of candidates: [String], isEqual: @escaping (String) throws -> Bool,
    pairs: ((String) -> [RewriteProof.Pair]?) = { _ in nil }
  ) throws -> Result? {
    var rest = candidates
    while var result = try best(of: rest, isEqual: isEqual) {
      let verdict = try verdict(on: result.sql, pairs: pairs(result.sql))
      result.note(verdict)
      if verdict != .different { return result }
      rest.removeAll { $0 == result.sql }
    }
    return nil
  }

  /// The share of the remaining time for the comparison of all rows, if LIMIT leaves some of them.
  private static let shareOfAllRows = 0.3

  /// Whether the statement returns rows with some sample.
  var hasRows: Bool { analyzed.measurements.contains { $0.rowsReturned > 0 } }

  /// Whether the candidate returns the statement's rows with each sample.
  func returnsSameRows(_ candidate: String) throws -> Bool {
    try analyzed.samples.enumerated().allSatisfy { place, sample in
      // A statement that never ended has no rows to compare. The small tables decide.
      if analyzed.measurements[safe: place]?.isComplete == false { return true }
      let values = statement.values(sample.values, for: candidate)
      // All rows prove more than the rows within a LIMIT, but may take all of the time.
      if let all = statement.unlimited(statement.sql), let others = statement.unlimited(candidate) {
        switch try verdictOnAllRows(all, others, sample.values, values) {
        case .same: return true
        case .different: return false
        case .unknown: break
        }
      }
      return try verdict(statement.sql, candidate, sample.values, values) == .same
    }
  }

  private func verdictOnAllRows(
    _ one: String, _ other: String, _ values: [Int: BoundValue], _ otherValues: [Int: BoundValue]
  ) throws -> ResultComparer.Verdict {
    let deadline = context.connection.budget.deadline
    do {
      return try context.connection.limited(to: deadline.remaining() * Self.shareOfAllRows) {
        try verdict(one, other, values, otherValues)
      }
    } catch DiagnosisError.stopped(let reason) where reason != .cancelled && !deadline.hasPassed {
      return .unknown(reason)
    }
  }

  private func verdict(
    _ one: String, _ other: String, _ values: [Int: BoundValue], _ otherValues: [Int: BoundValue]
  ) throws -> ResultComparer.Verdict {
    try context.compare(one, other, bindings: values, otherBindings: otherValues, order: statement.order)
  }

  /// Measures a candidate with each sample. A candidate that takes longer than a trial may take is measured once.
  func measured(_ candidate: String, within budget: Duration? = nil) throws -> Result {
    var runner = context.runner
    let most =
      analyzed.isIncomplete
      ? max(.milliseconds(1_500), context.questionTime * 0.4) : min(runner.timeBudget, .milliseconds(600))
    runner.timeBudget = min(most, budget ?? .seconds(60))
    let after = try analyzed.baseline.map { sample, _ in
      try runner.measure(candidate, bindings: statement.values(sample.values, for: candidate))
    }
    runner.tried?.note(analyzed.statement.id)
    // A candidate with half of the statement's time is a proven gain. A longer measurement shows how large the gain is.
    let bounds =
      analyzed.isIncomplete && after.allSatisfy(\.isComplete)
      ? try context.runner.lowerBounds(of: analyzed, enough: after.map { min($0.coldTime * 4.0, context.questionTime) })
      : analyzed.measurements
    let comparisons = zip(analyzed.samples, zip(bounds, after)).map {
      Comparison(bindings: $0.name, before: $1.0, after: $1.1)
    }
    return Result(sql: candidate, comparisons: comparisons, isBetter: comparisons.areBetter)
  }

  /// The candidate with its own indexes, if it needs them to be better than the statement with its best indexes. If the
  /// statement returns wrong results, the measure is the candidate without indexes.
  ///
  /// Throws `DiagnosisError`. O(rows · log rows) for each index.
  func indexed(_ result: Result, isWrong: Bool = false) throws -> Result? {
    let samples = analyzed.baseline.map {
      BindingSample(name: $0.sample.name, values: statement.values($0.sample.values, for: result.sql))
    }
    return try indexed(result, samples, isWrong: isWrong)
  }

  /// The candidate with its own indexes and its own values, one set for each comparison of the result.
  func indexed(_ result: Result, _ samples: [BindingSample], isWrong: Bool = false) throws -> Result? {
    guard samples.count == result.comparisons.count else { return nil }
    return try indexing.indexed(result, as: rewritten(result, samples), isWrong: isWrong).flatMap { indexed in
      // A better form and its index were each tried for harm before. Otherwise both together are tried now.
      result.isBetter ? indexed : try harmless(indexed)
    }
  }

  /// A candidate that takes too long without its own index, with the index; nil if the gain is too small, or if it
  /// returns other rows.
  ///
  /// Throws `DiagnosisError`. O(rows · log rows) for each index.
  func indexed(tooSlow plain: Result) throws -> Result? {
    guard let result = try indexing.indexed(tooSlow: plain, as: rewritten(plain)) else { return nil }
    let isSame = try Trial(connection: context.connection).run(result.changes) { try returnsSameRows(plain.sql) }.value
    return isSame ? try harmless(result) : nil
  }

  private var indexing: IndexedRewrite {
    IndexedRewrite(context: context, analyzed: analyzed, decisive: decisive)
  }

  /// The measured candidate as an analyzed statement.
  func rewritten(_ result: Result, _ samples: [BindingSample]? = nil) throws -> AnalyzedStatement {
    var rewritten = analyzed
    rewritten.statement.sql = result.sql
    rewritten.shape = try? ShapeReader.shape(of: result.sql, in: context.schema.description)
    rewritten.samples =
      samples
      ?? analyzed.baseline.map {
        BindingSample(name: $0.sample.name, values: statement.values($0.sample.values, for: result.sql))
      }
    rewritten.measurements = result.comparisons.map(\.after)
    rewritten.plan = try PlanReader(connection: context.connection, schema: context.schema).plan(of: result.sql)
    return rewritten
  }

  /// Adds the form that a finding proposes to the plan of the report.
  func note(_ result: Result, _ samples: [BindingSample]? = nil) throws {
    guard let ledger = context.ledger, !result.comparisons.isEmpty else { return }
    var result = result
    if result.statement == nil { result.statement = try rewritten(result, samples) }
    ledger.note(result, shownAs: context.shown(result.sql))
  }

  private func isBetter(_ one: Result, than other: Result) -> Bool {
    if one.isBetter != other.isBetter { return one.isBetter }
    // The plainer rewrite came first, and stays unless the other gains much more.
    return one.comparisons.workAfter < 0.7 * other.comparisons.workAfter
  }
}
