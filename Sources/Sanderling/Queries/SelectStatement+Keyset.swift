/// Which rows come after a known one, without skipping those before it: a keyset.
extension SelectStatement {
  /// The column that is a term, which is selected if it was not.
  mutating func column(of term: Term) -> Int {
    if let column = columns.firstIndex(of: term) { return column }
    columns.append(term)
    return columns.count - 1
  }

  /// The query's rows after one, in order, by one range for each prefix of the ordering. The first range has the rows that differ from it in
  /// the last key only, the next those that differ in the last but one, and so on. An index that serves the ordering serves each.
  ///
  /// - Parameters:
  ///   - edge: The values that order the row; only the first of them for the rows after all that have these. The query's orderings tell all
  ///     rows apart.
  ///   - isInclusive: Whether the row itself comes first.
  ///   - isNeverNull: Whether a term has a value in all rows, so that there is no range of NULLs.
  func ranges(
    after edge: [Term], isInclusive: Bool = false, isNeverNull: (Term) -> Bool = { _ in false }
  ) -> [SelectStatement] {
    let ranges = edge.indices.reversed().flatMap { position -> [SelectStatement] in
      let equal = zip(orderings, edge).prefix(position).map { ordering, value in ordering.term.equals(value) }
      return orderings[position].ranges(after: edge[position], isNeverNull).map { range in
        var statement = self
        statement.add(range: equal + [range])
        // NULLs are all the same: sorting by them, too, keeps SQLite from an index of expressions.
        let isOfNulls = range == .unary(.isNull, orderings[position].term)
        statement.orderings = Array(orderings[(position + (isOfNulls ? 1 : 0))...])
        // Sorting by the keys before it once more keeps SQLite from an index that has one of their columns twice.
        statement.hasWholeOrder = true
        return statement
      }
    }
    guard isInclusive else { return ranges }
    var row = self
    row.add(range: zip(orderings, edge).map { ordering, value in ordering.term.equals(value) })
    row.orderings = []
    return [row] + ranges
  }

  /// Adds conditions on the ordering values. For groups these may be aggregates.
  private mutating func add(range conditions: [Term]) {
    for condition in conditions {
      if isGrouped {
        groupCondition = groupCondition.map { $0 && condition } ?? condition
      } else {
        add(condition: condition)
      }
    }
  }
}

extension Term {
  fileprivate func equals(_ value: Term) -> Term {
    value.isNullConstant ? .unary(.isNull, self) : .binary(.equal, self, value)
  }

  fileprivate var isNullConstant: Bool { self == .constant(.null) }
}

extension Ordering {
  /// The ranges of the values that sort after one, in order.
  fileprivate func ranges(after value: Term, _ isNeverNull: (Term) -> Bool) -> [Term] {
    if value.isNullConstant { return putsNullsLast ? [] : [.unary(.isNotNull, term)] }
    let range = Term.binary(isDescending ? .less : .greater, term, value)
    return putsNullsLast && !isNeverNull(term) ? [range, .unary(.isNull, term)] : [range]
  }
}
