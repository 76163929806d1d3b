/// Finds rows that are read in the order of an index, of which the filter leaves few.
///
/// An index that has the order, or the groups one after the other, is worth more to SQLite without figures than one that finds the
/// few rows, which have to be sorted then. A unary plus takes the order from the first one.
struct OrderWalkDetector: FindingDetector {
  /// How much more than its rows a statement has to read.
  static let leastRatio = 40.0

  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema), let core = statement.core,
      core.syntax.condition != nil, !core.syntax.isDistinct, !core.shape.hasWindowFunctions,
      let column = sorted(core.syntax, statement, analyzed),
      // What indexes or figures solve needs no other statement. Other statements may need an index that goes.
      context.advice.map({ $0.isNone || $0.harmfulIndex != nil }) ?? true,
      analyzed.measurements.allSatisfy(\.isComplete),
      analyzed.measurements.contains(where: { $0.work > Self.leastRatio * Double(100 + $0.rowsReturned) })
    else { return [] }
    // A result's name isn't the column: a sign makes an expression of it, in which it means a column of that name.
    guard case .column = column.kind, case .column(let source, _)? = statement.shape.resolved.meaning(of: column),
      core.shape.sources.contains(where: { $0.id == source && $0.kind == .table && $0.join != .left })
    else { return [] }
    let groups = !core.syntax.groupBy.isEmpty
    let sql = statement.replacing(column.range, with: "+\(statement.text[column.range])")
    let rewrite = StatementRewrite(
      kind: .fullScan, candidates: [sql],
      title: "Rows are read in the order of \(groups ? "their groups" : "an index"), and most of them thrown away",
      explanation:
        "SQLite takes the index that has the rows \(groups ? "of a group together" : "in their order"), and reads along it what "
        + "the filter leaves out. With a unary plus the order is no index's any more: the few rows that the filter finds are sorted.",
      summary: "Keep the order from choosing the index, with a unary plus",
      limits: ["It pays as long as the filter leaves few rows."], isSameByNature: true)
    // Fewer pages alone may be those of a table that was read in its own order.
    return try rewrite.findings(for: analyzed, statement, in: context).filter { finding in
      guard case .proven(let comparisons) = finding.outcome else { return false }
      return comparisons.allSatisfy { 2 * $0.after.steps < $0.before.steps }
    }
  }

  /// What the rows are read in the order of, as far as the statement shows it.
  private func sorted(
    _ core: SQLSelectCore, _ statement: MovableStatement, _ analyzed: AnalyzedStatement
  ) -> SQLExpression? {
    if let group = core.groupBy.first { return group.unwrapped }
    guard statement.core?.shape.aggregates.isEmpty == true, analyzed.measurements.allSatisfy({ $0.sorts == 0 }) else {
      return nil
    }
    return statement.select.orderBy.first?.expression.unwrapped
  }
}
