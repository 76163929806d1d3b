import SanderlingSQL

/// A statement that finds rows by one key, and its form for many keys.
struct BatchedStatement {
  let table: String
  let column: String
  /// Whether each key finds one row at most.
  let isKey: Bool
  /// The statement with a parameter in the place of the key.
  let single: String
  /// The number of the parameter that holds the key.
  let parameter: Int
  /// The number of the statement's result columns, without the added key.
  let columnCount: Int
  private let shape: SelectShape
  private let core: SQLSelectCore
  private let text: SQLText
  private let keyRange: Range<Int>
  private let operatorRange: Range<Int>
  private let keySQL: String
  private let parameterCount: Int

  /// The condition that selects the one row of each key that ORDER BY and LIMIT 1 leave; nil without LIMIT.
  private let firstRow: FirstRow?

  /// Reads a statement. Returns nil if no equality with a parameter or literal names a key, or if the rows of several
  /// keys can't be told apart.
  init?(_ statement: MovableStatement, schema: DatabaseSchema) {
    guard let core = statement.core, statement.parameterNames.isEmpty, core.shape.sources.count >= 1,
      core.shape.groupBy.isEmpty, !core.shape.isDistinct, !core.shape.hasWindowFunctions, core.shape.offset == nil
    else { return nil }
    var found: (SQLExpression, SQLExpression, SQLExpression, TableSchema, String)?
    for condition in core.syntax.condition?.conjuncts ?? [] {
      guard case .binary(.equal, let left, let right) = condition.kind else { continue }
      for (own, value) in [(left, right), (right, left)] {
        guard let (table, column) = statement.column(own, schema), statement.isConstant(value) else { continue }
        switch value.unwrapped.kind {
        case .parameter, .literal: break
        default: continue
        }
        let isKey = table.isKey(column.name)
        let isReference = table.foreignKeys.contains { $0.columns.count == 1 && $0.columns[0] == column.name }
        let leads = table.indexes.contains { $0.keys.first?.column == column.name }
        if isKey || ((isReference || leads) && found == nil) { found = (condition, own, value, table, column.name) }
        if isKey { break }
      }
    }
    guard let (condition, own, value, table, column) = found else { return nil }
    isKey = table.isKey(column)
    // In the form for many keys, LIMIT must apply to each key. If a key finds at most one row, LIMIT isn't needed.
    firstRow =
      core.shape.limit == nil || isKey
      ? nil : FirstRow(statement, core.syntax, core.shape, condition: condition.range, table: table, column: column)
    guard core.shape.limit == nil || isKey || firstRow != nil,
      core.shape.aggregates.isEmpty || statement.select.orderBy.isEmpty
    else {
      return nil
    }
    (self.table, self.column, shape, self.core, text) = (table.name, column, core.shape, core.syntax, statement.text)
    keyRange = value.range
    operatorRange = condition.range
    keySQL = statement.text[own.range]
    columnCount = core.resolved.results.count
    if case .parameter(let number) = value.unwrapped.kind {
      parameter = number
      parameterCount = statement.shape.parameterCount
      single = statement.sql
    } else {
      parameter = statement.shape.parameterCount + 1
      parameterCount = parameter
      single = statement.replacing(value.range, with: "?\(parameter)")
    }
    guard !Self.usesElsewhere(parameter, value.range, statement) else { return nil }
  }

  private static func usesElsewhere(_ number: Int, _ range: Range<Int>, _ statement: MovableStatement) -> Bool {
    SQLTokenizer(statement.text).contains {
      $0.kind == .parameter && $0.range != range && statement.text[$0.range] == "?\(number)"
    }
  }

