/// Facts about single columns of a statement.
extension MovableStatement {
  /// The source and the name of a column, if the expression is a plain column.
  func plainColumn(_ expression: SQLExpression) -> (source: Int, name: String)? {
    guard case .column(let source, let name)? = shape.resolved.meaning(of: expression.unwrapped) else { return nil }
    return (source, name)
  }

  /// The ordinary table that a source reads; nil for views, subqueries and virtual tables.
  func ordinaryTable(_ source: Int, _ schema: DatabaseSchema) -> TableSchema? {
    guard let resolved = shape.resolved.sources[source], resolved.kind == .table,
      let table = resolved.table.flatMap({ schema.table($0.name) }), table.kind == .ordinary
    else { return nil }
    return table
  }

  /// The condition of the original statement at the place of a condition of this statement, whose parameters are
  /// numbered; nil if there is none.
  func condition(over range: Range<Int>, of analyzed: AnalyzedStatement) -> SQLExpression? {
    guard let original = analyzed.shape else { return nil }
    func all(_ shape: QueryShape) -> [SQLExpression] {
      shape.resolved.cores.flatMap { core in
        ((core.syntax?.from?.sources ?? []).compactMap(\.join.on) + [core.condition].compactMap(\.self))
          .flatMap(\.withDescendants)
      }
    }
    let (written, numbered) = (all(original), all(shape))
    guard written.count == numbered.count, let place = written.firstIndex(where: { $0.range == range }) else {
      return nil
    }
    return numbered[place]
  }

  /// A condition in a form that keeps the same rows in WHERE, but that no index serves.
  func withoutIndex(_ condition: SQLExpression) -> String { "(\(text[condition.range])) IS TRUE" }

  /// Whether an expression contains a subquery.
  func hasSubquery(_ expression: SQLExpression) -> Bool {
    expression.withDescendants.contains { node in
      switch node.kind {
      case .subquery, .exists, .membership(_, .subquery, _), .membership(_, .table, _): true
      default: false
      }
    }
  }

  /// A condition on one column of a source, with another column in its place; nil if the condition reads anything else.
  func moved(_ condition: SQLExpression, _ source: Int, _ name: String, to key: String) -> String? {
    guard !hasSubquery(condition) else { return nil }
    var rewriter = SQLRewriter(text)
    var isMoved = false
    for node in condition.withDescendants {
      guard case .column = node.kind else { continue }
      guard shape.resolved.meaning(of: node) == .column(source: source, name: name) else { return nil }
      rewriter.replace(node.range, with: key)
      isMoved = true
    }
    return isMoved ? "(\(rewriter.rewritten(condition.range)))" : nil
  }
}
