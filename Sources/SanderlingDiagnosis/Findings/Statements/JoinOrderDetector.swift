/// Tries other orders of inner joins, where SQLite begins with a table that leaves out few rows.
///
/// Without figures SQLite guesses which filter leaves fewest rows, and of virtual tables, such as those of full-text search,
/// it knows only what they say of themselves.
struct JoinOrderDetector: FindingDetector {
  static let maximumSources = 6
  static let maximumOrders = 4

  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    // A view's joins have their order in the view: only in its place they can have another one.
    try ViewExpansion.findings(for: analyzed, in: context) { try findings(ofJoins: $0, in: context) }
  }

  private func findings(ofJoins analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema), let core = statement.core,
      let from = core.syntax.from, !core.shape.hasWindowFunctions, namesColumns(core.syntax)
    else { return [] }
    // What is left joined comes after them, as before.
    let sources = Array(from.sources.prefix(while: isFree))
    guard (2...Self.maximumSources).contains(sources.count), from.sources.dropFirst(sources.count).allSatisfy(isLast)
    else { return [] }
    // Which rows a LIMIT leaves, and which one a group shows, may depend on the order.
    if case .countOnly = statement.imageOrder { return [] }
    let conditions =
      sources.flatMap { $0.join.on?.conjuncts ?? [] } + (core.syntax.condition?.conjuncts ?? [])
    func candidates(_ orders: [[SQLSource]], holdingFilters: Bool = false) -> [String] {
      orders.map { joined($0, conditions, from, core.syntax, statement, holdingFilters: holdingFilters) }
    }
    let filtered = orders(of: sources, conditions, statement) { links, first in links.contains([first.id]) }
    if !filtered.isEmpty {
      let rewrite = StatementRewrite(
        kind: .joinOrder, candidates: candidates(filtered),
        title: "The joins begin with a table whose filter leaves more rows than another one's",
        explanation:
          "SQLite chooses the order of joins by what it knows of the tables, and reads the rows of the first one before it "
          + "looks at the others. CROSS JOIN keeps the order in which the tables are written: begun with the filter that "
          + "leaves fewest rows, the others are searched for these only.",
        summary: "Keep the better order of the joins with CROSS JOIN", limits: Self.limits, isSameByNature: true)
      let findings = try rewrite.findings(for: analyzed, statement, in: context)
      if !findings.isEmpty { return findings }
    }
    guard let sorted = sortedSource(statement) else { return [] }
    let ordered = orders(of: sources, conditions, statement) { _, first in first.id == sorted }
    // A form that takes longer than the statement has no rows to compare within the budget.
    let trial = RewriteTrial(context: context, analyzed: analyzed, statement: statement)
    let time = analyzed.measurements.reduce(Duration.zero) { max($0, $1.coldTime) }
    let plain = try candidates(ordered).filter {
      try trial.measured($0, within: time * 2.0 + .milliseconds(20)).comparisons.allSatisfy(\.after.isComplete)
    }
    let rewrite = StatementRewrite(
      kind: .joinOrder, candidates: plain + candidates(ordered, holdingFilters: true),
      title: "All rows of a join are sorted, of which LIMIT keeps the first ones",
      explanation:
        "The joins begin with a table that isn't the one by which the rows are sorted, so that all are joined before the "
        + "first one is known. CROSS JOIN keeps the order in which the tables are written: begun with the rows in their order, "
        + "it ends as soon as there are enough.",
      summary: "Begin the joins with the table by which the rows are sorted, with CROSS JOIN", limits: Self.limits,
      isSameByNature: true)
    return try rewrite.findings(for: analyzed, statement, in: context)
  }

  private static let limits = ["The order stays when the data changes: it fits the values that were measured."]

  /// The only source of the first term of ORDER BY, where LIMIT keeps some rows.
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

  /// Whether a source may stand anywhere.
  private func isFree(_ source: SQLSource) -> Bool {
    guard source.join.kind == .inner, !source.join.isNatural, source.join.using.isEmpty, source.indexedBy == nil else {
      return false
    }
    return switch source.kind {
    case .table, .subquery: true
    // Its arguments may be columns of those before it.
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

  /// `*` gives the columns in the order of the tables.
  private func namesColumns(_ core: SQLSelectCore) -> Bool {
    core.columns.allSatisfy { if case .all(of: nil) = $0.kind { false } else { true } }
  }

  /// Orders that begin with each source that has a filter of its own, or what else is wanted, and go on along the joins.
  private func orders(
    of sources: [SQLSource], _ conditions: [SQLExpression], _ statement: MovableStatement,
    beginningWith isFirst: ([Set<Int>], SQLSource) -> Bool
  ) -> [[SQLSource]] {
    let ids = Set(sources.map(\.id))
    let links = conditions.map { statement.sources(in: $0.range).intersection(ids) }
    var orders: [[SQLSource]] = []
    for first in sources where isFirst(links, first) {
      var (order, placed) = ([first], Set([first.id]))
      var rest = sources.filter { $0.id != first.id }
      while !rest.isEmpty {
        let isLinked = { (source: SQLSource) in
          links.contains { $0.count > 1 && $0.contains(source.id) && $0.isSubset(of: placed.union([source.id])) }
        }
        // A filter leaves rows out before others are joined to them.
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
    _ order: [SQLSource], _ conditions: [SQLExpression], _ from: SQLFrom, _ core: SQLSelectCore,
    _ statement: MovableStatement, holdingFilters: Bool
  ) -> String {
    let text = statement.text
    var rewriter = SQLRewriter(text)
    let last = from.sources.dropFirst(order.count).map { " " + text[$0.joinRange] }.joined()
    rewriter.replace(from.range, with: order.map { text[$0.range] }.joined(separator: " CROSS JOIN ") + last)
    let ids = Set(order.map(\.id))
    let all = conditions.map { condition -> String in
      // What begins with the order asks the others by what joins them: no index serves IS TRUE.
      let read = statement.sources(in: condition.range).intersection(ids)
      if holdingFilters, read.count == 1, read != [order[0].id] { return "(\(text[condition.range])) IS TRUE" }
      return condition.conjunct(text[condition.range])
    }.joined(separator: " AND ")
    if let condition = core.condition {
      rewriter.replace(condition.range, with: all)
    } else {
      rewriter.insert(" WHERE \(all)", at: from.range.upperBound)
    }
    return rewriter.rewritten()
  }
}
