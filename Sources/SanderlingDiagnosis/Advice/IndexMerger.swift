/// Makes one index of two that serve different statements.
struct IndexMerger {
  /// Keys that a merged index may have.
  static let maximumKeys = 6
  /// Merged indexes for each table.
  static let maximumForTable = 10

  /// The candidates, and those that take the place of two of them. O(candidates²) for each table.
  static func merged(_ candidates: [IndexCandidate]) -> [IndexCandidate] {
    var found = candidates
    var seen = Set(candidates)
    var counts: [String: Int] = [:]
    for one in candidates {
      for other in candidates where one != other && one.table == other.table && one.condition == other.condition {
        for index in merge(one, other) where counts[one.table, default: 0] < maximumForTable {
          guard seen.insert(index).inserted else { continue }
          counts[one.table, default: 0] += 1
          found.append(index)
        }
      }
    }
    return found
  }

  /// Indexes that do what both do.
  private static func merge(_ one: IndexCandidate, _ other: IndexCandidate) -> [IndexCandidate] {
    var found: [IndexCandidate] = []
    // Both find the same rows, and read other columns of them.
    let seeking = Array(one.keys.prefix(one.seekingKeys))
    if one.seekingKeys == other.seekingKeys, seeking == Array(other.keys.prefix(other.seekingKeys)) {
      let added = other.keys.dropFirst(other.seekingKeys).filter { !one.keys.contains($0) }
      found.append(with(one, keys: one.keys + added))
    }
    // The other one's keys first: then it is a prefix.
    let wanted = Array(other.keys.prefix(other.seekingKeys))
    let fixed = Array(one.keys.prefix(one.interchangeable))
    if !wanted.isEmpty, wanted.allSatisfy(fixed.contains) {
      let rest = fixed.filter { !wanted.contains($0) }
      found.append(with(one, keys: wanted + rest + one.keys.dropFirst(one.interchangeable)))
    }
    // The other one finds as many rows by the first key, and leaves some out by what the index holds as well.
    if one.keys.first == other.keys.first {
      found.append(with(one, keys: one.keys + other.keys.filter { key in !one.keys.contains { $0.isLike(key) } }))
    }
    return found.filter { $0.keys.count <= maximumKeys }
  }

  private static func with(_ index: IndexCandidate, keys: [IndexCandidate.Key]) -> IndexCandidate {
    var index = index
    index.keys = keys
    return index
  }
}
