/// Tries other orders of inner joins, if SQLite begins with a table whose filter leaves out few rows.
///
/// Without statistics, SQLite guesses which filter leaves the fewest rows. For virtual tables, such as full-text
/// tables, SQLite knows only their own estimates.
struct JoinOrderDetector: FindingDetector {
  static let maximumSources = 6
  static let maximumOrders = 4

  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    // The joins of a view can have another order only if the view is expanded.
    try ViewExpansion.findings(for: analyzed, in: context) { try findings(ofJoins: $0, in: context) }
  }

  private func findings(ofJoins analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    if let core = statement.core, !core.shape.hasWindowFunctions, let joins = joins(of: core.syntax, statement) {
      // The order may decide which rows a LIMIT keeps and which row a group shows.
      if case .countOnly = statement.imageOrder, !statement.leavesOneChoice(context.schema) { return [] }
      let findings = try filtered(joins, statement, analyzed, context)
      if !findings.isEmpty { return findings }
      if let sorted = sortedSource(statement) { return try ordered(joins, by: sorted, statement, analyzed, context) }
    }
    for core in statement.shape.resolved.cores where asksForAny(core, statement) {
      guard let joins = core.syntax.flatMap({ self.joins(of: $0, statement) }) else { continue }
      let findings = try filtered(joins, statement, analyzed, context)
      if !findings.isEmpty { return findings }
    }
    return []
  }

  /// Whether a core is a subquery whose order of rows doesn't matter.
  private func asksForAny(_ core: ResolvedCore, _ statement: MovableStatement) -> Bool {
    guard let shape = statement.shape.select(core.id), let syntax = core.syntax, !shape.isCompound,
      shape.groupBy.isEmpty,
      !shape.hasWindowFunctions
    else { return false }
    return switch core.role {
    case .exists: shape.offset == nil
    case .membership: shape.limit == nil
    case .scalar: shape.limit == nil && !shape.aggregates.isEmpty && syntax.having == nil
    default: false
    }
  }

  /// The tables of a join whose order may change.
  private struct Joins {
    var core: SQLSelectCore
    var from: SQLFrom
    var sources: [SQLSource]
    var conditions: [SQLExpression]
  }

  private func joins(of core: SQLSelectCore, _ statement: MovableStatement) -> Joins? {
    guard let from = core.from, namesColumns(core) else { return nil }
    // Left joined tables come after these sources, as before.
    let sources = Array(from.sources.prefix(while: isFree))
    guard (2...Self.maximumSources).contains(sources.count), from.sources.dropFirst(sources.count).allSatisfy(isLast)
    else { return nil }
    let conditions = sources.flatMap { $0.join.on?.conjuncts ?? [] } + (core.condition?.conjuncts ?? [])
    return Joins(core: core, from: from, sources: sources, conditions: conditions)
  }

  /// Findings for orders that begin with a filtered source.
  private func filtered(
    _ joins: Joins, _ statement: MovableStatement, _ analyzed: AnalyzedStatement, _ context: DetectorContext
  ) throws -> [Finding] {
    let orders = orders(of: joins, statement) { links, first in links.contains([first.id]) }
    if orders.isEmpty { return [] }
    let rewrite = StatementRewrite(
      kind: .joinOrder, candidates: orders.map { joined($0, joins, statement) },
      title: "The joins begin with a table whose filter leaves more rows than another one's",
      explanation:
        "SQLite chooses the order of joins by its statistics of the tables, and reads the rows of the first one before it "
        + "reads the others. CROSS JOIN keeps the order in which the tables are written: begun with the filter that "
        + "leaves fewest rows, the others are searched for these only.",
      summary: "Keep the better order of the joins with CROSS JOIN", limits: Self.limits, isSameByNature: true)
    return try rewrite.findings(for: analyzed, statement, in: context)
  }

  /// Findings for orders that begin with the table whose columns sort the rows.
  private func ordered(
    _ joins: Joins, by sorted: Int, _ statement: MovableStatement, _ analyzed: AnalyzedStatement,
    _ context: DetectorContext
  ) throws -> [Finding] {
    let orders = orders(of: joins, statement) { _, first in first.id == sorted }
    // If a candidate takes longer than the statement, its rows can't be compared within the budget.
    let trial = RewriteTrial(context: context, analyzed: analyzed, statement: statement)
    let time = analyzed.measurements.reduce(Duration.zero) { max($0, $1.coldTime) }
    let plain = try orders.map { joined($0, joins, statement) }.filter {
      try trial.measured($0, within: time * 2.0 + .milliseconds(20)).comparisons.allSatisfy(\.after.isComplete)
    }
    let rewrite = StatementRewrite(
      kind: .joinOrder, candidates: plain + orders.map { joined($0, joins, statement, holdingFilters: true) },
      title: "All rows of a join are sorted, and LIMIT keeps the first ones",
      explanation:
        "The joins begin with another table than the one whose columns sort the rows, so that all are joined before the "
        + "first one is known. CROSS JOIN keeps the order in which the tables are written: begun with the rows in their order, "
        + "it ends as soon as there are enough.",
      summary: "Begin the joins with the table whose columns sort the rows, with CROSS JOIN", limits: Self.limits,
      isSameByNature: true)
    return try rewrite.findings(for: analyzed, statement, in: context)
  }

  private static let limits = ["The order stays when the data changes: it fits the values that were measured."]

  /// The only source of the first term of ORDER BY; nil without LIMIT.
  private func sortedSource(_ statement: MovableStatement) -> Int? {
    guard statement.select.limit != nil, let core = statement.core, core.syntax.groupBy.isEmpty,
      core.shape.aggregates.isEmpty, !core.syntax.isDistinct, let term = statement.select.orderBy.first
    else { return nil }
    var range = term.expression.range
    if case .result(_, let index)? = statement.shape.resolved.meaning(of: term.expression.unwrapped),
      let result = core.resolved.results[safe: index]?.expression
    {
      range = result.range
    }
    let sources = statement.sources(in: range)
    return sources.count == 1 ? sources.first : nil
  }

  /// Whether a source may have any place in the order of the join.
  private func isFree(_ source: SQLSource) -> Bool {
    guard source.join.kind == .inner, !source.join.isNatural, source.join.using.isEmpty, source.indexedBy == nil else {
      return false
    }
    return switch source.kind {
    case .table, .subquery: true
    // The arguments of a function may be columns of earlier sources.
    case .function: false
    }
  }

  private func isLast(_ source: SQLSource) -> Bool {
    guard source.join.kind == .left, !source.join.isNatural, source.join.using.isEmpty, source.join.on != nil else {
      return false
    }
    if case .function = source.kind { return false }
    return true
  }

  /// Whether the result columns keep their order if the tables change places. The columns of `*` wouldn't.
  private func namesColumns(_ core: SQLSelectCore) -> Bool {
    core.columns.allSatisfy { if case .all(of: nil) = $0.kind { false } else { true } }
  }

  /// The orders that begin with each source with its own filter, or with another wanted source, and continue along the
  /// joins.
  private func orders(
    of joins: Joins, _ statement: MovableStatement, beginningWith isFirst: ([Set<Int>], SQLSource) -> Bool
  ) -> [[SQLSource]] {
    let ids = Set(joins.sources.map(\.id))
    let links = joins.conditions.map { statement.sources(in: $0.range).intersection(ids) }
    var orders: [[SQLSource]] = []
    for first in joins.sources where isFirst(links, first) {
      var (order, placed) = ([first], Set([first.id]))
      var rest = joins.sources.filter { $0.id != first.id }
      while !rest.isEmpty {
        let isLinked = { (source: SQLSource) in
          links.contains { $0.count > 1 && $0.contains(source.id) && $0.isSubset(of: placed.union([source.id])) }
        }
        // A source with a filter comes early, so that fewer rows are joined to the next sources.
        let linked = rest.indices.filter { isLinked(rest[$0]) }
        guard let next = linked.first(where: { links.contains([rest[$0].id]) }) ?? linked.first else { break }
        placed.insert(rest[next].id)
        order.append(rest.remove(at: next))
      }
      if rest.isEmpty { orders.append(order) }
    }
    return Array(orders.prefix(Self.maximumOrders))
  }

  private func joined(
    _ order: [SQLSource], _ joins: Joins, _ statement: MovableStatement, holdingFilters: Bool = false
  ) -> String {
    let text = statement.text
    var rewriter = SQLRewriter(text)
    let last = joins.from.sources.dropFirst(order.count).map { " " + text[$0.joinRange] }.joined()
    rewriter.replace(joins.from.range, with: order.map { text[$0.range] }.joined(separator: " CROSS JOIN ") + last)
    let ids = Set(order.map(\.id))
    let all = joins.conditions.map { condition -> String in
      // If the order's source comes first, the other sources are looked up only by their joins.
      let read = statement.sources(in: condition.range).intersection(ids)
      if holdingFilters, read.count == 1, read != [order[0].id] { return statement.withoutIndex(condition) }
      return condition.conjunct(text[condition.range])
    }.joined(separator: " AND ")
    if let condition = joins.core.condition {
      rewriter.replace(condition.range, with: all)
    } else {
      rewriter.insert(" WHERE \(all)", at: joins.from.range.upperBound)
    }
    return rewriter.rewritten()
  }
}
