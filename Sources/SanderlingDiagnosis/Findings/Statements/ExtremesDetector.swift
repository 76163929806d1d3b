/// Finds statements that select both ends of an index at once, for which SQLite reads the whole index.
struct ExtremesDetector: FindingDetector {
  static let maximumResults = 8

  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema), let core = statement.core,
      let from = core.syntax.from, core.syntax.groupBy.isEmpty, core.syntax.having == nil, !core.syntax.isDistinct,
      statement.select.limit == nil, statement.select.orderBy.isEmpty,
      (2...Self.maximumResults).contains(core.syntax.columns.count)
    else { return [] }
    let filter = core.syntax.condition.map { " WHERE \(statement.text[$0.range])" } ?? ""
    var rewriter = SQLRewriter(statement.text)
    for column in core.syntax.columns {
      guard case .expression(let expression, let alias) = column.kind, let call = extreme(expression, core.shape) else {
        return []
      }
      let name = alias?.text ?? statement.text[expression.range]
      let subquery = "(SELECT \(statement.text[call]) FROM \(statement.text[from.range])\(filter))"
      rewriter.replace(column.range, with: "\(subquery) AS \(FanOutSQL.name(name))")
    }
    rewriter.replace(core.syntax.columnsRange.upperBound..<core.syntax.range.upperBound, with: "")
    let rewrite = StatementRewrite(
      kind: .fullScan, candidates: [rewriter.rewritten()],
      title: "The least and the greatest value are asked for together, so that all rows are read",
      explanation:
        "One of min() and max() alone is the end of an index. For several at once SQLite goes through all rows. A "
        + "subquery for each reads one end.",
      summary: "Ask for each of min() and max() in a subquery of its own",
      grdb: "Read each with a request of its own, in one db.read { … }.",
      coreData: "Fetch one object for each, sorted by the attribute, with fetchLimit = 1.")
    return try rewrite.findings(for: analyzed, statement, in: context)
  }

  /// The range of an expression that is a call of min() or max(); otherwise nil.
  private func extreme(_ expression: SQLExpression, _ shape: SelectShape) -> Range<Int>? {
    shape.aggregates.first { aggregate in
      aggregate.range == expression.unwrapped.range && ["min", "max"].contains(aggregate.function)
        && !aggregate.hasFilter
    }?.range
  }
}
