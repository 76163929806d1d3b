import SanderlingSQLite

/// The trials for one statement.
struct StatementTrials {
  let advisor: IndexAdvisor
  /// The statement. Its lower bounds are raised if that was necessary to show a gain.
  var statement: AnalyzedStatement
  let shape: QueryShape
  /// The shape with views replaced by their tables; nil if the statement reads no such view.
  private let expandedShape: QueryShape?
  var rule: GainRule { GainRule(before: statement.measurements, executions: statement.statement.count) }

  init(advisor: IndexAdvisor, statement: AnalyzedStatement, shape: QueryShape) {
    (self.advisor, self.statement, self.shape) = (advisor, statement, shape)
    expandedShape = ViewExpansion.shape(of: statement, in: advisor.schema)
  }

  private var typical: [Int: BoundValue] { statement.samples.first?.values ?? [:] }

  /// The share of the remaining time in which indexes are built. The rest is for comparing results and for searching
  /// other statements.
  private static let shareOfIndexes = 0.8
  /// The greatest number of indexes that are tried although the planner would not use them, because it doesn't know
  /// their statistics yet.
  private static let mostUnforeseen = 2

  // MARK: New indexes

  /// The best set of new indexes; nil if none is a gain. Other sets that are a gain, and rejected sets, go into the
  /// advice.
  mutating func tryIndexes(
    _ advice: inout StatementAdvice, withNewStatistics: Bool = false, without excluded: Set<IndexCandidate> = []
  ) throws -> IndexBench.Result? {
    var planner = advisor.planner
    if withNewStatistics {
      guard let renewed = try advisor.statistics.planner() else { return nil }
      planner = renewed
    }
    let suggestions = IndexCandidates(
      schema: advisor.schema, facts: advisor.facts, evidence: advisor.evidence, statement: statement.statement.id)
    let candidates = suggestions.candidates(for: shape)
      .merged(with: expandedShape.map(suggestions.candidates) ?? [])
      .merged(with: try FiredCandidates(advisor: advisor, planner: planner).candidates(for: statement))
      .filter { !excluded.contains($0) }
    if candidates.isEmpty { return nil }
    var sets = try usedSets(candidates, planner)
    let references = candidates.filter(\.isUnseen)
    if !references.isEmpty { sets = [references] + sets.map { references + $0 } + sets }
    let branches = IndexSeeds.branches(of: candidates, advisor.schema)
    if !branches.isEmpty, !sets.contains(where: { Set($0) == Set(branches) }) {
      sets.insert(branches, at: min(1, sets.count))
    }
    // If existing indexes have statistics, SQLite may not use a new index without statistics, but uses it once it was
    // built and analyzed.
    if !withNewStatistics {
      let unforeseen = candidates.filter { advisor.schema.hasStatistics(ofIndexesBeside: $0) && $0.seekingKeys > 1 }
        .sorted { ($0.seekingKeys, $1.keys.count) > ($1.seekingKeys, $0.keys.count) }
      for candidate in unforeseen.prefix(Self.mostUnforeseen) where !sets.contains([candidate]) {
        sets.append([candidate])
      }
    }
    if sets.isEmpty {
      advice.verdict = "SQLite would use none of the \(candidates.count) indexes that its conditions suggest."
      return nil
    }
    var results: [IndexBench.Result] = []
    var (leftOut, bounds) = (0, statement.measurements)
    var images: [ResultImage]?
    let patience = Deadline(afterWorking: advisor.buildTime ?? advisor.deadline.remaining() * Self.shareOfIndexes)
      .earlier(advisor.deadline)
    let chosen = try IndexBench.run(
      on: advisor.copy.connection, schema: advisor.schema, names: advisor.names, runner: advisor.runner,
      deadline: patience, statistics: withNewStatistics ? advisor.statistics.statements : []
    ) { bench -> IndexBench.Result? in
      (results, leftOut) = try measured(sets, on: bench, patience)
      planner.learn(bench.figures)
      let found = try trials(with: results, on: bench, patience, &bounds)
      let chosen = try found.harmless(results, on: bench, &advice)
      if let chosen { images = try bench.images(of: found.statement, with: chosen.set) }
      return chosen
    }
    if statement.isIncomplete { (statement.measurements, advice.baseline) = (bounds, bounds) }
    if let chosen, let images, excluded.count < 12,
      let before = try ImageTaker(connection: advisor.copy.connection, schema: advisor.schema).images(of: statement),
      !images.isSame(as: before)
    {
      // No index may change a result, but SQLite's bugs can.
      advice.limits.append(
        "Indexes with which SQLite \(String(cString: sqlite3_libversion())) returns other rows were left out.")
      return try tryIndexes(
        &advice, withNewStatistics: withNewStatistics, without: excluded.union(chosen.set))
    }
    let isMuchBetter = chosen.map { rule.cost($0.measurements) < 0.1 * rule.cost } ?? false
    if leftOut > 0, !isMuchBetter {
      advice.isCutShort = true
      advice.limits.append(
        "The time ended before \(leftOut) of the sets of indexes were tried. \(StatementTime.remark)")
    }
    let paying = rule.paying(results, \.measurements)
      .sorted { rule.cost($0.measurements) < rule.cost($1.measurements) }
    let alternatives = chosen.map { chosen in [chosen] + paying.filter { !chosen.set.areNarrowed(from: $0.set) } } ?? []
    if withNewStatistics { return chosen }
    advice.alternatives = alternatives
    advice.widened =
      chosen.map { chosen in
        paying.filter { Set($0.set) != Set(chosen.set) && chosen.set.areNarrowed(from: $0.set) }
      } ?? []
    if chosen == nil, let first = results.first {
      advice.rejected.append(rejected(first, isOneOfMany: leftOut > 0))
      advice.verdict = advice.rejected[0].reason
    } else if chosen == nil, leftOut > 0 {
      advice.verdict = "The time ended before an index could be tried."
    }
    return chosen
  }

