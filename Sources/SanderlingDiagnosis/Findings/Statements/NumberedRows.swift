/// A subquery that numbers the rows of a table, or of each group, if the outer query keeps only the first rows.
struct NumberedRows {
  let core: SQLSelectCore
  /// The text after FROM.
  let from: SQLFrom
  let source: SourceShape
  let table: TableSchema
  let rowid: String
  /// The index of the result column with the number, and the window of the number.
  let place: Int
  let window: SQLWindow
  /// The column whose values are the groups; nil if all rows are numbered together.
  let group: ColumnSchema?
  /// The greatest number that the outer query keeps, as SQL.
  let last: String
  /// The conditions on the value from which `last` is computed.
  let conditions: [String]

  /// Whether the outer query keeps one row of each group.
  var keepsOne: Bool { last == "1" }

  /// The greatest number of rows of each group that a rewrite reads. For more rows, reading all rows together is as
  /// good.
  private static let mostRows = 100
  /// The greatest number of rows that a list may keep.
  private static let mostRowsOfList = 10_000

  /// Reads a subquery; nil unless it numbers rows and the outer query keeps only the first numbers.
  ///
  /// - Parameter ofGroups: Whether the rows of each group are numbered, instead of all rows together.
  init?(
    of select: SQLSelect, _ outer: ResolvedSource, _ statement: MovableStatement, _ context: DetectorContext,
    ofGroups: Bool = true
  ) {
    guard select.with == nil, select.limit == nil, select.orderBy.isEmpty, select.cores.count == 1,
      let core = select.cores.first, core.groupBy.isEmpty, core.having == nil, !core.isDistinct,
      let from = core.from, from.sources.count == 1, let shape = statement.shape.select(core.id),
      shape.aggregates.isEmpty, let source = shape.sources.first, source.kind == .table,
      let table = source.table.flatMap(context.schema.table), table.kind == .ordinary, let rowid = table.rowIDName
    else { return nil }
    let hasAll = core.columns.contains { if case .all = $0.kind { true } else { false } }
    guard hasAll ? !ofGroups : outer.columns.count == core.columns.count else { return nil }
    var numbering: (place: Int, window: SQLWindow)?
    for (place, column) in core.columns.enumerated() {
      guard case .expression(let expression, _) = column.kind else { continue }
      let windows = expression.withDescendants.compactMap { node -> SQLCall? in
        if case .call(let call) = node.kind, call.window != nil { call } else { nil }
      }
      if windows.isEmpty { continue }
      // Another window function would also count the rows that the rewrite leaves out.
      guard numbering == nil, windows.count == 1, case .call(let call) = expression.unwrapped.kind,
        call.name.key == "row_number", call.filter == nil, let window = call.window
      else { return nil }
      // After all columns of a table, the number has another position.
      if hasAll, place != core.columns.count - 1 { return nil }
      numbering = (hasAll ? outer.columns.count - 1 : place, window)
    }
    guard let numbering, numbering.window.base == nil,
      numbering.window.partitionBy.count == (ofGroups ? 1 : 0), ofGroups || !numbering.window.orderBy.isEmpty,
      let last = Self.last(outer, numbering.place, statement, most: ofGroups ? Self.mostRows : Self.mostRowsOfList)
    else { return nil }
    let group = numbering.window.partitionBy.first.flatMap { statement.column($0, context.schema) }
    if ofGroups, group?.table.name != table.name { return nil }
    (self.core, self.from, self.source, self.table, self.rowid) = (core, from, source, table, rowid)
    (place, window, self.group) = (numbering.place, numbering.window, group?.column)
    (self.last, conditions) = last
  }

