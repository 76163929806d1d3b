/// Finds counts that read more than they need: they sort, read wide rows, or count all rows to learn whether there is
/// one.
struct CountDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    let trial = RewriteTrial(context: context, analyzed: analyzed, statement: statement)
    return try [existence(statement), plainCount(statement)].compactMap { try $0?.finding(trial) }
  }

  /// The rewrite of `count(*) > 0` with EXISTS, for a result column or a subquery.
  private func existence(_ statement: MovableStatement) -> StatementRewrite? {
    var rewriter = SQLRewriter(statement.text)
    var isFound = false
    for expression in statement.expressions {
      guard case .binary(let operation, let left, let right) = expression.kind,
        let test = Self.existenceTest(statement, operation, left, right)
      else { continue }
      if case .subquery(let select) = test.count.unwrapped.kind, let inner = plainCount(select, statement),
        let from = inner.from
      {
        rewriter.replace(
          expression.range, with: "\(test.isNegated ? "NOT " : "")EXISTS (\(Self.rows(inner, from, statement)))")
        isFound = true
      } else if let core = statement.core, core.syntax.columns.count == 1, core.syntax.groupBy.isEmpty,
        core.syntax.having == nil, statement.select.limit == nil, statement.select.orderBy.isEmpty,
        isCountOfAll(test.count, core.syntax, statement), let from = core.syntax.from,
        case .expression(let column, let alias) = core.syntax.columns[0].kind,
        column.unwrapped.range == expression.range
      {
        let name = alias?.text ?? statement.text[column.range]
        rewriter.replace(
          statement.select.range.lowerBound + statement.with.utf8.count..<statement.select.range.upperBound,
          with: "SELECT \(test.isNegated ? "NOT " : "")EXISTS (\(Self.rows(core.syntax, from, statement))) "
            + "AS \(FanOutSQL.name(name))")
        isFound = true
      }
    }
    guard isFound else { return nil }
    return StatementRewrite(
      kind: .wideRowsForCount, candidates: [rewriter.rewritten()],
      title: "All rows are counted to learn whether there is one",
      explanation:
        "A count reads every row that fits. EXISTS stops at the first one and gives the same answer.",
      summary: "Ask with EXISTS", grdb: "try request.isEmpty(db)   // in place of fetchCount(db) == 0",
      coreData: "Set fetchLimit = 1 on the fetch that counts.")
  }

  private static func existenceTest(
    _ statement: MovableStatement, _ operation: SQLBinaryOperator, _ left: SQLExpression, _ right: SQLExpression
  ) -> (count: SQLExpression, isNegated: Bool)? {
    let (one, other) = (statement.text[left.range], statement.text[right.range])
    switch (operation, one, other) {
    case (.greater, _, "0"), (.greaterOrEqual, _, "1"), (.notEqual, _, "0"): return (left, false)
    case (.equal, _, "0"), (.less, _, "1"): return (left, true)
    case (.less, "0", _), (.notEqual, "0", _): return (right, false)
    case (.equal, "0", _): return (right, true)
    default: return nil
    }
  }

  private static func rows(_ core: SQLSelectCore, _ from: SQLFrom, _ statement: MovableStatement) -> String {
    "SELECT 1 FROM \(statement.text[from.range])"
      + (core.condition.map { " WHERE \(statement.text[$0.range])" } ?? "")
  }

  private func plainCount(_ select: SQLSelect, _ statement: MovableStatement) -> SQLSelectCore? {
    guard select.with == nil, select.cores.count == 1, select.limit == nil, let core = select.cores.first,
      core.groupBy.isEmpty, core.having == nil, core.columns.count == 1, !core.isDistinct,
      case .expression(let column, _) = core.columns[0].kind, isCountOfAll(column, core, statement)
    else { return nil }
    return core
  }

  /// Whether an expression is `count(*)` or the count of a column that is never NULL.
  private func isCountOfAll(_ expression: SQLExpression, _ core: SQLSelectCore, _ statement: MovableStatement) -> Bool {
    guard case .call(let call) = expression.unwrapped.kind, call.name.key == "count", !call.isDistinct,
      call.filter == nil, call.window == nil
    else { return false }
    return call.hasStar || call.arguments.isEmpty
  }

  /// `count(*)` over a subquery whose columns and order aren't needed.
  private func plainCount(_ statement: MovableStatement) -> StatementRewrite? {
    guard let core = statement.core, core.syntax.from?.sources.count == 1, let source = core.syntax.from?.sources.first,
      case .subquery(let inner) = source.kind, core.shape.aggregates.count == 1, core.shape.aggregates[0].hasStar,
      core.syntax.groupBy.isEmpty, core.syntax.condition == nil, inner.cores.count == 1, let rows = inner.cores.first,
      rows.rows.isEmpty
    else { return nil }
    var rewriter = SQLRewriter(statement.text)
    var isChanged = false
    if let range = inner.orderByRange, inner.limit == nil {
      rewriter.replace(range, with: "")
      isChanged = true
    }
    let reads = rows.columns.contains { column in
      guard case .expression(let expression, _) = column.kind else { return true }
      return !statement.isConstant(expression)
    }
    let hasAggregates = statement.shape.select(rows.id).map { !$0.aggregates.isEmpty || $0.hasWindowFunctions } ?? true
    if reads, !rows.isDistinct, rows.groupBy.isEmpty, !hasAggregates, inner.orderBy.isEmpty || inner.limit == nil {
      rewriter.replace(rows.columnsRange, with: "1")
      isChanged = true
    }
    guard isChanged else { return nil }
    return StatementRewrite(
      kind: .wideRowsForCount, candidates: [rewriter.rewritten()],
      title: "Rows are read\(inner.orderBy.isEmpty ? "" : " and sorted") in full only to be counted",
      explanation:
        "The subquery gives all columns\(inner.orderBy.isEmpty ? "" : ", in order"), and the statement around "
        + "it looks at "
        + "none of them. A count of the rows alone may read an index in place of the table, and sorts nothing.",
      summary: "Count without columns and order",
      grdb: "try request.fetchCount(db)   // in place of fetchAll(db).count",
      coreData: "context.count(for: request) in place of fetch(request).count")
  }
}

extension MovableStatement {
  /// All expressions of the statement, including those of its subqueries.
  var expressions: [SQLExpression] {
    shape.resolved.cores.flatMap { core -> [SQLExpression] in
      var roots = core.orderBy.map(\.expression)
      if let condition = core.condition { roots.append(condition) }
      if let having = core.syntax?.having { roots.append(having) }
      for source in core.syntax?.from?.sources ?? [] { if let on = source.join.on { roots.append(on) } }
      for case .expression(let expression, _) in (core.syntax?.columns ?? []).map(\.kind) { roots.append(expression) }
      return roots.flatMap(\.withDescendants)
    }
  }
}
