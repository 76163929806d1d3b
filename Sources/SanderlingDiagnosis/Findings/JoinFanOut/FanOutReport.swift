import SanderlingTerminal

/// Writes the findings about a join that repeats rows.
struct FanOutReport {
  let analyzed: AnalyzedStatement
  let rewrite: FanOutRewrite
  let context: DetectorContext
  /// Whether the results were compared for only some rows of the root.
  var isOfSample = false
  /// The name of the view or subquery that contains the join; nil if the statement itself contains it.
  var part: String?

  private var limits: [String] {
    let sample =
      "The statement does not end within its budget: the results were compared for some rows of \(root) only."
    return analyzed.limits + (isOfSample ? [sample] : [])
  }

  /// The finding of a fan-out; nil if the join multiplies no rows and no rewrite is better.
  func fanOut(_ count: FanOutCount?, _ best: RewriteTrial.Result) -> Finding? {
    if let count, !count.isMultiplied, !best.isBetter { return nil }
    guard best.isBetter || (count?.isMultiplied ?? false) else { return nil }
    let title: String
    let explanation: String
    if let count, count.isMultiplied {
      title =
        "The join makes \(Figure.plain(count.worstProduct)) rows of one row of \(root) (\(count.factors))\(self.place)"
      explanation =
        "\(branchNames) each have many rows for one row of \(root). Joined side by side, every row of one meets every "
        + "row of the others, so that their numbers multiply, and all of it is thrown away again when the rows are "
        + "\(rewrite.form == .distinct ? "made distinct" : "counted or added up"). Asked for separately, they take "
        + "\(Figure.plain(count.separate)) rows in place of \(Figure.plain(count.total))."
    } else {
      title = "The join with \(branchNames) repeats rows of \(root) only to \(purpose)"
      explanation =
        "Each row of \(root) is joined with all its rows of \(branchNames), and the repeated rows are then "
        + "\(rewrite.form == .distinct ? "sorted out by DISTINCT" : "put together again by groups"). A subquery asks "
        + "the same question once for each row of \(root) and repeats nothing."
    }
    return Finding(
      kind: .joinFanOut, severity: best.outcome.severity, statement: analyzed.statement.id, node: nil,
      caller: analyzed.caller, title: title, explanation: explanation, evidence: evidence(count), fix: fix(best),
      outcome: best.outcome, limits: limits + best.limits, formProof: best.proof)
  }

  /// The finding about a join with too many rows for a comparison, even for one row of the root.
  ///
  /// It has a fix only if comparisons on small databases showed no difference.
  func unproven(_ count: FanOutCount, _ sql: String, _ verdict: RewriteProof.Verdict) -> Finding? {
    let result = RewriteTrial.Result(sql: sql, comparisons: [], isBetter: false, proof: verdict.proof)
    var finding = fanOut(count, result)
    if !verdict.isSame { finding?.fix = nil }
    finding?.severity = .error
    finding?.outcome = .notMeasured(
      reason:
        "Even one row of \(root) has too many rows to compare the results. The numbers are counted for each branch by "
        + "itself.")
    return finding
  }

