/// What statements cost with a set of indexes, as far as that was measured or planned.
extension IndexSetSearch {
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
  func cost(of place: Int, with indexes: Set<IndexCandidate>) throws -> Double {
    let statement = statements[place]
    let near = indexes.filter { tables[place].contains($0.table.asciiLowercased) }
    let used = try used(by: place, of: near)
    let entries = near.subtracting(used).reduce(0.0) { $0 + writes.entries(of: $1, for: statement) }
    return try cost(of: place, using: used) + entries * WorkloadWrites.stepsPerIndexEntry
  }

  /// Those of the indexes that SQLite would use, by what is known of them.
  func used(by place: Int, of indexes: Set<IndexCandidate>) throws -> Set<IndexCandidate> {
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
}

extension IndexCandidate {
  /// Whether all of its keys are the first ones of another index, in any order, and both are of all rows.
  fileprivate func begins(_ other: IndexCandidate) -> Bool {
    table.asciiLowercased == other.table.asciiLowercased && other.condition == nil
      && Set(keys.map(\.sql)) == Set(other.keys.prefix(keys.count).map(\.sql))
  }
}
