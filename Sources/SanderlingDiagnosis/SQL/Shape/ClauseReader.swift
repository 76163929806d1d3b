/// Reads the clauses of a core that order, group and combine rows.
struct ClauseReader {
  let keys: KeyReader
  let core: ResolvedCore

  func orderBy() -> [OrderShape] { core.orderBy.map { ordering($0) } }

  private func ordering(_ term: SQLOrderingTerm, isOfWindow: Bool = false) -> OrderShape {
    var shape = order(term.expression, range: term.range, isResult: isOfWindow)
    shape.isDescending = term.isDescending
    shape.nullsFirst = term.nullsFirst
    return shape
  }

  /// Returns the order in which each window reads the rows.
  func windows() -> [[OrderShape]] {
    var found: [[OrderShape]] = []
    for node in expressions.flatMap(\.withDescendants) {
      guard case .call(let call) = node.kind, var window = call.window else { continue }
      var bases = core.syntax?.windows.count ?? 0
      while let base = window.base, bases > 0,
        let named = core.syntax?.windows.first(where: { $0.name.key == base.key })?.window
      {
        bases -= 1
        window.base = named.base
        if window.partitionBy.isEmpty { window.partitionBy = named.partitionBy }
        if window.orderBy.isEmpty { window.orderBy = named.orderBy }
      }
      let terms =
        window.partitionBy.map { order($0, range: $0.range, isResult: true) }
        + window.orderBy.map { ordering($0, isOfWindow: true) }
      let isKnown = found.contains { other in
        other.map(\.key?.sql) == terms.map(\.key?.sql) && other.map(\.isDescending) == terms.map(\.isDescending)
      }
      if !terms.isEmpty, !isKnown { found.append(terms) }
    }
    return found
  }

  /// The expressions of the results, HAVING and ORDER BY.
  private var expressions: [SQLExpression] {
    var expressions = core.orderBy.map(\.expression)
    for case .expression(let expression, _) in (core.syntax?.columns ?? []).map(\.kind) {
      expressions.append(expression)
    }
    if let having = core.syntax?.having { expressions.append(having) }
    return expressions
  }

  func groupBy() -> [OrderShape] {
    (core.syntax?.groupBy ?? []).map { order($0, range: $0.range) }
  }

  /// Returns the result columns, as DISTINCT compares them.
  func results() -> [OrderShape] {
    core.results.map { column in
      if let expression = column.expression { return order(expression, range: expression.range, isResult: true) }
      let range = core.syntax?.columnsRange ?? core.range
      guard case .column(let source, let name)? = column.meaning,
        let key = keys.column(name, of: source, in: core, range: range)
      else {
        return OrderShape(collation: "BINARY", range: range)
      }
      return OrderShape(key: key, collation: key.collation, range: range)
    }
  }

  /// Returns a term of an ordering or grouping. An integer refers to a result column.
  private func order(_ expression: SQLExpression, range: Range<Int>, isResult: Bool = false) -> OrderShape {
    var meant = expression
    if !isResult, case .literal(.integer) = expression.unwrapped.kind,
      let number = Int(keys.resolved.statement.sql(expression.unwrapped.range)), number > 0
    {
      guard let column = results()[safe: number - 1] else { return OrderShape(collation: "BINARY", range: range) }
      meant = core.results[safe: number - 1]?.expression ?? expression
      if core.results[safe: number - 1]?.expression == nil {
        return OrderShape(key: column.key, collation: column.collation, range: range)
      }
    }
    let key = keys.key(meant, in: core)
    return OrderShape(key: key, collation: key?.collation ?? "BINARY", range: range)
  }

  /// Returns the aggregates of the core, and whether it calls window functions.
  func calls() -> (aggregates: [AggregateShape], hasWindowFunctions: Bool) {
    var aggregates: [AggregateShape] = []
    var hasWindowFunctions = false
    for node in expressions.flatMap(\.withDescendants) {
      guard case .call(let call) = node.kind else { continue }
      if call.window != nil {
        hasWindowFunctions = true
      } else if isAggregate(call) {
        let sources = call.arguments.reduce(into: Set<Int>()) {
          $0.formUnion(keys.dependencies(of: $1, in: core).sources)
        }
        aggregates.append(
          AggregateShape(
            function: call.name.key, isDistinct: call.isDistinct,
            hasStar: call.hasStar || (call.arguments.isEmpty && call.name.key == "count"),
            hasFilter: call.filter != nil, sources: sources,
            key: call.arguments.first.flatMap { keys.key($0, in: core) }, range: node.range))
      }
    }
    return (aggregates, hasWindowFunctions)
  }

  private func isAggregate(_ call: SQLCall) -> Bool {
    if call.name.key == "min" || call.name.key == "max" { return call.arguments.count == 1 }
    return KeyReader.aggregates.contains(call.name.key)
  }

  func bound(_ expression: SQLExpression?) -> BoundShape? {
    guard let expression else { return nil }
    switch expression.unwrapped.kind {
    case .literal(.integer):
      return Int64(keys.resolved.statement.sql(expression.unwrapped.range)).map { .literal($0) } ?? .expression
    case .parameter(let number): return .parameter(number)
    case .unary(.minus, _):
      return Int64(keys.resolved.statement.sql(expression.unwrapped.range)).map { .literal($0) } ?? .expression
    default: return .expression
    }
  }
}
