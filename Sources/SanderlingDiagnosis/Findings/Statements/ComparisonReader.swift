import SanderlingSQL

/// A comparison of a column, or of an expression of a column, with other values.
struct ColumnComparison {
  var left: SQLExpression
  /// The compared values: one, or the two of BETWEEN.
  var right: [SQLExpression]
  /// The operator with the column on the left side; nil for BETWEEN.
  var operation: SQLBinaryOperator?
}

/// Finds comparisons of columns in conditions.
struct ComparisonReader {
  let statement: MovableStatement
  let schema: DatabaseSchema

  /// The comparisons in a condition, once with each side as the column.
  func comparisons(in condition: SQLExpression) -> [ColumnComparison] {
    switch condition.kind {
    case .binary(let operation, let left, let right):
      guard let mirrored = Self.mirrored[operation] else { return [] }
      return [
        ColumnComparison(left: left.unwrapped, right: [right], operation: operation),
        ColumnComparison(left: right.unwrapped, right: [left], operation: mirrored),
      ]
    case .between(let value, let low, let high, isNegated: false):
      return [ColumnComparison(left: value.unwrapped, right: [low, high], operation: nil)]
    default: return []
    }
  }

  /// The operators with their sides exchanged.
  static let mirrored: [SQLBinaryOperator: SQLBinaryOperator] = [
    .equal: .equal, .less: .greater, .lessOrEqual: .greaterOrEqual, .greater: .less, .greaterOrEqual: .lessOrEqual,
  ]

  /// The condition with the constant of a computed value on the other side: `julianday(at) < julianday('now') - 30` for
  /// `julianday('now') - julianday(at) > 30`. No index holds a difference to a changing value.
  func moved(_ comparison: ColumnComparison) -> (sql: String, computed: String)? {
    guard comparison.right.allSatisfy(statement.isConstant),
      case .binary(let sum, let left, let right) = comparison.left.kind, [.add, .subtract].contains(sum)
    else { return nil }
    let isLeft = statement.isConstant(right)
    let (computed, constant) = isLeft ? (left.unwrapped, right) : (right.unwrapped, left)
    guard statement.isConstant(constant), !statement.isConstant(computed), computed.callsScalarsOnly else { return nil }
    let text = statement.text
    let (value, other) = (text[computed.range], text[constant.range])
    let turns = sum == .subtract && !isLeft
    let bounds = comparison.right.map { bound -> String in
      let bound = text[bound.range]
      return turns ? "\(other) - \(bound)" : "\(bound) \(sum == .add ? "-" : "+") \(other)"
    }
    let name = schema.fingerprint(of: value)
    guard let operation = comparison.operation else {
      return bounds.count == 2
        ? ("\(value) BETWEEN \(bounds[turns ? 1 : 0]) AND \(bounds[turns ? 0 : 1])", name) : nil
    }
    return (turns ? Self.mirrored[operation] : operation).map { ("\(value) \($0.rawValue) \(bounds[0])", name) }
  }

  /// The condition with the number converted to a text, if it compares a column of texts with a column of numbers;
  /// otherwise nil.
  func cast(
    _ comparison: ColumnComparison
  ) -> (sql: String, column: String, assumption: RewriteAssumption)? {
    guard comparison.operation == .equal, let own = statement.column(comparison.left, schema),
      own.column.affinity == .text, let value = comparison.right.first?.unwrapped
    else { return nil }
    let name = own.column.name.quotedIdentifier
    let isUsual =
      "\(name) IS NULL OR (typeof(\(name)) = 'text' AND CAST(CAST(\(name) AS NUMERIC) AS TEXT) = \(name))"
    // Other rows may hold any values: one column may contain settings and properties of all kinds.
    let others = filters(ofSource: comparison.left).map { "(\($0)) IS NOT TRUE OR " }.joined()
    var rows = [RewriteAssumption.Rows(table: own.table.name, condition: others + isUsual)]
    let isNumber: Bool
    if let other = statement.column(value, schema) {
      isNumber = [.integer, .numeric, .real].contains(other.column.affinity)
      let name = other.column.name.quotedIdentifier
      rows.append(.init(table: other.table.name, condition: "typeof(\(name)) IN ('integer', 'null')"))
    } else if case .cast(_, let type) = value.kind {
      isNumber = [.integer, .numeric, .real].contains(Affinity(declaredType: type))
    } else {
      isNumber = false
    }
    guard isNumber else { return nil }
    let text = statement.text
    return (
      "\(text[comparison.left.range]) = CAST(\(text[value.range]) AS TEXT)", own.column.name,
      RewriteAssumption(rows: rows)
    )
  }

  /// The condition that compares a function's value with a column without its type: `lower(a.name) = +b.name`. SQLite
  /// would apply the type of `b.name` to the function's value, and so uses no index of the function.
  func untyped(
    _ comparison: ColumnComparison
  ) -> (sql: String, computed: String, column: String, isSameByNature: Bool, assumption: RewriteAssumption)? {
    guard comparison.operation == .equal, case .call(let call) = comparison.left.kind,
      let right = comparison.right.first,
      let column = statement.column(right, schema)?.column, column.affinity != .blob
    else { return nil }
    let sources = statement.sources(in: comparison.left.range)
    guard sources.count == 1, let source = sources.first, !statement.sources(in: right.range).contains(source),
      let table = statement.shape.resolved.sources[source]?.table.flatMap({ schema.table($0.name) }),
      KeyReader.isScalar(call)
    else { return nil }
    let text = statement.text
    let isOfTexts = column.affinity == .text
    let types = isOfTexts ? "'text', 'null'" : "'integer', 'real', 'null'"
    var assumption = RewriteAssumption.none
    let isSameByNature = isOfTexts && Self.functionsOfTexts.contains(call.name.key)
    if !isSameByNature {
      var rewriter = SQLRewriter(text)
      for node in comparison.left.withDescendants {
        guard case .column = node.kind else { continue }
        guard let own = statement.column(node, schema)?.column else { return nil }
        rewriter.replace(node.range, with: own.name.quotedIdentifier)
      }
      let value = rewriter.rewritten(comparison.left.range)
      assumption.rows = [.init(table: table.name, condition: "typeof(\(value)) IN (\(types))")]
    }
    return (
      "\(text[comparison.left.range]) = +\(text[right.unwrapped.range])",
      schema.fingerprint(of: text[comparison.left.range]),
      text[right.unwrapped.range], isSameByNature, assumption
    )
  }

  /// The functions that return a text or NULL.
  private static let functionsOfTexts: Set = [
    "lower", "upper", "trim", "ltrim", "rtrim", "substr", "substring", "replace",
  ]

  /// The other conditions on a column's table that contain only literals.
  private func filters(ofSource column: SQLExpression) -> [String] {
    guard case .column(let source, _)? = statement.shape.resolved.meaning(of: column.unwrapped),
      let shape = statement.shape.source(source)
    else { return [] }
    return shape.terms.filter { $0.clause == .condition && !$0.isPushedDown }.compactMap(\.indexCondition)
  }
}
