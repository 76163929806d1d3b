import Foundation

/// An ordering that is prepared to sort rows as SQLite's ORDER BY does.
package struct PreparedOrdering: Sendable {
  private struct Key: Sendable {
    let term: PreparedTerm
    let collation: Collation
    let isDescending: Bool
    let putsNullsLast: Bool

    init(_ ordering: Ordering) throws {
      term = try PreparedTerm(ordering.term)
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

  /// Prepares an ordering.
  ///
  /// - Throws: The error of ``PreparedTerm/init(_:)`` for a key of the ordering.
  package init(_ orderings: [Ordering]) throws {
    keys = try orderings.map(Key.init)
  }

  /// The values that determine the place of a row.
  package func sortKey(in context: some EvaluationContext) throws -> [StorageValue] {
    try keys.map { try $0.term.value(in: context) }
  }

  /// The order of two rows by their sort keys. Rows that are equal in the ordering are `.orderedSame`.
  ///
  /// - Precondition: Both are sort keys of this ordering.
  package func order(_ lhs: [StorageValue], _ rhs: [StorageValue]) -> ComparisonResult {
    for (index, key) in keys.enumerated() {
      let order = key.order(lhs[index], rhs[index])
      if order != .orderedSame { return order }
    }
    return .orderedSame
  }
}
