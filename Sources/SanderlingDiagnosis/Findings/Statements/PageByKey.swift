/// A page of rows as those that follow a known row in the statement's order.
struct PageByKey {
  struct Key {
    var sql: String
    var name: String
    var isDescending: Bool
  }

  let statement: MovableStatement
  /// The order, ended by what tells rows apart.
  let keys: [Key]
  let addsTail: Bool
  private let core: SQLSelectCore
  private let shape: SelectShape

  /// Nil for statements without OFFSET, and those whose rows have no key.
  init?(_ statement: MovableStatement, schema: DatabaseSchema) {
    guard let core = statement.core, core.shape.offset != nil, statement.select.limitRange != nil,
      core.shape.groupBy.isEmpty, !core.shape.isDistinct, core.shape.aggregates.isEmpty, !core.shape.hasWindowFunctions,
      let first = core.shape.sources.first, first.join != .left, let table = first.table.flatMap(schema.table),
      let unique = table.rowIDAlias ?? (table.isWithoutRowID && table.primaryKey.count == 1 ? table.primaryKey[0] : nil)
    else { return nil }
    // Of joins, only those that have one row for each of the first table.
    if core.shape.sources.count > 1 {
      guard !Self.repeatsRows(statement, root: first.id, schema) else { return nil }
    }
    var keys: [Key] = []
    var hasUnique = false
    for term in statement.select.orderBy {
      guard term.nullsFirst == nil else { return nil }
      var expression = term.expression.unwrapped
      if case .result(_, let index)? = statement.shape.resolved.meaning(of: expression) {
        guard let result = core.resolved.results[safe: index]?.expression else { return nil }
        expression = result.unwrapped
      }
      guard case .column(let source, let column)? = statement.shape.resolved.meaning(of: expression) else { return nil }
      keys.append(Key(sql: statement.text[expression.range], name: column, isDescending: term.isDescending))
      if source == first.id, column == unique {
        hasUnique = true
        break
      }
    }
    if !hasUnique {
      let name = first.name == table.name && core.shape.sources.count == 1 ? "" : FanOutSQL.name(first.name) + "."
      // In the direction of the last term, so that one index serves all.
      keys.append(
        Key(
          sql: name + FanOutSQL.name(unique), name: unique, isDescending: keys.last?.isDescending ?? false))
    }
    (self.statement, self.keys, addsTail, self.core, shape) = (statement, keys, !hasUnique, core.syntax, core.shape)
  }

  /// Whether a join may give a row of the root several times.
  private static func repeatsRows(_ statement: MovableStatement, root: Int, _ schema: DatabaseSchema) -> Bool {
    guard let reader = JoinTreeReader(statement, schema: schema) else { return true }
    return reader.tree(root: root, allowsNoBranches: true)?.branches.isEmpty != true
  }

  func offset(_ values: [Int: BoundValue]) -> Int64? {
    switch shape.offset {
    case .literal(let offset): offset
    case .parameter(let number): values[number]?.integer
    case .expression, nil: nil
    }
  }

  private var order: String {
    keys.map { $0.sql + ($0.isDescending ? " DESC" : "") }.joined(separator: ", ")
  }

  private var head: String {
    let end = core.groupByRange?.lowerBound ?? statement.select.orderByRange?.lowerBound
    return statement.text[statement.select.range.lowerBound..<(end ?? statement.select.limitRange?.lowerBound ?? 0)]
  }

  private var limit: String { statement.select.limit.map { statement.text[$0.range] } ?? "-1" }

  /// The statement with its order ended by a key.
  var withTail: String {
    "\(head) ORDER BY \(order) LIMIT \(limit) OFFSET \(statement.select.offset.map { statement.text[$0.range] } ?? "0")"
  }

  /// The keys of the row before the page; nil when there is none, or a key is NULL.
  func lastRow(
    before offset: Int64, _ sample: BindingSample, in context: DetectorContext
  ) throws -> [BoundValue]? {
    guard let from = core.from else { return nil }
    let filter = core.condition.map { " WHERE \(statement.text[$0.range])" } ?? ""
    let sql =
      "\(statement.with)SELECT \(keys.map(\.sql).joined(separator: ", ")) FROM \(statement.text[from.range])\(filter) "
      + "ORDER BY \(order) LIMIT 1 OFFSET \(max(0, offset - 1))"
    guard let row = try context.rows(sql, statement.values(sample.values, for: sql)).first, !row.contains(.null) else {
      return nil
    }
    return row
  }

  /// The statement for the page after a row, with the values of its keys bound after those of the statement.
  func next(after row: [BoundValue], _ values: [Int: BoundValue]) -> (sql: String, values: [Int: BoundValue])? {
    let first = statement.shape.parameterCount + 1
    // Names would shift numbers.
    let places =
      statement.parameterNames.isEmpty
      ? row.indices.map { "?\(first + $0)" } : row.indices.map { ":last_\(keys[$0].name)" }
    var sql = head
    let condition = condition(places)
    if let old = core.condition {
      // In front: of two conditions on one column, SQLite takes the first one for the index.
      var rewriter = SQLRewriter(statement.text)
      rewriter.replace(old.range, with: "\(condition) AND (\(statement.text[old.range]))")
      sql = rewriter.rewritten(
        statement.select.range.lowerBound..<(statement.select.range.lowerBound + head.utf8.count))
    } else {
      sql += (sql.last?.isWhitespace ?? false ? "" : " ") + "WHERE \(condition) "
    }
    sql += "\(sql.last?.isWhitespace ?? false ? "" : " ")ORDER BY \(order) LIMIT \(limit)"
    var bound = statement.values(values, for: sql)
    if statement.parameterNames.isEmpty {
      for (place, value) in row.enumerated() { bound[first + place] = value }
    } else {
      guard let parsed = try? SQLParser.parse(sql) else { return nil }
      for (place, value) in row.enumerated() {
        guard let number = parsed.parameterNames[places[place]] else { return nil }
        bound[number] = value
      }
    }
    return (sql, bound)
  }

  var conditionWithPlaces: String { condition(keys.map { _ in "?" }) }

  /// Row values where all directions are equal, or else a branch for each prefix.
  private func condition(_ places: [String]) -> String {
    let isDescending = keys[0].isDescending
    let sign = { (descending: Bool) in descending ? "<" : ">" }
    if keys.count == 1 { return "\(keys[0].sql) \(sign(isDescending)) \(places[0])" }
    if keys.allSatisfy({ $0.isDescending == isDescending }) {
      return "(\(keys.map(\.sql).joined(separator: ", "))) \(sign(isDescending)) (\(places.joined(separator: ", ")))"
    }
    let branches = keys.indices.map { last in
      let equal = keys[..<last].indices.map { "\(keys[$0].sql) = \(places[$0])" }
      return (equal + ["\(keys[last].sql) \(sign(keys[last].isDescending)) \(places[last])"]).joined(separator: " AND ")
    }
    // The first condition alone lets an index find the beginning.
    return "\(keys[0].sql) \(sign(isDescending))= \(places[0]) AND (\(branches.joined(separator: " OR ")))"
  }
}
