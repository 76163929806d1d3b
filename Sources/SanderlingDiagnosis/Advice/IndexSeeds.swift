/// Sets of candidates to try together. SQLite would not choose such a set while all other candidates exist, too.
enum IndexSeeds {
  static func sets(of candidates: [IndexCandidate]) -> [Set<IndexCandidate>] {
    let plain = candidates.filter { $0.seekingKeys == $0.keys.count && $0.condition == nil }
    var sets = [Set(candidates.filter { $0.purposes.contains(.alternative) })]
    // For the branches of an OR: the indexes with one key, and the indexes with several keys.
    sets.append(Set(plain.filter { $0.purposes.contains(.alternative) && $0.keys.count == 1 }))
    sets.append(Set(plain.filter { $0.purposes.contains(.alternative) && $0.keys.count > 1 }))
    // Indexes for joins in either direction, and then also indexes that find the rows with which a join begins.
    let joins = plain.filter { !$0.purposes.isDisjoint(with: [.join, .outerValue]) }
    let filters = plain.filter { $0.purposes.isDisjoint(with: [.join, .outerValue]) }
    sets.append(Set(joins))
    sets.append(Set(joins.filter { $0.keys.count == 1 }).union(filters.filter { $0.keys.count == 1 }))
    sets.append(Set(plain))
    sets.append(Set(filters))
    // Only indexes that find rows. Otherwise SQLite might read an index in the wanted order and skip the rows that
    // don't match.
    sets.append(Set(filters.filter { $0.purposes.isDisjoint(with: [.order, .group, .distinct]) }))
    // A statement may have two ranges, such as a begin before and an end after a time. SQLite may choose the worse
    // index. So the indexes that begin with each column are a set of their own.
    let firsts = Dictionary(grouping: filters.filter { !$0.purposes.contains(.order) }) { index in
      index.table + "." + (index.keys.first?.definition ?? "")
    }
    if (2...mostFirstKeys).contains(firsts.count) {
      sets += firsts.sorted { $0.key < $1.key }.map { Set($0.value) }
    }
    // The candidates without indexes that SQLite would read from end to end.
    sets.append(Set(candidates.filter { $0.seekingKeys > 0 }))
    sets.append(Set(candidates.filter { $0.condition != nil }))
    return sets.filter { !$0.isEmpty }
  }

  /// The indexes for the branches of an OR that begin with the columns of equalities beside the OR. Only indexes for
  /// which ANALYZE will make statistics.
  ///
  /// Without statistics, SQLite assumes that ten rows have a value of the first column, and considers the first index
  /// enough. So only a trial shows whether SQLite uses the indexes together.
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
