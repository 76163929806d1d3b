/// Finds subqueries that number the rows of each group, of which the query around them keeps the first ones only.
///
/// `SELECT … FROM (SELECT …, row_number() OVER (PARTITION BY g ORDER BY y DESC) AS n FROM t) WHERE n = 1`: all rows are
/// numbered. With an index that begins with g and y, one look goes to the next group, and one to its first row.
struct FirstOfPartitionDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    for source in statement.shape.resolved.sources.values.sorted(by: { $0.id < $1.id }) {
      guard let select = statement.ownSelect(of: source), let first = first(of: select, source, statement, context)
      else { continue }
      let rewrite = StatementRewrite(
        kind: .sortWithoutIndex, candidates: [statement.replacing(select.range, with: first.sql)],
        title: "All rows of \(first.table) are numbered for the first one of each \(first.key)",
        explanation:
          "row_number() sorts and counts every row before the condition on the number throws most of them away. An index that "
          + "begins with \(first.key), and then has the window's order, leads from one group to the first row of the next.",
        summary: "Go from group to group with a recursive common table",
        coreData: "Keep the row's relationship with its parent, such as `latest`, and fetch that.",
        limits: ["It pays as long as groups have many rows: for groups of a few, leave the window."])
      let findings = try rewrite.findings(for: analyzed, statement, in: context)
      if !findings.isEmpty { return findings }
    }
    return []
  }

  private struct First {
    var sql: String
    var table: String
    var key: String
  }

  private func first(
    of select: SQLSelect, _ source: ResolvedSource, _ statement: MovableStatement, _ context: DetectorContext
  ) -> First? {
    guard select.with == nil, select.limit == nil, select.orderBy.isEmpty, select.cores.count == 1,
      let core = select.cores.first, core.groupBy.isEmpty, core.having == nil, !core.isDistinct,
      let from = core.from, from.sources.count == 1, let shape = statement.shape.select(core.id),
      shape.aggregates.isEmpty, let inner = shape.sources.first, inner.kind == .table,
      let table = inner.table.flatMap(context.schema.table), table.kind == .ordinary, let rowid = table.rowIDName,
      source.columns.count == core.columns.count
    else { return nil }
    var numbering: (place: Int, window: SQLWindow)?
    for (place, column) in core.columns.enumerated() {
      guard case .expression(let expression, _) = column.kind else { return nil }
      let windows = expression.withDescendants.compactMap { node -> SQLCall? in
        if case .call(let call) = node.kind, call.window != nil { call } else { nil }
      }
      if windows.isEmpty { continue }
      // Another window function would count the rows that are left out.
      guard numbering == nil, windows.count == 1, case .call(let call) = expression.unwrapped.kind,
        call.name.key == "row_number", call.filter == nil, let window = call.window
      else { return nil }
      numbering = (place, window)
    }
    guard let numbering, numbering.window.base == nil, numbering.window.partitionBy.count == 1,
      let group = statement.column(numbering.window.partitionBy[0], context.schema), group.table.name == table.name,
      keepsFirst(source, numbering.place, statement), isWhole(numbering.window, table, statement, context)
    else { return nil }

    let (rows, key) = (statement.text[from.range], statement.text[numbering.window.partitionBy[0].range])
    let filter = core.condition.map { "(\(statement.text[$0.range])) AND " } ?? ""
    let order = numbering.window.orderBy.map { statement.text[$0.range] }.joined(separator: ", ")
    let walk = GroupWalk(table: table.name, rows: rows, key: key)
    func row(where condition: String) -> String {
      "(SELECT \(rowid) FROM \(rows) WHERE \(filter)\(condition) ORDER BY \(order) LIMIT 1)"
    }
    var keys = walk.selecting(row(where: "\(key) = \(walk.value)"))
    if !group.column.isNotNull { keys += " UNION ALL SELECT \(row(where: "\(key) IS NULL"))" }
    var rewriter = SQLRewriter(statement.text)
    rewriter.replace(
      core.columns[numbering.place].range, with: "1 AS \(FanOutSQL.name(source.columns[numbering.place]))")
    return First(
      sql: "SELECT \(rewriter.rewritten(core.columnsRange)) FROM \(rows) WHERE \(rowid) IN (\(keys))",
      table: table.name,
      key: group.column.name)
  }

  /// Whether the query around the subquery keeps the rows with the number 1 only.
  private func keepsFirst(_ source: ResolvedSource, _ place: Int, _ statement: MovableStatement) -> Bool {
    guard statement.shape.source(source.id)?.isNullable == false, let name = source.columns[safe: place] else {
      return false
    }
    let number = ColumnMeaning.column(source: source.id, name: name)
    func isNumber(_ side: SQLExpression) -> Bool { statement.shape.resolved.meaning(of: side.unwrapped) == number }
    func isOne(_ side: SQLExpression) -> Bool {
      if case .literal(.integer) = side.unwrapped.kind { statement.text[side.unwrapped.range] == "1" } else { false }
    }
    return (statement.shape.resolved.core(source.core)?.condition?.conjuncts ?? []).contains { condition in
      switch condition.unwrapped.kind {
      case .binary(.equal, let left, let right): isNumber(left) && isOne(right) || isOne(left) && isNumber(right)
      case .binary(.lessOrEqual, let left, let right): isNumber(left) && isOne(right)
      default: false
      }
    }
  }

  /// Whether no two rows of a group are equal in the window's order: which of them is the first would be left to chance.
  private func isWhole(
    _ window: SQLWindow, _ table: TableSchema, _ statement: MovableStatement, _ context: DetectorContext
  ) -> Bool {
    let columns = (window.partitionBy + window.orderBy.map(\.expression)).compactMap {
      statement.column($0, context.schema)?.column
    }
    let names = Set(columns.filter { $0.isNotNull || $0.name == table.rowIDAlias }.map(\.name.asciiLowercased))
    if let alias = table.rowIDAlias, names.contains(alias.asciiLowercased) { return true }
    return table.indexes.contains { index in
      index.isUnique && !index.isPartial
        && index.keys.allSatisfy { key in key.column.map { names.contains($0.asciiLowercased) } ?? false }
    }
  }
}

extension TableSchema {
  /// How SQL names the rowid; nil where there is none, or where a column took its name.
  var rowIDName: String? {
    if isWithoutRowID { return nil }
    if let rowIDAlias { return FanOutSQL.name(rowIDAlias) }
    return column("rowid") == nil ? "rowid" : nil
  }
}
