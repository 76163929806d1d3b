/// Finds joined and grouped rows if LIMIT keeps few of them, in an order of their own columns.
///
/// `FROM thread t LEFT JOIN message m ON m.thread = t.id GROUP BY t.id ORDER BY t.at DESC LIMIT 50` counts the messages
/// of all threads, and sorts the threads. A subquery for each kept row counts the messages of only fifty threads.
struct LimitedGroupsDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema), statement.select.limit != nil,
      let core = statement.core, core.syntax.having == nil, let order = statement.select.orderByRange,
      let rewrite = FanOutRewrite(statement, in: context, assumesKeys: true), rewrite.form == .grouped,
      !rewrite.repeatsRows,
      !rewrite.aggregates.contains(where: { order.contains($0.range.lowerBound) }),
      !statement.select.orderBy.contains(where: { isOfAggregate($0.expression, core.resolved, rewrite, statement) }),
      let form = rewrite.candidates().first
    else { return [] }
    let name = statement.shape.resolved.sources[rewrite.tree.root]?.name ?? "the table"
    let table = rewrite.tree.core[0].table
    let nullable = table.primaryKey.compactMap { table.column($0) }.filter { !table.isNeverNull($0) }
    let finding = StatementRewrite(
      kind: .groupWithoutIndex, candidates: [form],
      title: "All rows of \(name) are joined and grouped, and LIMIT keeps the first ones",
      explanation:
        "The rows are ordered by columns of \(name), and LIMIT keeps some, but each is joined with all that belongs to it, grouped and "
        + "added up before the first one is known. A subquery does that for the rows that are kept.",
      summary: "Compute each aggregate in a subquery of its own",
      coreData: "Fetch the first objects, and keep the count in a derived attribute (`relationship.@count`).",
      limits: nullable.isEmpty
        ? []
        : [
          "The same as long as no \(nullable.map(\.name).joined(separator: ", ")) of \(table.name) is NULL, which SQLite allows in this primary key."
        ],
      isSameByNature: true,
      assumption: RewriteAssumption(
        rows: nullable.map { column in
          RewriteAssumption.Rows(table: table.name, condition: "\(column.name.quotedIdentifier) IS NOT NULL")
        }))
    return try finding.findings(for: analyzed, statement, in: context)
  }

  /// Whether a term of ORDER BY is the name or the number of a result column with an aggregate.
  private func isOfAggregate(
    _ term: SQLExpression, _ core: ResolvedCore, _ rewrite: FanOutRewrite, _ statement: MovableStatement
  ) -> Bool {
    guard let place = statement.resultPlace(of: term.unwrapped, in: core),
      let result = core.results[safe: place]?.expression
    else { return false }
    return rewrite.aggregates.contains { result.range.contains($0.range.lowerBound) }
  }
}
