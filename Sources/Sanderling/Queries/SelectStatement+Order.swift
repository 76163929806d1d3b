/// The order of a query's rows. It is the same for all ways to read: fetches, live lists, positions, sections and
/// pages.
///
/// Rows that are equal in the query's orderings are sorted by their identity, in the direction of the last ordering. If
/// a table's key is the rowid, each index ends with the rowid. An index of the query's orderings then serves the whole
/// order. SQLite walks such an index in both directions, and `createdAt DESC, id DESC` is the index backwards.
///
/// A fetched query without orderings has no order. Where each row needs a place, the rows are sorted by their keys.
extension SelectStatement {
  /// The terms that distinguish the query's rows: the selected values of a query without duplicates, the grouping terms
  /// of a grouped query, and otherwise the primary key. Empty for a query that aggregates all of its rows.
  var identity: [Term] {
    if isDistinct { return columns }
    if isGrouped { return groups }
    let type = source.type
    return type.table.key.map { .column(ColumnTerm(scope: .root, owner: type, index: $0)) }
  }

  /// The orderings of rows that are equal in the query's orderings. They contain all of ``identity``.
  var tieBreakers: [Ordering] { orderings.tieBreakers(identity) }

  /// The query's orderings, completed to a total order of its rows.
  var completeOrderings: [Ordering] {
    (orderings + tieBreakers).significant
  }

  /// The orderings that determine a row's place. Orderings after a complete identity are left out.
  var placeOrderings: [Ordering] {
    var missing = Set(identity)
    return Array(
      completeOrderings.prefix { ordering in
        if missing.isEmpty { return false }
        missing.remove(ordering.term)
        return true
      })
  }

  /// The orderings to write in SQL. The rows of a tree come in its own order, which doesn't apply to groups.
  var writtenOrderings: [Ordering] {
    var ordered = self
    if case .tree = source {
      if comesInOrderOfTree { return [] }
      if isGrouped { ordered.orderings.removeAll { $0.term == Ordering.inOrderOfTree.term } }
    }
    if hasWholeOrder || ordered.orderings.isEmpty { return ordered.orderings.significant }
    return ordered.completeOrderings
  }
}

extension [Ordering] {
  /// The orderings by identity for rows that are equal in these orderings.
  func tieBreakers(_ identity: [Term]) -> [Ordering] {
    let isDescending = significant.last?.isDescending ?? false
    return identity.map { Ordering(term: $0, isDescending: isDescending) }
  }

  /// The orderings without those that repeat an earlier term, which distinguish nothing more.
  fileprivate var significant: [Ordering] {
    var terms: Set<Term> = []
    return filter { terms.insert($0.term).inserted }
  }
}
