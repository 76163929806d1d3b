/// The indexes that a set lacks, although single statements would gain from them.
extension IndexSetSearch {
  /// Indexes outside a set that are a gain for a statement alone, and the reason against them.
  struct LeftOut {
    var indexes: [IndexCandidate]
    /// The statement that gains from them.
    var statement: Int
    /// The statement that loses most by the indexes; nil if only their size and the assumed writes count against them.
    var loser: Int?
    /// Whether the loser would use the indexes, and cost more with them.
    var isMisused = false
  }

  /// The indexes that were left out although the number of indexes allows them and a statement would cost much less
  /// with them. Empty once the time has ended.
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
