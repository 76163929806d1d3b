/// Chooses the indexes that serve all statements of a workload best together.
///
/// The cost of a set is what all executions of all statements cost with it. What an execution costs with those indexes that
/// SQLite would use of a set is measured once; what writes pay for the others is estimated by entry, and measured for the
/// set that is chosen. Indexes are added one after the
/// other (or several, where one alone is of no use), each time those that save most, until nothing pays any more.
final class IndexSetSearch {
  private let advisor: IndexAdvisor
  private let planner: WhatIfPlanner
  private let statements: [AnalyzedStatement]
  private let bench: IndexBench
  /// The advice for each of the statements.
  private let advice: [StatementAdvice?]
  private let tables: [Set<String>]
  /// What triggers and the checks of foreign keys look for, which no plan shows.
  private let references: [[IndexCandidate]]
  /// The most indexes that a set may have.
  private let maximumIndexes: Int
  private let deadline: Deadline
  /// Measured costs of one execution, by statement and the indexes that matter to it.
  private var costs: [Key: Double] = [:]
  private var pages: [IndexCandidate: Int64] = [:]
  /// Whether a measurement was left out for want of time.
  private(set) var isIncomplete = false
  let writes: WorkloadWrites
  /// What all executions cost now.
  private let total: Double

  private struct Key: Hashable {
    var statement: Int
    var indexes: Set<IndexCandidate>
  }

