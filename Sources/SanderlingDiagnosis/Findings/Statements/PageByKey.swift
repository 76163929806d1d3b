/// A page of rows, read as the rows that follow a known row in the statement's order.
struct PageByKey {
  struct Key {
    var sql: String
    var source: Int
    var name: String
    var isDescending: Bool
    var isNullable = false
  }

  let statement: MovableStatement
  /// The keys of the order, followed by unique columns.
  let keys: [Key]
  /// The columns that are added to the order so that it has no equal rows.
  let tail: [String]
  /// The number of rows of a page, as SQL.
  var limit: String
  private let core: SQLSelectCore
  private let shape: SelectShape

  /// Reads a page; nil for statements without OFFSET, and for statements whose rows have no key.
  init?(_ statement: MovableStatement, schema: DatabaseSchema) {
    guard let core = statement.core, core.shape.offset != nil, statement.select.limitRange != nil,
      core.shape.groupBy.isEmpty, !core.shape.isDistinct, core.shape.aggregates.isEmpty, !core.shape.hasWindowFunctions,
      let first = core.shape.sources.first, first.join != .left, let table = first.table.flatMap(schema.table),
      let unique = Self.unique(of: table)
    else { return nil }
    // Only joins with one row for each row of the first table are pages.
    if core.shape.sources.count > 1 {
      guard !Self.repeatsRows(statement, root: first.id, schema) else { return nil }
    }
    var keys: [Key] = []
    var tail = unique
    for term in statement.select.orderBy {
      guard term.nullsFirst == nil else { return nil }
      var expression = term.expression.unwrapped
      if case .result(_, let index)? = statement.shape.resolved.meaning(of: expression) {
        guard let result = core.resolved.results[safe: index]?.expression else { return nil }
        expression = result.unwrapped
      }
      guard case .column(let source, let column)? = statement.shape.resolved.meaning(of: expression) else { return nil }
      keys.append(
        Key(
          sql: statement.text[expression.range], source: source, name: column, isDescending: term.isDescending,
          isNullable: Self.isNullable(column, of: source, statement, schema)))
      if source == first.id { tail.removeAll { $0 == column } }
      if tail.isEmpty { break }
    }
    let name = first.name == table.name && core.shape.sources.count == 1 ? "" : FanOutSQL.name(first.name) + "."
    // The added columns have the direction of the last term, so that one index serves all.
    let isDescending = keys.last?.isDescending ?? false
    for column in tail {
      keys.append(
        Key(sql: name + FanOutSQL.name(column), source: first.id, name: column, isDescending: isDescending))
    }
    (self.statement, self.keys, self.tail, self.core, shape) = (statement, keys, tail, core.syntax, core.shape)
    limit = statement.select.limit.map { statement.text[$0.range] } ?? "-1"
  }

  /// The columns that identify the rows of a table without NULL: its key, the columns of the shortest unique index, or
  /// the rowid.
  private static func unique(of table: TableSchema) -> [String]? {
    if let alias = table.rowIDAlias { return [alias] }
    if table.isWithoutRowID { return table.primaryKey }
    guard table.kind == .ordinary else { return nil }
    let keys = table.uniqueKeys.filter { $0.isNotNull && $0.columns != ["rowid"] }
    guard let least = keys.min(by: { $0.columns.count < $1.columns.count }) else { return ["rowid"] }
    return table.columns.map(\.name).filter(least.columns.contains)
  }

  /// Whether the statement may return rows in which a column is NULL.
  private static func isNullable(
    _ column: String, of source: Int, _ statement: MovableStatement, _ schema: DatabaseSchema
  ) -> Bool {
    guard let shape = statement.shape.source(source), let table = shape.table.flatMap(schema.table) else { return true }
    let isRejected = shape.terms.contains { term in
      guard term.clause == .condition, term.isNullRejecting, term.columns == [column], term.key?.isColumn == true else {
        return false
      }
      return switch term.kind {
      case .equality, .membership, .range, .isNotNull: true
      case .isNull, .pattern, .truth, .other: false
      }
    }
    if isRejected { return false }
    // A name without a column is a name of the rowid.
    return shape.isNullable || table.column(column).map { !table.isNeverNull($0) } ?? false
  }

  /// Whether a join may return a row of the root several times.
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

  /// The statement with the columns of a key at the end of its ORDER BY.
  var withTail: String {
    "\(head) ORDER BY \(order) LIMIT \(limit) OFFSET \(statement.select.offset.map { statement.text[$0.range] } ?? "0")"
  }

