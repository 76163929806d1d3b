import SanderlingSQL

/// Finds joins in which every row looks up the same few rows of a table before it is counted or added up.
///
/// `FROM packet JOIN device ON device.key = packet.device GROUP BY device.type`: if the rows are first grouped by
/// `packet.device`, each device is looked up only once. This is known as eager aggregation (Yan and Larson, VLDB 1995).
struct GroupedBeforeJoinDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema),
      let join = GroupedBeforeJoin(statement, context.schema)
    else { return [] }
    let rewrite = StatementRewrite(
      kind: .groupWithoutIndex, candidates: [join.sql],
      title: "Each row of \(join.child) looks up its row of \(join.parent) before it is grouped",
      explanation:
        "Many rows of \(join.child) refer to one row of \(join.parent), which is looked up for each of them. Grouped by their "
        + "reference first, by an index alone where one has all columns that are read, each row of \(join.parent) is looked up once.",
      summary: "Group \(join.child) first, and join the groups", isSameByNature: true)
    return try rewrite.findings(for: analyzed, statement, in: context)
  }
}

private struct GroupedBeforeJoin {
  let sql: String
  /// The names of the grouped table and of the table to which it refers.
  let child: String
  let parent: String

  init?(_ statement: MovableStatement, _ schema: DatabaseSchema) {
    guard let core = statement.core, let from = core.syntax.from, from.sources.count == 2,
      !core.syntax.groupBy.isEmpty, !core.syntax.isDistinct, !core.shape.hasWindowFunctions,
      statement.shape.selects.count == 1,
      from.sources.allSatisfy({ $0.join.kind == .inner && !$0.join.isNatural && $0.join.using.isEmpty }),
      from.sources.allSatisfy({ $0.indexedBy == nil && !$0.isNotIndexed }),
      let columns = Self.allOwn(core.syntax)
    else { return nil }
    let resolved = statement.shape.resolved
    let conditions = (from.sources[1].join.on?.conjuncts ?? []) + (core.syntax.condition?.conjuncts ?? [])
    for (many, one) in [(from.sources[0], from.sources[1]), (from.sources[1], from.sources[0])] {
      guard resolved.sources[many.id]?.kind == .table, resolved.sources[one.id]?.kind == .table,
        let manyName = resolved.sources[many.id]?.name, let oneName = resolved.sources[one.id]?.name,
        let link = Self.link(conditions, many.id, one.id, statement, schema)
      else { continue }
      var writer = Writer(statement: statement, many: many.id, link: link.many)
      guard
        writer.add(
          core.shape.aggregates, isWhole: Self.isWhole(core.shape, link, many.id, one.id, schema, statement),
          key: statement.shape.resolved.meaning(of: link.one)),
        writer.replaceLinks(
          within: columns + core.syntax.groupBy + statement.select.orderBy.map(\.expression)
            + (core.syntax.having.map { [$0] } ?? []))
      else { continue }
      let rest = conditions.filter { $0.range != link.range }
      let inner = rest.filter { statement.sources(in: $0.range).isSubset(of: [many.id]) }
      let outer = rest.filter { statement.sources(in: $0.range) == [one.id] }
      guard inner.count + outer.count == rest.count, rest.allSatisfy(\.callsScalarsOnly) else { continue }
      let text = statement.text
      let grouped =
        "(SELECT \(text[link.many.range]) AS link, \(writer.values.joined(separator: ", ")) FROM \(text[many.range])"
        + Self.filter(inner, text) + " GROUP BY \(text[link.many.range])) AS grouped"
      var all = outer.map { $0.conjunct(text[$0.range]) }
      var tail = ""
      if let having = core.syntax.having, writer.isWhole { all.append("(\(writer.text(having.range)))") }
      if !writer.isWhole, let range = core.syntax.groupByRange {
        tail += " " + writer.text(range) + (core.syntax.having.map { " HAVING \(writer.text($0.range))" } ?? "")
      }
      if let range = statement.select.orderByRange { tail += " " + writer.text(range) }
      if let range = statement.select.limitRange { tail += " " + text[range] }
      sql =
        "\(statement.with)SELECT \(writer.columns(core.syntax)) FROM \(grouped) JOIN \(text[one.range]) ON "
        + "\(text[link.one.range]) = grouped.link" + (all.isEmpty ? "" : " WHERE \(all.joined(separator: " AND "))")
        + tail
      (child, parent) = (manyName, oneName)
      return
    }
    return nil
  }

  private static func filter(_ conditions: [SQLExpression], _ text: SQLText) -> String {
    conditions.isEmpty ? "" : " WHERE " + conditions.map { $0.conjunct(text[$0.range]) }.joined(separator: " AND ")
  }

  /// The expressions of the result columns; nil if the statement reads all columns of a table by `*`.
  private static func allOwn(_ core: SQLSelectCore) -> [SQLExpression]? {
    var expressions: [SQLExpression] = []
    for column in core.columns {
      guard case .expression(let expression, _) = column.kind else { return nil }
      expressions.append(expression)
    }
    return expressions
  }

  private typealias Link = (many: SQLExpression, one: SQLExpression, range: Range<Int>)

