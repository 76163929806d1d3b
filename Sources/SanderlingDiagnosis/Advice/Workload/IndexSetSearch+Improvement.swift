/// The improvement of a set that was found index by index.
extension IndexSetSearch {
  /// The set with other indexes for statements that got much less than they could get alone.
  ///
  /// SQLite often prefers an index of another statement. Then the indexes of both statements must be chosen together.
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
        // The indexes that keep SQLite from using the set may be removed.
        let rivals = try used(by: place, of: chosen.union(set)).subtracting(set)
        let plain = [chosen.union(set), chosen.union(set).subtracting(rivals)]
        let others = try [defended(chosen, against: set), appeased(chosen, with: set)].compactMap { $0 }
        for trial in plain + others {
          let reduced = try reduced(trial)
          guard reduced.count <= maximumIndexes, try expense(of: reduced) < expense(of: chosen) else { continue }
          // SQLite assumes that a partial index has few rows.
          if conditioned.contains(set), try slowsReads(reduced, from: chosen) { continue }
          chosen = reduced
          break
        }
      }
    }
    return chosen
  }

  /// The sets that are a gain for a statement alone; the sets that other statements can't use in place of their own;
  /// and the sets with only the statement's rows.
  private func own(
    of place: Int
  ) -> (sets: [Set<IndexCandidate>], turned: [Set<IndexCandidate>], conditioned: [Set<IndexCandidate>]) {
    var sets = advice[place]?.alternatives.prefix(Self.mostAlternatives).map { Set($0.set) } ?? []
    // The alternatives don't include a set that is better only with ANALYZE.
    if let own = advice[place]?.candidates, !own.isEmpty, !sets.contains(Set(own)) { sets.insert(Set(own), at: 0) }
    // If the searched value comes last, another statement that searches for the same value can't use the index.
    let turned = sets.prefix(1).map { Set($0.map(\.withSoughtValuesLast)) }.filter { !sets.contains($0) }
    return (sets, turned, conditioned(sets, for: statements[place]))
  }

  /// The chosen set with a further set, and with a better set for each statement that the further set misleads. Nil if
  /// it misleads no statement, or if nothing helps a misled statement.
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

  /// The sets as partial indexes with only the statement's rows. They mislead no statement that looks for other rows.
  private func conditioned(_ sets: [Set<IndexCandidate>], for statement: AnalyzedStatement) -> [Set<IndexCandidate>] {
    guard let shape = statement.shape else { return [] }
    let candidates = IndexCandidates(
      schema: advisor.schema, facts: advisor.facts, evidence: advisor.evidence, statement: statement.statement.id)
    return sets.map { Set($0.map { candidates.conditioned($0, for: shape) ?? $0 }) }.filter { !sets.contains($0) }
  }

  /// The chosen set with a further set. The own index of each statement that the further set misleads also gets the
  /// first key of the misleading index: SQLite prefers the index that finds more values. Nil if no statement is misled.
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
  /// The index with the searched values after its range or order.
  fileprivate var withSoughtValuesLast: IndexCandidate {
    guard condition == nil, interchangeable > 0, interchangeable < seekingKeys else { return self }
    var turned = self
    turned.keys = Array(
      keys[interchangeable..<seekingKeys] + keys[..<interchangeable] + keys[seekingKeys...])
    turned.interchangeable = 0
    return turned
  }
}
