/// Indexes that may be a gain for a statement, and its estimated cost with them, by plans alone.
struct PlannedSet: Sendable {
  var indexes: [IndexCandidate]
  /// The estimated cost, in the unit of `ExecutionCost`.
  var cost: Double
}

/// Finds the indexes that may help a statement by plans alone. Nothing is built, and nothing runs.
struct PlannedSets {
  private let advisor: IndexAdvisor
  private let frequencies: KeyFrequencies

  /// The greatest number of candidates. Further candidates resemble the first ones.
  private static let maximumCandidates = 24
  private static let maximumPlans = 24
  private static let maximumSets = 5
  /// The cost of a row of a scan: its steps and its part of a page.
  private static let costOfRow = 10.0
  private static let leastCost = 300.0

  init(_ advisor: IndexAdvisor) {
    self.advisor = advisor
    frequencies = KeyFrequencies(connection: advisor.copy.connection, schema: advisor.schema)
  }

  /// The most promising sets, the best first; empty if no index promises a gain.
  ///
  /// Throws `DiagnosisError` if the diagnosis is cancelled.
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
      // The statement reads a table that can't be copied without rows.
      return []
    }
  }

  /// Sets for the reads of triggers and of the checks of foreign keys, which no plan shows. Without an index, each of
  /// these reads all rows of a table.
  private func references(_ candidates: [IndexCandidate], _ now: Double) -> [PlannedSet] {
    let keys = candidates.filter(\.isUnseen)
    var left = now
    return keys.map { key in
      let rows = Double(advisor.schema.table(key.table)?.rowCount ?? 0)
      left = max(Self.leastCost, left - rows * Self.costOfRow / 2)
      return PlannedSet(indexes: [key], cost: max(Self.leastCost, now - rows * Self.costOfRow / 2))
    } + (keys.count > 1 ? [PlannedSet(indexes: keys, cost: left)] : [])
  }

  /// The cheapest sets, and simpler sets that are nearly as good.
  private func best(of sets: [PlannedSet]) -> [PlannedSet] {
    var kept: [PlannedSet] = []
    for set in sets.sorted(by: { ($0.indexes.size, $0.cost) < ($1.indexes.size, $1.cost) }) {
      // A set with more columns must gain something by them.
      if kept.contains(where: { $0.cost <= 1.2 * set.cost + Self.leastCost }) { continue }
      kept.append(set)
    }
    return Array(kept.sorted { $0.cost < $1.cost }.prefix(Self.maximumSets))
  }
}
