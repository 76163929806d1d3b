/// Finds conditions that keep the row with the least or greatest value of its group, if a subquery searches for that
/// value again for each row.
///
/// `t.y = (SELECT max(x.y) FROM t x WHERE x.g = t.g)` computes a group's value once for each row of the group. `(t.g,
/// t.y) IN (SELECT x.g, max(x.y) FROM t x GROUP BY x.g)` computes it once for each group.
struct ExtremePerRowDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    for condition in statement.conditions {
      guard case .binary(.equal, let left, let right) = condition.unwrapped.kind,
        let extreme = extreme(left, right, condition, statement, context)
          ?? extreme(right, left, condition, statement, context)
      else { continue }
      let rewrite = StatementRewrite(
        kind: .subqueryPerRow,
        candidates: (extreme.isRowid ? joined(extreme, condition, statement, context.schema) : [])
          + extreme.conditions.map { statement.replacing(condition.range, with: $0) },
        title: "A subquery looks for the \(extreme.word) \(extreme.value) of a group at each row of \(extreme.table)",
        explanation:
          "All rows of a group get the same answer, and most are thrown away. Grouped, the question is asked once for each "
          + "group, and only the rows that it names are read.",
        summary: "Ask once for each group",
        coreData: "Keep the row's relationship with its parent, such as `latest`, and fetch that.")
      let findings = try rewrite.findings(for: analyzed, statement, in: context)
      if !findings.isEmpty { return findings }
    }
    return []
  }

  private struct Extreme {
    /// The forms of the condition. The plainest comes first.
    var conditions: [String]
    /// Whether the value is the rowid, which is in no other group.
    var isRowid: Bool
    /// The call such as `max(x.value)`, and the text after it in a SELECT for all groups.
    var call: String
    var rest: String
    /// The column that the condition compares with the value, and the column's source.
    var column: String
    var source: Int
    var table: String
    var value: String
    var word: String
  }

  /// Reads a condition such as `value = (SELECT max(x.value) FROM t x WHERE x.key = t.key AND …)`.
  private func extreme(
    _ value: SQLExpression, _ subquery: SQLExpression, _ condition: SQLExpression, _ statement: MovableStatement,
    _ context: DetectorContext
  ) -> Extreme? {
    let text = statement.text
    guard case .subquery(let select) = subquery.unwrapped.kind, select.with == nil, select.limit == nil,
      select.cores.count == 1, let core = select.cores.first, core.groupBy.isEmpty, core.having == nil,
      !core.isDistinct,
      core.columns.count == 1, let from = core.from, from.sources.count == 1, let inner = from.sources.first,
      case .expression(let column, _) = core.columns[0].kind, case .call(let call) = column.unwrapped.kind,
      ["max", "min"].contains(call.name.key), call.arguments.count == 1, call.filter == nil, call.window == nil,
      let outer = statement.plainColumn(value), let own = statement.plainColumn(call.arguments[0]),
      own.source == inner.id, outer.source != inner.id, own.name == outer.name,
      let table = statement.ordinaryTable(outer.source, context.schema),
      statement.ordinaryTable(inner.id, context.schema)?.name == table.name
    else { return nil }
    var link: (inner: SQLExpression, outer: SQLExpression, name: String)?
    var filters: [String] = []
    for part in core.condition?.conjuncts ?? [] {
      if statement.sources(in: part.range).isSubset(of: [inner.id]), !statement.hasSubquery(part) {
        filters.append("(\(text[part.range]))")
        continue
      }
      guard link == nil, case .binary(.equal, let left, let right) = part.unwrapped.kind,
        let one = statement.plainColumn(left), let other = statement.plainColumn(right), one.name == other.name,
        Set([one.source, other.source]) == [inner.id, outer.source]
      else { return nil }
      link = one.source == inner.id ? (left, right, one.name) : (right, left, one.name)
    }
    guard let link else { return nil }
    let key = text[link.inner.range]
    // A condition that holds for whole groups limits the search to these groups. Without a type or with another
    // collation, a condition may distinguish values that are equal as groups.
    if let group = table.column(link.name), group.collation.asciiLowercased == "binary", group.affinity != .blob {
      filters += around(condition, statement).compactMap { statement.moved($0, outer.source, link.name, to: key) }
    }
    if table.column(link.name)?.isNotNull == false, table.rowIDAlias != link.name {
      filters.append("\(key) IS NOT NULL")
    }
    let filter = filters.isEmpty ? "" : " WHERE \(filters.joined(separator: " AND "))"
    let rest = "FROM \(text[from.range])\(filter) GROUP BY \(key)"
    var conditions = [
      "(\(text[link.outer.range]), \(text[value.range])) IN (SELECT \(key), \(text[column.range]) \(rest))"
    ]
    let isRowid = outer.name == table.rowIDAlias ?? "rowid"
    if isRowid { conditions.insert("\(text[value.range]) IN (SELECT \(text[column.range]) \(rest))", at: 0) }
    return Extreme(
      conditions: conditions, isRowid: isRowid, call: text[column.range], rest: rest, column: text[value.range],
      source: outer.source, table: table.name, value: outer.name,
      word: call.name.key == "max" ? "greatest" : "least")
  }

  /// The statement with the groups joined before its only table, whose rows are then found by their rowid. So later
  /// indexes don't matter, while IN would compete with them.
  private func joined(
    _ extreme: Extreme, _ condition: SQLExpression, _ statement: MovableStatement, _ schema: DatabaseSchema
  ) -> [String] {
    guard let core = statement.core?.syntax, let from = core.from, from.sources.count == 1,
      from.sources[0].id == extreme.source,
      core.condition?.conjuncts.contains(where: { $0.range == condition.range }) == true
    else { return [] }
    let isAll = core.columns.contains { if case .all = $0.kind { true } else { false } }
    let (groups, key) = (FanOutSQL.name("\(extreme.word)_of_\(extreme.table)"), "\(extreme.word)_of_group")
    if isAll || schema.table(extreme.table)?.column(key) != nil { return [] }
    var rewriter = SQLRewriter(statement.text)
    rewriter.insert(
      "(SELECT \(extreme.call) AS \(key) \(extreme.rest)) AS \(groups) CROSS JOIN ", at: from.range.lowerBound)
    rewriter.replace(condition.range, with: "\(extreme.column) = \(groups).\(key)")
    return [rewriter.rewritten()]
  }

  /// The other conditions in the core of a condition.
  private func around(_ condition: SQLExpression, _ statement: MovableStatement) -> [SQLExpression] {
    let conjuncts = statement.shape.resolved.cores.map { $0.condition?.conjuncts ?? [] }
      .first { $0.contains { $0.range == condition.range } }
    return (conjuncts ?? []).filter { $0.range != condition.range }
  }
}
