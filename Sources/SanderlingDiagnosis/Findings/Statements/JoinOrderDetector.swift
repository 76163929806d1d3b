/// Tries other orders of inner joins, where SQLite begins with a table that leaves out few rows.
///
/// Without figures SQLite guesses which filter leaves fewest rows, and of virtual tables, such as those of full-text search,
/// it knows only what they say of themselves.
struct JoinOrderDetector: FindingDetector {
  static let maximumSources = 6
  static let maximumOrders = 4

  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema), let core = statement.core,
      let from = core.syntax.from, (2...Self.maximumSources).contains(from.sources.count),
      from.sources.allSatisfy(isFree), !core.shape.hasWindowFunctions, namesColumns(core.syntax)
    else { return [] }
    // Which rows a LIMIT leaves, and which one a group shows, may depend on the order.
    if case .countOnly = statement.imageOrder { return [] }
    let conditions =
      from.sources.flatMap { $0.join.on?.conjuncts ?? [] } + (core.syntax.condition?.conjuncts ?? [])
    let orders = orders(of: from.sources, conditions, statement)
    guard !orders.isEmpty else { return [] }
    let rewrite = StatementRewrite(
      kind: .joinOrder, candidates: orders.map { joined($0, conditions, from, core.syntax, statement) },
      title: "The joins begin with a table whose filter leaves more rows than another one's",
      explanation:
        "SQLite chooses the order of joins by what it knows of the tables, and reads the rows of the first one before it "
        + "looks at the others. CROSS JOIN keeps the order in which the tables are written: begun with the filter that "
        + "leaves fewest rows, the others are searched for these only.",
      summary: "Keep the better order of the joins with CROSS JOIN",
      limits: ["The order stays when the data changes: it fits the values that were measured."], isSameByNature: true)
    return try rewrite.findings(for: analyzed, statement, in: context)
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

  /// `*` gives the columns in the order of the tables.
  private func namesColumns(_ core: SQLSelectCore) -> Bool {
    core.columns.allSatisfy { if case .all(of: nil) = $0.kind { false } else { true } }
  }

  /// Orders that begin with each source that has a filter of its own, and go on along the joins.
  private func orders(
    of sources: [SQLSource], _ conditions: [SQLExpression], _ statement: MovableStatement
  ) -> [[SQLSource]] {
    let ids = Set(sources.map(\.id))
    let links = conditions.map { statement.sources(in: $0.range).intersection(ids) }
    var orders: [[SQLSource]] = []
    for first in sources where links.contains([first.id]) {
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
    _ statement: MovableStatement
  ) -> String {
    let text = statement.text
    var rewriter = SQLRewriter(text)
    rewriter.replace(from.range, with: order.map { text[$0.range] }.joined(separator: " CROSS JOIN "))
    let all = conditions.map { condition in
      if case .or = condition.kind { "(\(text[condition.range]))" } else { text[condition.range] }
    }.joined(separator: " AND ")
    if let condition = core.condition {
      rewriter.replace(condition.range, with: all)
    } else {
      rewriter.insert(" WHERE \(all)", at: from.range.upperBound)
    }
    return rewriter.rewritten()
  }
}