  /// The share of what is left of a statement's cost that an index must save.
  private static let leastShareOfStatement = 0.1
  /// The share of the workload's cost that an index must save where it saves little for each execution.
  private static let leastShare = 0.05

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
    while chosen.count < maximumIndexes {
      // What an index saves only becomes less as others join it: one that is still the best after a new look is the best.
      var best: Int?
      moves.removeAll { $0.saving <= 0 || $0.indexes.isSubset(of: chosen) }
      moves.sort { ($0.saving, $1.order) > ($1.saving, $0.order) }
      for place in moves.indices {
        if let best, moves[best].saving >= moves[place].saving { break }
        moves[place].saving = try saving(of: moves[place].indexes.subtracting(chosen), with: chosen)
        if chosen.union(moves[place].indexes).count > maximumIndexes { continue }
        if moves[place].saving > best.map({ moves[$0].saving }) ?? 0 { best = place }
      }
      guard let best else { break }
      chosen.formUnion(moves[best].indexes)
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

  /// With other indexes for the statements that got much less than what they could get alone.
  ///
  /// SQLite often prefers an index that another statement needs; then the two have to be chosen together.
  private func improved(
    _ chosen: Set<IndexCandidate>, without excluded: Set<IndexCandidate>
  ) throws -> Set<IndexCandidate> {
    var chosen = chosen
    for place in statements.indices where !deadline.hasPassed {
      let count = Double(max(1, statements[place].statement.count))
      let sets = advice[place]?.alternatives.prefix(3).map({ Set($0.set) }) ?? []
      // What another statement would take for a value that both look for, it can't take where that value comes last.
      let turned = sets.prefix(1).map { Set($0.map(\.withSoughtValuesLast)) }.filter { !sets.contains($0) }
      let conditioned = conditioned(sets, for: statements[place])
      for set in sets + turned + conditioned
      where set.isDisjoint(with: excluded) && !set.isSubset(of: chosen) {
        let now = try cost(of: place, with: chosen)
        let alone = try cost(of: place, with: set)
        guard (now - alone) * count > GainRule.leastCost, now > 1.2 * alone else { break }
        // What keeps SQLite from using it may go.
        let rivals = try used(by: place, of: chosen.union(set)).subtracting(set)
        let plain = [chosen.union(set), chosen.union(set).subtracting(rivals)]
        for trial in try plain + (defended(chosen, against: set).map { [$0] } ?? []) {
          let reduced = try reduced(trial)
          guard reduced.count <= maximumIndexes, try expense(of: reduced) < expense(of: chosen) else { continue }
          // SQLite takes an index of some rows for one of few.
          if conditioned.contains(set), try slowsReads(reduced, from: chosen) { continue }
          chosen = reduced
          break
        }
      }
    }
    return chosen
  }

  /// Whether a read takes longer with one set than with another.
  private func slowsReads(_ set: Set<IndexCandidate>, from other: Set<IndexCandidate>) throws -> Bool {
    try statements.indices.contains { place in
      guard !statements[place].isWrite else { return false }
      return try cost(of: place, with: set) > GainRule.tolerance * cost(of: place, with: other) + 500
    }
  }

  /// The sets with indexes of the statement's rows only, which mislead nobody who asks for others.
  private func conditioned(_ sets: [Set<IndexCandidate>], for statement: AnalyzedStatement) -> [Set<IndexCandidate>] {
    guard let shape = statement.shape else { return [] }
    let candidates = IndexCandidates(
      schema: advisor.schema, facts: advisor.facts, evidence: advisor.evidence, statement: statement.statement.id)
    return sets.map { Set($0.map { candidates.conditioned($0, for: shape) ?? $0 }) }.filter { !sets.contains($0) }
  }

  /// A set with others, where the indexes of the statements that would take these for their own are widened by what these begin
  /// with: SQLite prefers the index that finds more values. Nil where no statement would.
  private func defended(
    _ chosen: Set<IndexCandidate>, against set: Set<IndexCandidate>
  ) throws -> Set<IndexCandidate>? {
    let all = chosen.union(set)
    var defended = all
    for place in statements.indices where !statements[place].isWrite {
      let before = try cost(of: place, with: chosen)
      guard try cost(of: place, with: all) > GainRule.tolerance * before + 500 else { continue }
      for own in try used(by: place, of: chosen) where own.condition == nil {
        for rival in set where rival.table == own.table && rival.condition == nil {
          guard let first = rival.keys.first, !own.keys.contains(where: { $0.isLike(first) }) else { continue }
          var wide = own
          wide.keys.insert(first, at: own.seekingKeys)
          wide.seekingKeys += 1
          defended.remove(own)
          defended.insert(wide)
        }
      }
    }
    return defended == all ? nil : defended
  }

  /// What the workload and the indexes of a set cost together.
  private func expense(of set: Set<IndexCandidate>) throws -> Double {
    try statements.indices.reduce(price(of: set)) { sum, place in
      sum + (try cost(of: place, with: set)) * Double(max(1, statements[place].statement.count))
    }
  }

  private func price(of indexes: Set<IndexCandidate>) -> Double {
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

  /// Single indexes, and sets that were measured together.
  private func moves(withWide: Bool) -> [Set<IndexCandidate>] {
    let advice = advice.compactMap { $0 }
    let wide = withWide ? advice.flatMap { $0.widened.prefix(2).map(\.set) } : []
    let sets = advice.flatMap { $0.alternatives.prefix(3).map(\.set) } + wide
    var seen: Set<IndexCandidate> = []
    let first = advice.flatMap(\.candidates).filter { seen.insert($0).inserted }
    let merged = IndexMerger.merged(first)
    seen.formUnion(merged)
    let others = sets.flatMap { $0 }.filter { seen.insert($0).inserted }
    return (merged + others).map { [$0] } + Set(sets.filter { $0.count > 1 }.map(Set.init))
  }

  /// Without the indexes that became useless when others joined them.
  private func reduced(_ chosen: Set<IndexCandidate>) throws -> Set<IndexCandidate> {
    var chosen = chosen
    for index in chosen.sorted(by: { ($0.keys.count, $0.definition) > ($1.keys.count, $1.definition) }) {
      let others = chosen.subtracting([index])
      if try saving(of: [index], with: others) <= 0 { chosen = others }
    }
    return chosen
  }

  // MARK: Costs

  /// What all executions save when indexes join others, less what the indexes themselves cost.
  func saving(of indexes: Set<IndexCandidate>, with chosen: Set<IndexCandidate>) throws -> Double {
    let all = chosen.union(indexes)
    let touched = Set(indexes.map(\.table.asciiLowercased))
    var gain = 0.0
    var loss = 0.0
    var most = 0.0
    for place in statements.indices where !tables[place].isDisjoint(with: touched) {
      let before = try cost(of: place, with: chosen)
      let after = try cost(of: place, with: all)
      let count = Double(max(1, statements[place].statement.count))
      if after < before {
        gain += (before - after) * count
        if before - after > Self.leastShareOfStatement * before { most = max(most, before - after) }
      } else {
        loss += (after - before) * count
      }
    }
    // A little for each execution is not worth an index, unless it is much in all.
    guard most > GainRule.leastCost || gain > Self.leastShare * total else { return 0 }
    return gain - loss - price(of: indexes)
  }

  /// What one execution costs with those of the indexes that concern the statement.
  private func cost(of place: Int, with indexes: Set<IndexCandidate>) throws -> Double {
    let statement = statements[place]
    let near = indexes.filter { tables[place].contains($0.table.asciiLowercased) }
    let used = try used(by: place, of: near)
    let entries = near.subtracting(used).reduce(0.0) { $0 + writes.entries(of: $1, for: statement) }
    return try cost(of: place, using: used) + entries * WorkloadWrites.stepsPerIndexEntry
  }

  /// Those of the indexes that SQLite would use, by what is known of them.
  private func used(by place: Int, of indexes: Set<IndexCandidate>) throws -> Set<IndexCandidate> {
    let near = indexes.filter { tables[place].contains($0.table.asciiLowercased) }
    if near.isEmpty { return [] }
    planner.learn(bench.figures)
    let planned = try planner.used(
      of: statements[place].sql, bindings: statements[place].samples.first?.values ?? [:], among: near)
    return planned.union(near.filter { index in references[place].contains { $0.begins(index) } })
  }

  private func cost(of place: Int, using used: Set<IndexCandidate>) throws -> Double {
    let statement = statements[place]
    let key = Key(statement: place, indexes: used)
    if let cost = costs[key] { return cost }
    let unchanged = ExecutionCost.of(statement.measurements)
    guard !deadline.hasPassed,
      let cost = try bench.cost(of: statement, with: used.sorted { $0.definition < $1.definition })
    else {
      isIncomplete = true
      // More indexes than those that were measured seldom make it worse, and the set that is chosen will be measured.
      let known = costs.filter { $0.key.statement == place && $0.key.indexes.isSubset(of: used) }
      return known.values.min() ?? unchanged
    }
    // More than a lower bound need not be more than before.
    let most = statement.measurements.allSatisfy(\.isComplete) ? 3 * unchanged : unchanged
    costs[key] = min(cost, most)
    return min(cost, most)
  }

  /// The indexes of a set that a statement would use, but for those with which it was found to return the same rows.
  func unproven(_ statement: AnalyzedStatement, with set: Set<IndexCandidate>) throws -> Set<IndexCandidate> {
    guard let place = statements.firstIndex(where: { $0.statement.id == statement.statement.id }) else { return [] }
    let used = try used(by: place, of: set)
    return used == Set(advice[place]?.candidates ?? []) ? [] : used
  }

  /// Indexes that a statement alone gains from and that are not in a set, and what speaks against them.
  struct LeftOut {
    var indexes: [IndexCandidate]
    /// The statement that gains from them.
    var statement: Int
    /// The one that loses most by them; nil where only their size and the assumed writes do.
    var loser: Int?
    /// Whether the loser would use them, and so do more than it does without.
    var isMisused = false
  }

  /// What was left out of a set, though not for being too many, and a statement would take much less with it. Nothing once
  /// the time has ended.
  func leftOut(of chosen: Set<IndexCandidate>) throws -> [LeftOut] {
    var found: [LeftOut] = []
    for place in statements.indices where !deadline.hasPassed && !statements[place].isWrite {
      let wanted = advice[place]?.candidates ?? []
      let set = Set(wanted)
      let now = try cost(of: place, with: chosen)
      let alone = try cost(of: place, with: set)
      guard !set.isSubset(of: chosen), now - alone > GainRule.leastCost, now > 2 * alone,
        chosen.union(set).count <= maximumIndexes, !found.contains(where: { $0.indexes == wanted })
      else { continue }
      var leftOut = LeftOut(indexes: wanted, statement: statements[place].statement.id)
      var most = 0.0
      for other in statements.indices where other != place {
        let loss =
          (try cost(of: other, with: chosen.union(set)) - cost(of: other, with: chosen))
          * Double(max(1, statements[other].statement.count))
        guard loss > most else { continue }
        most = loss
        leftOut.loser = statements[other].statement.id
        leftOut.isMisused = try !used(by: other, of: chosen.union(set)).isDisjoint(with: set)
      }
      found.append(leftOut)
    }
    return found
  }
}

extension IndexCandidate {
  /// The index with the values that are looked for behind the range, or the order, in which it is read.
  fileprivate var withSoughtValuesLast: IndexCandidate {
    guard condition == nil, interchangeable > 0, interchangeable < seekingKeys else { return self }
    var turned = self
    turned.keys = Array(
      keys[interchangeable..<seekingKeys] + keys[..<interchangeable] + keys[seekingKeys...])
    turned.interchangeable = 0
    return turned
  }

  /// Whether the keys of a shorter index are its first ones, in their order, and both are of all rows.
  fileprivate func startsWith(_ shorter: IndexCandidate) -> Bool {
    table.asciiLowercased == shorter.table.asciiLowercased && condition == nil && keys.count > shorter.keys.count
      && keys.prefix(shorter.keys.count).map(\.definition) == shorter.keys.map(\.definition)
  }

  /// Whether all of its keys are the first ones of another index, in any order, and both are of all rows.
  fileprivate func begins(_ other: IndexCandidate) -> Bool {
    table.asciiLowercased == other.table.asciiLowercased && other.condition == nil
      && Set(keys.map(\.sql)) == Set(other.keys.prefix(keys.count).map(\.sql))
  }
}
