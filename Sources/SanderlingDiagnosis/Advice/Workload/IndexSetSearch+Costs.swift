/// The costs of statements with a set of indexes, as far as they were measured or planned.
extension IndexSetSearch {
  /// The saving of all executions if indexes join a set, less the costs of the indexes themselves.
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
    // A small saving in each execution justifies no index, unless the total saving is great.
    guard most > GainRule.leastCost || gain > Self.leastShare * total else { return 0 }
    return gain - loss - price(of: indexes)
  }

  /// The cost of one execution with the indexes that concern the statement.
  func cost(of place: Int, with indexes: Set<IndexCandidate>) throws -> Double {
    let statement = statements[place]
    let near = indexes.filter { tables[place].contains($0.table.asciiLowercased) }
    let used = try used(by: place, of: near)
    let entries = near.subtracting(used).reduce(0.0) { $0 + writes.entries(of: $1, for: statement) }
    return try cost(of: place, using: used) + entries * WorkloadWrites.stepsPerIndexEntry
  }

  /// The indexes that SQLite would use, as far as it is known.
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
      // More indexes than the measured ones seldom make a statement slower, and the chosen set is measured later.
      let known = costs.filter { $0.key.statement == place && $0.key.indexes.isSubset(of: used) }
      return known.values.min() ?? unchanged
    }
    // A cost above a lower bound need not be greater than before.
    let most = statement.measurements.allSatisfy(\.isComplete) ? 3 * unchanged : unchanged
    costs[key] = min(cost, most)
    return min(cost, most)
  }

  /// The indexes of a set that a statement would use. None if the statement was found to return the same rows with
  /// exactly these indexes.
  func unproven(_ statement: AnalyzedStatement, with set: Set<IndexCandidate>) throws -> Set<IndexCandidate> {
    guard let place = statements.firstIndex(where: { $0.statement.id == statement.statement.id }) else { return [] }
    let used = try used(by: place, of: set)
    return used == Set(advice[place]?.candidates ?? []) ? [] : used
  }
}

extension IndexCandidate {
  /// Whether all keys of this index are the first keys of another index, in any order, and the other index has all
  /// rows.
  fileprivate func begins(_ other: IndexCandidate) -> Bool {
    table.asciiLowercased == other.table.asciiLowercased && other.condition == nil
      && Set(keys.map(\.sql)) == Set(other.keys.prefix(keys.count).map(\.sql))
  }
}
