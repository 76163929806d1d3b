/// The groups that row changes can maintain.
extension SelectStatement {
  /// The reason why row changes can't maintain a query that groups its rows, or aggregates all of them; nil when they
  /// can.
  var groupedRequeryReason: RequeryReason? {
    if groups.isEmpty { return RequeryReason("it aggregates all of its rows to one value, which is no list") }
    if isDistinct { return RequeryReason("it removes duplicates, which needs all rows with the same values") }
    if offset > Self.greatestFollowedOffset {
      return RequeryReason(
        "it skips more than \(Self.greatestFollowedOffset) rows, and all of them would be kept in memory")
    }
    if !groups.allSatisfy(\.isGroupKey) {
      return RequeryReason(
        "it is grouped by an expression whose equal values may differ, for example by a real or by a text with the collation NOCASE"
      )
    }
    let read = columns + orderings.map(\.term) + [groupCondition].compactMap { $0 }
    if !read.allSatisfy({ $0.isOfGroups(groups) }) {
      return RequeryReason("it reads a value of a group that is neither a grouping column nor an aggregate")
    }
    return ([condition].compactMap { $0 } + summaryArguments + groups).firstResult { term in
      term.requeryReason ?? (term.isEvaluable ? nil : RequeryReason("it aggregates associated rows inside of groups"))
    }
  }

  /// The terms that determine the order of the rows; for groups, their contents.
  var followedOrderings: [Ordering] {
    isGrouped ? (groups + summaryArguments).map { Ordering(term: $0) } : orderings
  }

  /// The arguments of the aggregates over the query's own rows.
  var summaryArguments: [Term] {
    (columns + orderings.map(\.term) + [groupCondition].compactMap { $0 }).flatMap(\.summaryArguments)
  }
}

extension Term {
  fileprivate var summaryArguments: [Term] {
    if case .summary(_, let argument) = self { return argument.map { [$0] } ?? [] }
    return operands.flatMap(\.summaryArguments)
  }

  /// Whether all rows of a group have the same value of the term. SQLite returns that of any row.
  fileprivate var isGroupKey: Bool {
    switch self {
    case .column(let column):
      return column.scope.level == 0 && column.definition.type != .real && column.definition.collation == .binary
    // Integers and NULL, whatever they are computed from.
    case .function(.day, _), .function(.length, _), .function(.position, _), .function(.matches, _), .membership,
      .prefix:
      return true
    case .collate(.function(.folded, _), .binary): return true
    case .unary(let op, _): return op != .negate
    case .binary(let op, _, _): return op.isComparison || op == .and || op == .or
    // Texts, compared as bytes unless an operand has a collation.
    case .function(.lowercased, let operands), .function(.uppercased, let operands):
      return !operands.contains(where: \.hasCollation)
    default: return false
    }
  }

  private var hasCollation: Bool {
    if case .collate = self { return true }
    return operands.contains(where: \.hasCollation)
  }

  /// Whether the term's value depends only on the group.
  fileprivate func isOfGroups(_ groups: [Term]) -> Bool {
    if groups.contains(self) { return true }
    switch self {
    case .summary, .constant, .literal: return true
    case .column, .aggregate, .subquery, .raw, .invalid: return false
    default: return operands.allSatisfy { $0.isOfGroups(groups) }
    }
  }
}
