/// The order and the limit of a statement, in a form for several SELECTs that UNION ALL combines.
extension MovableStatement {
  /// ORDER BY and LIMIT in the form for a compound SELECT, with a space before them; empty if there are none, nil if a
  /// term of the order is no result column.
  var compoundTail: String? {
    guard let order = compoundOrder() else { return nil }
    return order + limitClause
  }

  /// LIMIT with a space before it; empty without one.
  var limitClause: String { select.limitRange.map { " " + text[$0] } ?? "" }

  /// ORDER BY with a space before it. Its terms are the numbers of result columns. For other terms, `others` returns a
  /// name; nil if it returns nil.
  func compoundOrder(calling others: (SQLExpression) -> String? = { _ in nil }) -> String? {
    guard let range = select.orderByRange, let core else { return "" }
    var rewriter = SQLRewriter(text)
    for term in select.orderBy {
      // A collation stays after the replaced expression.
      var expression = term.expression.unwrapped
      while case .collate(let inner, _) = expression.kind { expression = inner.unwrapped }
      if case .literal = expression.kind { continue }
      if case .result? = shape.resolved.meaning(of: expression) { continue }
      if let place = resultPlace(of: expression, in: core.resolved) {
        rewriter.replace(expression.range, with: "\(place + 1)")
      } else if let name = others(expression) {
        rewriter.replace(expression.range, with: name)
      } else {
        return nil
      }
    }
    return " " + rewriter.rewritten(range)
  }
}
