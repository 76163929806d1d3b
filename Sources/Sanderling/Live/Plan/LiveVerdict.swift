import GRDB

/// The reason why a live query is rerun and not maintained.
struct RequeryReason: Error, Hashable, Sendable {
  let description: String
  /// SQLite's error, when SQLite failed at a row; nil when the reason is the query itself.
  let failure: DatabaseError?

  init(_ description: String, failure: DatabaseError? = nil) {
    self.description = description
    self.failure = failure
  }

  static func == (one: RequeryReason, other: RequeryReason) -> Bool { one.description == other.description }

  func hash(into hasher: inout Hasher) { hasher.combine(description) }

  static func keyIsNull(_ type: RecordType) -> RequeryReason {
    RequeryReason("a row of table \(type.table.name) has the primary key NULL, which identifies no row")
  }
}

extension RequeryReason {
  fileprivate static func isView(_ type: RecordType) -> RequeryReason {
    RequeryReason("\(type.table.name) is a view, and only SQLite knows which of its rows a change concerns")
  }
}

extension Association {
  /// The reason why changes of rows don't determine the rows that it leads to; nil when they do.
  fileprivate var requeryReason: RequeryReason? {
    if destination.table.isView { return .isView(destination) }
    return condition?.requeryReason ?? recursion?.step?.requeryReason ?? way.firstResult(of: \.requeryReason)
  }
}

extension SelectStatement.Source {
  /// The reason why row changes don't determine the rows of the source; nil when they do.
  var requeryReason: RequeryReason? {
    switch self {
    case .raw: RequeryReason("it starts from a SELECT written by hand")
    case .tree: RequeryReason("it walks a tree, where a change of one row moves all rows below it")
    case .table(let type): type.table.isView ? .isView(type) : nil
    }
  }
}

extension SelectStatement {
  /// The reason why row changes can't maintain the query's rows; nil when they can.
  var requeryReason: RequeryReason? {
    if let reason = source.requeryReason { return reason }
    if isGrouped { return groupedRequeryReason }
    if isDistinct { return RequeryReason("it removes duplicates, which needs all rows with the same values") }
    if offset > Self.greatestFollowedOffset {
      return RequeryReason(
        "it skips more than \(Self.greatestFollowedOffset) rows, and all of them would be kept in memory")
    }
    return ([condition].compactMap { $0 } + orderings.map(\.term) + columns).firstResult(of: \.requeryReason)
  }

  /// The most rows before the window. They are kept, since a change of any of them moves the window.
  static let greatestFollowedOffset = 10_000
}

extension PrefetchedRows {
  /// The reason why row changes don't determine the changes of the prefetched rows; nil when they do.
  var requeryReason: RequeryReason? {
    association.requeryReason ?? statements.firstResult(of: \.requeryReason)
      ?? nested.firstResult { $0.requeryReason }
  }
}

extension Term {
  /// The reason why row changes don't determine the changes of the term's value; nil when they do.
  var requeryReason: RequeryReason? {
    switch self {
    case .raw: return RequeryReason("it contains SQL written by hand, and only SQLite knows which tables that reads")
    case .subquery: return RequeryReason("it looks for a value in the result of another query")
    case .summary: return RequeryReason("it aggregates the rows of the query itself")
    case .aggregate(let aggregate):
      let terms = [aggregate.argument, aggregate.rows.fullCondition]
      if let reason = terms.firstResult(of: { $0?.requeryReason }) ?? aggregate.rows.association.requeryReason {
        return reason
      }
      return aggregate.rows.origin.path.firstResult(of: \.requeryReason)
    case .column(let column):
      return column.scope.path.firstResult(of: \.requeryReason)
    case .function(.relevance, _):
      return RequeryReason("it reads the relevance of a search, which depends on all texts of the table")
    default:
      return operands.firstResult(of: \.requeryReason)
    }
  }

  /// Whether Swift can evaluate the term from the query's own rows and the rows of to-one associations.
  var isEvaluable: Bool {
    guard evaluationObstacle == nil, !comparesOtherKinds else { return false }
    var isEvaluable = true
    forEachScope { scope in
      isEvaluable = isEvaluable && scope.level == 0 && scope.path.allSatisfy { $0.condition?.isEvaluable ?? true }
    }
    return isEvaluable
  }
}

extension Sequence {
  /// The first result that is not nil. `lazy.compactMap(…).first` would compute it twice, which makes 2ⁿ times over n
  /// levels.
  func firstResult<Result>(of transform: (Element) -> Result?) -> Result? {
    for element in self {
      if let result = transform(element) { return result }
    }
    return nil
  }
}

extension Term {
  /// Whether the term compares a column with a constant of another kind. Its conversion depends on the type that the
  /// database declares.
  fileprivate var comparesOtherKinds: Bool {
    switch self {
    case .binary(let op, let lhs, let rhs) where op.isComparison:
      if lhs.isColumn(notOfKind: rhs) || rhs.isColumn(notOfKind: lhs) { return true }
    case .membership(.column(let column), let members):
      if members.values.contains(where: { !$0.isNative(to: column.definition.type) }) { return true }
    default: break
    }
    return operands.contains(where: \.comparesOtherKinds)
  }

  private func isColumn(notOfKind other: Term) -> Bool {
    switch (self, other) {
    case (.collate(let operand, _), _): operand.isColumn(notOfKind: other)
    case (_, .collate(let operand, _)): isColumn(notOfKind: operand)
    case (.column(let column), .constant(let value)), (.column(let column), .literal(let value)):
      !value.isNative(to: column.definition.type)
    default: false
    }
  }
}

extension StorageValue {
  /// Whether the value is NULL or of the kind that columns of a type store.
  func isNative(to type: ColumnType) -> Bool {
    switch (self, type) {
    case (.null, _), (.integer, .integer), (.integer, .real), (.real, .real), (.text, .text), (.blob, .blob): true
    default: false
    }
  }
}
