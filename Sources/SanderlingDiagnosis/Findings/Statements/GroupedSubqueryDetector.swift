/// Finds correlated subqueries with one aggregate that run once for each row.
///
/// `(SELECT max(y.at) FROM t y JOIN u ON … WHERE y.g = x.g)` has one value for all rows of a group. Joined as `(SELECT
/// y.g, max(y.at) … GROUP BY y.g)`, it is computed once for each group.
struct GroupedSubqueryDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    for core in statement.shape.resolved.cores {
      let subqueries = Self.subqueries(of: core, statement, context.schema)
      guard !subqueries.isEmpty, let from = core.syntax?.from else { continue }
      var rewriter = SQLRewriter(statement.text)
      for (place, subquery) in subqueries.enumerated() {
        let name = "grouped_\(place + 1)"
        rewriter.insert(" LEFT JOIN \(subquery.join(as: name))", at: from.range.upperBound)
        rewriter.replace(subquery.range, with: subquery.value(of: name))
      }
      let rewrite = StatementRewrite(
        kind: .subqueryPerRow, candidates: [rewriter.rewritten()],
        title: "A subquery is asked for each row, where all rows of a group get the same answer",
        explanation:
          "The subquery runs once for each row of the query around it. Grouped by the compared columns, and joined, it is "
          + "computed once for all groups.",
        summary: "Group the rows of the subquery, and join the groups")
      let findings = try rewrite.findings(for: analyzed, statement, in: context)
      if !findings.isEmpty { return findings }
    }
    return []
  }

  private static let mostSubqueries = 4

  /// The subqueries in a core's conditions and results that can be grouped; empty if a join would change the core's
  /// result.
  private static func subqueries(
    of core: ResolvedCore, _ statement: MovableStatement, _ schema: DatabaseSchema
  ) -> [GroupedSubquery] {
    guard let syntax = core.syntax, syntax.from != nil, syntax.groupBy.isEmpty,
      syntax.having == nil, let shape = statement.shape.select(core.id), shape.aggregates.isEmpty,
      !shape.hasWindowFunctions
    else { return [] }
    var expressions = core.condition.map { [$0] } ?? []
    for column in syntax.columns {
      // The columns of the joined subquery would be among all columns.
      guard case .expression(let expression, _) = column.kind else { return [] }
      expressions.append(expression)
    }
    let found = expressions.flatMap(\.withDescendants).compactMap { node -> GroupedSubquery? in
      guard case .subquery(let select) = node.kind else { return nil }
      return GroupedSubquery(select, node.range, in: core, statement, schema)
    }
    return found.count <= mostSubqueries ? found : []
  }
}

/// A subquery with one aggregate whose conditions compare its rows with values of the outer row.
private struct GroupedSubquery {
  /// A column of the subquery, and the text of the comparison before and after it.
  struct Link {
    var column: String
    var before: String
    var after: String
  }

  let range: Range<Int>
  private let call: String
  private let from: String
  private let filter: String
  private let links: [Link]
  /// The value of the aggregate over no rows, unless it is NULL.
  private let ofNone: String?
  /// The text of the expression before and after the aggregate.
  private let (before, after): (String, String)

  init?(
    _ select: SQLSelect, _ range: Range<Int>, in outer: ResolvedCore, _ statement: MovableStatement,
    _ schema: DatabaseSchema
  ) {
    guard select.with == nil, select.cores.count == 1, select.limit == nil, let core = select.cores.first,
      core.groupBy.isEmpty, core.having == nil, !core.isDistinct, core.columns.count == 1, let from = core.from,
      case .expression(let column, _) = core.columns[0].kind, !statement.hasSubquery(column),
      let (aggregate, call) = Self.aggregate(in: column), let none = Self.ofNone[call.name.key],
      statement.shape.resolved.references.keys.allSatisfy({ place in
        !column.range.contains(place) || aggregate.contains(place)
      })
    else { return nil }
    let own = Set(from.sources.map(\.id))
    func isOwn(_ range: Range<Int>) -> Bool { statement.sources(in: range).isSubset(of: own) }
    guard isOwn(column.range), isOwn(from.range) else { return nil }
    var (links, filters): ([Link], [String]) = ([], [])
    for condition in core.condition?.conjuncts ?? [] {
      if isOwn(condition.range) {
        filters.append("(\(statement.text[condition.range]))")
        continue
      }
      guard case .binary(.equal, let left, let right) = condition.kind,
        let one = statement.column(left, schema), let other = statement.column(right, schema),
        one.column.collation.asciiLowercased == other.column.collation.asciiLowercased
      else { return nil }
      let isLeft = isOwn(left.range)
      let (inner, around) = isLeft ? (left, right) : (right, left)
      guard isOwn(inner.range), statement.sources(in: around.range).isSubset(of: Set(outer.sources)) else { return nil }
      links.append(
        Link(
          column: statement.text[inner.range],
          before: statement.text[condition.range.lowerBound..<inner.range.lowerBound],
          after: statement.text[inner.range.upperBound..<condition.range.upperBound]))
    }
    if links.isEmpty { return nil }
    (self.range, self.call, self.links, ofNone) = (range, statement.text[aggregate], links, none)
    before = statement.text[column.range.lowerBound..<aggregate.lowerBound]
    after = statement.text[aggregate.upperBound..<column.range.upperBound]
    self.from = statement.text[from.range]
    filter = filters.isEmpty ? "" : " WHERE \(filters.joined(separator: " AND "))"
  }

  /// The aggregate of an expression that has exactly one; otherwise nil.
  private static func aggregate(in column: SQLExpression) -> (range: Range<Int>, call: SQLCall)? {
    let calls = column.withDescendants.compactMap { node -> (Range<Int>, SQLCall)? in
      guard case .call(let call) = node.kind, call.window == nil, ofNone[call.name.key] != nil,
        call.hasStar || call.arguments.count == 1
      else { return nil }
      return (node.range, call)
    }
    return calls.count == 1 ? calls[0] : nil
  }

  private static let ofNone: [String: String?] = [
    "count": "0", "total": "0.0", "max": nil, "min": nil, "sum": nil, "avg": nil,
  ]

  /// The join with the groups as a subquery.
  func join(as name: String) -> String {
    let keys = links.indices.map { "key_\($0 + 1)" }
    let columns = zip(links, keys).map { "\($0.column) AS \($1)" }
    let groups = links.map(\.column).joined(separator: ", ")
    let conditions = zip(links, keys).map { "\($0.before)\(name).\($1)\($0.after)" }
    return
      "(SELECT \(columns.joined(separator: ", ")), \(call) AS answer FROM \(from)\(filter) GROUP BY \(groups)) AS \(name) "
      + "ON \(conditions.joined(separator: " AND "))"
  }

  func value(of name: String) -> String {
    let answer = ofNone.map { "coalesce(\(name).answer, \($0))" } ?? "\(name).answer"
    return before.isEmpty && after.isEmpty ? answer : "(\(before)\(answer)\(after))"
  }
}
