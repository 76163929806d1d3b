/// Finds rows that are read in the order of an index although a filter leaves few of them.
///
/// Without statistics, SQLite prefers an index with the order, or with the groups in sequence, to an index that finds
/// the few rows, which must then be sorted. A unary plus keeps SQLite from the order of the first index.
struct OrderWalkDetector: FindingDetector {
  /// The least ratio of the read rows to the returned rows.
  static let leastRatio = 40.0

  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema),
      analyzed.measurements.allSatisfy(\.isComplete),
      analyzed.measurements.contains(where: { $0.work > Self.leastRatio * Double(100 + $0.rowsReturned) })
    else { return [] }
    for core in statement.shape.resolved.cores {
      guard let (column, isOfGroups) = sorted(core, statement, analyzed) else { continue }
      let found = try findings(for: analyzed, statement, column, isOfGroups: isOfGroups, in: context)
      if !found.isEmpty { return found }
    }
    return []
  }

  private func findings(
    for analyzed: AnalyzedStatement, _ statement: MovableStatement, _ column: SQLExpression, isOfGroups groups: Bool,
    in context: DetectorContext
  ) throws -> [Finding] {
    let sql = statement.replacing(column.range, with: "+\(statement.text[column.range])")
    let rewrite = StatementRewrite(
      kind: .fullScan, candidates: [sql],
      title: "Rows are read in the order of \(groups ? "their groups" : "an index"), and most of them thrown away",
      explanation:
        "SQLite takes the index that has the rows \(groups ? "of a group together" : "in their order"), and reads along it all rows that "
        + "the filter leaves out. With a unary plus the order is no index's any more: the few rows that the filter finds are sorted.",
      summary: "Keep the order from choosing the index, with a unary plus",
      limits: ["It pays as long as the filter leaves few rows."], isSameByNature: true)
    // If indexes or statistics suffice, no rewrite is needed. Other statements may need an index that is dropped.
    let advice = context.advice.flatMap { $0.isNone || $0.harmfulIndex != nil ? nil : $0.comparisons.workAfter }
    // Fewer pages alone may come from a table that was read in its own order.
    return try rewrite.findings(for: analyzed, statement, in: context).filter { finding in
      guard case .proven(let comparisons) = finding.outcome else { return false }
      return comparisons.allSatisfy { 2 * $0.after.steps < $0.before.steps }
        && comparisons.workAfter < 0.2 * (advice ?? .infinity)
    }
  }

  /// The column of a table or view that orders the rows of a core, as far as the statement shows it.
  private func sorted(
    _ core: ResolvedCore, _ statement: MovableStatement, _ analyzed: AnalyzedStatement
  ) -> (column: SQLExpression, isOfGroups: Bool)? {
    guard let syntax = core.syntax, syntax.condition != nil, !syntax.isDistinct,
      let shape = statement.shape.select(core.id), !shape.hasWindowFunctions
    else { return nil }
    let column: SQLExpression
    if let group = syntax.groupBy.first {
      column = group.unwrapped
    } else {
      // The order of a subquery seldom matters.
      guard core.id == statement.core?.syntax.id, shape.aggregates.isEmpty,
        analyzed.measurements.allSatisfy({ $0.sorts == 0 }), let order = statement.select.orderBy.first
      else { return nil }
      column = order.expression.unwrapped
    }
    // The term must name a column of a table or view. ORDER BY may instead name a result column. The rewrite would put
    // a plus before that name, and SQLite would then read a table's column of the same name, which may differ.
    guard case .column = column.kind, case .column(let source, _)? = statement.shape.resolved.meaning(of: column),
      shape.sources.contains(where: {
        $0.id == source && ($0.kind == .table || $0.kind == .view) && $0.join != .left
      })
    else { return nil }
    return (column, !syntax.groupBy.isEmpty)
  }
}