  private func usedSets(_ candidates: [IndexCandidate], _ planner: WhatIfPlanner) throws -> [[IndexCandidate]] {
    do {
      return try planner.usedSets(
        of: statement.sql, bindings: typical, among: candidates, seeds: IndexSeeds.sets(of: candidates))
    } catch DiagnosisError.statement, DiagnosisError.unavailable {
      // The statement reads a table that can't be copied without rows, such as a virtual table of the app. So the first
      // candidates are tried without the planner.
      return candidates.prefix(6).map { [$0] }
    }
  }

  private func rejected(_ result: IndexBench.Result, isOneOfMany: Bool) -> StatementAdvice.Rejected {
    let isCheaper = rule.gain(result.measurements) > 0
    let best = isOneOfMany ? "index that was tried in time" : "index that SQLite would use"
    return StatementAdvice.Rejected(
      sql: result.set.map { $0.creation(named: advisor.names.name(of: $0)) },
      comparisons: comparisons(result.measurements),
      reason: isCheaper
        ? "The best \(best) saves too little to pay for itself." : "The \(best) makes the statement no cheaper.")
  }

  func fill(_ advice: inout StatementAdvice, with result: IndexBench.Result) {
    advice.change = .create(result.set)
    let (kind, node) = AdviceKind(
      shape: shape, before: statement.plan, after: result.plan, indexes: result.set, names: advisor.names
    ).find()
    advice.kind = kind
    advice.node = node
    advice.indexes = result.set.map { index in
      let name = advisor.names.name(of: index)
      return IndexChange(
        name: name, table: index.table, sql: index.creation(named: name), pages: result.indexPages[index] ?? 0,
        statements: [statement.statement.id])
    }
    advice.sql = advice.indexes.map(\.sql)
    advice.sql += result.set.filter(advisor.schema.hasStatistics(ofIndexesBeside:)).map {
      "ANALYZE \(advisor.names.name(of: $0).quotedIdentifier)"
    }
    advice.comparisons = comparisons(result.measurements)
    advice.planAfter = result.plan
    advice.verdict =
      result.set.count == 1 ? "One index makes it cheaper." : "\(result.set.count) indexes together make it cheaper."
  }

  // MARK: Without new indexes

  /// The measurements after ANALYZE; nil if ANALYZE changes no plan.
  func tryStatistics() throws -> [StatementMeasurement]? {
    guard let now = try? advisor.planner.details(of: statement.sql, bindings: typical),
      let then = try? advisor.statistics.details(of: statement.sql, bindings: typical), then != now
    else { return nil }
    return try Trial(connection: advisor.copy.connection).run(advisor.statistics.statements) {
      try measuredWithFix()
    }.value
  }

  private func measuredWithFix() throws -> [StatementMeasurement] {
    let measurements = try advisor.runner.measure(statement, noLongerThanBefore: true)
    advisor.runner.tried?.note(statement.statement.id)
    return measurements
  }

  /// The used index without which the statement is cheapest, among the indexes that enforce nothing.
  func tryDropping() throws -> (IndexSchema, [StatementMeasurement])? {
    guard let now = try? advisor.planner.details(of: statement.sql, bindings: typical) else { return nil }
    var best: (IndexSchema, [StatementMeasurement])?
    var tried: Set<String> = []
    for name in statement.plan.nodes.compactMap(\.step.index) where tried.insert(name).inserted && tried.count <= 3 {
      guard let index = advisor.schema.index(name), index.canBeDropped, !statement.demands(index),
        !advisor.deadline.hasPassed
      else { continue }
      let then = try advisor.planner.details(of: statement.sql, bindings: typical, with: [], dropping: [index.name])
      guard then != now else { continue }
      let measurements = try Trial(connection: advisor.copy.connection)
        .run(["DROP INDEX \(index.name.quotedIdentifier)"]) {
          try measuredWithFix()
        }.value
      if rule.isMet(by: measurements), rule.gain(measurements) > best.map({ rule.gain($0.1) }) ?? 0 {
        best = (index, measurements)
      }
    }
    return best
  }

  func comparisons(_ after: [StatementMeasurement]) -> [Comparison] {
    zip(statement.baseline, after)
      .map { Comparison(bindings: $0.sample.name, before: $0.measurement, after: $1) }
  }
}
