import Foundation

/// How the rows of a window are sorted: as SQLite's ORDER BY does, by values that were read.
struct WindowOrdering: Sendable {
  private struct Key {
    let collation: Collation
    let isDescending: Bool
    let putsNullsLast: Bool

    init(_ ordering: Ordering) {
      collation = ordering.term.comparisonCollation ?? .binary
      isDescending = ordering.isDescending
      putsNullsLast = ordering.putsNullsLast
    }

    func order(_ lhs: StorageValue, _ rhs: StorageValue) -> ComparisonResult {
      if lhs.isNull != rhs.isNull {
        return lhs.isNull == putsNullsLast ? .orderedDescending : .orderedAscending
      }
      let order = SQLiteComparison.order(lhs, rhs, collation: collation)
      return isDescending ? order.reversed : order
    }
  }

  private let keys: [Key]

  /// - Parameter orderings: What rows are sorted by, the primary key at the end.
  init(_ orderings: [Ordering]) {
    keys = orderings.map(Key.init)
  }

  /// The order of values by which rows are sorted, of which the first belongs to the ordering at `start`.
  func order(_ lhs: [StorageValue], _ rhs: [StorageValue], from start: Int = 0) -> ComparisonResult {
    for index in lhs.indices {
      let order = keys[start + index].order(lhs[index], rhs[index])
      if order != .orderedSame { return order }
    }
    return .orderedSame
  }

  /// Whether a row with the first sort key comes after one with the second.
  func isAfter(_ lhs: [StorageValue], _ rhs: [StorageValue]) -> Bool {
    order(lhs, rhs) == .orderedDescending
  }
}

extension Ordering {
  /// NULL is less than every value unless the query says where it goes.
  var putsNullsLast: Bool { nulls.map { $0 == .last } ?? isDescending }
}
