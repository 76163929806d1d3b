/// Finds lists that are sorted first by whether a column is NULL and then by the column. No index has this order.
///
/// `ORDER BY due IS NULL, due` has the same order as `ORDER BY due NULLS LAST`, which SQLite knows since 3.30:
/// https://www.sqlite.org/lang_select.html#orderby
struct NullOrderDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema), statement.core != nil else { return [] }
    let terms = statement.select.orderBy
    for (test, term) in zip(terms, terms.dropFirst()) {
      guard let (column, isLast) = nullTest(test, statement), term.nullsFirst == nil,
        let meaning = statement.shape.resolved.meaning(of: column),
        statement.shape.resolved.meaning(of: term.expression.unwrapped) == meaning
      else { continue }
      let name = statement.text[column.range]
      let needsWords = term.isDescending != isLast
      var rewriter = SQLRewriter(statement.text)
      rewriter.replace(test.range.lowerBound..<term.range.lowerBound, with: "")
      // SQLite sorts NULL before all values.
      if needsWords { rewriter.insert(" NULLS \(isLast ? "LAST" : "FIRST")", at: term.range.upperBound) }
      let rewrite = StatementRewrite(
        kind: .sortWithoutIndex, candidates: [rewriter.rewritten()],
        title: "Rows are sorted by whether \(name) is NULL before they are sorted by \(name)",
        explanation:
          "Two keys do what NULLS FIRST and NULLS LAST do with one. No index of \(name) has the rows in the order of the two, so that "
          + "all are read and sorted, however few LIMIT leaves.",
        summary: needsWords
          ? "Say where NULL goes with NULLS \(isLast ? "LAST" : "FIRST")" : "Sort by the column alone",
        grdb: needsWords
          ? "Column(…).\(term.isDescending ? "descNullsFirst" : "ascNullsLast"), from iOS 14 and macOS 11 on" : nil,
        limits: needsWords ? ["NULLS FIRST and NULLS LAST need SQLite 3.30 or later."] : [], isSameByNature: true)
      return try rewrite.findings(for: analyzed, statement, in: context)
    }
    return []
  }

  /// The column that a term of ORDER BY tests for NULL, and whether it puts NULL last.
  private func nullTest(_ term: SQLOrderingTerm, _ statement: MovableStatement) -> (SQLExpression, isLast: Bool)? {
    guard term.nullsFirst == nil, let (column, isGreater) = nullTest(term.expression.unwrapped, statement) else {
      return nil
    }
    return (column.unwrapped, isGreater != term.isDescending)
  }

  /// The column that an expression tests for NULL, and whether the expression is greater if the column is NULL.
  private func nullTest(_ expression: SQLExpression, _ statement: MovableStatement) -> (SQLExpression, isGreater: Bool)?
  {
    switch expression.kind {
    case .isNull(let column, let isNegated):
      return (column, !isNegated)
    case .choice(let choice):
      guard choice.base == nil, choice.branches.count == 1, let branch = choice.branches.first,
        let (column, isGreater) = nullTest(branch.when.unwrapped, statement),
        let (then, otherwise) = integers(branch.then, choice.otherwise, statement), then != otherwise
      else { return nil }
      return (column, (then > otherwise) == isGreater)
    default:
      return nil
    }
  }

  private func integers(
    _ one: SQLExpression, _ other: SQLExpression?, _ statement: MovableStatement
  ) -> (Int, Int)? {
    guard let other, let one = Int(statement.text[one.range]), let other = Int(statement.text[other.range]) else {
      return nil
    }
    return (one, other)
  }
}
