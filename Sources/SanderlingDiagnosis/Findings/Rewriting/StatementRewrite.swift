extension SQLRewriter {
  /// Adds a condition on the rows of a core, before its own condition.
  mutating func restrict(_ from: SQLFrom, _ condition: SQLExpression?, to sql: String) {
    if let condition {
      insert("\(sql) AND (", at: condition.range.lowerBound)
      insert(")", at: condition.range.upperBound)
    } else {
      insert(" WHERE \(sql)", at: from.range.upperBound)
    }
  }
}

/// A change to a statement that should mean the same, and the words for it.
struct StatementRewrite {
  var kind: FindingKind
  /// The candidates for the rewrite. The plainest comes first.
  var candidates: [String]
  var title: String
  var explanation: String
  var summary: String
  var grdb: String?
  var coreData: String?
  /// The conditions under which the statement and the rewrite are equal, in words.
  var limits: [String] = []
  var evidence: [Evidence] = []
  /// Whether the stored values decide if the rewrite is equal. The statement must then return rows as evidence.
  var needsRows = false
  /// Whether the rules of SQL make the rewrite equal. Small tables may then contradict, but need not confirm it.
  var isSameByNature = false
  /// The requirements on rows and values. `limits` has them in words.
  var assumption = RewriteAssumption.none

  /// The finding with the best candidate that returns the same rows; nil if there is none, or if it gains nothing and
  /// needs no mention.
  ///
  /// Throws `DiagnosisError`.
  func finding(_ trial: RewriteTrial, reportsFailures: Bool = false) throws -> Finding? {
    // A statement that costs little can't gain enough.
    guard trial.hasRows || !needsRows,
      trial.analyzed.measurements.contains(where: { !$0.isComplete || $0.work > GainRule.leastCost })
    else { return nil }
    var (rest, slow): ([String], [RewriteTrial.Result]) = (candidates, [])
    while let plain = try trial.best(of: rest, tooSlow: { slow.append($0) }) {
      // The measurements of both the statement and the candidate may have been stopped early.
      let ends = plain.comparisons.allSatisfy(\.after.isComplete)
      let best = try (ends ? trial.indexed(plain) : trial.indexed(tooSlow: plain)) ?? plain
      guard best.isBetter || reportsFailures else { break }
      if let finding = try finding(trial, best) { return finding }
      rest.removeAll { sql in sql == plain.sql || slow.contains { $0.sql == sql } }
    }
    for plain in slow {
      if let best = try trial.indexed(tooSlow: plain), let finding = try finding(trial, best) { return finding }
    }
    return nil
  }

  /// The finding with a candidate that returned the same rows; nil if the candidate and the statement differ on rows
  /// that were made for the comparison.
  private func finding(_ trial: RewriteTrial, _ result: RewriteTrial.Result) throws -> Finding? {
    var best = result
    let verdict = try trial.verdict(on: best.sql, assuming: assumption)
    if verdict == .different { return nil }
    best.note(verdict, isSameByNature: isSameByNature)
    if best.isBetter { try trial.note(best) }
    let sql = best.changes + [trial.context.shown(best.sql)]
    var finding = finding(trial, sql: best.doubt == nil ? sql : [], best.outcome)
    finding.formProof = best.proof
    finding.limits += best.limits
    if !best.changes.isEmpty { finding.fix?.summary += Fix.withIndex }
    return finding
  }

  /// The finding for a statement in its present form, if there is one.
  func findings(
    for analyzed: AnalyzedStatement, _ statement: MovableStatement, in context: DetectorContext
  ) throws -> [Finding] {
    let trial = RewriteTrial(context: context, analyzed: analyzed, statement: statement)
    return try finding(trial).map { [$0] } ?? []
  }

  func finding(_ trial: RewriteTrial, sql: [String], _ outcome: Finding.Outcome) -> Finding {
    Finding(
      kind: kind, severity: outcome.severity, statement: trial.analyzed.statement.id, caller: trial.analyzed.caller,
      title: title, explanation: explanation, evidence: evidence,
      fix: sql.isEmpty ? nil : Fix(summary: summary, sql: sql, grdb: grdb, coreData: coreData), outcome: outcome,
      limits: limits
        + (trial.analyzed.isIncomplete
          ? ["The statement was stopped before its end: its rows were compared on small tables only."] : [])
        + (trial.hasRows || trial.analyzed.isIncomplete ? [] : ["Neither returns a row with these values."])
        + trial.analyzed.limits)
  }
}