  /// The greatest number that the outer query keeps; nil if it doesn't keep exactly the first numbers.
  private static func last(
    _ source: ResolvedSource, _ place: Int, _ statement: MovableStatement, most: Int
  ) -> (sql: String, conditions: [String])? {
    guard statement.shape.source(source.id)?.isNullable == false, let name = source.columns[safe: place] else {
      return nil
    }
    let number = ColumnMeaning.column(source: source.id, name: name)
    func isNumber(_ side: SQLExpression) -> Bool { statement.shape.resolved.meaning(of: side.unwrapped) == number }
    for condition in statement.shape.resolved.core(source.core)?.condition?.conjuncts ?? [] {
      let (operation, left, right): (SQLBinaryOperator, SQLExpression, SQLExpression)
      switch condition.unwrapped.kind {
      case .binary(let kind, let one, let other): (operation, left, right) = (kind, one, other)
      case .between(let value, _, let high, false): (operation, left, right) = (.lessOrEqual, value, high)
      default: continue
      }
      let bound: SQLExpression
      switch operation {
      case .equal where isNumber(left) || isNumber(right): bound = isNumber(left) ? right : left
      case .lessOrEqual where isNumber(left), .less where isNumber(left): bound = right
      case .greaterOrEqual where isNumber(right), .greater where isNumber(right): bound = left
      default: continue
      }
      let isBelow = operation == .less || operation == .greater
      let text = statement.text[bound.unwrapped.range]
      switch bound.unwrapped.kind {
      case .literal(.integer):
        guard let count = Int(text).map({ isBelow ? $0 - 1 : $0 }), (1...most).contains(count) else { continue }
        return ("\(count)", [])
      case .parameter:
        // LIMIT accepts only whole numbers, and a negative number means no limit.
        return ("max(0, \(text)\(isBelow ? " - 1" : ""))", ["typeof(\(text)) = 'integer'"])
      default: continue
      }
    }
    return nil
  }

  /// Whether no two rows of a group are equal in the window's order. Otherwise the first of them would be undefined.
  private func isWhole(_ statement: MovableStatement, _ schema: DatabaseSchema) -> Bool {
    let columns = (window.partitionBy + window.orderBy.map(\.expression)).compactMap {
      statement.column($0, schema)?.column
    }
    let names = Set(columns.filter { $0.isNotNull || $0.name == table.rowIDAlias }.map(\.name.asciiLowercased))
    if let alias = table.rowIDAlias, names.contains(alias.asciiLowercased) { return true }
    return table.indexes.contains { index in
      index.isUnique && !index.isPartial
        && index.keys.allSatisfy { key in key.column.map { names.contains($0.asciiLowercased) } ?? false }
    }
  }

  /// The assumption for a rewrite. If two rows may be equal in the window's order, it requires that none are; nil if
  /// that can't be expressed.
  func assumption(_ statement: MovableStatement, _ schema: DatabaseSchema) -> RewriteAssumption? {
    var assumption = RewriteAssumption(values: conditions)
    if !isWhole(statement, schema) {
      guard let wholeness = wholeness(statement, schema) else { return nil }
      assumption.rows.append(wholeness)
    }
    return assumption
  }

  /// The requirement that no two rows are equal in the window's order; nil if the order isn't one of plain columns.
  private func wholeness(_ statement: MovableStatement, _ schema: DatabaseSchema) -> RewriteAssumption.Rows? {
    let terms = window.partitionBy + window.orderBy.map(\.expression)
    let names = terms.compactMap { statement.column($0, schema)?.column.name }
    guard names.count == terms.count, !names.isEmpty else { return nil }
    let columns = names.map(\.quotedIdentifier).joined(separator: ", ")
    return RewriteAssumption.Rows(
      table: table.name,
      condition: "\(rowid) IN (SELECT min(\(rowid)) FROM \(table.name.quotedIdentifier) GROUP BY \(columns))")
  }
}

extension TableSchema {
  /// The name of the rowid in SQL; nil if there is none, or if a column has its name.
  var rowIDName: String? {
    if isWithoutRowID { return nil }
    if let rowIDAlias { return FanOutSQL.name(rowIDAlias) }
    return column("rowid") == nil ? "rowid" : nil
  }
}
