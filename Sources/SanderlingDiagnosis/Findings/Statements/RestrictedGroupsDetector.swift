/// Finds subqueries and views that group all rows although the statement needs few of the groups.
///
/// `FROM orders o JOIN (SELECT order_id, sum(price) … GROUP BY order_id) t ON t.order_id = o.id WHERE o.status =
/// 'held'`: SQLite makes all groups, and then joins them. By itself, SQLite restricts the groups only if a condition
/// compares a grouped column with a value.
struct RestrictedGroupsDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    try ViewExpansion.findings(for: analyzed, in: context) { analyzed in
      guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
      var rewriter = SQLRewriter(statement.text)
      var restricted: [GroupedSource] = []
      for core in statement.shape.resolved.cores {
        restricted += Self.restrict(core, statement, context.schema, &rewriter)
      }
      guard let name = restricted.first?.name else { return [] }
      let rewrite = StatementRewrite(
        kind: .groupWithoutIndex, candidates: [rewriter.rewritten()],
        title: "All rows of \(name) are grouped, where few of its groups are asked for",
        explanation:
          "SQLite makes all groups of \(name) before it applies the condition of the statement. A condition within \(name) on the columns "
          + "of GROUP BY, or on a value that all rows of a group share, leaves the other rows out before they are read.",
        summary: "Ask within \(name) for the groups that are wanted",
        limits: restricted.contains(where: \.isView) ? [ViewExpansion.limit] : [], isSameByNature: true)
      return try rewrite.findings(for: analyzed, statement, in: context)
    }
  }

  /// Writes the conditions of a core into its grouped sources, and returns the changed sources.
  private static func restrict(
    _ core: ResolvedCore, _ statement: MovableStatement, _ schema: DatabaseSchema, _ rewriter: inout SQLRewriter
  ) -> [GroupedSource] {
    guard let from = core.syntax?.from, from.sources.allSatisfy({ $0.join.kind != .right && $0.join.kind != .full })
    else {
      return []
    }
    let grouped = from.sources.compactMap { GroupedSource($0, statement, schema) }
    var (restricted, moved): ([GroupedSource], Set<Int>) = ([], [])
    for source in grouped {
      var conditions: [String] = []
      let isNullable = statement.shape.source(source.id)?.isNullable ?? true
      for condition in core.condition?.conjuncts ?? [] where !isNullable {
        guard let own = source.condition(condition, statement) else { continue }
        conditions.append(own)
        moved.insert(condition.range.lowerBound)
      }
      let joined = JoinedFilter(core, from, besides: Set(grouped.map(\.id)), statement)
      conditions += joined.conditions(for: source, schema)
      guard !conditions.isEmpty else { continue }
      source.add(conditions, to: &rewriter)
      restricted.append(source)
    }
    if !moved.isEmpty, let condition = core.condition {
      let rest = condition.conjuncts.filter { !moved.contains($0.range.lowerBound) }
        .map { $0.conjunct(statement.text[$0.range]) }
      rewriter.replace(
        from.range.upperBound..<condition.range.upperBound,
        with: rest.isEmpty ? "" : " WHERE \(rest.joined(separator: " AND "))")
    }
    return restricted
  }
}

/// The conditions of a core on the tables beside its grouped sources.
private struct JoinedFilter {
  private let statement: MovableStatement
  private let from: SQLFrom
  /// The conditions that all rows must meet.
  private let conditions: [SQLExpression]
  /// The tables whose columns can't be NULL by an outer join.
  private let tables: [SQLSource]

  init(_ core: ResolvedCore, _ from: SQLFrom, besides grouped: Set<Int>, _ statement: MovableStatement) {
    (self.statement, self.from) = (statement, from)
    let inner = from.sources.filter { $0.join.kind == .inner || $0.join.kind == .cross }
    conditions = (core.condition?.conjuncts ?? []) + inner.flatMap { $0.join.on?.conjuncts ?? [] }
    tables = inner.filter { source in
      guard !grouped.contains(source.id), let kind = statement.shape.resolved.sources[source.id]?.kind else {
        return false
      }
      return kind == .table || kind == .view
    }
  }

  /// A condition for each group value that is joined to a filtered table: the value is among the values of that table.
  func conditions(for source: GroupedSource, _ schema: DatabaseSchema) -> [String] {
    var joining = conditions
    if source.syntax.join.kind == .left { joining += source.syntax.join.on?.conjuncts ?? [] }
    return joining.compactMap { condition in
      guard case .binary(.equal, let left, let right) = condition.kind else { return nil }
      for (own, other) in [(left, right), (right, left)] {
        guard case .column(source.id, let name)? = statement.shape.resolved.meaning(of: own.unwrapped),
          let value = source.value(named: name), let column = statement.column(other, schema)?.column,
          column.affinity == value.column.affinity,
          [column, value.column].allSatisfy({ $0.collation.asciiLowercased == "binary" }),
          let table = tables.first(where: { statement.sources(in: other.range) == [$0.id] }),
          let rows = rows(of: table)
        else { continue }
        return "\(value.sql) IN (SELECT \(statement.text[other.range]) FROM \(rows))"
      }
      return nil
    }
  }

  /// The rows of a table that the core's conditions leave, joined with other tables if only these are filtered.
  private func rows(of table: SQLSource) -> String? {
    let filtered = tables.filter { !filters(of: [$0.id]).isEmpty }
    if filtered.isEmpty { return nil }
    let needed = filtered.contains { $0.id != table.id } ? tables : [table]
    guard needed.count == 1 || from.sources.allSatisfy({ !$0.join.isNatural && $0.join.using.isEmpty }) else {
      return nil
    }
    let conditions = filters(of: Set(needed.map(\.id))).map { $0.conjunct(statement.text[$0.range]) }
    return needed.map { statement.text[$0.range] }.joined(separator: ", ") + " WHERE "
      + conditions.joined(separator: " AND ")
  }

  private func filters(of sources: Set<Int>) -> [SQLExpression] {
    conditions.filter { condition in
      let own = statement.sources(in: condition.range)
      return !own.isEmpty && own.isSubset(of: sources) && condition.callsScalarsOnly
    }
  }
}
