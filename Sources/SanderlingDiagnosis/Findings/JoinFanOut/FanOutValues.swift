/// The values of the aggregates of a statement, and their values if no row is repeated.
struct FanOutValues {
  /// The query for each group's keys and aggregates, as they are written.
  let asWritten: String
  /// The query for the same values with each row of a table once, from the statement's own join.
  let once: String
  /// The query for the same values from the rewritten parts.
  let rewritten: String
  private let keys: Int
  private let values: Int

  /// Makes the queries; nil if a table has no key, or if an aggregate has no separate form.
  init?(_ rewrite: FanOutRewrite, of aggregates: [FanOutAggregate]) {
    let sql = rewrite.sql
    guard let from = sql.core.from, rewrite.form != .distinct else { return nil }
    let keys = sql.groupKeys.enumerated().map { "\($1) AS k\($0)" }
    let group = keys.isEmpty ? "" : " GROUP BY " + sql.groupKeys.joined(separator: ", ")
    let conditions = (sql.core.condition.map { ["(\(sql.text($0.range)))"] } ?? []) + sql.restriction
    let source = sql.statement.text[from.range]
    var (written, subqueries, singles): ([String], [String], [String]) = ([], [], [])
    for (place, aggregate) in aggregates.enumerated() {
      let part =
        switch rewrite.form {
        case .whole: "(\(rewrite.wholeSubquery(aggregate)))"
        case .regrouped: rewrite.regrouped(aggregate)
        case .grouped, .distinct: sql.subquery(aggregate)
        }
      guard let part, let single = Self.single(aggregate, rewrite, keys: keys) else { return nil }
      written.append("\(sql.text(aggregate.range)) AS a\(place)")
      subqueries.append("\(part) AS a\(place)")
      let rows = sql.select(single.columns, from: source, where: conditions).dropFirst(sql.statement.with.count)
      let names = keys.indices.map { "k\($0)" }
      singles.append(
        "(SELECT \((names + ["\(single.call) AS a\(place)"]).joined(separator: ", ")) FROM (\(rows))"
          + (names.isEmpty ? "" : " GROUP BY \(names.joined(separator: ", "))") + ") AS s\(place)")
    }
    asWritten = sql.select((keys + written).joined(separator: ", "), from: source, where: conditions, tail: group)
    if rewrite.form == .whole {
      rewritten = "\(sql.statement.with)SELECT \(subqueries.joined(separator: ", "))"
    } else {
      let (root, filters) = sql.from()
      rewritten = sql.select(
        (keys + subqueries).joined(separator: ", "), from: root, where: filters,
        tail: rewrite.form == .regrouped ? group : "")
    }
    let columns = keys.indices.map { "s0.k\($0)" } + singles.indices.map { "s\($0).a\($0)" }
    let joined = singles.enumerated().map { place, single in
      guard place > 0 else { return single }
      let on = keys.indices.map { "s\(place).k\($0) IS s0.k\($0)" }.joined(separator: " AND ")
      return " JOIN \(single)" + (on.isEmpty ? "" : " ON \(on)")
    }
    once = "\(sql.statement.with)SELECT \(columns.joined(separator: ", ")) FROM \(joined.joined())"
    (self.keys, self.values) = (keys.count, aggregates.count)
  }

  /// The DISTINCT rows of an aggregate's own tables with its argument, and the call over them.
  private static func single(
    _ aggregate: FanOutAggregate, _ rewrite: FanOutRewrite, keys: [String]
  ) -> (columns: String, call: String)? {
    var columns = keys
    for node in rewrite.tree.core + rewrite.tree.branches.filter({ aggregate.nodes.contains($0.id) }) {
      guard let name = rewrite.statement.shape.resolved.sources[node.id]?.name else { return nil }
      let key = node.table.isWithoutRowID ? node.table.primaryKey : ["rowid"]
      columns += key.map { "\(FanOutSQL.name(name)).\($0.quotedIdentifier)" }
    }
    let call = aggregate.call
    let arguments = call.arguments.enumerated().map { place, argument in
      columns.append("\(rewrite.sql.text(argument.range)) AS v\(place)")
      return "v\(place)"
    }
    var filter = ""
    if let condition = call.filter {
      columns.append("\(rewrite.sql.text(condition.range)) AS f")
      filter = " FILTER (WHERE f)"
    }
    let list = arguments.isEmpty ? "*" : (call.isDistinct ? "DISTINCT " : "") + arguments.joined(separator: ", ")
    return (
      "DISTINCT " + columns.enumerated().map { $1.contains(" AS ") ? $1 : "\($1) AS r\($0)" }.joined(separator: ", "),
      "\(aggregate.function)(\(list))\(filter)"
    )
  }

  /// The number of groups, and the number of groups whose written values differ from the values with each row once.
  /// Throws `DiagnosisError`. O(rows of the join).
  func wrongGroups(
    _ statement: MovableStatement, _ sample: BindingSample, in context: DetectorContext
  ) throws -> (groups: Int, wrong: Int) {
    let same = { (rows: [BoundValue], other: [BoundValue]) in zip(rows, other).allSatisfy { Self.isSame($0, $1) } }
    let right = try context.rows(once, statement.values(sample.values, for: once))
    let written = try context.rows(asWritten, statement.values(sample.values, for: asWritten))
    let byKey = Dictionary(written.map { (Array($0.prefix(keys)), Array($0.dropFirst(keys))) }) { first, _ in first }
    let wrong = right.count { row in
      guard let value = byKey[Array(row.prefix(keys))] else { return false }
      return !same(Array(row.dropFirst(keys)), value)
    }
    return (right.count, wrong)
  }

  private static func isSame(_ one: BoundValue, _ other: BoundValue) -> Bool {
    switch (one, other) {
    case (.real(let one), .real(let other)): one == other || abs(one - other) <= 1e-9 * max(abs(one), abs(other))
    default: one == other
    }
  }
}
