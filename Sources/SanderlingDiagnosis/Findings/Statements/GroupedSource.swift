import SanderlingSQL

/// A subquery, common table or view of a statement whose rows are grouped, or numbered within groups.
struct GroupedSource {
  /// A column that is the same for all rows of a group.
  struct Value {
    var sql: String
    var column: ColumnSchema
  }

  let syntax: SQLSource
  let name: String
  /// The text of the view; for other sources, the text of the statement.
  private let text: SQLText
  private let resolved: ResolvedStatement
  private let core: ResolvedCore
  private let from: SQLFrom
  private let condition: SQLExpression?
  let isView: Bool
  /// The range of the inner SELECT.
  private let select: Range<Int>
  private let schema: DatabaseSchema
  /// The columns by which the rows are grouped.
  private let keys: Set<ColumnMeaning>
  /// The columns with one value for all rows of a group, including the grouped columns.
  private let common: Set<ColumnMeaning>
  /// The sources with one row in each group.
  private let ofOneRow: Set<Int>

  var id: Int { syntax.id }

  /// Reads a grouped source; nil for a source that other queries read, too, for compound SELECTs, and for a SELECT with
  /// a LIMIT.
  init?(_ source: SQLSource, _ statement: MovableStatement, _ schema: DatabaseSchema) {
    guard let outer = statement.shape.resolved.sources[source.id] else { return nil }
    let shape: QueryShape
    let select: SQLSelect
    if outer.kind == .view {
      guard let view = statement.shape.views[source.id], case .select(let own) = view.resolved.statement.kind else {
        return nil
      }
      (shape, select, isView) = (view, own, true)
    } else {
      guard let own = statement.ownSelect(of: outer) else { return nil }
      (shape, select, isView) = (statement.shape, own, false)
    }
    guard select.with == nil, select.limit == nil, select.cores.count == 1, let syntax = select.cores.first,
      let core = shape.resolved.core(syntax.id), let from = syntax.from, let selectShape = shape.select(syntax.id),
      core.results.map(\.name.asciiLowercased) == outer.columns.map(\.asciiLowercased)
    else { return nil }
    (self.syntax, name, text, resolved) = (source, outer.name, shape.text, shape.resolved)
    (self.core, self.from, condition, self.schema, self.select) = (core, from, syntax.condition, schema, select.range)
    var groups: [[ColumnMeaning]]
    if selectShape.hasWindowFunctions {
      guard syntax.groupBy.isEmpty, selectShape.aggregates.isEmpty else { return nil }
      groups = Self.partitions(of: select, syntax).map { $0.compactMap(shape.resolved.meaning) }
    } else {
      let columns = selectShape.groupBy.compactMap(\.key).filter(\.isColumn)
      groups = [columns.flatMap { key in key.columns.map { .column(source: key.source, name: $0) } }]
    }
    let keys = groups.dropFirst().reduce(Set(groups.first ?? [])) { $0.intersection($1) }
    self.keys = keys.filter { Self.column($0, shape.resolved, schema)?.collation.asciiLowercased == "binary" }
    guard !self.keys.isEmpty else { return nil }
    (common, ofOneRow) = Self.common(
      with: self.keys, from, syntax.condition, core, resolved: shape.resolved, schema)
  }

  /// The expressions that partition the rows of each window; empty for a window without partitions.
  private static func partitions(of select: SQLSelect, _ core: SQLSelectCore) -> [[SQLExpression]] {
    var windows = core.windows.map(\.window)
    var expressions = select.orderBy.map(\.expression)
    for case .expression(let expression, _) in core.columns.map(\.kind) { expressions.append(expression) }
    for case .call(let call) in expressions.flatMap(\.withDescendants).map(\.kind) {
      if let window = call.window { windows.append(window) }
    }
    // A window that names another window has its partitions.
    return windows.filter { $0.base == nil }.map { $0.partitionBy.map(\.unwrapped) }
  }

  private static func column(
    _ meaning: ColumnMeaning, _ resolved: ResolvedStatement, _ schema: DatabaseSchema
  ) -> ColumnSchema? {
    guard case .column(let source, let name) = meaning, let table = resolved.sources[source]?.table else { return nil }
    return schema.table(table.name)?.column(name)
  }

