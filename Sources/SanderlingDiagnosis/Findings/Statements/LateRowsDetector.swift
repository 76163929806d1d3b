import SanderlingTerminal

/// Finds lists that compute subqueries or read whole rows even for rows that LIMIT leaves out.
struct LateRowsDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema), let core = statement.core,
      let limitRange = statement.select.limitRange, core.syntax.groupBy.isEmpty, core.shape.aggregates.isEmpty,
      !core.syntax.isDistinct, !core.shape.hasWindowFunctions, let from = core.syntax.from,
      let first = core.shape.sources.first, first.join != .left, let table = first.table.flatMap(context.schema.table),
      let key = table.rowIDAlias
    else { return [] }
    let subqueries = statement.shape.selects.filter {
      $0.parent == core.syntax.id && $0.isCorrelated && core.syntax.columnsRange.contains($0.range.lowerBound)
    }
    guard !subqueries.isEmpty else { return [] }
    if core.shape.sources.count > 1 {
      guard
        JoinTreeReader(statement, schema: context.schema)?.tree(root: first.id, allowsNoBranches: true)?
          .branches.isEmpty == true
      else { return [] }
    }
    let name = "\(FanOutSQL.name(first.name)).\(FanOutSQL.name(key))"
    let filter = core.syntax.condition.map { " WHERE \(statement.text[$0.range])" } ?? ""
    guard let order = orderOfRows(statement, core.resolved) else { return [] }
    let keys =
      "SELECT \(name) FROM \(statement.text[from.range])\(filter)\(order) \(statement.text[limitRange])"
    // The outer query joins the tables again, so it needs the conditions that join them.
    let joins =
      core.shape.sources.count > 1 ? core.syntax.condition.map { "(\(statement.text[$0.range])) AND " } ?? "" : ""
    let columns = statement.text[statement.select.range.lowerBound..<from.range.upperBound]
    let rewrite = StatementRewrite(
      kind: .subqueryPerRow, candidates: ["\(columns) WHERE \(joins)\(name) IN (\(keys))\(order)"],
      title:
        "\(Figure.count(subqueries.count, "subquery", "subqueries")) in the result run for each row, before LIMIT cuts",
      explanation:
        "The rows are sorted before LIMIT or OFFSET leaves most of them out, and SQLite computes the whole "
        + "result row to "
        + "sort it. Chosen by their keys first, only the rows of the page run the subqueries.",
      summary: "Choose the keys of the page first")
    return try rewrite.findings(for: analyzed, statement, in: context)
  }

  /// ORDER BY with a space before it; nil if it names a result column that is a subquery.
  private func orderOfRows(_ statement: MovableStatement, _ core: ResolvedCore) -> String? {
    guard let range = statement.select.orderByRange else { return "" }
    var rewriter = SQLRewriter(statement.text)
    for term in statement.select.orderBy {
      let expression = term.expression.unwrapped
      var result: SQLExpression?
      if case .result(_, let index)? = statement.shape.resolved.meaning(of: expression) {
        result = core.results[safe: index]?.expression
      } else if case .literal(.integer) = expression.kind, let place = Int(statement.text[expression.range]) {
        // The number of a result would be wrong in the inner query, which has only one result column.
        guard let own = core.results[safe: place - 1]?.expression else { return nil }
        result = own
      }
      if let result {
        guard case .column = result.unwrapped.kind else { return nil }
        rewriter.replace(expression.range, with: statement.text[result.range])
      }
    }
    return " " + rewriter.rewritten(range)
  }
}
