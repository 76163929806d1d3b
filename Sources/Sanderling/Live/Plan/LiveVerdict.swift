/// Why a live query is followed by running it again.
struct RequeryReason: Error, Hashable, Sendable {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension SelectStatement {
  /// Why row changes can't maintain the rows of the query; nil when they can.
  var requeryReason: RequeryReason? {
    guard case .table = source else { return RequeryReason("it starts from a SELECT written by hand") }
    if isGrouped { return groupedRequeryReason }
    if isDistinct { return RequeryReason("it removes duplicates, which takes all rows with the same values") }
    if offset > Self.greatestFollowedOffset {
      return RequeryReason("it skips more than \(Self.greatestFollowedOffset) rows, which would all be kept in memory")
    }
    return ([condition].compactMap { $0 } + orderings.map(\.term) + columns).lazy.compactMap(\.requeryReason).first
  }

  /// Rows before the window are kept, since a change of any of them moves the others.
  static let greatestFollowedOffset = 10_000
}

extension Term {
  /// Why changes of rows don't tell how the term's value changes; nil when they do.
  var requeryReason: RequeryReason? {
    switch self {
    case .raw: return RequeryReason("it contains SQL written by hand, and only SQLite knows what that reads")
    case .subquery: return RequeryReason("it looks for a value in the result of another query")
    case .summary: return RequeryReason("it aggregates the rows of the query itself")
    case .aggregate(let aggregate):
      let terms = [aggregate.argument, aggregate.rows.fullCondition, aggregate.rows.association.recursion?.step]
      if let reason = terms.lazy.compactMap({ $0?.requeryReason }).first { return reason }
      return aggregate.rows.origin.path.lazy.compactMap { $0.condition?.requeryReason }.first
    case .column(let column):
      return column.scope.path.lazy.compactMap { $0.condition?.requeryReason }.first
    default:
      return operands.lazy.compactMap(\.requeryReason).first
    }
  }

  /// Whether Swift has the term's value from the query's own rows and those that to-one associations lead to.
  var isEvaluable: Bool {
    guard evaluationObstacle == nil else { return false }
    var isEvaluable = true
    forEachScope { scope in
      isEvaluable = isEvaluable && scope.level == 0 && scope.path.allSatisfy { $0.condition?.isEvaluable ?? true }
    }
    return isEvaluable
  }
}
