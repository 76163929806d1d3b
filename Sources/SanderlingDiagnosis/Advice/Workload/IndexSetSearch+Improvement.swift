/// How a set that was found one index after the other gets better.
extension IndexSetSearch {
  /// With other indexes for the statements that got much less than what they could get alone.
  ///
  /// SQLite often prefers an index that another statement needs; then the two have to be chosen together.
  func improved(
    _ chosen: Set<IndexCandidate>, without excluded: Set<IndexCandidate>
  ) throws -> Set<IndexCandidate> {
    var chosen = chosen
    for place in statements.indices where !deadline.hasPassed {
      let count = Double(max(1, statements[place].statement.count))
      let (sets, turned, conditioned) = own(of: place)
      for set in sets + turned + conditioned
      where set.isDisjoint(with: excluded) && !set.isSubset(of: chosen) {
        let now = try cost(of: place, with: chosen)
        let alone = try cost(of: place, with: set)
        guard (now - alone) * count > GainRule.leastCost, now > 1.2 * alone else { break }
        // What keeps SQLite from using it may go.
        let rivals = try used(by: place, of: chosen.union(set)).subtracting(set)
        let plain = [chosen.union(set), chosen.union(set).subtracting(rivals)]
        let others = try [defended(chosen, against: set), appeased(chosen, with: set)].compactMap { $0 }
        for trial in plain + others {
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

  /// The sets that a statement gains from alone, those that others can't take for their own instead, and those of its rows only.
  private func own(
    of place: Int
  ) -> (sets: [Set<IndexCandidate>], turned: [Set<IndexCandidate>], conditioned: [Set<IndexCandidate>]) {
    var sets = advice[place]?.alternatives.prefix(Self.mostAlternatives).map { Set($0.set) } ?? []
    // What is better with ANALYZE only is none of the alternatives without.
    if let own = advice[place]?.candidates, !own.isEmpty, !sets.contains(Set(own)) { sets.insert(Set(own), at: 0) }
    // What another statement would take for a value that both look for, it can't take where that value comes last.
    let turned = sets.prefix(1).map { Set($0.map(\.withSoughtValuesLast)) }.filter { !sets.contains($0) }
    return (sets, turned, conditioned(sets, for: statements[place]))
  }

  /// A set with others, and with another set of its own for each statement that would take these for its own. Nil where none would,
  /// or nothing else helps it.
  private func appeased(_ chosen: Set<IndexCandidate>, with set: Set<IndexCandidate>) throws -> Set<IndexCandidate>? {
    var appeased = chosen.union(set)
    for place in statements.indices where !statements[place].isWrite && !deadline.hasPassed {
      let before = try cost(of: place, with: chosen)
      guard try !GainRule.isNoWorse(cost(of: place, with: appeased), than: before) else { continue }
      let (sets, turned, conditioned) = own(of: place)
      let others = sets + turned + conditioned + (advice[place]?.widened.prefix(2).map { Set($0.set) } ?? [])
      let helping = try others.map { appeased.union($0) }.first {
        try GainRule.isNoWorse(cost(of: place, with: $0), than: before)
      }
      guard let helping else { return nil }
      appeased = helping
    }
    return appeased == chosen.union(set) ? nil : appeased
  }

  /// Whether a read takes longer with one set than with another.
  private func slowsReads(_ set: Set<IndexCandidate>, from other: Set<IndexCandidate>) throws -> Bool {
    try statements.indices.contains { place in
      guard !statements[place].isWrite else { return false }
      return try !GainRule.isNoWorse(cost(of: place, with: set), than: cost(of: place, with: other))
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
      guard try !GainRule.isNoWorse(cost(of: place, with: all), than: before) else { continue }
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
}
