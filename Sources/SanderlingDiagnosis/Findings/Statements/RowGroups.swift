/// The groups of a core: the values that their rows share, and the conditions on them.
struct RowGroups {
  private let core: ResolvedCore
  private let statement: MovableStatement
  private let schema: DatabaseSchema
  /// The columns by which the rows are grouped, with the name of their collation in lower case.
  private let columns: [ColumnMeaning: String]
  /// The calls and computations by which the rows are grouped, as they are written.
  private let computed: Set<String>
  /// The table, if each group is one row of it; otherwise nil.
  private let table: String?
  private let extreme: Extreme?

  /// The only aggregate of a group's rows: the greatest or the least value of a column.
  private struct Extreme {
    var isGreatest: Bool
    var argument: SQLExpression
    var meaning: ColumnMeaning
    var column: ColumnSchema
    var calls: [Range<Int>]
  }

  /// Reads the groups of a core; nil for a core without groups or with window functions.
  init?(_ core: ResolvedCore, _ statement: MovableStatement, _ schema: DatabaseSchema) {
    guard let syntax = core.syntax, !syntax.groupBy.isEmpty, let shape = statement.shape.select(core.id),
      !shape.hasWindowFunctions
    else { return nil }
    (self.core, self.statement, self.schema) = (core, statement, schema)
    var (columns, computed): ([ColumnMeaning: String], Set<String>) = ([:], [])
    for key in shape.groupBy.compactMap(\.key) {
      // The collation of an expression of a subquery or view is unknown here.
      guard statement.shape.resolved.sources[key.source]?.kind == .table else { continue }
      if key.isColumn, let name = key.columns.first {
        columns[.column(source: key.source, name: name)] = key.collation.asciiLowercased
      } else if !key.functions.isEmpty {
        computed.insert(statement.text[key.range])
      }
    }
    (self.columns, self.computed) = (columns, computed)
    table = Self.table(of: core, shape, schema)
    extreme = Self.extreme(of: core, statement, schema)
  }

  /// Whether each group is one row, and no result needs a group.
  var areRows: Bool { table != nil && Self.results(of: core).allSatisfy { Self.isOfOneRow($0, core, statement) } }

  /// The reason why a condition can move to the rows, in a sentence; nil if the condition needs the whole group.
  func reason(toMove condition: SQLExpression) -> String? {
    guard Self.isOfOneRow(condition, core, statement) else { return nil }
    if let table { return "GROUP BY names a key of \(table), so that each group is one row of it." }
    guard isOfGroup(condition) else { return nil }
    return "The condition names only columns of GROUP BY, so that it is the same for all rows of a group."
  }

  // MARK: Bounds

  /// A condition on rows that a group meets exactly if its greatest or least value meets another condition.
  struct Bound {
    var sql: String
    /// Whether the condition on rows replaces the other condition completely.
    var isWhole: Bool
    var reason: String
    var limits: [String] = []
    var assumption = RewriteAssumption.none
  }

  /// The condition on a row for `max(x) >= value` and similar conditions; nil for other conditions, and if other
  /// columns of the rows are shown.
  func bound(of condition: SQLExpression) -> Bound? {
    guard let extreme, showsNothingElse else { return nil }
    switch condition.kind {
    case .binary(let operation, let left, let right):
      if isExtreme(left) { return bound(operation, right, extreme) }
      return isExtreme(right) ? operation.mirrored.flatMap { bound($0, left, extreme) } : nil
    case .between(let value, let low, let high, isNegated: false) where isExtreme(value):
      var bound = bound(
        extreme.isGreatest ? .greaterOrEqual : .lessOrEqual, extreme.isGreatest ? low : high, extreme)
      bound?.isWhole = false
      return bound
    default: return nil
    }
  }

  private func bound(_ operation: SQLBinaryOperator, _ value: SQLExpression, _ extreme: Extreme) -> Bound? {
    let own: SQLBinaryOperator
    switch (operation, extreme.isGreatest) {
    case (.greater, true), (.greaterOrEqual, true), (.less, false), (.lessOrEqual, false): own = operation
    case (.equal, true): own = .greaterOrEqual
    case (.equal, false): own = .lessOrEqual
    default: return nil
    }
    guard isPlainValue(value) else { return nil }
    let (text, name) = (statement.text, extreme.column.name)
    var written = text[value.range]
    if case .binary = value.kind { written = "(\(written))" }
    var bound = Bound(
      sql: "\(text[extreme.argument.range]) \(own.rawValue) \(written)", isWhole: operation != .equal,
      reason:
        "The \(extreme.isGreatest ? "greatest" : "least") \(name) of a group fulfils the condition where one of its rows does."
    )
    // The type of a column converts the compared value. The values of max() and min() have no type.
    let types: (condition: String, words: String)
    switch extreme.column.affinity {
    case .blob: return bound
    case .text: types = ("'text', 'blob', 'null'", "no number")
    case .integer, .real, .numeric: types = ("'integer', 'real', 'blob', 'null'", "no text")
    }
    bound.assumption.values = ["typeof(\(written)) IN (\(types.condition))"]
    if case .literal = value.unwrapped.kind { return bound }
    bound.limits = ["The same as long as the value that \(name) is compared with is \(types.words)."]
    return bound
  }

