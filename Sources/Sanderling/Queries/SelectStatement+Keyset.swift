/// Keysets: conditions for the rows after a known row, without skipping those before it.
extension SelectStatement {
  /// The index of the column for a term. Selects the term if it isn't selected.
  mutating func column(of term: Term) -> Int {
    if let column = columns.firstIndex(of: term) { return column }
    columns.append(term)
    return columns.count - 1
  }

  /// The query's rows after a row, in order, as one range for each prefix of the ordering. The rows of the first range
  /// differ from the row only in the last key, those of the next in the last key but one, and so on. An index that
  /// serves the ordering serves each range.
  ///
  /// - Parameters:
  ///   - edge: The row's ordering values. A prefix of them stands for all rows that begin with it. The query's
  ///     orderings must distinguish all rows.
  ///   - isInclusive: Whether the row itself comes first.
  ///   - isNeverNull: Returns whether a term is never NULL, so that it has no range of NULLs.
  func ranges(
    after edge: [Term], isInclusive: Bool = false, isNeverNull: (Term) -> Bool = { _ in false }
  ) -> [SelectStatement] {
    let ranges = edge.indices.reversed().flatMap { position -> [SelectStatement] in
      let equal = zip(orderings, edge).prefix(position).map { ordering, value in ordering.term.equals(value) }
      return orderings[position].ranges(after: edge[position], isNeverNull).map { range in
        var statement = self
        statement.add(range: equal + [range])
        // Within a range of NULLs, sorting by the term would keep SQLite from using an index of expressions.
        let isOfNulls = range == .unary(.isNull, orderings[position].term)
        statement.orderings = Array(orderings[(position + (isOfNulls ? 1 : 0))...])
        // The earlier keys are constant in the range. Sorting by them again would keep SQLite from using an index that
        // contains one of their columns twice.
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

  /// Adds conditions on the ordering values, which may be aggregates of groups.
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
  /// The conditions for values that sort after a value, in order.
  fileprivate func ranges(after value: Term, _ isNeverNull: (Term) -> Bool) -> [Term] {
    if value.isNullConstant { return putsNullsLast ? [] : [.unary(.isNotNull, term)] }
    let range = Term.binary(isDescending ? .less : .greater, term, value)
    return putsNullsLast && !isNeverNull(term) ? [range, .unary(.isNull, term)] : [range]
  }
}
