/// What a set lacks that single statements would gain from.
extension IndexSetSearch {
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
