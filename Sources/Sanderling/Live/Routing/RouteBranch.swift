/// One way in which a row can satisfy a condition. Some columns each have one of a set of values, and other columns are
/// each in a range.
struct RouteBranch: Sendable {
  /// The columns with their sets of values, in the form of ``RouteColumn/equalityKey(_:)``.
  private(set) var equalities: [(column: RouteColumn, keys: Set<StorageValue>)] = []
  private(set) var ranges: [(column: RouteColumn, range: RouteRange)] = []

  /// The branch that every row satisfies.
  static let always = RouteBranch()

  init() {}

  init(_ column: RouteColumn, keys: Set<StorageValue>) {
    equalities = [(column, keys)]
  }

  init(_ column: RouteColumn, in range: RouteRange) {
    ranges = [(column, range)]
  }

  var isAlways: Bool { equalities.isEmpty && ranges.isEmpty }

  /// The branch of the rows that satisfy both branches; nil if there can be no such row.
  func conjoined(with other: RouteBranch) -> RouteBranch? {
    var result = self
    for (column, keys) in other.equalities {
      if let index = result.equalities.firstIndex(where: { $0.column == column }) {
        result.equalities[index].keys.formIntersection(keys)
        if result.equalities[index].keys.isEmpty { return nil }
      } else {
        result.equalities.append((column, keys))
      }
    }
    for (column, range) in other.ranges {
      if let index = result.ranges.firstIndex(where: { $0.column == column }) {
        let common = result.ranges[index].range.intersection(range, column.collation)
        if common.isEmpty(column.collation) { return nil }
        result.ranges[index].range = common
      } else {
        result.ranges.append((column, range))
      }
    }
    return result
  }

  /// The branch of the rows that satisfy this branch or the other. Nil unless both are equalities of the same column,
  /// and nothing else.
  func united(with other: RouteBranch) -> RouteBranch? {
    guard ranges.isEmpty, other.ranges.isEmpty, equalities.count == 1, other.equalities.count == 1,
      equalities[0].column == other.equalities[0].column
    else { return nil }
    return RouteBranch(equalities[0].column, keys: equalities[0].keys.union(other.equalities[0].keys))
  }

  /// The number of combinations of values, at most `limit`.
  func combinationCount(limit: Int) -> Int {
    equalities.reduce(1) { count, equality in
      let (product, isTooLarge) = count.multipliedReportingOverflow(by: equality.keys.count)
      return isTooLarge ? limit : min(product, limit)
    }
  }

  /// Removes the equality with the most values.
  mutating func dropLargestEquality() {
    guard let largest = equalities.indices.max(by: { equalities[$0].keys.count < equalities[$1].keys.count }) else {
      return
    }
    equalities.remove(at: largest)
  }

  /// The range that looks up rows. Its column has no equality, and it has two ends if possible.
  var bestRange: (column: RouteColumn, range: RouteRange)? {
    let others = ranges.filter { range in !equalities.contains { $0.column == range.column } }
    return others.first { $0.range.isClosed } ?? others.first
  }
}
