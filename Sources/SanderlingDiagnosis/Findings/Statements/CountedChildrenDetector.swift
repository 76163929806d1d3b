/// Finds conditions on the number of rows that refer to a row, if a subquery counts them for each row.
struct CountedChildrenDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    for condition in statement.conditions {
      guard case .binary(let operation, let left, let right) = condition.kind,
        case .subquery(let select) = left.unwrapped.kind, statement.isConstant(right),
        let bound = bound(operation), let counted = counted(select, statement)
      else { continue }
      let value = statement.text[right.range]
      let keys = "SELECT \(counted.child) FROM \(counted.from) GROUP BY \(counted.child) HAVING \(counted.count) "
      let among = "\(counted.parent) IN (\(keys)\(operation.rawValue) \(value))"
      // A row without referring rows has the count 0, which may meet the condition with other values.
      let none =
        "0 \(operation.rawValue) \(value) AND (\(counted.parent) IS NULL OR \(counted.parent) NOT IN "
        + "(SELECT \(counted.child) FROM \(counted.from) \(counted.hasFilter ? "AND" : "WHERE") "
        + "\(counted.child) IS NOT NULL))"
      let rewrite = StatementRewrite(
        kind: .subqueryPerRow,
        candidates: [statement.replacing(condition.range, with: among)]
          + (right.hasParameter ? [statement.replacing(condition.range, with: "(\(among) OR (\(none)))")] : []),
        title: "A subquery counts the rows of \(counted.table) for each row, to keep those with \(bound)",
        explanation:
          "The subquery runs once for each row of the query around it. Grouped by their reference, all rows are counted in "
          + "one go, and an index gives them in this order.",
        summary: "Count by group once, and ask with IN",
        coreData: "Keep the count in a derived attribute (`relationship.@count`), with a fetch index on it.",
        limits: right.isLiteral
          ? []
          : [
            "The same as long as the value is \(operation == .greater ? "0" : "1") or more: rows without any are left out."
          ])
      let trial = RewriteTrial(context: context, analyzed: analyzed, statement: statement)
      if let finding = try rewrite.finding(trial) { return [finding] }
    }
    return []
  }

  private func bound(_ operation: SQLBinaryOperator) -> String? {
    switch operation {
    case .greater: "more than some"
    case .greaterOrEqual: "at least some"
    case .equal: "a certain number"
    default: nil
    }
  }

  /// Reads a subquery such as `SELECT count(…) FROM child WHERE child.key = parent.key AND …`.
  private func counted(
    _ select: SQLSelect, _ statement: MovableStatement
  ) -> (child: String, parent: String, from: String, hasFilter: Bool, count: String, table: String)? {
    guard select.with == nil, select.cores.count == 1, select.limit == nil, let core = select.cores.first,
      core.groupBy.isEmpty, core.having == nil, !core.isDistinct, core.columns.count == 1,
      let from = core.from, from.sources.count == 1, let source = from.sources.first,
      case .expression(let column, _) = core.columns[0].kind, case .call(let call) = column.unwrapped.kind,
      call.name.key == "count", call.window == nil
    else { return nil }
    guard let tie = statement.tie(of: source.id, by: core.condition?.conjuncts ?? []) else { return nil }
    let local = tie.rest.map { "(\(statement.text[$0.range]))" }
    let filter = local.isEmpty ? "" : " WHERE \(local.joined(separator: " AND "))"
    return (
      statement.text[tie.own.range], statement.text[tie.outer.range], statement.text[from.range] + filter,
      !local.isEmpty, statement.text[column.range], statement.shape.resolved.sources[source.id]?.name ?? "the table"
    )
  }
}

extension SQLExpression {
  fileprivate var hasParameter: Bool {
    withDescendants.contains { if case .parameter = $0.kind { true } else { false } }
  }
}