  private func isExtreme(_ expression: SQLExpression) -> Bool {
    extreme?.calls.contains(meant(expression).range) ?? false
  }

  /// Whether an expression has the same value for all rows, and neither a type nor a collation that `>=` would use.
  private func isPlainValue(_ expression: SQLExpression) -> Bool {
    statement.isConstant(expression)
      && expression.withDescendants.allSatisfy { node in
        switch node.kind {
        case .cast, .collate: false
        case .call(let call): KeyReader.isScalar(call)
        default: true
        }
      }
  }

  /// Whether the results, their order and the conditions read only the group's greatest or least value, and values that
  /// all its rows share.
  private var showsNothingElse: Bool {
    var expressions = Self.results(of: core)
    if let having = core.syntax?.having { expressions.append(having) }
    return expressions.allSatisfy { Self.keepsAggregates($0, statement) }
      && expressions.allSatisfy { readsGroupOnly($0, beside: extreme?.calls ?? []) }
      && core.results.allSatisfy { $0.expression != nil || $0.meaning.map { columns[$0] == "binary" } ?? false }
  }

  // MARK: Conditions on groups

  /// Whether a condition has the same result for all rows of a group.
  private func isOfGroup(_ condition: SQLExpression) -> Bool {
    if readsGroupOnly(condition) { return !statement.sources(in: condition.range).isEmpty }
    // Values that are equal in a collation compare equally in this collation only.
    switch condition.kind {
    case .binary(let operation, let left, let right) where operation.isComparison:
      return isGrouped(left) && isPlainValue(right) || isGrouped(right) && isPlainValue(left)
    case .between(let value, let low, let high, _):
      return isGrouped(value) && isPlainValue(low) && isPlainValue(high)
    case .membership(let value, .list(let list), _): return isGrouped(value) && list.allSatisfy(isPlainValue)
    case .membership(let value, .subquery(let select), _):
      return isGrouped(value)
        && select.cores.allSatisfy { statement.shape.select($0.id)?.isCorrelated == false }
    case .isNull(let value, _): return isGrouped(value)
    default: return false
    }
  }

  /// Whether an expression is a column by which the rows are grouped, with the column's own collation.
  private func isGrouped(_ expression: SQLExpression) -> Bool {
    guard let meaning = statement.shape.resolved.meaning(of: expression.unwrapped), let collation = columns[meaning]
    else { return false }
    return statement.column(expression, schema).map { $0.column.collation.asciiLowercased == collation } ?? false
  }

  /// Whether everything that an expression reads has exactly the same bytes in each row of a group. The ranges `calls`
  /// are left out.
  private func readsGroupOnly(_ expression: SQLExpression, beside calls: [Range<Int>] = []) -> Bool {
    let known =
      calls
      + expression.withDescendants.map(\.range).filter { !computed.isEmpty && computed.contains(statement.text[$0]) }
    return statement.shape.resolved.references.allSatisfy { offset, meaning in
      guard expression.range.contains(offset), !known.contains(where: { $0.contains(offset) }) else { return true }
      switch meaning {
      case .column(let source, _): return !core.sources.contains(source) || columns[meaning] == "binary"
      case .result(core.id, let index):
        guard let result = core.results[safe: index]?.expression, !result.range.contains(offset) else { return false }
        return readsGroupOnly(result, beside: calls)
      case .result, .string: return true
      case .unknown: return false
      }
    }
  }

  /// An expression without its parentheses, or the expression of the result that it names.
  private func meant(_ expression: SQLExpression) -> SQLExpression {
    Self.meant(expression, core, statement)
  }

  private static func meant(
    _ expression: SQLExpression, _ core: ResolvedCore, _ statement: MovableStatement
  ) -> SQLExpression {
    guard case .result(core.id, let index)? = statement.shape.resolved.meaning(of: expression.unwrapped),
      let result = core.results[safe: index]?.expression
    else { return expression.unwrapped }
    return result.unwrapped
  }
}

// MARK: - Reading a core

