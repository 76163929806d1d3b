import SanderlingSQLite

/// The trials for one statement.
struct StatementTrials {
  let advisor: IndexAdvisor
  /// With lower bounds that are higher than before, once that was needed to show a gain.
  private(set) var statement: AnalyzedStatement
  let shape: QueryShape
  var rule: GainRule { GainRule(before: statement.measurements, executions: statement.statement.count) }

  init(advisor: IndexAdvisor, statement: AnalyzedStatement, shape: QueryShape) {
    (self.advisor, self.statement, self.shape) = (advisor, statement, shape)
  }

  private var typical: [Int: BoundValue] { statement.samples.first?.values ?? [:] }

  /// The share of what is left of the time that building indexes may take. To compare results, and to look for other
  /// statements, takes the rest.
  private static let shareOfIndexes = 0.8

  // MARK: New indexes

  /// The best set of new indexes; nil when none pays. Others that pay, and those that don't, go into the advice.
  mutating func tryIndexes(
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
    var (leftOut, bounds) = (0, statement.measurements)
    var images: [ResultImage]?
    let patience = Deadline(afterWorking: advisor.buildTime ?? advisor.deadline.remaining() * Self.shareOfIndexes)
      .earlier(advisor.deadline)
    let chosen = try IndexBench.run(
      on: advisor.copy.connection, schema: advisor.schema, names: advisor.names, runner: advisor.runner,
      deadline: patience, statistics: withNewStatistics ? advisor.statistics.statements : []
    ) { bench -> IndexBench.Result? in
      (results, leftOut) = try measured(sets, on: bench, patience)
      let found = try trials(with: results, on: bench, patience, &bounds)
      var chosen = try found.best(of: results).map { try found.reduced($0, on: bench) }
      if let result = chosen, try !found.isConfirmed(result, on: bench) { chosen = nil }
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
      advice.limits.append(
        "The time ended before \(leftOut) of the sets of indexes were tried. \(StatementTime.remark)")
    }
    let paying = results.filter { rule.isMet(by: $0.measurements) }
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

  /// Measures sets of indexes, those that the planner likes best first, and counts those left out for want of time.
  private func measured(
    _ sets: [[IndexCandidate]], on bench: IndexBench, _ patience: Deadline
  ) throws -> (results: [IndexBench.Result], leftOut: Int) {
    if statement.isIncomplete, !statement.isWrite { return try measuredInRounds(sets, on: bench, patience) }
    var results: [IndexBench.Result] = []
    var leftOut = 0
    for (place, set) in sets.enumerated() where results.count < IndexAdvisor.maximumSets {
      if isGoodEnough(results), let best = best(of: results), set.size >= best.set.size { continue }
      let least = best(of: results)?.measurements
      if let result = try bench.measure(statement, with: set, noLongerThan: least) { results.append(result) }
      if patience.hasPassed || bench.isLost {
        leftOut = sets.count - place - 1
        break
      }
    }
    return (results, leftOut + bench.leftOut)
  }

  /// Measures sets for a statement that was never seen to end, which says nothing of how long it may take with indexes: all
  /// sets get a little time, and more in each round as long as none comes to its end. Then the fastest is the measure.
  private func measuredInRounds(
    _ sets: [[IndexCandidate]], on bench: IndexBench, _ patience: Deadline
  ) throws -> (results: [IndexBench.Result], leftOut: Int) {
    var results: [IndexBench.Result] = []
    // To build indexes takes time, too: those that the planner likes best are all that the first round looks at.
    var width = Self.setsOfFirstRound
    var rest = sets.prefix(IndexAdvisor.maximumSets)
    var pending = Array(rest.prefix(width))
    rest = rest.dropFirst(width)
    // What the fastest gains has to be shown, too.
    let search = Deadline(afterWorking: patience.remaining() * Self.shareOfSearch).earlier(patience)
    var limit = max(Self.firstLimit, search.remaining() * 0.02)
    while results.isEmpty, !pending.isEmpty {
      var (unfinished, failures): ([[IndexCandidate]], Int) = ([], 0)
      for (place, set) in pending.enumerated() {
        let least = fastest(of: results)
        if let least, failures >= Self.triesAfterTheFastest || isGoodEnough([least]) && set.size >= least.set.size {
          continue
        }
        let most = least.map {
          min(limit, $0.measurements.reduce(.zero) { $0 + $1.coldTime } * 1.3 + .milliseconds(20))
        }
        let result = try bench.measure(statement, with: set, noLongerThan: least?.measurements, limit: most ?? limit)
        if let result, isWhole(result) {
          failures = least.map { Self.isFaster(result, than: $0) } ?? true ? 0 : failures + 1
          results.append(result)
        } else {
          failures += 1
          if result != nil { unfinished.append(set) }
        }
        if search.hasPassed || bench.isLost {
          let others = pending.count - place - 1 + unfinished.count + rest.count
          return (results, results.isEmpty ? others + bench.leftOut : 0)
        }
      }
      (limit, width) = (limit * 3.0, width * 2)
      pending = unfinished + rest.prefix(width)
      rest = rest.dropFirst(width)
    }
    return (results, results.isEmpty ? bench.leftOut : 0)
  }

  private static let setsOfFirstRound = 4
  /// The share of the time for indexes that the search for the fastest may take.
  private static let shareOfSearch = 0.6
  /// So many sets in a row that are no faster than the fastest end the search: the planner's best come first.
  private static let triesAfterTheFastest = 5

  private static func isFaster(_ one: IndexBench.Result, than other: IndexBench.Result) -> Bool {
    ExecutionCost.of(one.measurements) < 0.9 * ExecutionCost.of(other.measurements)
  }

  /// The time for which each set is tried at first.
  private static let firstLimit = Duration.milliseconds(150)

  private func isWhole(_ result: IndexBench.Result) -> Bool {
    result.measurements.count == statement.measurements.count && result.measurements.allSatisfy(\.isComplete)
  }

  private func fastest(of results: [IndexBench.Result]) -> IndexBench.Result? {
    results.filter(isWhole).min { ExecutionCost.of($0.measurements) < ExecutionCost.of($1.measurements) }
  }

  /// The trials with lower bounds of the statement's cost that are enough to show what the fastest of the sets gains.
  private func trials(
    with results: [IndexBench.Result], on bench: IndexBench, _ patience: Deadline,
    _ bounds: inout [StatementMeasurement]
  ) throws -> StatementTrials {
    guard statement.isIncomplete, let fastest = fastest(of: results) else { return self }
    var trials = self
    // A share of the patience remains for what is left to do with the sets.
    let most = patience.remaining() * (0.6 / Double(max(1, statement.measurements.count)))
    let enough = fastest.measurements.map { min($0.coldTime * Self.boundFactor + .milliseconds(50), most) }
    trials.statement.measurements = try bench.lowerBounds(of: statement, enough: enough)
    bounds = trials.statement.measurements
    return trials
  }

  /// How many times what the fastest set takes the statement is let run where it was never seen to end.
  private static let boundFactor = 6.0

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
    return GainRule(before: now.measurements, executions: statement.statement.count).isMet(by: result.measurements)
  }

