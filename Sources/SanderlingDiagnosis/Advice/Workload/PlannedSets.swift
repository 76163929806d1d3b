/// Indexes that a statement might gain from, and what it may cost with them, by plans alone.
struct PlannedSet: Sendable {
  var indexes: [IndexCandidate]
  /// In the measure of `ExecutionCost`.
  var cost: Double
}

/// Asks the planner what indexes might do for a statement: nothing is built, and nothing runs.
struct PlannedSets {
  private let advisor: IndexAdvisor
  private let frequencies: KeyFrequencies

  /// Statements that could use more candidates have others that are like them.
  private static let maximumCandidates = 24
  private static let maximumPlans = 24
  private static let maximumSets = 5
  /// A row of a scan in steps and its part of a page.
  private static let costOfRow = 10.0
  private static let leastCost = 300.0

  init(_ advisor: IndexAdvisor) {
    self.advisor = advisor
    frequencies = KeyFrequencies(connection: advisor.copy.connection, schema: advisor.schema)
  }

  /// The sets that promise most, the best first; none where no index promises anything.
  ///
  /// Throws `DiagnosisError` when the diagnosis is cancelled.
  func sets(for statement: AnalyzedStatement) throws -> [PlannedSet] {
    guard let shape = statement.shape, GainRule(before: statement.measurements).isWorthATrial else { return [] }
    let all = IndexCandidates(
      schema: advisor.schema, facts: advisor.facts, evidence: advisor.evidence, statement: statement.statement.id
    ).candidates(for: shape)
      .merged(with: try FiredCandidates(advisor: advisor, planner: advisor.planner).candidates(for: statement))
    let now = ExecutionCost.of(statement.measurements)
    let samples = Double(max(1, statement.measurements.count))
    var found = references(all, now)
    let candidates = Array(all.filter { !$0.isUnseen }.prefix(Self.maximumCandidates))
    if !candidates.isEmpty {
      let plans = try plans(of: statement, candidates)
      var expected = ExpectedCost(schema: advisor.schema, frequencies: frequencies)
      for candidate in candidates { expected.candidates[advisor.names.name(of: candidate).asciiLowercased] = candidate }
      for (set, lines) in plans {
        let rows = expected.of(PlanTree.plan(of: lines, aliases: [:], schema: nil), in: shape)
        found.append(PlannedSet(indexes: set, cost: samples * (rows * Self.costOfRow + Self.leastCost)))
      }
    }
    return best(of: found.filter { now - $0.cost > max(GainRule.leastCost, GainRule.leastShare * now) })
  }

  private func plans(
    of statement: AnalyzedStatement, _ candidates: [IndexCandidate]
  ) throws -> [(set: [IndexCandidate], lines: [PlanLine])] {
    do {
      return try advisor.planner.usedPlans(
        of: statement.sql, bindings: statement.samples.first?.values ?? [:], among: candidates,
        seeds: IndexSeeds.sets(of: candidates), maximumPlans: Self.maximumPlans)
    } catch let error as DiagnosisError {
      if error == .stopped(.cancelled) { throw error }
      // It reads what can't be copied without rows.
      return []
    }
  }

  /// What triggers and the checks of foreign keys look for, which no plan shows: each reads all rows of a table without an index.
  private func references(_ candidates: [IndexCandidate], _ now: Double) -> [PlannedSet] {
    let keys = candidates.filter(\.isUnseen)
    var left = now
    return keys.map { key in
      let rows = Double(advisor.schema.table(key.table)?.rowCount ?? 0)
      left = max(Self.leastCost, left - rows * Self.costOfRow / 2)
      return PlannedSet(indexes: [key], cost: max(Self.leastCost, now - rows * Self.costOfRow / 2))
    } + (keys.count > 1 ? [PlannedSet(indexes: keys, cost: left)] : [])
  }

  /// The cheapest, and simpler ones that are nearly as good.
  private func best(of sets: [PlannedSet]) -> [PlannedSet] {
    var kept: [PlannedSet] = []
    for set in sets.sorted(by: { ($0.indexes.size, $0.cost) < ($1.indexes.size, $1.cost) }) {
      // More columns have to gain something.
      if kept.contains(where: { $0.cost <= 1.2 * set.cost + Self.leastCost }) { continue }
      kept.append(set)
    }
    return Array(kept.sorted { $0.cost < $1.cost }.prefix(Self.maximumSets))
  }
}
