/// Chooses the indexes that serve all statements of a workload best together.
///
/// The cost of a set is what all executions of all statements cost with it. What an execution costs with those indexes that
/// SQLite would use of a set is measured once; what writes pay for the others is estimated by entry, and measured for the
/// set that is chosen. Indexes are added one after the
/// other (or several, where one alone is of no use), each time those that save most, until nothing pays any more.
final class IndexSetSearch {
  let advisor: IndexAdvisor
  let planner: WhatIfPlanner
  let statements: [AnalyzedStatement]
  let bench: IndexBench
  /// The advice for each of the statements.
  let advice: [StatementAdvice?]
  let tables: [Set<String>]
  /// What triggers and the checks of foreign keys look for, which no plan shows.
  let references: [[IndexCandidate]]
  /// The most indexes that a set may have.
  let maximumIndexes: Int
  let deadline: Deadline
  /// Measured costs of one execution, by statement and the indexes that matter to it.
  var costs: [Key: Double] = [:]
  var pages: [IndexCandidate: Int64] = [:]
  /// Whether a measurement was left out for want of time.
  var isIncomplete = false
  let writes: WorkloadWrites
  /// What all executions cost now.
  let total: Double

  struct Key: Hashable {
    var statement: Int
    var indexes: Set<IndexCandidate>
  }

  /// The share of what is left of a statement's cost that an index must save.
  static let leastShareOfStatement = 0.1
  /// So many sets of a statement are looked at that got much less than it could get alone.
  static let mostAlternatives = 6
  /// The share of the workload's cost that an index must save where it saves little for each execution.
  static let leastShare = 0.05

  /// Throws `DiagnosisError` when the diagnosis is cancelled.
  init(
    advisor: IndexAdvisor, planner: WhatIfPlanner, statements: [AnalyzedStatement], advice: [StatementAdvice],
    bench: IndexBench, maximumIndexes: Int, deadline: Deadline
  ) throws {
    self.advisor = advisor
    self.planner = planner
    self.bench = bench
    self.maximumIndexes = max(0, maximumIndexes)
    self.deadline = deadline
    self.statements = statements
    self.advice = statements.map { statement in advice.first { $0.statement == statement.statement.id } }
    tables = statements.map { advisor.schema.tablesTouched(by: $0) }
    let candidates = IndexCandidates(schema: advisor.schema, facts: advisor.facts)
    let fired = FiredCandidates(advisor: advisor, planner: planner)
    references = try statements.map { statement in
      try (statement.shape.map(candidates.foreignKeyCandidates) ?? []) + fired.candidates(for: statement)
    }
    writes = WorkloadWrites(statements: statements)
    total = statements.reduce(0) { $0 + ExecutionCost.of($1.measurements) * Double(max(1, $1.statement.count)) }
    // With other statistics, what was measured before says nothing.
    guard planner === advisor.planner else { return }
    for (place, statement) in statements.enumerated() {
      costs[Key(statement: place, indexes: [])] = ExecutionCost.of(statement.measurements)
      guard let advice = self.advice[place] else { continue }
      for result in advice.alternatives where result.measurements.count == statement.measurements.count {
        costs[Key(statement: place, indexes: Set(result.set))] = ExecutionCost.of(
          result.measurements, beside: statement.measurements)
        pages.merge(result.indexPages) { first, _ in first }
      }
    }
  }

  /// The best set that was found, without some indexes. Throws `DiagnosisError`. O(candidates · statements) plans, for the
  /// most part.
  func search(without excluded: Set<IndexCandidate> = []) throws -> Set<IndexCandidate> {
    // Where a narrow index misleads another statement, a wider one may not.
    var moves = moves(withWide: !excluded.isEmpty).filter { $0.isDisjoint(with: excluded) }.map {
      Move(indexes: $0, saving: .infinity)
    }
    var chosen: Set<IndexCandidate> = []
    var (costly, chosenBefore): ([Move], Set<IndexCandidate>) = ([], [])
    while chosen.count < maximumIndexes {
      // What an index saves mostly becomes less as others join it: one that is still the best after a new look is the best.
      var best: Int?
      // One that misleads another statement may save where that has an index of its own.
      costly += moves.filter { $0.saving < 0 }
      moves.removeAll { $0.saving <= 0 || $0.indexes.isSubset(of: chosen) }
      moves.sort { ($0.saving, $1.order) > ($1.saving, $0.order) }
      for place in moves.indices {
        if let best, moves[best].saving >= moves[place].saving { break }
        moves[place].saving = try saving(of: moves[place].indexes.subtracting(chosen), with: chosen)
        if chosen.union(moves[place].indexes).count > maximumIndexes { continue }
        if moves[place].saving > best.map({ moves[$0].saving }) ?? 0 { best = place }
      }
      if let best {
        chosen.formUnion(moves[best].indexes)
      } else if chosen != chosenBefore, !costly.isEmpty, !deadline.hasPassed {
        moves = costly.map { Move(indexes: $0.indexes, saving: .infinity) }
        (costly, chosenBefore) = ([], chosen)
      } else {
        break
      }
    }
    return try withoutBeginnings(try improved(try reduced(chosen), without: excluded))
  }

