/// A statement in two parts. A switch decides which part runs.
///
/// SQLite computes a condition without columns once, before it looks at any row. A part whose switch is wrong reads
/// nothing. So `… WHERE ?1 IS NOT NULL AND owner = ?1 UNION ALL … WHERE ?1 IS NULL` finds the rows of an owner by an
/// index, and equals `… WHERE (?1 IS NULL OR owner = ?1)` for all values.
struct SwitchedStatement {
  let statement: MovableStatement
  let part: ConditionSwitch

  /// The candidates for the rewrite. The plainest comes first.
  var forms: [String] {
    // In a subquery, the rows that one part leaves out need not be the rows that the other part adds.
    guard let core = statement.core, let condition = core.syntax.condition,
      condition.conjuncts.contains(where: { $0.range == part.range })
    else { return [] }
    let on = text(of: core.syntax, condition, part.whereOn)
    let off = text(of: core.syntax, condition, part.whereOff)
    if !core.shape.aggregates.isEmpty, core.syntax.groupBy.isEmpty {
      return oneRow(on, off, core.syntax, core.resolved)
    }
    if let tail = statement.compoundTail { return ["\(statement.with)\(on) UNION ALL \(off)\(tail)"] }
    return ordered(core.syntax, core.resolved, condition)
  }

  /// The core with other text in place of the switched condition.
  private func text(
    of core: SQLSelectCore, _ condition: SQLExpression, _ words: String, adding columns: String = ""
  ) -> String {
    var rewriter = SQLRewriter(statement.text)
    rewriter.replace(part.range, with: words)
    if !columns.isEmpty { rewriter.insert(columns, at: core.columnsRange.upperBound) }
    return rewriter.rewritten(core.range)
  }

  /// The forms for a core with aggregates over all rows. Without rows, it still returns one row, so the part that
  /// doesn't apply must return none.
  private func oneRow(
    _ on: String, _ off: String, _ core: SQLSelectCore, _ resolved: ResolvedCore
  ) -> [String] {
    guard core.having == nil, statement.select.limit == nil, statement.select.orderBy.isEmpty,
      resolved.results.allSatisfy({ $0.expression != nil })
    else { return [] }
    if core.columns.count == 1, let name = resolved.results.first?.name {
      let choice = "CASE WHEN \(part.off) THEN (\(off)) ELSE (\(on)) END"
      return ["\(statement.with)SELECT \(choice) AS \(FanOutSQL.name(name))"]
    }
    return [
      "\(statement.with)SELECT * FROM (\(on)) WHERE \(part.on) UNION ALL SELECT * FROM (\(off)) WHERE \(part.off)"
    ]
  }

  /// The parts with the orderings as further columns, which the outer SELECT leaves out again.
  private func ordered(_ core: SQLSelectCore, _ resolved: ResolvedCore, _ condition: SQLExpression) -> [String] {
    let names = resolved.results.map(\.name)
    guard !core.isDistinct, Set(names.map(\.asciiLowercased)).count == names.count else { return [] }
    var keys: [String] = []
    let order = statement.compoundOrder { expression in
      keys.append("\(statement.text[expression.range]) AS order_\(keys.count + 1)")
      return "order_\(keys.count)"
    }
    guard let order, !names.contains(where: { $0.asciiLowercased.hasPrefix("order_") }) else { return [] }
    let columns = keys.map { ", \($0)" }.joined()
    let parts = [part.whereOn, part.whereOff].map { text(of: core, condition, $0, adding: columns) }
      .joined(separator: " UNION ALL ")
    let head = "\(statement.with)SELECT \(names.map(FanOutSQL.name).joined(separator: ", ")) FROM "
    let limit = statement.limitClause
    let plain = "\(head)(\(parts))\(order)\(limit)"
    // With ORDER BY and LIMIT inside the subquery, SQLite may read each part in the order of an index.
    if limit.isEmpty || statement.select.offset != nil { return [plain] }
    return [plain, "\(head)(\(parts)\(order)\(limit))\(order)"]
  }
}