  /// A number of keys: first the keys in the log, then other keys of the table.
  func keys(_ count: Int, _ analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [BoundValue] {
    var keys: [BoundValue] = []
    for value in analyzed.statement.bindings.compactMap({ $0[parameter] }) where !keys.contains(value) && value != .null
    {
      keys.append(value)
    }
    let name = column.quotedIdentifier
    let sql =
      "SELECT DISTINCT \(name) FROM (SELECT \(name) FROM \(table.quotedIdentifier) WHERE \(name) IS NOT NULL "
      + "LIMIT 20000) LIMIT \(count)"
    for row in try context.rows(sql) {
      if keys.count >= count { break }
      if let key = row.first, !keys.contains(key) { keys.append(key) }
    }
    return Array(keys.prefix(count))
  }

  /// The form of the statement for a number of keys. Its result columns include the key.
  func sql(keys count: Int) -> String {
    sql(
      list: (0..<count).map { $0 == 0 ? "?\(parameter)" : "?\(parameterCount + $0)" }.joined(
        separator: firstRow == nil ? ", " : "), ("))
  }

  /// The form of the statement for any number of keys. One parameter holds them as a JSON array.
  var sqlForReaders: String { sql(list: "SELECT value FROM json_each(?\(parameter))") }

  /// Whether the key is among the result columns, by a star or by its name.
  private var readsKey: Bool {
    var (depth, words): (Int, [String]) = (0, [])
    func isKey() -> Bool { words == ["*"] || words.joined() == keySQL || words.last == "*" && words.count == 3 }
    for token in SQLTokenizer(text) where core.columnsRange.contains(token.range.lowerBound) {
      let word = text[token.range]
      if word.allSatisfy(\.isWhitespace) { continue }
      if word == "(" { depth += 1 }
      if word == ")" { depth -= 1 }
      if word == ",", depth == 0 {
        if isKey() { return true }
        words = []
      } else {
        words.append(word)
      }
    }
    return isKey()
  }

  private func sql(list: String) -> String {
    var rewriter = SQLRewriter(text)
    if let firstRow {
      rewriter.replace(core.condition?.range ?? operatorRange, with: firstRow.condition(keys: list))
    } else {
      rewriter.replace(operatorRange, with: "\(keySQL) IN (\(list))")
    }
    let reads = shape.resultCount == columnCount && !readsKey ? ", \(keySQL)" : ""
    rewriter.insert(reads, at: core.columnsRange.upperBound)
    let end = core.range.upperBound
    let head = rewriter.rewritten(0..<end)
    let group = shape.aggregates.isEmpty ? "" : " GROUP BY \(keySQL)"
    return head + group
  }

  func values(_ keys: [BoundValue], _ values: [Int: BoundValue]) -> [Int: BoundValue] {
    var values = values
    for (place, key) in keys.enumerated() { values[place == 0 ? parameter : parameterCount + place] = key }
    return values
  }
}

/// The first row of each key in the statement's order. Unique columns decide between equal rows.
private struct FirstRow {
  private let unique: String
  private let subquery: (String) -> String

  /// Reads the order of a statement; nil unless the statement reads one table with LIMIT 1.
  init?(
    _ statement: MovableStatement, _ core: SQLSelectCore, _ shape: SelectShape, condition: Range<Int>,
    table: TableSchema, column: String
  ) {
    guard shape.limit == .literal(1), shape.offset == nil, shape.sources.count == 1, shape.aggregates.isEmpty,
      let from = core.from, let source = shape.sources.first, let order = statement.select.orderByRange,
      let whole = core.condition
    else { return nil }
    let name = FanOutSQL.name(source.name)
    let rest = table.primaryKey.filter { $0 != column }
    let key: String
    if !table.isWithoutRowID {
      key = "rowid"
      unique = "\(name).rowid"
    } else if rest.count == 1, table.primaryKey.count == 2 {
      key = FanOutSQL.name(rest[0])
      unique = "(\(name).\(FanOutSQL.name(column)), \(name).\(key))"
    } else {
      return nil
    }
    let isPair = table.isWithoutRowID
    subquery = { list in
      var rewriter = SQLRewriter(statement.text)
      rewriter.replace(condition, with: "\(name).\(FanOutSQL.name(column)) = keys.value")
      let row =
        "SELECT \(name).\(key) FROM \(statement.text[from.range]) WHERE \(rewriter.rewritten(whole.range)) "
        + "\(statement.text[order]) LIMIT 1"
      return "SELECT \(isPair ? "keys.value, " : "")(\(row)) FROM \(list) AS keys"
    }
  }

  /// The condition for a list of keys. The list is a query of a column `value`, or the values with `), (` between them.
  func condition(keys list: String) -> String {
    let rows =
      list.hasPrefix("SELECT") ? "(\(list))" : "(SELECT column1 AS value FROM (VALUES (\(list))))"
    return "\(unique) IN (\(subquery(rows)))"
  }
}