  /// The statement without LIMIT and OFFSET.
  var all: String { "\(head) ORDER BY \(order)" }

  /// The statement that reads the keys of all rows in the order of the pages; nil without FROM.
  var allKeys: String? {
    guard let from = core.from else { return nil }
    let filter = core.condition.map { " WHERE \(statement.text[$0.range])" } ?? ""
    return
      "\(statement.with)SELECT \(keys.map(\.sql).joined(separator: ", ")) FROM \(statement.text[from.range])\(filter) "
      + "ORDER BY \(order)"
  }

  /// The keys of the last row before the page; nil if there is none.
  func lastRow(
    before offset: Int64, _ sample: BindingSample, in context: DetectorContext
  ) throws -> [BoundValue]? {
    guard let allKeys else { return nil }
    let sql = "\(allKeys) LIMIT 1 OFFSET \(max(0, offset - 1))"
    return try context.rows(sql, statement.values(sample.values, for: sql)).first
  }

  // MARK: The next page

  /// Whether the next page after a row with NULL in its first key needs another statement than after other rows.
  var hasTwoStates: Bool { keys[0].isNullable }

  /// The statement for the page after a row, with the row's keys bound after the statement's own values; nil if no
  /// statement finds the page by the key.
  func next(after row: [BoundValue], _ values: [Int: BoundValue]) -> (sql: String, values: [Int: BoundValue])? {
    let isNull = row.first == .null
    guard !isNull || hasTwoStates, let sql = next(isFirstNull: isNull) else { return nil }
    let places = places(isFirstNull: isNull)
    var bound = statement.values(values, for: sql)
    let first = statement.shape.parameterCount + 1
    let known = isNull ? Array(row.dropFirst()) : row
    if statement.parameterNames.isEmpty {
      for (place, value) in known.enumerated() { bound[first + place] = value }
    } else {
      guard let parsed = try? SQLParser.parse(sql) else { return nil }
      for (place, value) in known.enumerated() {
        guard let number = parsed.parameterNames[places[place]] else { continue }
        bound[number] = value
      }
    }
    return (sql, bound)
  }

  /// The statement for the page after a row whose first key is NULL, or after a row whose first key has a value; nil if
  /// no statement finds the page by the key.
  func next(isFirstNull: Bool) -> String? {
    guard hasTwoStates || !isFirstNull else { return nil }
    let condition = Condition(keys: keys, places: places(isFirstNull: isFirstNull))
    guard hasTwoStates else { return page(where: condition.after(keys[...]), order: order) }
    switch (isFirstNull, keys[0].isDescending) {
    // NULL comes before all values, so no row after a value has NULL.
    case (false, false): return page(where: condition.after(keys[...]), order: order)
    case (true, false):
      return page(
        where: "((\(keys[0].sql) IS NULL AND \(condition.after(keys[1...]))) OR \(keys[0].sql) IS NOT NULL)",
        order: order)
    case (true, true): return page(where: "\(keys[0].sql) IS NULL AND \(condition.after(keys[1...]))", order: order)
    case (false, true):
      // Each of the two SELECTs reads a range of an index in its order. One SELECT with OR would find all rows and sort
      // them.
      func both(_ added: String) -> String {
        let values = page(where: condition.after(keys[...]), order: order, added: added)
        let nulls = page(where: "\(keys[0].sql) IS NULL", order: order, added: added)
        return "SELECT * FROM (\(values)) UNION ALL SELECT * FROM (\(nulls))"
      }
      if let places = resultPlaces { return "\(both("")) ORDER BY \(places) LIMIT \(limit)" }
      guard let names = resultNames else { return nil }
      let added = keys.indices.map { ", \(keys[$0].sql) AS page_key_\($0 + 1)" }.joined()
      let known = keys.indices.map { "page_key_\($0 + 1)\(keys[$0].isDescending ? " DESC" : "")" }
      return "SELECT \(names) FROM (\(both(added))) ORDER BY \(known.joined(separator: ", ")) LIMIT \(limit)"
    }
  }

  private func places(isFirstNull: Bool) -> [String] {
    let known = isFirstNull ? keys.dropFirst() : keys[...]
    let first = statement.shape.parameterCount + 1
    // If the statement has named parameters, the added ones need names, too: numbers would change with their order.
    return known.enumerated().map { place, key in
      statement.parameterNames.isEmpty ? "?\(first + place)" : ":last_\(key.name)"
    }
  }

