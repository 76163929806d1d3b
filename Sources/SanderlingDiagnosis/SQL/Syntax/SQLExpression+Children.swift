extension SQLExpression {
  /// The expression inside all surrounding parentheses.
  var unwrapped: SQLExpression {
    var expression = self
    while case .parentheses(let inner) = expression.kind { expression = inner }
    return expression
  }

  /// The conditions that AND joins, without their parentheses. All of them must hold. An expression without AND is the
  /// only condition.
  var conjuncts: [SQLExpression] {
    guard case .and(let terms) = unwrapped.kind else { return [unwrapped] }
    return terms.flatMap(\.conjuncts)
  }

  /// The conditions that OR joins, without their parentheses. At least one of them must hold. An expression without OR
  /// is the only condition.
  var disjuncts: [SQLExpression] {
    guard case .or(let terms) = unwrapped.kind else { return [unwrapped] }
    return terms.flatMap(\.disjuncts)
  }

  /// Returns the conditions that must hold together on each side of OR, with inner ORs expanded: `(a AND (b OR c)) OR
  /// d` becomes `[[a, b], [a, c], [d]]`. Nil for more than `maximum` sides. O(maximum · nodes).
  func sides(atMost maximum: Int) -> [[SQLExpression]]? {
    switch unwrapped.kind {
    case .or(let terms):
      var all: [[SQLExpression]] = []
      for term in terms {
        guard let sides = term.sides(atMost: maximum - all.count) else { return nil }
        all += sides
      }
      return all
    case .and(let terms):
      var all: [[SQLExpression]] = [[]]
      for term in terms {
        guard let sides = term.sides(atMost: maximum), all.count * sides.count <= maximum else { return nil }
        all = all.flatMap { begun in sides.map { begun + $0 } }
      }
      return all
    default: return maximum > 0 ? [[unwrapped]] : nil
    }
  }

  /// Whether the expression is a literal, perhaps in parentheses.
  var isLiteral: Bool { if case .literal = unwrapped.kind { true } else { false } }

  /// Returns the condition's SQL as an operand of AND: in parentheses if the condition is an OR.
  func conjunct(_ sql: String) -> String { if case .or = kind { "(\(sql))" } else { sql } }

  /// Whether the expression only calls functions that compute a value of one row, the same for equal arguments.
  /// O(nodes).
  var callsScalarsOnly: Bool {
    withDescendants.allSatisfy { node in
      if case .call(let call) = node.kind { KeyReader.isScalar(call) } else { true }
    }
  }

  /// Whether the expression contains no column, subquery or table, so that it doesn't depend on rows. O(nodes).
  var readsNoRows: Bool {
    withDescendants.allSatisfy { node in
      switch node.kind {
      case .column, .subquery, .exists, .membership(_, .subquery, _), .membership(_, .table, _): false
      default: true
      }
    }
  }

  /// The direct operands, excluding those in subqueries.
  var children: [SQLExpression] {
    switch kind {
    case .literal, .parameter, .column, .subquery, .exists: []
    case .unary(_, let one), .isNull(let one, _), .cast(let one, _), .collate(let one, _), .parentheses(let one): [one]
    case .binary(_, let left, let right): [left, right]
    case .and(let all), .or(let all), .row(let all): all
    case .between(let value, let low, let high, _): [value, low, high]
    case .membership(let value, .list(let list), _): [value] + list
    case .membership(let value, .table(_, let arguments), _): [value] + arguments
    case .membership(let value, .subquery, _): [value]
    case .pattern(let pattern): [pattern.value, pattern.pattern] + (pattern.escape.map { [$0] } ?? [])
    case .call(let call):
      call.arguments + call.orderBy.map(\.expression) + (call.filter.map { [$0] } ?? []) + (call.window?.children ?? [])
    case .choice(let choice):
      (choice.base.map { [$0] } ?? []) + choice.branches.flatMap { [$0.when, $0.then] }
        + (choice.otherwise.map { [$0] } ?? [])
    }
  }

  /// The subquery that the expression consists of, tests with EXISTS or searches with IN; nil for other expressions.
  var subquery: SQLSelect? {
    switch kind {
    case .subquery(let select), .exists(let select), .membership(_, .subquery(let select), _): select
    default: nil
    }
  }

  /// The expression itself and all nested ones, parents first, excluding subqueries. O(nodes).
  var withDescendants: [SQLExpression] {
    var result: [SQLExpression] = []
    var pending = [self]
    while let next = pending.popLast() {
      result.append(next)
      pending += next.children.reversed()
    }
    return result
  }
}

extension SQLWindow {
  var children: [SQLExpression] { partitionBy + orderBy.map(\.expression) + bounds }
}
