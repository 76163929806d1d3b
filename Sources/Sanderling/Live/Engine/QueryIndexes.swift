/// The live queries of each kind, so that queries are found without a search through all of them. Confined to the
/// engine's turns.
///
/// ``FollowedQuery`` alone maintains them: a change of its state moves it, and its end removes it from all.
final class QueryIndexes {
  /// The kinds of a query.
  struct Kinds: OptionSet {
    let rawValue: UInt16

    static let waiting = Kinds(rawValue: 1)
    static let due = Kinds(rawValue: 1 << 1)
    static let loading = Kinds(rawValue: 1 << 2)
    static let failed = Kinds(rawValue: 1 << 3)
    /// The news of other queries wait for it.
    static let holding = Kinds(rawValue: 1 << 4)
    /// The query is dirty.
    static let noted = Kinds(rawValue: 1 << 5)
    /// The query has background work.
    static let working = Kinds(rawValue: 1 << 6)
    /// The query has news that its subscribers did not get yet.
    static let undelivered = Kinds(rawValue: 1 << 7)
    /// The writer refused to capture the query's needs.
    static let refused = Kinds(rawValue: 1 << 8)

    static let count = 9
  }

  private var sets: [Set<FollowedQuery>] = Array(repeating: [], count: Kinds.count)

  /// The queries of one kind.
  subscript(kind: Kinds) -> Set<FollowedQuery> { sets[kind.rawValue.trailingZeroBitCount] }

  /// Whether no query is of any of the kinds.
  func isEmpty(_ kinds: Kinds) -> Bool {
    sets.indices.allSatisfy { kinds.isDisjoint(with: Kinds(rawValue: 1 << $0)) || sets[$0].isEmpty }
  }

  func move(_ query: FollowedQuery, from old: Kinds, to new: Kinds) {
    var changed = old.symmetricDifference(new).rawValue
    while changed != 0 {
      let index = changed.trailingZeroBitCount
      if new.rawValue & 1 << index != 0 { sets[index].insert(query) } else { sets[index].remove(query) }
      changed &= changed - 1
    }
  }
}