  /// The columns that the keys determine, by equalities of inner joins and by the keys of tables.
  private static func common(
    with keys: Set<ColumnMeaning>, _ from: SQLFrom, _ condition: SQLExpression?, _ core: ResolvedCore,
    resolved: ResolvedStatement, _ schema: DatabaseSchema
  ) -> (columns: Set<ColumnMeaning>, sources: Set<Int>) {
    var (common, whole): (Set<ColumnMeaning>, Set<Int>) = (keys, [])
    guard from.sources.allSatisfy({ $0.join.kind != .right && $0.join.kind != .full }) else { return (common, whole) }
    let inner = from.sources.filter { $0.join.kind != .left }
    let conditions = (condition?.conjuncts ?? []) + inner.flatMap { $0.join.on?.conjuncts ?? [] }
    let equalities = conditions.compactMap { condition -> (ColumnMeaning, ColumnMeaning)? in
      guard case .binary(.equal, let left, let right) = condition.kind,
        let one = resolved.meaning(of: left.unwrapped), let other = resolved.meaning(of: right.unwrapped),
        let first = column(one, resolved, schema), let second = column(other, resolved, schema),
        first.affinity == second.affinity,
        [first, second].allSatisfy({ $0.collation.asciiLowercased == "binary" })
      else { return nil }
      return (one, other)
    }
    func isCommon(_ meaning: ColumnMeaning) -> Bool {
      if case .column(let source, _) = meaning, whole.contains(source) { return true }
      return common.contains(meaning)
    }
    var isChanged = true
    while isChanged {
      isChanged = false
      for (one, other) in equalities where isCommon(one) != isCommon(other) {
        common.formUnion([one, other])
        isChanged = true
      }
      for source in inner where !whole.contains(source.id) {
        guard resolved.sources[source.id]?.kind == .table,
          let table = resolved.sources[source.id]?.table.flatMap({ schema.table($0.name) }),
          table.hasKey(among: Set(common.compactMap { $0.name(of: source.id) }))
        else { continue }
        whole.insert(source.id)
        isChanged = true
      }
    }
    return (common, whole)
  }

  /// The expression of a result column inside the source.
  private func result(named name: String) -> (sql: String, meaning: ColumnMeaning)? {
    guard let result = core.results.first(where: { $0.name.asciiLowercased == name.asciiLowercased }) else {
      return nil
    }
    if let expression = result.expression?.unwrapped {
      return resolved.meaning(of: expression).map { (text[expression.range], $0) }
    }
    guard let meaning = result.meaning, case .column(let source, let column) = meaning,
      let table = resolved.sources[source]?.name
    else { return nil }
    return ("\(FanOutSQL.name(table)).\(FanOutSQL.name(column))", meaning)
  }

  /// The expression of a column of the source, if it has one value for all rows of a group; nil for other columns.
  func value(named name: String) -> Value? {
    guard let result = result(named: name), isCommon(result.meaning),
      let column = Self.column(result.meaning, resolved, schema)
    else { return nil }
    return Value(sql: result.sql, column: column)
  }

  /// A condition on the source as a condition on its rows, if it is equal for all rows of a group. Nil for other
  /// conditions, and for conditions on keys only, which SQLite itself moves.
  func condition(_ condition: SQLExpression, _ statement: MovableStatement) -> String? {
    guard statement.sources(in: condition.range) == [id], condition.callsScalarsOnly else { return nil }
    var rewriter = SQLRewriter(statement.text)
    var isOfKeysOnly = true
    for node in condition.withDescendants {
      switch node.kind {
      case .subquery, .exists: return nil
      case .column:
        guard case .column(id, let name)? = statement.shape.resolved.meaning(of: node),
          let result = result(named: name), isCommon(result.meaning)
        else { return nil }
        if !keys.contains(result.meaning) { isOfKeysOnly = false }
        rewriter.replace(node.range, with: result.sql)
      default: continue
      }
    }
    if isOfKeysOnly { return nil }
    return condition.conjunct(rewriter.rewritten(condition.range))
  }

  private func isCommon(_ meaning: ColumnMeaning) -> Bool {
    if case .column(let source, _) = meaning, ofOneRow.contains(source) { return true }
    return common.contains(meaning)
  }

  /// Adds conditions to the statement. They apply to the source's rows before these are grouped.
  func add(_ conditions: [String], to rewriter: inout SQLRewriter) {
    let all = conditions.joined(separator: " AND ")
    var own = isView ? SQLRewriter(text) : rewriter
    own.restrict(from, condition, to: all)
    if isView {
      rewriter.replace(syntax.range, with: "(\(own.rewritten(select))) AS \(FanOutSQL.name(name))")
    } else {
      rewriter = own
    }
  }
}

extension ColumnMeaning {
  /// The column's name, if it is a column of the source.
  fileprivate func name(of source: Int) -> String? { if case .column(source, let name) = self { name } else { nil } }
}
