/// Finds sums and counts over all rows up to the current row that are computed anew for each row.
///
/// `(SELECT sum(b.x) FROM t b WHERE b.at <= a.at)` in a result column, and `t a JOIN t b ON b.at <= a.at GROUP BY
/// a.id`, read about half of all pairs of rows. A window function reads each row once: `sum(x) OVER (ORDER BY at)`,
/// https://www.sqlite.org/windowfunctions.html, since SQLite 3.25.
struct RunningTotalDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    for core in statement.shape.resolved.cores {
      guard let syntax = core.syntax,
        let form = ofSubqueries(core, syntax, statement, context.schema)
          ?? ofJoin(core, syntax, statement, context.schema)
      else { continue }
      let rewrite = StatementRewrite(
        kind: .subqueryPerRow, candidates: [form.sql],
        title: "Each row adds up all rows before it",
        explanation:
          "For each row the rows that come before it are read again, so that the work grows with the square of their number. A window "
          + "function goes over them once, and has the total of each.",
        summary: "Add up in a window",
        limits: ["Window functions need SQLite 3.25 or later."]
          + (form.assumption.rows.isEmpty
            ? [] : ["The same as long as the rows are sorted by numbers, as all rows are now."]),
        assumption: form.assumption)
      let findings = try rewrite.findings(for: analyzed, statement, in: context)
      if !findings.isEmpty { return findings }
    }
    return []
  }

  private typealias Form = (sql: String, assumption: RewriteAssumption)

  // MARK: Subqueries

  /// The statement with window functions in place of the subqueries of a core that compute totals; nil if there are
  /// none.
  private func ofSubqueries(
    _ core: ResolvedCore, _ syntax: SQLSelectCore, _ statement: MovableStatement, _ schema: DatabaseSchema
  ) -> Form? {
    guard let from = syntax.from, from.sources.count == 1, let outer = from.sources.first, syntax.groupBy.isEmpty,
      syntax.having == nil, let shape = statement.shape.select(core.id), shape.aggregates.isEmpty,
      !shape.hasWindowFunctions
    else { return nil }
    var totals: [(total: RunningTotal, range: Range<Int>)] = []
    var rewriter = SQLRewriter(statement.text)
    for column in syntax.columns {
      guard case .expression(let expression, let alias) = column.kind else { return nil }
      let before = totals.count
      for node in expression.withDescendants {
        guard case .subquery(let select) = node.kind, select.with == nil, select.cores.count == 1, select.limit == nil,
          let own = select.cores.first, own.groupBy.isEmpty, own.having == nil, !own.isDistinct, own.columns.count == 1,
          let source = own.from?.sources.first, own.from?.sources.count == 1,
          case .expression(let value, _) = own.columns[0].kind, case .call(let call) = value.unwrapped.kind,
          let total = RunningTotal(
            of: [call], source, own.condition?.conjuncts ?? [], beside: outer, statement, schema),
          totals.allSatisfy({ $0.total.hasSameRows(as: total) })
        else { continue }
        totals.append((total, node.range))
      }
      // The name of a column without an alias is its text.
      if alias == nil, totals.count > before {
        rewriter.insert(
          " AS \(statement.text[expression.range].quotedIdentifier)", at: expression.range.upperBound)
      }
    }
    guard let first = totals.first?.total, first.readsColumnsOnly(of: outer.id, statement) else { return nil }
    var columns: [String] = []
    for (place, item) in totals.enumerated() {
      let name = "total_\(place + 1)"
      columns.append("\(item.total.windows[0]) AS \(name)")
      rewriter.replace(item.range, with: item.total.value(0, of: "\(first.outerName).\(name)"))
    }
    let filters = first.filters(core.condition?.conjuncts ?? [], statement)
    rewriter.replace(outer.range, with: first.source(with: columns, filters))
    return (rewriter.rewritten(), totals.reduce(RewriteAssumption.none) { $0 + $1.total.assumption })
  }

  // MARK: Joins

  /// The statement with window functions in place of a join of a table with itself that computes totals; nil if there
  /// is none.
  private func ofJoin(
    _ core: ResolvedCore, _ syntax: SQLSelectCore, _ statement: MovableStatement, _ schema: DatabaseSchema
  ) -> Form? {
    guard let from = syntax.from, from.sources.count == 2, let groups = syntax.groupByRange, syntax.having == nil,
      !syntax.isDistinct, let shape = statement.shape.select(core.id), !shape.hasWindowFunctions,
      from.sources[1].join.kind == .inner || from.sources[1].join.kind == .cross,
      !from.sources[1].join.isNatural, from.sources[1].join.using.isEmpty
    else { return nil }
    let conditions = (from.sources[1].join.on?.conjuncts ?? []) + (core.condition?.conjuncts ?? [])
    for (outer, inner) in [(from.sources[0], from.sources[1]), (from.sources[1], from.sources[0])] {
      let links = conditions.filter { !statement.sources(in: $0.range).isSubset(of: [outer.id]) }
      let filters = conditions.filter { statement.sources(in: $0.range).isSubset(of: [outer.id]) }
      // Each group is one row, and each result is a column of the row or a total.
      let keys = syntax.groupBy.compactMap { statement.plainColumn($0) }
      guard keys.count == syntax.groupBy.count, keys.allSatisfy({ $0.source == outer.id }),
        statement.ordinaryTable(outer.id, schema)?.hasKey(among: Set(keys.map(\.name))) == true
      else { continue }
      var calls: [SQLCall] = []
      var results: [(range: Range<Int>, name: String?)] = []
      for column in syntax.columns {
        guard case .expression(let expression, let alias) = column.kind else { return nil }
        if statement.sources(in: expression.range).isSubset(of: [outer.id]), !statement.hasSubquery(expression),
          !expression.withDescendants.contains(where: \.isCallWithStar)
        {
          continue
        }
        guard case .call(let call) = expression.unwrapped.kind else { return nil }
        calls.append(call)
        results.append((expression.range, alias == nil ? statement.text[expression.range] : nil))
      }
      guard !calls.isEmpty,
        let total = RunningTotal(of: calls, inner, links, beside: outer, statement, schema), total.includesOwnRow,
        total.readsColumnsOnly(of: outer.id, statement)
      else { continue }
      var rewriter = SQLRewriter(statement.text)
      for (place, result) in results.enumerated() {
        let name = result.name.map { " AS \($0.quotedIdentifier)" } ?? ""
        rewriter.replace(result.range, with: "\(total.outerName).total_\(place + 1)\(name)")
      }
      let columns = total.windows.enumerated().map { "\($1) AS total_\($0 + 1)" }
      let rest = filters.map { "(\(statement.text[$0.range]))" }.joined(separator: " AND ")
      rewriter.replace(
        from.range.lowerBound..<groups.upperBound,
        with: total.source(with: columns, total.filters(filters, statement)) + (rest.isEmpty ? "" : " WHERE \(rest)"))
      return (rewriter.rewritten(), total.assumption)
    }
    return nil
  }
}

