/// Merges two indexes that serve different statements into one.
struct IndexMerger {
  /// The greatest number of keys of a merged index.
  static let maximumKeys = 6
  /// The greatest number of merged indexes for each table.
  static let maximumForTable = 10

  /// The candidates, and merged indexes that can replace two of them. O(candidates²) for each table.
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

  /// The indexes that serve the statements of both.
  private static func merge(_ one: IndexCandidate, _ other: IndexCandidate) -> [IndexCandidate] {
    var found: [IndexCandidate] = []
    // Both indexes find the same rows, and have different further columns to read.
    let seeking = Array(one.keys.prefix(one.seekingKeys))
    if one.seekingKeys == other.seekingKeys, seeking == Array(other.keys.prefix(other.seekingKeys)) {
      let added = other.keys.dropFirst(other.seekingKeys).filter { !one.keys.contains($0) }
      found.append(with(one, keys: one.keys + added))
    }
    // The keys of the other index come first, so that it is a prefix of the merged index.
    let wanted = Array(other.keys.prefix(other.seekingKeys))
    let fixed = Array(one.keys.prefix(one.interchangeable))
    if !wanted.isEmpty, wanted.allSatisfy(fixed.contains) {
      let rest = fixed.filter { !wanted.contains($0) }
      found.append(with(one, keys: wanted + rest + one.keys.dropFirst(one.interchangeable)))
    }
    // Both indexes begin with the same key. The merged index also has the keys of the other index, which leave rows
    // out.
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
