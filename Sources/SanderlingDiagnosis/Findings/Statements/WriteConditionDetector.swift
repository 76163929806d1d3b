/// Finds rewrites of an UPDATE, DELETE or INSERT … SELECT.
///
/// The detector makes a SELECT of the rows that the statement reads. A rewrite of this SELECT becomes a rewrite of the
/// whole statement.
struct WriteConditionDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let write = ConditionalWrite(analyzed, context.schema), write.asksSubqueries,
      GainRule(before: analyzed.measurements).isWorthATrial, !analyzed.isIncomplete
    else { return [] }
    var selection = analyzed
    selection.statement.sql = write.selection
    selection.shape = try? ShapeReader.shape(of: write.selection, in: context.schema.description)
    guard selection.shape != nil else { return [] }
    selection.plan = try PlanReader(connection: context.connection, schema: context.schema).plan(of: write.selection)
    selection.measurements = try analyzed.samples.map {
      try context.runner.measure(write.selection, bindings: $0.values)
    }
    // Only the reads are compared, because a rewrite doesn't change the cost of the writes.
    var inner = context
    (inner.ledger, inner.advice, inner.showsValues) = (nil, nil, true)
    for detector in Self.detectors {
      for finding in try detector.findings(for: selection, in: inner) {
        guard finding.isProven, let sql = finding.fix?.sql.last, let other = write.replacing(by: sql),
          let found = try self.finding(finding, of: analyzed, as: other, in: context)
        else { continue }
        return [found]
      }
    }
    return []
  }

  private static let detectors: [any FindingDetector] = [
    MembershipDetector(), GroupedSubqueryDetector(), ConditionRewriteDetector(), RestrictedGroupsDetector(),
  ]

  /// Turns the finding on the SELECT into a finding on the write. Nil if the rewrite harms the write, or makes the write
  /// better neither alone nor with indexes.
  private func finding(
    _ selection: Finding, of analyzed: AnalyzedStatement, as sql: String, in context: DetectorContext
  ) throws -> Finding? {
    var rewritten = analyzed
    rewritten.statement.sql = sql
    rewritten.shape = try? ShapeReader.shape(of: sql, in: context.schema.description)
    rewritten.measurements = try analyzed.samples.map { try context.runner.measure(sql, bindings: $0.values) }
    rewritten.plan = try PlanReader(connection: context.connection, schema: context.schema).plan(of: sql)
    let comparisons = zip(analyzed.baseline, rewritten.measurements).map {
      Comparison(bindings: $0.sample.name, before: $0.measurement, after: $1)
    }
    let plain = RewriteTrial.Result(
      sql: sql, comparisons: comparisons, isBetter: comparisons.areBetter, statement: rewritten)
    let trial = IndexedRewrite(context: context, analyzed: analyzed)
    guard let best = try trial.indexed(plain, as: rewritten) ?? (plain.isBetter ? plain : nil) else { return nil }
    let harm = try context.harmVerdict(on: analyzed, as: sql, changes: best.changes)
    if harm.isHarmful { return nil }
    // If indexes alone help the write, the rewrite must at least halve the work that remains with these indexes.
    if let advice = context.advice, !advice.isNone, advice.comparisons.count == best.comparisons.count,
      best.comparisons.workAfter >= 0.5 * advice.comparisons.workAfter
    {
      return nil
    }
    let shown = context.shown(sql)
    context.ledger?.note(best, shownAs: shown)
    var finding = selection
    (finding.caller, finding.limits) = (analyzed.caller, finding.limits + analyzed.limits)
    if let limit = harm.limit { finding.limits.append(limit) }
    if case .insert? = analyzed.shape?.kind { finding.limits.append("The rows may be inserted in another order.") }
    finding.outcome = .proven(best.comparisons)
    finding.severity = finding.outcome.severity
    finding.fix = selection.fix.map { fix in
      let hasIndex = fix.summary.hasSuffix(Fix.withIndex)
      let summary = hasIndex ? String(fix.summary.dropLast(Fix.withIndex.count)) : fix.summary
      return Fix(summary: summary + (best.changes.isEmpty ? "" : Fix.withIndex), sql: best.changes + [shown])
    }
    return finding
  }
}