/// Aggregates over the rows of a table up to each of its rows.
private struct RunningTotal {
  /// The aggregates with their windows.
  private(set) var windows: [String] = []
  /// Whether the aggregates at a row include the row itself.
  private(set) var includesOwnRow = false
  /// The statement's name of each row, and its name of the aggregated rows.
  let outerName: String
  private let innerName: String
  private let table: TableSchema
  private let tableSQL: String
  private let outer: Int
  private let key: ColumnSchema
  private let groups: [ColumnSchema]
  private let isDescending: Bool
  /// The distance before a row from which rows are aggregated, as SQL; nil for all rows.
  private let reach: String?
  /// Whether the reach is right for whole numbers only.
  private let isOfWholeNumbers: Bool
  /// The values of the aggregates over no rows.
  private let ofNone: [String]

  private static let ofNone = [
    "sum": "NULL", "count": "0", "total": "0.0", "avg": "NULL", "min": "NULL", "max": "NULL",
  ]

  /// Nil where the conditions say anything else.
  init?(
    of calls: [SQLCall], _ inner: SQLSource, _ conditions: [SQLExpression], beside outer: SQLSource,
    _ statement: MovableStatement, _ schema: DatabaseSchema
  ) {
    guard let table = statement.ordinaryTable(inner.id, schema),
      statement.ordinaryTable(outer.id, schema)?.name == table.name,
      let innerName = statement.shape.resolved.sources[inner.id]?.name,
      let outerName = statement.shape.resolved.sources[outer.id]?.name, inner.indexedBy == nil, outer.indexedBy == nil
    else { return nil }
    let text = statement.text
    var key: (column: ColumnSchema, isDescending: Bool)?
    var (groups, own, lower): ([ColumnSchema], [String], [(isStrict: Bool, reach: SQLExpression)]) = ([], [], [])
    var links: [Link] = []
    for condition in conditions {
      if statement.sources(in: condition.range).isSubset(of: [inner.id]), !statement.hasSubquery(condition) {
        own.append("(\(text[condition.range]))")
        continue
      }
      let found = Link.links(in: condition, from: inner.id, statement)
      if found.isEmpty { return nil }
      links += found
    }
    for link in links {
      let (one, operation, right) = (link.column, link.operation, link.value)
      guard let column = table.column(one.name) else { return nil }
      if let other = statement.plainColumn(right) {
        guard other.source == outer.id, other.name == one.name else { return nil }
        switch operation {
        case .equal: groups.append(column)
        case .lessOrEqual, .greaterOrEqual:
          guard key == nil else { return nil }
          key = (column, operation == .greaterOrEqual)
        default: return nil
        }
        continue
      }
      // The distance: `inner.at > outer.at - constant`.
      guard operation == .greater || operation == .greaterOrEqual,
        case .binary(.subtract, let base, let reach) = right.unwrapped.kind,
        let other = statement.plainColumn(base), other.source == outer.id, other.name == one.name,
        statement.isConstant(reach), lower.isEmpty
      else { return nil }
      lower = [(operation == .greater, reach)]
    }
    guard let key, let names = calls.isEmpty ? nil : calls.map(\.name.key),
      names.allSatisfy({ Self.ofNone[$0] != nil })
    else { return nil }
    self.key = key.column
    isDescending = key.isDescending
    isOfWholeNumbers = lower.first?.isStrict ?? false
    if let last = lower.first {
      let value = text[last.reach.range]
      guard !key.isDescending, [.integer, .real, .numeric].contains(key.column.affinity) else { return nil }
      if last.isStrict {
        // For whole numbers, a value greater than `x - n` is at least `x - (n - 1)`.
        guard key.column.affinity == .integer, let number = Int(value), number > 0 else { return nil }
        reach = "\(number - 1)"
      } else {
        reach = value
      }
    } else {
      reach = nil
    }
    (self.table, self.outer, self.groups) = (table, outer.id, groups)
    (self.innerName, self.outerName) = (FanOutSQL.name(innerName), FanOutSQL.name(outerName))
    tableSQL = table.name.quotedIdentifier
    ofNone = names.map { Self.ofNone[$0] ?? "NULL" }
    if !table.isNeverNull(key.column) { own.append("\(column(key.column)) IS NOT NULL") }
    let filter = own.isEmpty ? "" : " FILTER (WHERE \(own.joined(separator: " AND ")))"
    let window = self.window
    for call in calls {
      guard !call.isDistinct, call.filter == nil, call.window == nil, call.orderBy.isEmpty, call.arguments.count <= 1,
        call.arguments.allSatisfy({
          statement.sources(in: $0.range).isSubset(of: [inner.id]) && !statement.hasSubquery($0)
        })
      else { return nil }
      let argument = call.hasStar ? "*" : call.arguments.first.map { text[$0.range] } ?? ""
      if argument.isEmpty { return nil }
      windows.append("\(call.name.text)(\(argument))\(filter) OVER (\(window))")
    }
    // Rows that are left out of the total would be left out of a join as well.
    includesOwnRow = own.isEmpty && groups.allSatisfy(table.isNeverNull)
  }

