/// The fixes of a report in an order in which all their printed commands can run one after the other.
///
/// Each index appears once: with the statements that it serves alone, and before the fixes that need it. ANALYZE comes
/// last, because it reads the indexes that exist then.
struct FixOrder {
  let groups: [FixGroup]

  init(_ groups: [FixGroup]) {
    let changesIndexes = groups.contains { $0.sql.contains { $0.changesSchema && !$0.hasPrefix("ANALYZE") } }
    let sorted = groups.sorted { one, other in
      let areLast = (changesIndexes && one.isAnalysis, changesIndexes && other.isAnalysis)
      if areLast.0 != areLast.1 { return areLast.1 }
      return one.isBeside == other.isBeside ? one.saved > other.saved : other.isBeside
    }
    self.groups = Self.withoutRepetitions(Self.providersFirst(sorted))
  }

  /// Moves a fix that creates indexes before the first fix that needs one of them.
  private static func providersFirst(_ groups: [FixGroup]) -> [FixGroup] {
    var result: [FixGroup] = []
    var rest = groups
    while !rest.isEmpty {
      let group = rest.removeFirst()
      if group.kind != .index {
        let needed = group.sql.filter(\.createsIndex)
        let provides = { (other: FixGroup) in other.kind == .index && needed.contains(where: other.sql.contains) }
        result += rest.filter(provides)
        rest.removeAll(where: provides)
      }
      result.append(group)
    }
    return result
  }

  /// Leaves out the commands of earlier fixes. A fix without any other commands becomes part of the earlier fix.
  private static func withoutRepetitions(_ groups: [FixGroup]) -> [FixGroup] {
    var result: [FixGroup] = []
    var places: [String: Int] = [:]
    for group in groups {
      var own = group
      own.sql = group.sql.filter { places[$0] == nil }
      let earlier = Set(group.sql.compactMap { places[$0] })
      if own.sql.isEmpty, let first = earlier.min() {
        result[first].merge(group)
        continue
      }
      own.needs = earlier.sorted()
      for place in earlier { result[place].isKept = true }
      for sql in own.sql { places[sql] = result.count }
      result.append(own)
    }
    return result
  }
}

extension FixGroup {
  fileprivate var isAnalysis: Bool { sql.contains("ANALYZE") }
}
