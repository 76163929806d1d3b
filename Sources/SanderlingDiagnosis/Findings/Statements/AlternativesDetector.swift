/// Finds an OR between conditions that no index serves together, and rewrites it as one SELECT for each condition.
struct AlternativesDetector: FindingDetector {
  static let maximumBranches = 4

  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema), let core = statement.core,
      let from = core.syntax.from, let condition = core.syntax.condition, core.syntax.groupBy.isEmpty,
      core.syntax.having == nil, !core.shape.hasWindowFunctions
    else { return [] }
    let conjuncts = condition.conjuncts
    var candidates: [String] = []
    for alternatives in conjuncts {
      guard case .or = alternatives.kind, ConditionSwitch(alternatives, in: statement.shape.resolved) == nil else {
        continue
      }
      let branches = alternatives.disjuncts
      // IN and its index serve several values of one column.
      guard (2...Self.maximumBranches).contains(branches.count),
        Set(branches.map { branch in columns(of: branch, statement) }).count > 1
      else { continue }
      let others = conjuncts.filter { $0.range != alternatives.range }.map { "(\(statement.text[$0.range]))" }
      let filters = branches.enumerated().map { place, branch in
        // A row belongs to the first branch that it meets. UNION itself removes repeated rows.
        let earlier = (core.syntax.isDistinct ? [] : branches[..<place]).map {
          "(\(statement.text[$0.range])) IS NOT TRUE"
        }
        return (others + ["(\(statement.text[branch.range]))"] + earlier).joined(separator: " AND ")
      }
      if let sql = union(statement, core.syntax, core.shape, statement.text[from.range], filters) {
        candidates.append(sql)
      }
    }
    guard !candidates.isEmpty else { return [] }
    let rewrite = StatementRewrite(
      kind: .orWithoutIndex, candidates: candidates,
      title: "OR between different columns or tables reads rows that neither side asks for",
      explanation:
        "SQLite uses indexes for OR only when each side has one of the same table. Asked for separately, each "
        + "side is found "
        + "by its own index; a row that fits both is given once.",
      summary: "Ask for each side of OR, and put the rows together")
    return try rewrite.findings(for: analyzed, statement, in: context)
  }

  private func columns(of expression: SQLExpression, _ statement: MovableStatement) -> Set<ColumnMeaning> {
    Set(statement.shape.resolved.references.filter { expression.range.contains($0.key) }.values)
  }

  private func union(
    _ statement: MovableStatement, _ core: SQLSelectCore, _ shape: SelectShape, _ from: String, _ filters: [String]
  ) -> String? {
    if !shape.aggregates.isEmpty {
      guard !core.isDistinct, shape.aggregates.count == 1, shape.aggregates[0].hasStar, !shape.aggregates[0].hasFilter,
        core.columns.count == 1, statement.select.orderBy.isEmpty, statement.select.limit == nil,
        case .expression(let column, let alias) = core.columns[0].kind, column.range == shape.aggregates[0].range
      else { return nil }
      let counts = filters.map { "(SELECT count(*) FROM \(from) WHERE \($0))" }.joined(separator: " + ")
      return "\(statement.with)SELECT \(counts) AS \(FanOutSQL.name(alias?.text ?? statement.text[column.range]))"
    }
    guard let tail = statement.compoundTail else { return nil }
    let columns = statement.text[core.columnsRange]
    return statement.with
      + filters.map { "SELECT \(columns) FROM \(from) WHERE \($0)" }.joined(
        separator: core.isDistinct ? " UNION " : " UNION ALL ")
      + tail
  }
}
