/// Finds groups of one row each: rows that are grouped by a key of their table, and that no join repeats.
///
/// SQLite collects all groups before it orders them, and LIMIT then leaves most of them out. Without the groups, an
/// index returns the rows in their order, and the first rows suffice.
struct GroupsOfOneDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema), let core = statement.core,
      let grouping = core.syntax.groupByRange, !core.syntax.groupBy.isEmpty, core.syntax.having == nil,
      !core.shape.hasWindowFunctions, statement.select.limit == nil || !statement.select.orderBy.isEmpty,
      let root = root(statement, core.shape, context.schema), let values = values(statement, core.shape, context.schema)
    else { return [] }
    var rewriter = SQLRewriter(statement.text)
    for (range, value) in values { rewriter.replace(range, with: value) }
    for case .expression(let expression, nil) in core.syntax.columns.map(\.kind)
    where values.contains(where: { expression.range.contains($0.range.lowerBound) }) {
      let name = statement.text[expression.range].quotedIdentifier
      rewriter.insert(" AS \(name)", at: expression.range.upperBound)
    }
    rewriter.replace(grouping, with: "")
    let rewrite = StatementRewrite(
      kind: .groupWithoutIndex, candidates: [rewriter.rewritten()],
      title: "Rows of \(root) are grouped by a key, so that each group is one row",
      explanation:
        "No two rows of \(root) share the values that GROUP BY names, and each is joined with at most one row of each other table. "
        + "SQLite collects the groups all the same, before it orders them or LIMIT leaves most out.",
      summary: "Leave GROUP BY out, and take the values themselves in place of their sums and extremes",
      isSameByNature: true)
    return try rewrite.findings(for: analyzed, statement, in: context)
  }

  /// The name of the table whose key is in GROUP BY; nil if a join may repeat the rows of the table.
  private func root(_ statement: MovableStatement, _ shape: SelectShape, _ schema: DatabaseSchema) -> String? {
    let columns = shape.groupBy.compactMap { order in order.key.flatMap { $0.isColumn ? $0 : nil } }
    let root = shape.sources.first { source in
      guard source.kind == .table, let table = source.table.flatMap(schema.table), table.kind == .ordinary else {
        return false
      }
      let own = Set(columns.filter { $0.source == source.id }.flatMap(\.columns))
      return table.hasKey(among: own)
    }
    guard let root, root.join != .left else { return nil }
    if shape.sources.count > 1 {
      let tree = JoinTreeReader(statement, schema: schema)?.tree(root: root.id, allowsNoBranches: true)
      guard tree?.branches.isEmpty == true else { return nil }
    }
    return root.table
  }

  /// The expressions that replace the aggregates of one row; nil if an aggregate has no such form.
  private func values(
    _ statement: MovableStatement, _ shape: SelectShape, _ schema: DatabaseSchema
  ) -> [(range: Range<Int>, sql: String)]? {
    var values: [(range: Range<Int>, sql: String)] = []
    for aggregate in shape.aggregates where !values.contains(where: { $0.range == aggregate.range }) {
      guard let call = statement.call(at: aggregate.range), call.filter == nil, call.window == nil,
        let value = value(of: aggregate, call, statement, schema)
      else { return nil }
      values.append((aggregate.range, value))
    }
    return values
  }

  private func value(
    of aggregate: AggregateShape, _ call: SQLCall, _ statement: MovableStatement, _ schema: DatabaseSchema
  ) -> String? {
    if aggregate.hasStar { return aggregate.function == "count" ? "1" : nil }
    guard call.arguments.count == 1 else { return nil }
    let argument = call.arguments[0].unwrapped
    let text = statement.text[argument.range]
    switch aggregate.function {
    case "count": return argument.isAtom ? "(\(text) IS NOT NULL)" : "((\(text)) IS NOT NULL)"
    case "min", "max":
      // SQLite sorts the value of a call by its bytes, but a column by the column's collation.
      if let (_, column) = statement.column(argument, schema), column.collation.asciiLowercased != "binary" {
        return nil
      }
      return argument.isAtom ? text : "(\(text))"
    // The sum of a text that isn't a number is 0.0. No operator returns that, so the call of sum() stays.
    case "sum":
      return argument.isArithmetic ? "(\(text))" : "(SELECT sum(value) FROM (SELECT \(text) AS value))"
    default: return nil
    }
  }
}

extension MovableStatement {
  /// The call at a range in the result columns or in ORDER BY.
  fileprivate func call(at range: Range<Int>) -> SQLCall? {
    guard let core else { return nil }
    var expressions = select.orderBy.map(\.expression)
    for case .expression(let expression, _) in core.syntax.columns.map(\.kind) { expressions.append(expression) }
    for node in expressions.flatMap(\.withDescendants) where node.range == range {
      if case .call(let call) = node.kind { return call }
    }
    return nil
  }
}

extension SQLExpression {
  fileprivate var isAtom: Bool {
    switch kind {
    case .column, .literal, .parameter, .call: true
    default: false
    }
  }

  /// Whether the value is a number or NULL, whatever its parts are.
  fileprivate var isArithmetic: Bool {
    if case .binary(let operation, _, _) = kind { [.add, .subtract, .multiply].contains(operation) } else { false }
  }
}
