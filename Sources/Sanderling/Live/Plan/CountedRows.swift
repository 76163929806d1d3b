/// The associated rows that an aggregate of a query's row adds up, if changes of single rows determine the new
/// aggregate. The aggregate is the number of the rows, or the sum of an integer column of theirs. It goes over one
/// association, or over several nested ones.
///
/// `$0.commits.filter { !$0.isMerge }.sum { $0.changes.count }` has two levels: each commit that is no merge counts its
/// number of changes, and each change counts 1. Let v(row) be the number that a row counts. The aggregate is the sum of
/// v over the rows of the first level that satisfy its filter. For a row on the way to others, v is the same sum over
/// those of the next level. The engine updates the aggregate in these steps, from the last level to the first:
///
/// - A changed row of the last level subtracts its old number from the row above that it led to. It adds its new number
///   to the row above that it leads to.
/// - An unchanged row on the way passes the numbers added to it on to the row above, if it satisfies its level's
///   filter.
/// - A changed row on the way subtracts its old v from the row above that it led to, if it satisfied the filter. It
///   adds its new v to the row above that it leads to, if it satisfies the filter. The new v comes from the database.
///   The old v is the new v without the numbers that were added to the row from below.
///
/// Each row leads to at most one row above, since an association to many starts at a primary key.
struct CountedRows: Hashable, Sendable {
  /// The rows that one association leads to, in their own scope at level 0.
  struct Level: Hashable, Sendable {
    /// Decides by a row's own columns whether it counts; nil when all count.
    let filter: Term?
    /// The number that each row counts; nil for 1. For rows on the way to others it is the aggregate of those.
    let argument: Term?
  }

  /// The levels, from the rows that the query's own rows lead to, to the innermost rows. Never empty.
  let levels: [Level]

  /// The number that each row of the last level counts; nil for 1.
  var argument: Term? { levels[levels.count - 1].argument }
}

extension Term {
  /// The rows that the term adds up, with the aggregates from the outermost to the innermost. Nil unless the term is
  /// such an aggregate over the query's own rows.
  var counted: (aggregates: [AggregateTerm], rows: CountedRows)? {
    counted(from: .root)
  }

  /// Like ``counted``, for rows in another scope than the query's own.
  func counted(from origin: _Scope) -> (aggregates: [AggregateTerm], rows: CountedRows)? {
    guard let aggregate = addition else { return nil }
    let rows = aggregate.rows
    guard rows.origin == origin, rows.level == origin.level + 1, rows.association.recursion == nil,
      rows.association.way.isEmpty,
      rows.ownConditions.count == rows.fullCondition?.conjuncts.count ?? 0
    else { return nil }
    let filter = Term.all(rows.ownConditions)
    guard let argument = aggregate.argument else {
      return ([aggregate], CountedRows(levels: [CountedRows.Level(filter: filter, argument: nil)]))
    }
    if let own = argument.ofOwnColumns(atLevel: rows.level) {
      return ([aggregate], CountedRows(levels: [CountedRows.Level(filter: filter, argument: own)]))
    }
    guard let inner = argument.counted(from: rows.scope), rows.association.comparesAsStored,
      inner.aggregates.allSatisfy(\.rows.association.comparesAsStored)
    else { return nil }
    let value = argument.mapScopes { _Scope(level: $0.level - rows.level, path: $0.path) }
    let level = CountedRows.Level(filter: filter, argument: value)
    return ([aggregate] + inner.aggregates, CountedRows(levels: [level] + inner.rows.levels))
  }

  /// The aggregate over associated rows that the term adds up; nil for other terms.
  private var addition: AggregateTerm? {
    switch self {
    case .aggregate(let aggregate) where aggregate.function == .count && aggregate.argument == nil: return aggregate
    // Without rows SUM is NULL. Only where that counts as 0, a sum and a change determine the next sum.
    case .function(.coalesce, let operands):
      guard operands.count == 2, operands[1] == .literal(.integer(0)), case .aggregate(let aggregate) = operands[0],
        aggregate.function == .sum
      else { return nil }
      return aggregate
    default: return nil
    }
  }

  /// The term for a query of the rows at a level, if it uses only their own columns.
  func ofOwnColumns(atLevel level: Int) -> Term? {
    guard evaluationObstacle == nil else { return nil }
    var isOwn = true
    forEachScope { isOwn = isOwn && $0.level == level && $0.path.isEmpty }
    return isOwn ? mapScopes { _Scope(level: $0.level - level, path: $0.path) } : nil
  }
}

extension AssociatedRows {
  /// The conditions that the rows' own columns decide, as for a query's own rows.
  var ownConditions: [Term] {
    (fullCondition?.conjuncts ?? []).compactMap { $0.ofOwnColumns(atLevel: level) }
  }
}
