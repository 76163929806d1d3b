/// A call of an aggregate function in a join, and the part of the join that it concerns.
struct FanOutAggregate {
  var call: SQLCall
  var range: Range<Int>
  var function: String
  /// The nodes other than the root that the arguments need.
  var nodes: Set<Int>
  /// Whether the aggregate counts each row once even if the join repeats the row.
  var isImmune: Bool
  /// Whether the aggregate counts a key, so that `count(*)` over the key's own rows is equal.
  var countsKey: Bool
  /// Whether a row of the root without a match adds nothing, because the arguments are then NULL.
  var skipsMissing: Bool

  /// The aggregates of a core; nil if two aggregates can't be told apart.
  static func all(of core: SelectShape, in tree: JoinTree, _ statement: MovableStatement) -> [FanOutAggregate]? {
    var aggregates: [FanOutAggregate] = []
    for shape in core.aggregates where !aggregates.contains(where: { $0.range == shape.range }) {
      guard let call = call(at: shape.range, in: statement) else { return nil }
      let read = statement.sources(in: shape.range)
      // An aggregate without a column counts the rows of the join.
      let nodes = tree.closure(of: read.isEmpty ? counted(core, in: tree, statement) : read)
      // The nodes must be on one path: combinations of two siblings are no rows of their own.
      let lowest = nodes.max { tree.path(to: $0).count < tree.path(to: $1).count }
      guard nodes.isSubset(of: lowest.map(tree.path) ?? []) else { return nil }
      let key = key(of: call, in: statement, tree)
      aggregates.append(
        FanOutAggregate(
          call: call, range: shape.range, function: shape.function, nodes: nodes,
          isImmune: shape.isDistinct || ["min", "max"].contains(shape.function),
          countsKey: shape.function == "count" && call.filter == nil && key == lowest ?? tree.root && !shape.hasStar,
          skipsMissing: skipsMissing(call, nodes: nodes, statement)))
    }
    return aggregates
  }

  /// The tables whose rows `count(*)` counts: the whole join, without tables at its end that only filter. `count(*),
  /// sum(mail.size) … JOIN attachment … WHERE attachment.type = 'pdf'` counts mails.
  private static func counted(_ core: SelectShape, in tree: JoinTree, _ statement: MovableStatement) -> Set<Int> {
    let read = core.aggregates.reduce(into: Set<Int>()) { $0.formUnion($1.sources) }
    var nodes = Set(tree.branches.map(\.id))
    if read.isEmpty { return nodes }
    while let filter = tree.branches.last(where: { node in
      nodes.contains(node.id) && node.isRequired && !read.contains(node.id)
        && tree.children(of: node.id).allSatisfy { !nodes.contains($0.id) }
        && node.conditions.contains { statement.sources(in: $0.range) == [node.id] }
    }), nodes.count > 1 {
      nodes.remove(filter.id)
    }
    return nodes
  }

  private static func call(at range: Range<Int>, in statement: MovableStatement) -> SQLCall? {
    guard let core = statement.core else { return nil }
    var expressions = statement.select.orderBy.map(\.expression)
    for case .expression(let expression, _) in core.syntax.columns.map(\.kind) { expressions.append(expression) }
    if let having = core.syntax.having { expressions.append(having) }
    for node in expressions.flatMap(\.withDescendants) where node.range == range {
      if case .call(let call) = node.kind { return call }
    }
    return nil
  }

  /// The source whose key is the only argument; nil if there is none.
  private static func key(of call: SQLCall, in statement: MovableStatement, _ tree: JoinTree) -> Int? {
    guard call.arguments.count == 1,
      case .column(let source, let name)? = statement.shape.resolved.meaning(of: call.arguments[0].unwrapped),
      let node = (tree.core + tree.branches).first(where: { $0.id == source }), node.table.isKey(name)
    else { return nil }
    return source
  }

  private static func skipsMissing(_ call: SQLCall, nodes: Set<Int>, _ statement: MovableStatement) -> Bool {
    guard let argument = call.arguments.first else { return false }
    return nodes.contains { argument.isNull(without: $0, in: statement) }
  }
}

extension SQLExpression {
  /// Whether the expression is NULL if all columns of a source are NULL.
  func isNull(without source: Int, in statement: MovableStatement) -> Bool {
    switch kind {
    case .column:
      if case .column(source, _)? = statement.shape.resolved.meaning(of: self) { return true }
      return false
    case .parentheses(let inner), .collate(let inner, _), .cast(let inner, _), .unary(_, let inner):
      return inner.isNull(without: source, in: statement)
    case .binary(let operation, let left, let right):
      switch operation {
      case .equalOrBothNull, .notEqualOrOneNull: return false
      default:
        return left.isNull(without: source, in: statement) || right.isNull(without: source, in: statement)
      }
    default: return false
    }
  }

  /// Whether the condition is never true if all columns of a source are NULL.
  func rejectsNull(of source: Int, in statement: MovableStatement) -> Bool {
    let isNull = { (part: SQLExpression) in part.isNull(without: source, in: statement) }
    switch unwrapped.kind {
    case .between(let value, _, _, false): return isNull(value)
    case .membership(let value, .list(let list), let isNegated): return isNull(value) && (!isNegated || !list.isEmpty)
    case .membership(let value, .subquery, false): return isNull(value)
    case .pattern(let pattern): return isNull(pattern.value)
    case .isNull(let value, isNegated: true): return isNull(value)
    case .and(let all): return all.contains { $0.rejectsNull(of: source, in: statement) }
    case .or(let all): return all.allSatisfy { $0.rejectsNull(of: source, in: statement) }
    default: return isNull(self)
    }
  }
}
