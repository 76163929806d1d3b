/// The one order of a query's rows, wherever they are read: fetched, followed, by position, in sections, in pages.
///
/// Rows that the query's orderings don't tell apart come by their identity, in the direction of the last ordering. In a table whose key is
/// the rowid, each index ends with the rowid, so an index of the query's orderings serves the whole order. SQLite walks such an index either
/// way, and `createdAt DESC, id DESC` is all of it backwards. A query without orderings has no order where it is fetched. Where each row has
/// to have a place, the rows come in the order of their keys.
extension SelectStatement {
  /// The terms that tell the query's rows apart: the selected values where duplicates are removed, the terms of the groups where rows are
  /// grouped, and otherwise the primary key. Nothing for a query that aggregates all of its rows.
  var identity: [Term] {
    if isDistinct { return columns }
    if isGrouped { return groups }
    let type = source.type
    return type.table.key.map { .column(ColumnTerm(scope: .root, owner: type, index: $0)) }
  }

  /// The order of rows that are equal in the query's orderings. All of ``identity`` is in it.
  var tieBreakers: [Ordering] { orderings.tieBreakers(identity) }

  /// The query's orderings, completed to an order of all rows.
  var completeOrderings: [Ordering] {
    (orderings + tieBreakers).significant
  }

  /// The orderings that determine a row's place, without those after a unique one.
  var placeOrderings: [Ordering] {
    var missing = Set(identity)
    return Array(
      completeOrderings.prefix { ordering in
        if missing.isEmpty { return false }
        missing.remove(ordering.term)
        return true
      })
  }

  /// The orderings that have to be written. A walk comes in its own order, and groups have no place in it.
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
  /// The orderings of the rows' identity, for rows that are equal in these orderings.
  func tieBreakers(_ identity: [Term]) -> [Ordering] {
    let isDescending = significant.last?.isDescending ?? false
    return identity.map { Ordering(term: $0, isDescending: isDescending) }
  }

  /// Without those whose term came before, which tell nothing apart any more.
  fileprivate var significant: [Ordering] {
    var terms: Set<Term> = []
    return filter { terms.insert($0.term).inserted }
  }
}
