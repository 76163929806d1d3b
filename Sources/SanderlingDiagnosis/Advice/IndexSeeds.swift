/// Sets of candidates that belong together, though SQLite would not choose them while all others exist as well.
enum IndexSeeds {
  static func sets(of candidates: [IndexCandidate]) -> [Set<IndexCandidate>] {
    let plain = candidates.filter { $0.seekingKeys == $0.keys.count && $0.condition == nil }
    var sets = [Set(candidates.filter { $0.purposes.contains(.alternative) })]
    // What the branches of an OR need, each by itself.
    sets.append(Set(plain.filter { $0.purposes.contains(.alternative) && $0.keys.count == 1 }))
    sets.append(Set(plain.filter { $0.purposes.contains(.alternative) && $0.keys.count > 1 }))
    // Joins in one direction or the other, and what finds the rows to begin with.
    let joins = plain.filter { !$0.purposes.isDisjoint(with: [.join, .outerValue]) }
    let filters = plain.filter { $0.purposes.isDisjoint(with: [.join, .outerValue]) }
    sets.append(Set(joins))
    sets.append(Set(joins.filter { $0.keys.count == 1 }).union(filters.filter { $0.keys.count == 1 }))
    sets.append(Set(plain))
    sets.append(Set(filters))
    // What finds rows, where SQLite would rather walk an order and leave rows out.
    sets.append(Set(filters.filter { $0.purposes.isDisjoint(with: [.order, .group, .distinct]) }))
    // Of two ranges, as of a time that begins before and ends after another one, SQLite takes either for the better.
    let firsts = Dictionary(grouping: filters.filter { !$0.purposes.contains(.order) }) { index in
      index.table + "." + (index.keys.first?.definition ?? "")
    }
    if (2...mostFirstKeys).contains(firsts.count) {
      sets += firsts.sorted { $0.key < $1.key }.map { Set($0.value) }
    }
    // Without indexes that are read from end to end.
    sets.append(Set(candidates.filter { $0.seekingKeys > 0 }))
    sets.append(Set(candidates.filter { $0.condition != nil }))
    return sets.filter { !$0.isEmpty }
  }

  /// What the branches of an OR need together with what is equal beside it, where ANALYZE will have figures of these indexes.
  ///
  /// Without figures SQLite holds the first of them for enough, and takes a value of its first column to have ten rows. So nothing
  /// but a trial shows what it does with them.
  static func branches(of candidates: [IndexCandidate], _ schema: DatabaseSchema) -> [IndexCandidate] {
    let found = candidates.filter { index in
      index.purposes.contains(.alternative) && index.keys.count > 1 && index.seekingKeys == index.keys.count
        && index.condition == nil && schema.hasStatistics(ofIndexesBeside: index)
    }
    return (2...mostBranches).contains(found.count) ? found : []
  }

  private static let mostBranches = 4
  private static let mostFirstKeys = 6
}
