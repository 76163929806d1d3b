/// Finds subqueries that number all rows of a table, if the outer query keeps only the first rows of each group.
///
/// `SELECT … FROM (SELECT …, row_number() OVER (PARTITION BY g ORDER BY y DESC) AS n FROM t) WHERE n = 1` numbers all
/// rows. With an index that begins with g and y, one search finds the next group, and one search finds its first rows.
/// If the result is a list in another order, one search for each row shows whether an earlier row of its group exists.
struct FirstOfPartitionDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    for source in statement.shape.resolved.sources.values.sorted(by: { $0.id < $1.id }) {
      guard let select = statement.ownSelect(of: source),
        let numbered = NumberedRows(of: select, source, statement, context), let group = numbered.group,
        let assumption = numbered.assumption(statement, context.schema)
      else { continue }
      var limits = ["It pays as long as groups have many rows: for groups of a few, leave the window."]
      let isWhole = assumption.rows.isEmpty
      if !isWhole {
        limits.append(
          "No two rows of a group are equal in the window's order today. Where two are, it is left to chance which comes first, in "
            + "both forms.")
      }
      let forms = [
        walk(numbered, group, source, statement),
        antijoin(numbered, group, isWhole: isWhole, source, statement, context),
      ].compactMap { $0 }
      let count = numbered.keepsOne ? "the first one" : "the first ones"
      let rewrite = StatementRewrite(
        kind: .sortWithoutIndex, candidates: forms.map { statement.replacing(select.range, with: $0) },
        title: "All rows of \(numbered.table.name) are numbered for \(count) of each \(group.name)",
        explanation:
          "row_number() sorts and counts every row before the condition on the number throws most of them away. With an index that "
          + "begins with \(group.name), and then has the window's order, the first rows of a group are found without the others.",
        summary: "Look for the first rows of each group in place of numbering all",
        coreData: "Keep the row's relationship with its parent, such as `latest`, and fetch that.",
        limits: limits, assumption: assumption)
      let findings = try rewrite.findings(for: analyzed, statement, in: context)
      if !findings.isEmpty { return findings }
    }
    return []
  }

  /// The rewrite that goes from group to group, and to the first rows of each group.
  private func walk(
    _ numbered: NumberedRows, _ group: ColumnSchema, _ source: ResolvedSource, _ statement: MovableStatement
  ) -> String {
    let (core, rowid, window) = (numbered.core, numbered.rowid, numbered.window)
    let (rows, key) = (statement.text[numbered.from.range], statement.text[window.partitionBy[0].range])
    let filter = core.condition.map { "(\(statement.text[$0.range])) AND " } ?? ""
    let order = window.orderBy.map { statement.text[$0.range] }.joined(separator: ", ")
    let walk = GroupWalk(table: numbered.table.name, rows: rows, key: key)
    func first(where condition: String) -> String {
      let order = order.isEmpty ? "" : " ORDER BY \(order)"
      return "(SELECT \(rowid) FROM \(rows) WHERE \(filter)\(condition)\(order) LIMIT \(numbered.last))"
    }
    var rewriter = SQLRewriter(statement.text)
    var keys: String
    if numbered.keepsOne {
      keys = walk.selecting(first(where: "\(key) = \(walk.value)"))
      if !group.isNotNull { keys += " UNION ALL SELECT \(first(where: "\(key) IS NULL"))" }
      rewriter.replace(
        core.columns[numbered.place].range, with: "1 AS \(FanOutSQL.name(source.columns[numbered.place]))")
    } else {
      // The remaining rows are numbered as before.
      let name = "first_rows"
      keys = walk.selecting(
        "\(name).\(rowid)",
        beside: "\(numbered.table.name.quotedIdentifier) AS \(name)",
        where: "\(name).\(rowid) IN \(first(where: "\(key) = \(walk.value)"))")
      if !group.isNotNull { keys += " UNION ALL SELECT \(rowid) FROM \(first(where: "\(key) IS NULL"))" }
    }
    return "SELECT \(rewriter.rewritten(core.columnsRange)) FROM \(rows) WHERE \(rowid) IN (\(keys))"
  }

  /// The form that keeps each row without a preceding row in its group; nil if NULL or several columns decide the
  /// order.
  private func antijoin(
    _ numbered: NumberedRows, _ group: ColumnSchema, isWhole: Bool, _ source: ResolvedSource,
    _ statement: MovableStatement,
    _ context: DetectorContext
  ) -> String? {
    let window = numbered.window
    guard numbered.keepsOne, window.orderBy.count == 1, let term = window.orderBy.first,
      let value = statement.column(term.expression, context.schema)?.column,
      value.isNotNull || value.name == numbered.table.rowIDAlias
    else { return nil }
    let (core, name) = (numbered.core, "earlier")
    func ofEarlier(_ expression: SQLExpression) -> String {
      var rewriter = SQLRewriter(statement.text)
      for node in expression.withDescendants {
        guard case .column(numbered.source.id, let column)? = statement.shape.resolved.meaning(of: node) else {
          continue
        }
        rewriter.replace(node.range, with: "\(name).\(FanOutSQL.name(column))")
      }
      return rewriter.rewritten(expression.range)
    }
    func comparison(_ column: String, _ sign: String) -> String {
      "\(name).\(FanOutSQL.name(column)) \(sign) \(FanOutSQL.name(numbered.source.name)).\(FanOutSQL.name(column))"
    }
    let key = comparison(group.name, group.isNotNull ? "=" : "IS")
    let before = comparison(value.name, term.isDescending ? ">" : "<")
    var conditions = [key, before]
    if !isWhole {
      // The rowid decides between two equal rows.
      let atLeast = comparison(value.name, term.isDescending ? ">=" : "<=")
      conditions = [
        key, atLeast,
        "(\(before) OR \(name).\(numbered.rowid) < \(FanOutSQL.name(numbered.source.name)).\(numbered.rowid))",
      ]
    }
    if let condition = core.condition { conditions.append("(\(ofEarlier(condition)))") }
    let none =
      "NOT EXISTS (SELECT 1 FROM \(numbered.table.name.quotedIdentifier) AS \(name) "
      + "WHERE \(conditions.joined(separator: " AND ")))"
    let filter = core.condition.map { "(\(statement.text[$0.range])) AND " } ?? ""
    var rewriter = SQLRewriter(statement.text)
    rewriter.replace(
      core.columns[numbered.place].range, with: "1 AS \(FanOutSQL.name(source.columns[numbered.place]))")
    return
      "SELECT \(rewriter.rewritten(core.columnsRange)) FROM \(statement.text[numbered.from.range]) WHERE \(filter)\(none)"
  }
}