  private var window: String {
    var parts: [String] = []
    if !groups.isEmpty {
      parts.append("PARTITION BY " + groups.map(column).joined(separator: ", "))
    }
    parts.append("ORDER BY \(column(key))\(isDescending ? " DESC" : "")")
    if let reach { parts.append("RANGE BETWEEN \(reach) PRECEDING AND CURRENT ROW") }
    return parts.joined(separator: " ")
  }

  /// The requirements on rows. Within a distance, a window finds only equal texts, while the statement converts a text
  /// to the number at its beginning.
  var assumption: RewriteAssumption {
    guard reach != nil else { return .none }
    let types = isOfWholeNumbers ? "'integer', 'null'" : "'integer', 'real', 'null'"
    return RewriteAssumption(
      rows: [.init(table: table.name, condition: "typeof(\(key.name.quotedIdentifier)) IN (\(types))")])
  }

  func hasSameRows(as other: RunningTotal) -> Bool { innerName == other.innerName }

  /// Whether the statement reads nothing of the rows that a subquery doesn't have, such as the rowid.
  func readsColumnsOnly(of source: Int, _ statement: MovableStatement) -> Bool {
    statement.shape.resolved.references.values.allSatisfy { meaning in
      guard case .column(source, let name) = meaning else { return true }
      return table.column(name) != nil
    }
  }

