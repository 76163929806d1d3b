/// Finds conditions of HAVING that can move into WHERE, before the rows are grouped.
///
/// Examples are `GROUP BY id HAVING locked = 1`, in which each group is one row, and `HAVING max(at) >= ?`, which holds
/// if it holds for one row. No index can serve HAVING. SQLite itself moves only conditions that name grouped columns
/// alone and have no subquery.
struct GroupConditionDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    let moved = statement.shape.resolved.cores.compactMap { RowConditions(of: $0, statement, context.schema) }
    guard let first = moved.first else { return [] }
    // The plainer form comes first.
    let candidates = [\RowConditions.sql, \.sortedSQL].map { form in
      var rewriter = SQLRewriter(statement.text)
      for conditions in moved { rewriter.replace(conditions.range, with: conditions[keyPath: form]) }
      return rewriter.rewritten()
    }
    let rewrite = StatementRewrite(
      kind: .groupWithoutIndex, candidates: candidates[0] == candidates[1] ? [candidates[0]] : candidates,
      title: "All rows are grouped before HAVING leaves out groups that WHERE could leave out",
      explanation:
        "\(first.reason) HAVING is asked of groups, when all rows were read for them. WHERE leaves rows out before they are "
        + "grouped, and an index can find the others.",
      summary: "Ask with WHERE what HAVING asks",
      limits: moved.flatMap(\.limits), isSameByNature: true,
      assumption: moved.map(\.assumption).reduce(.none, +))
    return try rewrite.findings(for: analyzed, statement, in: context)
  }
}

/// The conditions of HAVING of one core, as conditions on rows.
struct RowConditions {
  /// The range from the end of FROM to the end of HAVING.
  let range: Range<Int>
  /// The text that replaces the clauses.
  let sql: String
  /// The same text with groups that no index serves. Otherwise SQLite might scan an index of the groups instead of
  /// searching for the conditions.
  let sortedSQL: String
  /// The reason why the first condition can move, in a sentence.
  private(set) var reason = ""
  private(set) var limits: [String] = []
  private(set) var assumption = RewriteAssumption.none

  /// Finds the conditions that can move; nil if none can, or if the plan decides which groups a LIMIT keeps.
  init?(of core: ResolvedCore, _ statement: MovableStatement, _ schema: DatabaseSchema) {
    guard let syntax = core.syntax, let from = syntax.from, let having = syntax.having,
      let grouping = syntax.groupByRange, core.limit == nil || !core.orderBy.isEmpty,
      let groups = RowGroups(core, statement, schema)
    else { return nil }
    let text = statement.text
    var (moved, kept): ([String], [String]) = ([], [])
    for condition in having.conjuncts {
      let written = condition.conjunct(text[condition.range])
      if let reason = groups.reason(toMove: condition) {
        if moved.isEmpty { self.reason = reason }
        moved.append(written)
      } else if let bound = groups.bound(of: condition) {
        if moved.isEmpty { reason = bound.reason }
        moved.append(bound.sql)
        if !bound.isWhole { kept.append(written) }
        limits += bound.limits
        assumption = assumption + bound.assumption
      } else {
        kept.append(written)
      }
    }
    guard !moved.isEmpty else { return nil }
    let conditions = (syntax.condition.map { [$0.conjunct(text[$0.range])] } ?? []) + moved
    let head = " WHERE \(conditions.joined(separator: " AND "))"
    range = from.range.upperBound..<having.range.upperBound
    if kept.isEmpty, groups.areRows {
      (sql, sortedSQL) = (head, head)
    } else {
      let tail = kept.isEmpty ? "" : " HAVING \(kept.joined(separator: " AND "))"
      sql = "\(head) \(text[grouping])\(tail)"
      var rewriter = SQLRewriter(text)
      for key in syntax.groupBy where Self.isColumn(key, statement) { rewriter.insert("+", at: key.range.lowerBound) }
      sortedSQL = "\(head) \(rewriter.rewritten(grouping))\(tail)"
    }
  }

  /// Whether a term of GROUP BY names a column itself, rather than a result by its number or name.
  private static func isColumn(_ key: SQLExpression, _ statement: MovableStatement) -> Bool {
    if case .column? = statement.shape.resolved.meaning(of: key) { true } else { false }
  }
}
