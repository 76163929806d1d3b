/// Finds joins that read all rows of each group only for the group's least or greatest value.
///
/// An example is `p LEFT JOIN c ON c.parent = p.id … GROUP BY p.id`, if `max(c.y)` is all that it reads of `c`. With an
/// index on the parent and the value, a subquery for each row of `p` finds the value at an end of a range.
struct EndsOfGroupsDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema),
      let rewrite = FanOutRewrite(statement, in: context), rewrite.form == .grouped, !rewrite.repeatsRows,
      !rewrite.aggregates.isEmpty, rewrite.aggregates.allSatisfy(isEnd), let candidate = rewrite.candidates().first,
      let branch = rewrite.tree.branches.first
    else { return [] }
    let root = rewrite.tree.core[0].table.name
    let result = StatementRewrite(
      kind: .groupWithoutIndex, candidates: [candidate],
      title: "All rows of \(branch.table.name) are read for one value of each row of \(root)",
      explanation:
        "GROUP BY goes through all rows that belong to a group, though min() and max() want one end only. In a subquery for "
        + "each row of \(root), an index that begins with the join columns and goes on with the value has it at its end.",
      summary: "Ask for each value in a subquery",
      coreData: "Keep the value in a derived attribute of the parent.",
      limits: ["It pays as long as groups have many rows: for groups of a few, leave the join."], isSameByNature: true)
    return try result.findings(for: analyzed, statement, in: context)
  }

  private func isEnd(_ aggregate: FanOutAggregate) -> Bool {
    ["min", "max"].contains(aggregate.function) && aggregate.call.arguments.count == 1 && aggregate.call.filter == nil
      && !aggregate.call.isDistinct && !aggregate.nodes.isEmpty
  }
}
