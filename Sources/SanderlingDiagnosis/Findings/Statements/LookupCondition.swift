/// A condition on the result of a subquery that looks up a row, rewritten as a condition on the looked-up key.
///
/// `(SELECT d.name FROM domain d WHERE d.id = q.domain) = ?` is true for rows whose `domain` is the key of this name,
/// which an index of the names finds. Some views choose between a stored text and a looked-up text, because the store
/// once changed from one to the other. Such a condition becomes an OR of both sides.
struct LookupCondition {
  /// The condition that replaces the original.
  let sql: String
  /// The table in which the row is looked up.
  let table: String

  /// Rewrites a condition; nil if it isn't a comparison of such a result.
  init?(_ condition: SQLExpression, _ statement: MovableStatement, _ schema: DatabaseSchema) {
    guard case .binary(.equal, let left, let right) = condition.unwrapped.kind else { return nil }
    for (computed, value) in [(left.unwrapped, right), (right.unwrapped, left)] where statement.isConstant(value) {
      let sides = Self.sides(of: computed, statement)
      let lookups = sides.map { Self.lookup($0.result, statement, schema) }
      guard let table = lookups.compactMap({ $0?.table }).first else { continue }
      let text = statement.text
      let conditions = zip(sides, lookups).map { side, lookup -> String in
        let sql =
          lookup.map { "\($0.head)\(text[value.range]))" } ?? "\(text[side.result.range]) = \(text[value.range])"
        return side.condition.map { "(\(sql) AND \($0))" } ?? sql
      }
      (sql, self.table) = ("(\(conditions.joined(separator: " OR ")))", table)
      return
    }
    return nil
  }

  /// The possible results of an expression, each with its condition; the expression itself if it is no choice between
  /// two.
  private static func sides(
    of computed: SQLExpression, _ statement: MovableStatement
  ) -> [(result: SQLExpression, condition: String?)] {
    guard case .choice(let choice) = computed.kind, choice.branches.count == 1, let otherwise = choice.otherwise else {
      return [(computed, nil)]
    }
    let when = statement.text[choice.branches[0].when.range]
    let test = choice.base.map { "\(statement.text[$0.range]) = \(when)" } ?? "(\(when))"
    return [(choice.branches[0].then.unwrapped, "\(test)"), (otherwise.unwrapped, "(\(test)) IS NOT TRUE")]
  }

  /// The beginning `column IN (SELECT key FROM table WHERE name = ` of the new condition; nil unless the expression is
  /// a subquery that looks up one row by its key.
  private static func lookup(
    _ expression: SQLExpression, _ statement: MovableStatement, _ schema: DatabaseSchema
  ) -> (head: String, table: String)? {
    guard case .subquery(let select) = expression.kind, select.with == nil, select.limit == nil,
      select.cores.count == 1,
      let core = select.cores.first, core.groupBy.isEmpty, core.having == nil, core.columns.count == 1,
      let from = core.from, from.sources.count == 1, let source = statement.shape.resolved.sources[from.sources[0].id],
      source.kind == .table, case .expression(let name, _) = core.columns[0].kind,
      case .column(source.id, _)? = statement.shape.resolved.meaning(of: name.unwrapped),
      let own = statement.column(name, schema), own.column.collation.asciiLowercased == "binary",
      let alias = own.table.rowIDAlias, let condition = core.condition?.unwrapped,
      case .binary(.equal, let left, let right) = condition.kind
    else { return nil }
    for (key, outer) in [(left, right), (right, left)] {
      guard case .column(source.id, let keyName)? = statement.shape.resolved.meaning(of: key.unwrapped),
        keyName.asciiLowercased == alias.asciiLowercased,
        case .column(let other, _)? = statement.shape.resolved.meaning(of: outer.unwrapped), other != source.id
      else { continue }
      let text = statement.text
      return (
        "\(text[outer.range]) IN (SELECT \(text[key.range]) FROM \(text[from.range]) WHERE \(text[name.range]) = ",
        own.table.name
      )
    }
    return nil
  }
}
