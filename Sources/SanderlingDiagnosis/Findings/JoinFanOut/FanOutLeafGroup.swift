/// A join whose last table is grouped before it is joined, so that the table repeats no row of the tables before it.
///
/// `FROM author JOIN book ON … JOIN loan ON loan.book = book.id`: with one grouped row of loans for each book, the sums
/// of books are right, and each table is read once.
struct FanOutLeafGroup {
  private let sql: FanOutSQL
  private let leaf: JoinTree.Node
  private let link: (column: SQLExpression, parent: SQLExpression)
  private let name: String
  private var values: [String] = []
  private var replacements: [(Range<Int>, String)] = []

  /// Reads the join; nil if the root has several branches, or if an aggregate can't be combined from the groups.
  init?(_ sql: FanOutSQL, _ aggregates: [FanOutAggregate], _ schema: DatabaseSchema) {
    let (statement, tree) = (sql.statement, sql.tree)
    guard tree.siblings.count == 1, let leaf = tree.branches.last, leaf.isRequired,
      tree.branches.allSatisfy({ tree.children(of: $0.id).count <= 1 }), tree.children(of: leaf.id).isEmpty,
      let link = tree.link(of: leaf, in: statement), let name = statement.shape.resolved.sources[leaf.id]?.name,
      let type = statement.comparedType(of: link.column, schema), type.collation == "binary",
      type == statement.comparedType(of: link.parent, schema)
    else { return nil }
    (self.sql, self.leaf, self.link, self.name) = (sql, leaf, link, FanOutSQL.name(name))
    let above = Set(tree.branches.map(\.id)).subtracting([leaf.id])
    for aggregate in aggregates {
      guard aggregate.nodes.contains(leaf.id) else {
        guard aggregate.isImmune || aggregate.nodes == above else { return nil }
        continue
      }
      guard statement.sources(in: aggregate.range).isSubset(of: [leaf.id]),
        !aggregate.call.isDistinct || ["min", "max"].contains(aggregate.function),
        let together = AggregateShape.together[aggregate.function]
      else { return nil }
      values.append("\(sql.text(aggregate.range)) AS value\(values.count + 1)")
      replacements.append((aggregate.range, "\(together)(\(self.name).value\(values.count))"))
    }
    replacements.append((link.column.range, "\(self.name).link"))
  }

  /// The whole rewritten statement; nil if its joins have no such form.
  var statement: String? {
    guard let sources = sql.core.from?.sources, sources.allSatisfy({ [.inner, .left].contains($0.join.kind) }) else {
      return nil
    }
    var from = ""
    for source in sources {
      let body = source.id == leaf.id ? grouped : sql.statement.text[source.range]
      let on = joined(source.join.on?.conjuncts ?? [])
      // A condition of WHERE that leaves out rows without a match stays within the groups.
      let isLeft = source.join.kind == .left && source.id != leaf.id
      from += from.isEmpty ? body : (isLeft ? " LEFT JOIN " : " JOIN ") + body
      if !on.isEmpty { from += " ON \(on)" }
    }
    let filter = joined(sql.core.condition?.conjuncts ?? [])
    return sql.select(
      (sql.core.isDistinct ? "DISTINCT " : "") + sql.columns(replacing: replacements), from: from,
      where: filter.isEmpty ? [] : [filter],
      tail: sql.grouping(replacing: replacements) + sql.tail(replacing: replacements))
  }

  private var grouped: String {
    let key = sql.text(link.column.range)
    let own = leaf.conditions.filter(isOwn).map(sql.condition)
    return
      "(SELECT \(([key + " AS link"] + values).joined(separator: ", ")) FROM \(sql.statement.text[leaf.syntax.range])"
      + (own.isEmpty ? "" : " WHERE \(own.joined(separator: " AND "))") + " GROUP BY \(key)) AS \(name)"
  }

  /// The conditions without those that the groups contain already.
  private func joined(_ conditions: [SQLExpression]) -> String {
    conditions.filter { !isOwn($0) }.map { $0.conjunct(sql.text($0.range, replacing: replacements)) }
      .joined(separator: " AND ")
  }

  private func isOwn(_ condition: SQLExpression) -> Bool { sql.statement.sources(in: condition.range) == [leaf.id] }
}
