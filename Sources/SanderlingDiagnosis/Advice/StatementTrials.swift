import SanderlingSQLite

/// The trials for one statement.
struct StatementTrials {
  let advisor: IndexAdvisor
  let statement: AnalyzedStatement
  let shape: QueryShape
  let rule: GainRule

  private var typical: [Int: BoundValue] { statement.samples.first?.values ?? [:] }

  /// The share of what is left of the time that building indexes may take. To compare results, and to look for other
  /// statements, takes the rest.
  private static let shareOfIndexes = 0.8

  // MARK: New indexes

  /// The best set of new indexes; nil when none pays. Others that pay, and those that don't, go into the advice.
  func tryIndexes(
    _ advice: inout StatementAdvice, withNewStatistics: Bool = false, without excluded: Set<IndexCandidate> = []
  ) throws -> IndexBench.Result? {
    var planner = advisor.planner
    if withNewStatistics {
      guard let renewed = try advisor.statistics.planner() else { return nil }
      planner = renewed
    }
    let candidates = IndexCandidates(
      schema: advisor.schema, facts: advisor.facts, evidence: advisor.evidence, statement: statement.statement.id
    ).candidates(for: shape)
      .filter { !excluded.contains($0) }
    if candidates.isEmpty { return nil }
    var sets = try usedSets(candidates, planner)
    // Plans don't show the look-ups for foreign keys.
    let references = candidates.filter { $0.purposes.contains(.foreignKey) }
    if !references.isEmpty { sets = [references] + sets.map { references + $0 } + sets }
    if sets.isEmpty {
      advice.verdict = "SQLite would use none of the \(candidates.count) indexes that its conditions suggest."
      return nil
    }
    var results: [IndexBench.Result] = []
    var leftOut = 0
    var images: [ResultImage]?
    let patience = Deadline(afterWorking: advisor.buildTime ?? advisor.deadline.remaining() * Self.shareOfIndexes)
      .earlier(advisor.deadline)
    let chosen = try IndexBench.run(
      on: advisor.copy.connection, schema: advisor.schema, names: advisor.names, runner: advisor.runner,
      deadline: patience, statistics: withNewStatistics ? advisor.statistics.statements : []
    ) { bench -> IndexBench.Result? in
      for (place, set) in sets.enumerated() where results.count < IndexAdvisor.maximumSets {
        if isGoodEnough(results), let best = best(of: results), set.size >= best.set.size { continue }
        let least = best(of: results)?.measurements
        if let result = try bench.measure(statement, with: set, noLongerThan: least) { results.append(result) }
        if patience.hasPassed || bench.isLost {
          leftOut += sets.count - place - 1
          break
        }
      }
      leftOut += bench.leftOut
      var chosen = try best(of: results).map { try reduced($0, on: bench) }
      if let found = chosen, try !isConfirmed(found, on: bench) { chosen = nil }
      if let chosen { images = try bench.images(of: statement, with: chosen.set) }
      return chosen
    }
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
    let isMuchBetter = chosen.map { ExecutionCost.of($0.measurements) < 0.1 * rule.cost } ?? false
    if leftOut > 0, !isMuchBetter {
      advice.limits.append(
        "The time ended before \(leftOut) of the sets of indexes were tried. \(StatementTime.remark)")
    }
    let paying = results.filter { rule.isMet(by: $0.measurements) }
      .sorted { ExecutionCost.of($0.measurements) < ExecutionCost.of($1.measurements) }
    let alternatives = chosen.map { chosen in [chosen] + paying.filter { Set($0.set) != Set(chosen.set) } } ?? []
    if withNewStatistics { return chosen }
    advice.alternatives = alternatives
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
      // It reads what can't be copied without rows, such as a virtual table of the app: so the first ones are just tried.
      return candidates.prefix(6).map { [$0] }
    }
  }

  /// Whether a set still is better where only the time says so, and other processes may have taken it before.
  private func isConfirmed(_ result: IndexBench.Result, on bench: IndexBench) throws -> Bool {
    if rule.isMetByCost(result.measurements) { return true }
    guard let now = try bench.measure(statement, with: []) else { return false }
    return GainRule(before: now.measurements).isMet(by: result.measurements)
  }

  /// The simplest set of those that are about as good as the best.
  private func best(of results: [IndexBench.Result]) -> IndexBench.Result? {
    let paying = results.filter { rule.isMet(by: $0.measurements) }
    guard let least = paying.map({ ExecutionCost.of($0.measurements) }).min() else { return nil }
    let good = paying.filter { isAsGood(ExecutionCost.of($0.measurements), as: least) }
    guard let first = good.first else { return nil }
    let best = good.dropFirst().reduce(first) { $1.isSimpler(than: $0) ? $1 : $0 }
    guard hasLimit, best.isWalk else { return best }
    // How far a walk goes until LIMIT ends it depends on the values; a search depends on what it finds.
    let searches = paying.filter { result in
      !result.isWalk && rule.gain(result.measurements) >= 0.9 * rule.gain(best.measurements)
    }
    return searches.min { ExecutionCost.of($0.measurements) < ExecutionCost.of($1.measurements) } ?? best
  }

  private var hasLimit: Bool { shape.selects.contains { $0.parent == nil && $0.limit != nil } }

  /// Whether a cost is as good as a lower one, as far as anybody would notice.
  private func isAsGood(_ cost: Double, as least: Double) -> Bool {
    cost <= 1.15 * least + Self.negligibleCost && rule.cost - cost >= 0.92 * (rule.cost - least)
  }

  /// Steps that are not worth a column.
  private static let negligibleCost = 1_500.0

  /// Whether there is hardly anything left to gain.
  private func isGoodEnough(_ results: [IndexBench.Result]) -> Bool {
    guard let best = best(of: results) else { return false }
    let rows = best.measurements.reduce(0.0) { $0 + Double($1.rowsReturned) }
    return ExecutionCost.of(best.measurements) <= max(0.001 * rule.cost, 400 + 120 * rows)
  }

  /// Without the indexes that add nothing.
  private func reduced(_ result: IndexBench.Result, on bench: IndexBench) throws -> IndexBench.Result {
    var current = result
    for index in result.set where current.set.count > 1 {
      if bench.isLost { break }
      guard let smaller = try bench.measure(statement, with: current.set.filter { $0 != index }) else { continue }
      let (cost, least) = (ExecutionCost.of(smaller.measurements), ExecutionCost.of(current.measurements))
      if isAsGood(cost, as: least), rule.isMet(by: smaller.measurements) { current = smaller }
    }
    return current
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
      shape: shape, before: statement.plan, after: result.plan, indexes: result.set
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
      "ANALYZE \(SQLIdentifier.quoted(advisor.names.name(of: $0)))"
    }
    advice.comparisons = comparisons(result.measurements)
    advice.planAfter = result.plan
    advice.verdict =
      result.set.count == 1 ? "One index makes it cheaper." : "\(result.set.count) indexes together make it cheaper."
  }

  // MARK: Without new indexes

  /// What the statement costs after ANALYZE; nil when that changes no plan.
  func tryStatistics() throws -> [StatementMeasurement]? {
    guard let now = try? advisor.planner.details(of: statement.sql, bindings: typical),
      let then = try? advisor.statistics.details(of: statement.sql, bindings: typical), then != now
    else { return nil }
    return try Trial(connection: advisor.copy.connection).run(advisor.statistics.statements) {
      try advisor.runner.measure(statement, noLongerThanBefore: true)
    }.value
  }

  /// The index without which the statement is cheapest, of those that it uses and that enforce nothing.
  func tryDropping() throws -> (IndexSchema, [StatementMeasurement])? {
    guard let now = try? advisor.planner.details(of: statement.sql, bindings: typical) else { return nil }
    var best: (IndexSchema, [StatementMeasurement])?
    var tried: Set<String> = []
    for name in statement.plan.nodes.compactMap(\.step.index) where tried.insert(name).inserted && tried.count <= 3 {
      guard let index = advisor.schema.index(name), index.canBeDropped, !advisor.deadline.hasPassed else { continue }
      let then = try advisor.planner.details(of: statement.sql, bindings: typical, with: [], dropping: [index.name])
      guard then != now else { continue }
      let measurements = try Trial(connection: advisor.copy.connection)
        .run(["DROP INDEX \(SQLIdentifier.quoted(index.name))"]) {
          try advisor.runner.measure(statement, noLongerThanBefore: true)
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

extension [IndexCandidate] {
  /// How many columns and conditions the indexes have in all.
  var size: Int { reduce(0) { $0 + $1.keys.count + ($1.condition == nil ? 0 : 1) } }
}

extension IndexBench.Result {
  /// Whether it is the better choice of two sets that cost about the same.
  func isSimpler(than other: Self) -> Bool {
    // A small part of the rows beats an index of all of them.
    if pages < other.pages / 4 { return true }
    if other.pages < pages / 4 { return false }
    return (set.size, pages) < (other.set.size, other.pages)
  }
}
