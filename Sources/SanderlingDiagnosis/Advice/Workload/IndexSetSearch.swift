/// Chooses the indexes that serve all statements of a workload best together.
///
/// The cost of a set is the cost of all executions of all statements with it. The cost of an execution with the indexes
/// that SQLite would use is measured once. The cost of a write for the other indexes is estimated for each entry, and
/// is measured for the chosen set. Indexes are added one by one, always the index with the greatest saving, until no
/// index is a gain. If one index alone is no gain, several are added together.
final class IndexSetSearch {
  let advisor: IndexAdvisor
  let planner: WhatIfPlanner
  let statements: [AnalyzedStatement]
  let bench: IndexBench
  /// The advice for each of the statements.
  let advice: [StatementAdvice?]
  let tables: [Set<String>]
  /// The candidates for triggers and for the checks of foreign keys, which no plan shows.
  let references: [[IndexCandidate]]
  /// The greatest number of indexes in a set.
  let maximumIndexes: Int
  let deadline: Deadline
  /// The measured costs of one execution, by statement and by the indexes that concern it.
  var costs: [Key: Double] = [:]
  var pages: [IndexCandidate: Int64] = [:]
  /// Whether a measurement was skipped for lack of time.
  var isIncomplete = false
  let writes: WorkloadWrites
  /// The present cost of all executions.
  let total: Double

  struct Key: Hashable {
    var statement: Int
    var indexes: Set<IndexCandidate>
  }

  /// The share of a statement's remaining cost that an index must save.
  static let leastShareOfStatement = 0.1
  /// The greatest number of sets that are tried for a statement that got much less than it could get alone.
  static let mostAlternatives = 6
  /// The share of the workload's cost that an index must save if it saves little in each execution.
  static let leastShare = 0.05

  /// Creates a search. Throws `DiagnosisError` if the diagnosis is cancelled.
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
    // With other statistics, earlier measurements are invalid.
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

  /// The best set, without excluded indexes. Throws `DiagnosisError`. Mostly O(candidates · statements) plans.
  func search(without excluded: Set<IndexCandidate> = []) throws -> Set<IndexCandidate> {
    // If a narrow index misleads another statement, a wider index may not.
    var moves = moves(withWide: !excluded.isEmpty).filter { $0.isDisjoint(with: excluded) }.map {
      Move(indexes: $0, saving: .infinity)
    }
    var chosen: Set<IndexCandidate> = []
    var (costly, chosenBefore): ([Move], Set<IndexCandidate>) = ([], [])
    while chosen.count < maximumIndexes {
      // An index usually saves less after other indexes joined. So an index that is still the best after its saving was
      // calculated again is the best of all.
      var best: Int?
      // An index that misleads another statement may be a gain once that statement has its own index.
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

  /// The set without an index that is the beginning of another index, or without the longer index: the cheaper choice.
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

  /// The cost of the workload and of the indexes together.
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
    /// The saving when it was last calculated.
    var saving: Double
    /// The order of moves with the same saving.
    var order: String

    init(indexes: Set<IndexCandidate>, saving: Double) {
      self.indexes = indexes
      self.saving = saving
      order = indexes.map(\.definition).sorted().joined(separator: " ")
    }
  }

  /// The candidates that begin with the first key of one of the indexes, and the indexes themselves.
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
    // If a statement needs several indexes together, each index alone may be no gain.
    let sets = advice.map(\.candidates) + advice.flatMap { $0.alternatives.prefix(3).map(\.set) } + wide
    var seen: Set<IndexCandidate> = []
    let first = advice.flatMap(\.candidates).filter { seen.insert($0).inserted }
    let merged = IndexMerger.merged(first)
    seen.formUnion(merged)
    let others = sets.flatMap { $0 }.filter { seen.insert($0).inserted }
    return (merged + others).map { [$0] } + Set(sets.filter { $0.count > 1 }.map(Set.init))
  }

  /// The set without indexes that became useless when other indexes joined.
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
  /// Whether the keys of a shorter index are the first keys of this index, in their order, and this index has all rows.
  fileprivate func startsWith(_ shorter: IndexCandidate) -> Bool {
    table.asciiLowercased == shorter.table.asciiLowercased && condition == nil && keys.count > shorter.keys.count
      && keys.prefix(shorter.keys.count).map(\.definition) == shorter.keys.map(\.definition)
  }
}