  func wrongResults(
    _ count: FanOutCount?, _ wrong: (groups: Int, wrong: Int), _ best: RewriteTrial.Result?
  ) -> [Finding] {
    let names = rewrite.multiplied.map { rewrite.statement.text[$0.range] }.joined(separator: ", ")
    let share =
      rewrite.form == .whole ? "" : " for \(Figure.count(wrong.wrong)) of \(Figure.count(wrong.groups, "row"))"
    let outcome: Finding.Outcome =
      if let best, best.isBetter, best.doubt == nil {
        .proven(best.comparisons)
      } else {
        .notMeasured(reason: "The finding is about right results, not about time.")
      }
    var findings = [
      Finding(
        kind: .multipliedAggregate, severity: .wrongResult, statement: analyzed.statement.id, caller: analyzed.caller,
        title: "\(context.shown(names)) is wrong\(share)\(place): the join repeats the rows that it adds up",
        explanation:
          "\(branchNames) are joined side by side or one below the other, so that a row is there once for each row of "
          + "the other tables, and counts as often. The values were compared with those in which each row counts once. "
          + "DISTINCT repairs counts of keys only: equal amounts of different rows would be added once.",
        evidence: [Evidence(name: "wrong rows", value: Double(wrong.wrong), unit: "rows")] + evidence(count),
        fix: best.flatMap(fix), outcome: outcome, limits: limits, formProof: best?.proof)
    ]
    if let count, count.isMultiplied, let best, let fanOut = fanOut(count, best), best.isBetter {
      findings.append(fanOut)
    }
    return findings
  }

  /// The finding of a COUNT(*) that counts combinations: each row of one branch with each row of the others.
  func countedPairs(_ count: FanOutCount, _ names: String) -> Finding {
    Finding(
      kind: .multipliedAggregate, severity: .wrongResult, statement: analyzed.statement.id, caller: analyzed.caller,
      title:
        "\(names) counts \(Figure.plain(count.worstProduct)) rows for one row of \(root) (\(count.factors))\(place)",
      explanation:
        "\(branchNames) each have many rows for one row of \(root), and are joined side by side: each row of one is there "
        + "with every row of the others. Their number is the number of pairs, which is rarely the wanted "
        + "count. A subquery counts the rows of one of them.",
      evidence: evidence(count),
      fix: Fix(
        summary: "Count the rows of each table in a subquery of its own", sql: [],
        sanderling: "Declare an aggregate for each association: they never multiply rows.",
        coreData: "Ask for `relationship.@count` of each relationship."),
      outcome: .notMeasured(reason: "The statement doesn't say which rows it means to count."), limits: limits)
  }

  private var purpose: String {
    switch rewrite.form {
    case .distinct: "make them distinct again"
    case .grouped, .regrouped, .whole: "count them"
    }
  }

  /// The place of the join, with a space before it, to continue a sentence.
  private var place: String { part.map { " in \($0)" } ?? "" }

  private var root: String { rewrite.tree.core.first?.table.name ?? "" }

  private var branchNames: String {
    let names = rewrite.tree.branches.compactMap { node -> String? in
      guard let name = rewrite.statement.shape.resolved.sources[node.id]?.name else { return nil }
      return name.asciiLowercased == node.table.name.asciiLowercased ? name : "\(node.table.name) (\(name))"
    }
    return names.count < 2 ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }

  private func evidence(_ count: FanOutCount?) -> [Evidence] {
    guard let count else { return [] }
    var evidence = [
      Evidence(
        name: "intermediate rows of the worst row of \(root)", value: count.worstProduct, unit: "rows",
        formula: count.formula),
      Evidence(name: "intermediate rows in all", value: count.total, unit: "rows"),
      Evidence(name: "rows without multiplication", value: count.separate, unit: "rows"),
    ]
    if let measurement = analyzed.measurements.last, measurement.isComplete {
      evidence.append(Evidence(name: "rows returned", value: Double(measurement.rowsReturned), unit: "rows"))
    }
    return evidence
  }

  /// The fix; nil for a rewrite that is not proven to be right.
  private func fix(_ best: RewriteTrial.Result) -> Fix? {
    if best.doubt != nil { return nil }
    let names = FanOutNames(rewrite, context)
    return Fix(
      summary: rewrite.form == .distinct
        ? "Ask with EXISTS in place of the join" : "Compute each aggregate in a subquery of its own",
      sql: best.changes + [context.shown(best.sql)], grdb: names.grdb, sanderling: names.sanderling,
      coreData: names.coreData)
  }
}

extension AnalyzedStatement {
  /// The code that ran the statement most often.
  var caller: String? { statement.callers.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key }
}