  /// With one index of each two of which one is the beginning of the other: nobody keeps both.
  private func withoutBeginnings(_ chosen: Set<IndexCandidate>) throws -> Set<IndexCandidate> {
    var chosen = chosen
    for short in chosen.sorted(by: { ($0.keys.count, $0.definition) < ($1.keys.count, $1.definition) }) {
      guard short.condition == nil, let long = chosen.first(where: { $0 != short && $0.startsWith(short) }) else {
        continue
      }
      let (one, other) = (chosen.subtracting([short]), chosen.subtracting([long]))
      chosen = try expense(of: one) <= expense(of: other) ? one : other
    }
    return chosen
  }

  /// What the workload and the indexes of a set cost together.
  func expense(of set: Set<IndexCandidate>) throws -> Double {
    try statements.indices.reduce(price(of: set)) { sum, place in
      sum + (try cost(of: place, with: set)) * Double(max(1, statements[place].statement.count))
    }
  }

  func price(of indexes: Set<IndexCandidate>) -> Double {
    IndexPrice(advisor: advisor, writes: writes).of(indexes) { bench.pages[$0] ?? pages[$0] }
  }

  private struct Move {
    var indexes: Set<IndexCandidate>
    /// As of the last look.
    var saving: Double
    /// Tells moves apart that save the same.
    var order: String

    init(indexes: Set<IndexCandidate>, saving: Double) {
      self.indexes = indexes
      self.saving = saving
      order = indexes.map(\.definition).sorted().joined(separator: " ")
    }
  }

  /// The candidates that begin with the first key of some of them, these included.
  func candidates(beginningAs indexes: [IndexCandidate]) -> Set<IndexCandidate> {
    let all = moves(withWide: true).reduce(into: Set(indexes)) { $0.formUnion($1) }
    return all.filter { candidate in
      indexes.contains { index in
        guard let first = index.keys.first else { return false }
        return candidate == index
          || candidate.table == index.table && candidate.condition == nil && candidate.keys.first?.isLike(first) == true
      }
    }
  }

  /// Single indexes, and sets that were measured together.
  private func moves(withWide: Bool) -> [Set<IndexCandidate>] {
    let advice = advice.compactMap { $0 }
    let wide = withWide ? advice.flatMap { $0.widened.prefix(2).map(\.set) } : []
    // Of what a statement needs together, no index alone may gain anything.
    let sets = advice.map(\.candidates) + advice.flatMap { $0.alternatives.prefix(3).map(\.set) } + wide
    var seen: Set<IndexCandidate> = []
    let first = advice.flatMap(\.candidates).filter { seen.insert($0).inserted }
    let merged = IndexMerger.merged(first)
    seen.formUnion(merged)
    let others = sets.flatMap { $0 }.filter { seen.insert($0).inserted }
    return (merged + others).map { [$0] } + Set(sets.filter { $0.count > 1 }.map(Set.init))
  }

  /// Without the indexes that became useless when others joined them.
  func reduced(_ chosen: Set<IndexCandidate>) throws -> Set<IndexCandidate> {
    var chosen = chosen
    for index in chosen.sorted(by: { ($0.keys.count, $0.definition) > ($1.keys.count, $1.definition) }) {
      let others = chosen.subtracting([index])
      if try saving(of: [index], with: others) <= 0 { chosen = others }
    }
    return chosen
  }

}

extension IndexCandidate {
  /// Whether the keys of a shorter index are its first ones, in their order, and both are of all rows.
  fileprivate func startsWith(_ shorter: IndexCandidate) -> Bool {
    table.asciiLowercased == shorter.table.asciiLowercased && condition == nil && keys.count > shorter.keys.count
      && keys.prefix(shorter.keys.count).map(\.definition) == shorter.keys.map(\.definition)
  }
}