extension RowGroups {
  /// The results and orderings of the core, without columns of `*`.
  private static func results(of core: ResolvedCore) -> [SQLExpression] {
    core.results.compactMap(\.expression) + core.orderBy.map(\.expression)
  }

  /// The core's only table, if the groups have a key of it; otherwise nil.
  private static func table(of core: ResolvedCore, _ shape: SelectShape, _ schema: DatabaseSchema) -> String? {
    guard shape.sources.count == 1, let source = shape.sources.first, source.kind == .table,
      let table = source.table.flatMap(schema.table), table.kind == .ordinary
    else { return nil }
    let own = shape.groupBy.compactMap { order -> String? in
      guard let key = order.key, key.isColumn, key.source == source.id, let name = key.columns.first else { return nil }
      let collation = table.column(name)?.collation ?? "binary"
      return collation.asciiLowercased == key.collation.asciiLowercased ? name : nil
    }
    return table.hasKey(among: Set(own)) ? table.name : nil
  }

  /// Whether an expression needs no group: it calls only functions of one row, and its subqueries have no aggregates of
  /// the outer rows.
  private static func isOfOneRow(
    _ expression: SQLExpression, _ core: ResolvedCore, _ statement: MovableStatement
  ) -> Bool {
    expression.withDescendants.allSatisfy { node in
      if case .result(core.id, let index)? = statement.shape.resolved.meaning(of: node) {
        // A name in a result doesn't mean another result.
        return core.results[safe: index]?.expression?.withDescendants.allSatisfy(isOfOneRow) ?? false
      }
      return isOfOneRow(node)
    } && keepsAggregates(expression, statement)
  }

  /// Whether all aggregates in an expression's subqueries are their own. An aggregate of outer columns belongs to the
  /// outer groups.
  private static func keepsAggregates(_ expression: SQLExpression, _ statement: MovableStatement) -> Bool {
    let inner = statement.shape.resolved.cores.filter { expression.range.contains($0.range.lowerBound) }
    let own = Set(inner.flatMap(\.sources))
    return inner.flatMap(expressions).flatMap(\.withDescendants).allSatisfy { node in
      if isOfOneRow(node) { return true }
      guard case .call(let call) = node.kind else { return false }
      return call.arguments.isEmpty || !statement.sources(in: node.range).isDisjoint(with: own)
    }
  }

  /// The expressions of a subquery.
  private static func expressions(of core: ResolvedCore) -> [SQLExpression] {
    results(of: core) + [core.condition, core.syntax?.having].compactMap(\.self) + (core.syntax?.groupBy ?? [])
      + (core.syntax?.from?.sources ?? []).compactMap(\.join.on)
  }

  private static func isOfOneRow(_ node: SQLExpression) -> Bool {
    switch node.kind {
    case .call(let call): KeyReader.isScalar(call)
    case .pattern(let pattern): pattern.name == "LIKE" || pattern.name == "GLOB"
    case .membership(_, .table, _): false
    default: true
    }
  }

  /// The greatest or least value of a column, if all aggregates compute it; otherwise nil.
  private static func extreme(
    of core: ResolvedCore, _ statement: MovableStatement, _ schema: DatabaseSchema
  ) -> Extreme? {
    var found: Extreme?
    var expressions = results(of: core)
    if let having = core.syntax?.having { expressions.append(having) }
    for node in expressions.flatMap(\.withDescendants) where !isOfOneRow(node) {
      guard case .call(let call) = node.kind, ["min", "max"].contains(call.name.key), call.arguments.count == 1,
        call.window == nil, call.filter == nil, !call.isDistinct, call.orderBy.isEmpty
      else { return nil }
      let (argument, isGreatest) = (call.arguments[0].unwrapped, call.name.key == "max")
      guard let meaning = statement.shape.resolved.meaning(of: argument), case .column(let source, _) = meaning,
        core.sources.contains(source), statement.shape.resolved.sources[source]?.kind == .table,
        let column = statement.column(argument, schema)?.column,
        // The value of max() is compared by bytes.
        column.collation.asciiLowercased == "binary",
        found.map({ $0.meaning == meaning && $0.isGreatest == isGreatest }) ?? true
      else { return nil }
      found = Extreme(
        isGreatest: isGreatest, argument: found?.argument ?? argument, meaning: meaning, column: column,
        calls: (found?.calls ?? []) + [node.range])
    }
    return found
  }
}

extension SQLBinaryOperator {
  fileprivate var isComparison: Bool {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .equalOrBothNull, .notEqualOrOneNull: true
    default: false
    }
  }

  /// The comparison with its sides exchanged; nil for operators without an order.
  fileprivate var mirrored: SQLBinaryOperator? {
    switch self {
    case .equal: .equal
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: nil
    }
  }
}
