/// Finds rows that are joined with all referring rows and counted, if HAVING keeps only the rows with many referring
/// rows.
struct CountedGroupsDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema), let core = statement.core,
      let from = core.syntax.from, from.sources.count == 2, core.syntax.groupBy.count == 1,
      !core.shape.hasWindowFunctions, let link = link(from, core.syntax, statement, context.schema),
      let bound = core.syntax.having?.conjuncts.lazy.compactMap({ bound($0, from.sources[1], statement) }).first
    else { return [] }
    let text = statement.text
    let child = from.sources[1]
    let filter = link.local.isEmpty ? "" : " WHERE \(link.local.joined(separator: " AND "))"
    let keys =
      "\(text[link.parent.range]) IN (SELECT \(text[link.child.range]) FROM \(text[child.range])\(filter) "
      + "GROUP BY \(text[link.child.range]) HAVING \(text[bound.range]))"
    var rewriter = SQLRewriter(text)
    if let condition = core.syntax.condition {
      let own = condition.conjuncts.count > 1 ? text[condition.range] : "(\(text[condition.range]))"
      rewriter.replace(condition.range, with: "\(own) AND \(keys)")
    } else {
      rewriter.insert(" WHERE \(keys)", at: from.range.upperBound)
    }
    let table = statement.shape.resolved.sources[child.id]?.name ?? "the table"
    let rewrite = StatementRewrite(
      kind: .groupWithoutIndex, candidates: [rewriter.rewritten()],
      title: "All rows are joined with those of \(table) that refer to them, and HAVING keeps few",
      explanation:
        "SQLite looks for the rows of \(table) of each row, and counts them, before HAVING leaves most of them out. Grouped by "
        + "their reference, the rows of \(table) are read once, and only rows with enough references are joined.",
      summary: "Ask first for the rows with enough references",
      limits: right(of: bound).isLiteral
        ? [] : ["The same as long as the number is 1 or more: rows without references are left out."],
      isSameByNature: true)
    return try rewrite.findings(for: analyzed, statement, in: context)
  }

  /// The equality that joins the second table to the grouped key of the first table, and the second table's other
  /// conditions.
  private func link(
    _ from: SQLFrom, _ core: SQLSelectCore, _ statement: MovableStatement, _ schema: DatabaseSchema
  ) -> (parent: SQLExpression, child: SQLExpression, local: [String])? {
    let (parent, child) = (from.sources[0], from.sources[1])
    guard child.join.kind == .left || child.join.kind == .inner, !child.join.isNatural, child.join.using.isEmpty,
      let on = child.join.on, case .table = child.kind,
      let own = statement.column(core.groupBy[0], schema), own.table.rowIDAlias == own.column.name,
      statement.sources(in: core.groupBy[0].range) == [parent.id],
      // The join must leave out all rows that the statement leaves out.
      core.condition.map({ !statement.sources(in: $0.range).contains(child.id) }) ?? true
    else { return nil }
    var found: (parent: SQLExpression, child: SQLExpression)?
    var local: [String] = []
    for condition in on.conjuncts {
      if statement.sources(in: condition.range) == [child.id] {
        local.append("(\(statement.text[condition.range]))")
        continue
      }
      guard found == nil, case .binary(.equal, let left, let right) = condition.kind,
        let (one, other) = [(left, right), (right, left)].first(where: {
          statement.shape.resolved.meaning(of: $0.0.unwrapped)
            == statement.shape.resolved.meaning(of: core.groupBy[0].unwrapped)
            && statement.column($0.1, schema) != nil && statement.sources(in: $0.1.range) == [child.id]
        })
      else { return nil }
      found = (one, other)
    }
    return found.map { ($0.parent, $0.child, local) }
  }

  /// `count(child.column) > 40`, which no row fulfils that nothing refers to.
  private func bound(
    _ condition: SQLExpression, _ child: SQLSource, _ statement: MovableStatement
  ) -> SQLExpression? {
    guard case .binary(let operation, let left, let right) = condition.unwrapped.kind,
      operation == .greater || operation == .greaterOrEqual, statement.isConstant(right),
      case .call(let call) = left.unwrapped.kind, call.name.key == "count", call.window == nil,
      statement.sources(in: left.range) == [child.id]
    else { return nil }
    if right.isLiteral { return Int(statement.text[right.range]).map { $0 > 0 } == true ? condition.unwrapped : nil }
    return condition.unwrapped
  }

  private func right(of bound: SQLExpression) -> SQLExpression {
    if case .binary(_, _, let right) = bound.kind { right } else { bound }
  }
}