  /// The simplest set of those that are about as good as the best.
  private func best(of results: [IndexBench.Result]) -> IndexBench.Result? {
    let paying = results.filter { rule.isMet(by: $0.measurements) }
    guard let least = paying.map({ rule.cost($0.measurements) }).min() else { return nil }
    let good = paying.filter { isAsGood(rule.cost($0.measurements), as: least) }
    guard let first = good.first else { return nil }
    let best = good.dropFirst().reduce(first) { $1.isSimpler(than: $0) ? $1 : $0 }
    guard hasLimit, best.isWalk else { return best }
    // How far a walk goes until LIMIT ends it depends on the values; a search depends on what it finds.
    let searches = paying.filter { result in
      !result.isWalk && rule.gain(result.measurements) >= 0.9 * rule.gain(best.measurements)
    }
    return searches.min { rule.cost($0.measurements) < rule.cost($1.measurements) } ?? best
  }

  private var hasLimit: Bool { shape.selects.contains { $0.parent == nil && $0.limit != nil } }

  /// Whether a cost is as good as a lower one, as far as anybody would notice.
  private func isAsGood(_ cost: Double, as least: Double) -> Bool {
    cost <= 1.2 * least + Self.negligibleCost && rule.cost - cost >= 0.8 * (rule.cost - least)
  }

  /// Steps that are not worth a column.
  private static let negligibleCost = 1_500.0

  /// Whether there is hardly anything left to gain.
  private func isGoodEnough(_ results: [IndexBench.Result]) -> Bool {
    guard let best = best(of: results) else { return false }
    let rows = best.measurements.reduce(0.0) { $0 + Double($1.rowsReturned) }
    return rule.cost(best.measurements) <= max(0.001 * rule.cost, 400 + 120 * rows)
  }

  /// Without the indexes that add nothing.
  private func reduced(_ result: IndexBench.Result, on bench: IndexBench) throws -> IndexBench.Result {
    var current = result
    for index in result.set where current.set.count > 1 {
      if bench.isLost { break }
      guard let smaller = try bench.measure(statement, with: current.set.filter { $0 != index }) else { continue }
      let (cost, least) = (rule.cost(smaller.measurements), rule.cost(current.measurements))
      if isAsGood(cost, as: least), rule.isMet(by: smaller.measurements) { current = smaller }
    }
    return try narrowed(current, on: bench)
  }

  /// Without the columns that are there to be read only, where that leaves most of the gain: an index is written and kept.
  private func narrowed(_ result: IndexBench.Result, on bench: IndexBench) throws -> IndexBench.Result {
    let least = Self.shareOfGainOfNarrow * rule.gain(result.measurements)
    var current = result
    for index in result.set where !bench.isLost {
      guard let narrow = index.withoutReadKeys, !current.set.contains(narrow),
        advisor.schema.table(narrow.table)?.isServed(narrow) == false,
        let other = try bench.measure(statement, with: current.set.map { $0 == index ? narrow : $0 })
      else { continue }
      if rule.isMet(by: other.measurements), rule.gain(other.measurements) >= least { current = other }
    }
    return current
  }

  /// The share of the gain that is enough for an index of fewer columns.
  private static let shareOfGainOfNarrow = 0.8

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

extension IndexCandidate {
  /// With the keys only that find or order rows; nil where there are no others, or only others.
  fileprivate var withoutReadKeys: IndexCandidate? {
    guard (1..<keys.count).contains(seekingKeys) else { return nil }
    var index = self
    index.keys = Array(keys.prefix(seekingKeys))
    return index
  }
}

extension [IndexCandidate] {
  /// Whether they are the indexes of another set, perhaps without columns that are read only.
  fileprivate func areNarrowed(from other: [IndexCandidate]) -> Bool {
    let own = Set(self)
    return other.count == count && other.allSatisfy { own.contains($0) || $0.withoutReadKeys.map(own.contains) == true }
  }

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
