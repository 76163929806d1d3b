import GRDB

/// Why a live query is followed by running it again.
struct RequeryReason: Error, Hashable, Sendable {
  let description: String
  /// SQLite's error, where SQLite failed at a row; nil where the reason is in the query itself.
  let failure: DatabaseError?

  init(_ description: String, failure: DatabaseError? = nil) {
    self.description = description
    self.failure = failure
  }

  static func == (one: RequeryReason, other: RequeryReason) -> Bool { one.description == other.description }

  func hash(into hasher: inout Hasher) { hasher.combine(description) }

  static func keyIsNull(_ type: RecordType) -> RequeryReason {
    RequeryReason("a row of \(type.table.name) has a primary key that is NULL, which identifies no row")
  }
}

extension RequeryReason {
  fileprivate static func isView(_ type: RecordType) -> RequeryReason {
    RequeryReason("\(type.table.name) is a view, and only SQLite knows which of its rows a change concerns")
  }
}

extension Association {
  /// Why changes of rows don't tell which rows it leads to.
  fileprivate var requeryReason: RequeryReason? {
    if destination.table.isView { return .isView(destination) }
    return condition?.requeryReason ?? recursion?.step?.requeryReason ?? way.firstResult(of: \.requeryReason)
  }
}

extension SelectStatement.Source {
  /// Why row changes don't tell which rows it has; nil when they do.
  var requeryReason: RequeryReason? {
    switch self {
    case .raw: RequeryReason("it starts from a SELECT written by hand")
    case .tree: RequeryReason("it walks a tree, where a change of one row moves all that are below it")
    case .table(let type): type.table.isView ? .isView(type) : nil
    }
  }
}

extension SelectStatement {
  /// Why row changes can't maintain the rows of the query; nil when they can.
  var requeryReason: RequeryReason? {
    if let reason = source.requeryReason { return reason }
    if isGrouped { return groupedRequeryReason }
    if isDistinct { return RequeryReason("it removes duplicates, which takes all rows with the same values") }
    if offset > Self.greatestFollowedOffset {
      return RequeryReason("it skips more than \(Self.greatestFollowedOffset) rows, which would all be kept in memory")
    }
    return ([condition].compactMap { $0 } + orderings.map(\.term) + columns).firstResult(of: \.requeryReason)
  }

  /// Rows before the window are kept, since a change of any of them moves the others.
  static let greatestFollowedOffset = 10_000
}

extension PrefetchedRows {
  /// Why changes of rows don't tell how these rows change; nil when they do.
  var requeryReason: RequeryReason? {
    association.requeryReason ?? statements.firstResult(of: \.requeryReason)
      ?? nested.firstResult { $0.requeryReason }
  }
}

extension Term {
  /// Why changes of rows don't tell how the term's value changes; nil when they do.
  var requeryReason: RequeryReason? {
    switch self {
    case .raw: return RequeryReason("it contains SQL written by hand, and only SQLite knows its sources")
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
      return RequeryReason("it asks how well texts match, which depends on all texts of the table")
    default:
      return operands.firstResult(of: \.requeryReason)
    }
  }

  /// Whether Swift can compute the term from the query's own rows and the rows behind their to-one associations.
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
  /// The first result that is not nil. `lazy.compactMap(…).first` calculates it twice, and so, level by level, 2ⁿ times.
  func firstResult<Result>(of transform: (Element) -> Result?) -> Result? {
    for element in self {
      if let result = transform(element) { return result }
    }
    return nil
  }
}

extension Term {
  /// Whether the term compares a column with a constant of another kind than the column stores, which converts one of them in
  /// a way that depends on the type that the database declares.
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
  /// Whether the value is of the kind that columns of a type store, or NULL.
  func isNative(to type: ColumnType) -> Bool {
    switch (self, type) {
    case (.null, _), (.integer, .integer), (.integer, .real), (.real, .real), (.text, .text), (.blob, .blob): true
    default: false
    }
  }
}
