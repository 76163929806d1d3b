/// Finds statements that return the different values of a column, for which SQLite reads the index entries of all rows.
///
/// An example is `SELECT DISTINCT c FROM t`. With an index that begins with `c`, one search leads from each value to
/// the next.
struct DifferentValuesDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema), let core = statement.core,
      statement.select.with == nil, statement.select.limit == nil, core.syntax.condition == nil,
      core.syntax.having == nil, core.shape.aggregates.isEmpty, !core.shape.hasWindowFunctions,
      let from = core.syntax.from, from.sources.count == 1, core.shape.sources.first?.kind == .table,
      core.syntax.columns.count == 1, case .expression(let expression, let alias) = core.syntax.columns[0].kind,
      let (table, column) = statement.column(expression, context.schema), table.kind == .ordinary,
      // If a collation makes values equal, DISTINCT may return any of them.
      column.collation.asciiLowercased == "binary", asksForDifferent(expression, core.syntax, statement),
      isOrderedByIt(expression, statement)
    else { return [] }
    let rows = statement.text[from.range]
    let walk = GroupWalk(table: table.name, rows: rows, key: statement.text[expression.range])
    let name = FanOutSQL.name(alias?.text ?? column.name)
    var sql = walk.selecting("\(walk.value) AS \(name)")
    if !column.isNotNull {
      sql += " UNION ALL SELECT NULL WHERE EXISTS (SELECT 1 FROM \(rows) WHERE \(walk.key) IS NULL)"
    }
    if let order = statement.select.orderBy.first {
      sql += " ORDER BY 1" + (order.isDescending ? " DESC" : "")
    }
    let isDistinct = core.syntax.isDistinct
    let rewrite = StatementRewrite(
      kind: isDistinct ? .distinctWithoutIndex : .groupWithoutIndex, candidates: [sql],
      title: "All rows of \(table.name) are read for the different values of \(column.name)",
      explanation:
        "SQLite reads the entry of each row and leaves out those that it had. An index that begins with \(column.name) leads "
        + "from each value to the next with one look.",
      summary: "Go from value to value with a recursive common table",
      coreData: "Keep the values in an entity of their own.",
      limits: ["It pays as long as each value has many rows."])
    return try rewrite.findings(for: analyzed, statement, in: context)
  }

  /// Whether the statement returns each value once, by DISTINCT or by GROUP BY of the column alone.
  private func asksForDifferent(
    _ expression: SQLExpression, _ core: SQLSelectCore, _ statement: MovableStatement
  ) -> Bool {
    if core.groupBy.isEmpty { return core.isDistinct }
    return core.groupBy.count == 1
      && statement.shape.resolved.meaning(of: core.groupBy[0].unwrapped)
        == statement.shape.resolved.meaning(of: expression.unwrapped)
  }

  /// Whether the statement has no ORDER BY, or is ordered by the column with NULL at SQLite's usual place.
  private func isOrderedByIt(_ expression: SQLExpression, _ statement: MovableStatement) -> Bool {
    let order = statement.select.orderBy
    guard let term = order.first else { return true }
    guard order.count == 1, term.nullsFirst == nil else { return false }
    if statement.text[term.expression.range] == "1" { return true }
    let meaning = statement.shape.resolved.meaning(of: term.expression.unwrapped)
    if case .result(_, 0)? = meaning { return true }
    return meaning != nil && meaning == statement.shape.resolved.meaning(of: expression.unwrapped)
  }
}
