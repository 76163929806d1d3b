/// The reason why the rows have no stable place from which pages can continue; nil if they have one.
extension SelectStatement {
  var pageObstacle: String? {
    if limit != nil || offset > 0 {
      return "it has a limit or an offset: leave both out, and choose the size of the pages"
    }
    if let obstacle = source.pageObstacle { return obstacle }
    if isGrouped {
      if groups.isEmpty { return "it aggregates all of its rows to one value: fetch that value without pages" }
      if isDistinct {
        return "it removes duplicates among groups, whose rows have no key: select the columns that it is grouped by"
      }
    }
    if isDistinct, orderings.contains(where: { !columns.contains($0.term) }) {
      return
        "it removes duplicates, and is ordered by a value that it doesn't select: select the value too, or group by the selected columns"
    }
    if isGrouped, orderings.contains(where: { !$0.term.isDetermined(by: groups) }) {
      return "it is ordered by a value that differs within a group: order by its grouping columns, or by an aggregate"
    }
    return (orderings.map(\.term) + identity).firstObstacle
  }
}

extension SelectStatement.Source {
  fileprivate var pageObstacle: String? {
    switch self {
    case .table: nil
    case .raw(let fragments, _): RawDeterminism(fragments).obstacle(of: .source)
    case .tree(let tree):
      tree.hasSingleParents
        ? nil
        : "a row may occur in its tree several times, below different parents, so that the key names no single place"
    }
  }
}

extension Term {
  /// The reason why the term's value for a row may change without a write; nil if it can't.
  var pageObstacle: String? {
    switch self {
    case .raw(let fragments): RawDeterminism(fragments).obstacle(of: .ordering)
    case .aggregate(let aggregate): [aggregate.argument, aggregate.rows.fullCondition].compactMap { $0 }.firstObstacle
    case .subquery(let operand, let subquery):
      operand.pageObstacle ?? subquery.statement.condition?.pageObstacle
        ?? (subquery.statement.limit == nil
          ? nil
          : "its order depends on a subquery with a limit, which may choose other rows each time: leave that limit out")
    default: operands.firstObstacle
    }
  }

  /// Whether the term has one value for all rows of a group.
  fileprivate func isDetermined(by groups: [Term]) -> Bool {
    if groups.contains(self) { return true }
    switch self {
    case .summary, .constant, .literal: return true
    case .column(let column): return column.isReached(from: groups)
    case .aggregate, .subquery, .raw, .invalid: return false
    // Other terms are equal for all rows only if equal grouping values are identical.
    default: return operands.allSatisfy { $0.isDetermined(by: groups.filter(\.isExact)) }
    }
  }

  /// Whether equal values of the column are identical.
  private var isExact: Bool {
    guard case .column(let column) = self else { return false }
    return column.definition.type != .real && column.definition.collation == .binary
  }
}

extension ColumnTerm {
  /// Whether the column belongs to a record to which grouping columns refer.
  fileprivate func isReached(from groups: [Term]) -> Bool {
    guard scope.level == 0, let first = scope.path.first, first.condition == nil else { return false }
    return first.columns.allSatisfy { pair in
      groups.contains(.column(ColumnTerm(scope: .root, owner: first.origin, index: pair.origin)))
    }
  }
}

extension [Term] {
  fileprivate var firstObstacle: String? {
    for term in self {
      if let obstacle = term.pageObstacle { return obstacle }
    }
    return nil
  }
}