  /// The value of a column of totals at each row: a row without a key, or a group, has none.
  func value(_ place: Int, of column: String) -> String {
    let nullable = (groups + [key]).filter { !table.isNeverNull($0) }
    if nullable.isEmpty { return column }
    let known = nullable.map { "\(outerName).\($0.name.quotedIdentifier) IS NOT NULL" }.joined(separator: " AND ")
    return "CASE WHEN \(known) THEN \(column) ELSE \(ofNone[place]) END"
  }

  /// The conditions on each row that leave whole groups out, or rows that no other row adds up, for the rows that are added up.
  func filters(_ conditions: [SQLExpression], _ statement: MovableStatement) -> [String] {
    conditions.flatMap { condition -> [String] in
      for group in groups {
        if let moved = statement.moved(condition, outer, group.name, to: column(group)) { return [moved] }
      }
      return Link.links(in: condition, from: outer, statement).compactMap { link in
        guard link.column.name == key.name, statement.isConstant(link.value) else { return nil }
        let bound = "\(column(key)) \(link.operation.rawValue) \(statement.text[link.value.range])"
        switch link.operation {
        case .less, .lessOrEqual: return isDescending ? nil : bound
        case .greater, .greaterOrEqual: return isDescending ? bound : reach.map { "\(bound) - \($0)" }
        default: return nil
        }
      }
    }
  }

  private func column(_ column: ColumnSchema) -> String { "\(innerName).\(column.name.quotedIdentifier)" }

  /// The table with columns of totals, in the place of the table.
  func source(with columns: [String], _ filters: [String]) -> String {
    let condition = filters.isEmpty ? "" : " WHERE " + filters.joined(separator: " AND ")
    return
      "(SELECT \(innerName).*, \(columns.joined(separator: ", ")) FROM \(tableSQL) AS \(innerName)\(condition)) AS \(outerName)"
  }
}

/// A comparison of a column of one source with something else.
private struct Link {
  var column: (source: Int, name: String)
  var operation: SQLBinaryOperator
  var value: SQLExpression

  /// The comparisons that a condition consists of, with a column of the source on the left; none for other conditions.
  static func links(in condition: SQLExpression, from source: Int, _ statement: MovableStatement) -> [Link] {
    switch condition.unwrapped.kind {
    case .binary(let operation, let left, let right):
      guard let mirrored = ComparisonReader.mirrored[operation] else { return [] }
      if let column = statement.plainColumn(left), column.source == source {
        return [Link(column: column, operation: operation, value: right)]
      }
      guard let column = statement.plainColumn(right), column.source == source else { return [] }
      return [Link(column: column, operation: mirrored, value: left)]
    case .between(let value, let low, let high, isNegated: false):
      guard let column = statement.plainColumn(value), column.source == source else { return [] }
      return [
        Link(column: column, operation: .greaterOrEqual, value: low),
        Link(column: column, operation: .lessOrEqual, value: high),
      ]
    default: return []
    }
  }
}

extension SQLExpression {
  fileprivate var isCallWithStar: Bool { if case .call(let call) = kind { call.hasStar } else { false } }
}