  /// The only condition on both tables, which compares a column with the key of the other table.
  private static func link(
    _ conditions: [SQLExpression], _ many: Int, _ one: Int, _ statement: MovableStatement, _ schema: DatabaseSchema
  ) -> Link? {
    let both = conditions.filter { statement.sources(in: $0.range) == [many, one] }
    guard both.count == 1, let condition = both.first, case .binary(.equal, let left, let right) = condition.kind else {
      return nil
    }
    for (own, other) in [(left, right), (right, left)] {
      guard statement.sources(in: own.range) == [many], let key = statement.column(other, schema),
        key.table.isKey(key.column.name), let type = statement.comparedType(of: own, schema),
        type.collation == "binary",
        type == statement.comparedType(of: other, schema)
      else { continue }
      return (own.unwrapped, other.unwrapped, condition.range)
    }
    return nil
  }

  /// Whether each group contains the rows that refer to one row of the other table.
  private static func isWhole(
    _ shape: SelectShape, _ link: Link, _ many: Int, _ one: Int, _ schema: DatabaseSchema, _ statement: MovableStatement
  ) -> Bool {
    let keys = shape.groupBy.compactMap(\.key).filter(\.isColumn)
    let meaning = statement.shape.resolved.meaning(of: link.many)
    if keys.contains(where: { key in key.columns.contains { .column(source: key.source, name: $0) == meaning } }) {
      return true
    }
    guard let table = statement.shape.source(one)?.table.flatMap(schema.table) else { return false }
    return table.hasKey(among: Set(keys.filter { $0.source == one }.flatMap(\.columns)))
  }
}

/// Writes the parts of a statement that read groups instead of rows.
private struct Writer {
  let statement: MovableStatement
  /// The source whose rows are grouped.
  let many: Int
  /// The grouped column.
  let link: SQLExpression
  /// Whether each group of the statement is one of these groups.
  private(set) var isWhole = false
  /// The expressions that are computed for each group.
  private(set) var values: [String] = []
  private var replacements: [(range: Range<Int>, sql: String)] = []

  init(statement: MovableStatement, many: Int, link: SQLExpression) {
    (self.statement, self.many, self.link) = (statement, many, link)
  }

  /// Adds the parts of each aggregate to the groups; false if an aggregate can't be combined from parts.
  /// - Parameter key: The key to which the rows refer. It is never NULL in joined rows, so each row counts.
  mutating func add(_ aggregates: [AggregateShape], isWhole: Bool, key: ColumnMeaning?) -> Bool {
    self.isWhole = isWhole
    for aggregate in aggregates where !replacements.contains(where: { $0.range == aggregate.range }) {
      let countsKey = aggregate.counts(key)
      guard countsKey || aggregate.sources.isSubset(of: [many]), !aggregate.isDistinct || isWhole,
        let together = AggregateShape.together[aggregate.function]
          ?? (isWhole && aggregate.function == "avg" ? "" : nil),
        aggregate.hasStar || !aggregate.sources.isEmpty
      else { return false }
      let call = countsKey ? "COUNT(*)" : statement.text[aggregate.range]
      let place = values.firstIndex { $0.hasPrefix("\(call) AS ") } ?? values.count
      if place == values.count { values.append("\(call) AS value\(place + 1)") }
      let value = "grouped.value\(place + 1)"
      replacements.append((aggregate.range, isWhole ? value : "\(together)(\(value))"))
    }
    return !values.isEmpty
  }

  /// Replaces the grouped column; false if another column of the rows is read.
  mutating func replaceLinks(within expressions: [SQLExpression]) -> Bool {
    let known = replacements.map(\.range)
    let meaning = statement.shape.resolved.meaning(of: link)
    for node in expressions.flatMap(\.withDescendants) {
      guard case .column(many, _)? = statement.shape.resolved.meaning(of: node), case .column = node.kind,
        !known.contains(where: { $0.contains(node.range.lowerBound) })
      else { continue }
      guard statement.shape.resolved.meaning(of: node) == meaning else { return false }
      if !replacements.contains(where: { $0.range == node.range }) { replacements.append((node.range, "grouped.link")) }
    }
    return true
  }

  func text(_ range: Range<Int>) -> String {
    var rewriter = SQLRewriter(statement.text)
    for replacement in replacements where range.contains(replacement.range.lowerBound) {
      rewriter.replace(replacement.range, with: replacement.sql)
    }
    return rewriter.rewritten(range)
  }

  /// The result columns with their original names.
  func columns(_ core: SQLSelectCore) -> String {
    core.columns.map { column in
      let sql = text(column.range)
      guard case .expression(let expression, nil) = column.kind, sql != statement.text[column.range] else { return sql }
      let name: String =
        if case .column(_, let name)? = statement.shape.resolved.meaning(of: expression.unwrapped) { name } else {
          statement.text[expression.range]
        }
      return "\(sql) AS \(FanOutSQL.name(name))"
    }.joined(separator: ", ")
  }
}

extension AggregateShape {
  /// Whether the aggregate counts the values of one column.
  fileprivate func counts(_ column: ColumnMeaning?) -> Bool {
    guard function == "count", !isDistinct, !hasFilter, let key, key.isColumn else { return false }
    return key.columns.contains { .column(source: key.source, name: $0) == column }
  }
}