  /// The rows that meet a condition, with added result columns.
  private func page(where condition: String, order: String, added: String = "") -> String {
    var rewriter = SQLRewriter(statement.text)
    rewriter.insert(added, at: core.columnsRange.upperBound)
    // The new condition stands in front: of two conditions on a column, SQLite uses the first for the index.
    if let old = core.condition {
      rewriter.replace(old.range, with: "\(condition) AND (\(statement.text[old.range]))")
    }
    let begin = statement.select.range.lowerBound
    var sql = rewriter.rewritten(begin..<(begin + head.utf8.count))
    if core.condition == nil { sql += (sql.last?.isWhitespace ?? false ? "" : " ") + "WHERE \(condition) " }
    return sql + "\(sql.last?.isWhitespace ?? false ? "" : " ")ORDER BY \(order) LIMIT \(limit)"
  }

  /// The names of the result columns; nil if two columns have the same name.
  private var resultNames: String? {
    guard let names = statement.core?.resolved.results.map(\.name),
      Set(names.map(\.asciiLowercased)).count == names.count
    else { return nil }
    return names.map(FanOutSQL.name).joined(separator: ", ")
  }

  /// The keys as numbers of result columns, with their directions; nil if a key isn't a result column.
  private var resultPlaces: String? {
    guard let results = statement.core?.resolved.results else { return nil }
    var places: [String] = []
    for key in keys {
      let place = results.firstIndex { result in
        let meaning = result.meaning ?? result.expression.flatMap { statement.shape.resolved.meaning(of: $0.unwrapped) }
        guard case .column(key.source, key.name)? = meaning else { return false }
        return true
      }
      guard let place else { return nil }
      places.append("\(place + 1)" + (key.isDescending ? " DESC" : ""))
    }
    return places.joined(separator: ", ")
  }

  /// The condition with `?` for each value, as a filter of a library takes it; nil if a value is needed more than once.
  var conditionWithPlaces: String? {
    guard !hasTwoStates else { return nil }
    let condition = Condition(keys: keys, places: keys.map { _ in "?" }).after(keys[...])
    return condition.count { $0 == "?" } == keys.count ? condition : nil
  }

  /// Writes the condition for the rows after a row with known keys.
  private struct Condition {
    /// The keys of the order. `places` are the parameters for the last of them.
    let keys: [Key]
    let places: [String]

    private func place(_ index: Int) -> String { places[index - (keys.count - places.count)] }

    /// A comparison of row values if all keys have the same direction and no NULL, otherwise a branch for each prefix
    /// of the keys.
    ///
    /// The first key of all is not NULL if it is among the keys.
    func after(_ rest: ArraySlice<Key>) -> String {
      guard let first = rest.first else { return "1" }
      let isNullable = { (index: Int) in index > 0 && keys[index].isNullable }
      let hasNull = rest.indices.contains(where: isNullable)
      let sign = first.isDescending ? "<" : ">"
      if rest.count == 1, !hasNull { return "\(first.sql) \(sign) \(place(rest.startIndex))" }
      if !hasNull, rest.allSatisfy({ $0.isDescending == first.isDescending }) {
        let values = rest.indices.map(place).joined(separator: ", ")
        return "(\(rest.map(\.sql).joined(separator: ", "))) \(sign) (\(values))"
      }
      let branches = rest.indices.map { last -> String in
        let equal = rest.indices.prefix { $0 < last }.map { index in
          "\(keys[index].sql) \(isNullable(index) ? "IS" : "=") \(place(index))"
        }
        return (equal + [follows(keys[last], place(last), isNullable(last))]).joined(separator: " AND ")
      }
      let all = "(\(branches.joined(separator: " OR ")))"
      // With the first condition alone, an index finds the beginning of the page.
      return isNullable(rest.startIndex) ? all : "\(first.sql) \(sign)= \(place(rest.startIndex)) AND \(all)"
    }

    /// The condition that a key comes after a known value. NULL comes before all values, and in descending order after
    /// them.
    private func follows(_ key: Key, _ place: String, _ isNullable: Bool) -> String {
      let plain = "\(key.sql) \(key.isDescending ? "<" : ">") \(place)"
      guard isNullable else { return plain }
      return key.isDescending
        ? "(\(plain) OR (\(place) IS NOT NULL AND \(key.sql) IS NULL))"
        : "(\(plain) OR (\(place) IS NULL AND \(key.sql) IS NOT NULL))"
    }
  }
}
