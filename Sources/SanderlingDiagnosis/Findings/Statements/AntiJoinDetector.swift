/// Finds outer joins whose only purpose is to leave out the rows that have a partner.
///
/// Examples are `FROM v LEFT JOIN b ON b.v = v.id WHERE b.id IS NULL` and `GROUP BY v.id HAVING count(b.id) = 0`.
/// SQLite reads all partners of each row, although the first partner suffices.
struct AntiJoinDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    for core in statement.shape.resolved.cores {
      guard let join = AntiJoin(core, statement, context.schema) else { continue }
      let name = statement.shape.resolved.sources[join.source.id]?.name ?? "the table"
      let rewrite = StatementRewrite(
        kind: .joinFanOut, candidates: join.forms,
        title: "All rows of \(name) that belong to a row are joined, to leave that row out",
        explanation:
          "The outer join asks for rows without a partner. SQLite goes through all partners of each row before it leaves "
          + "it out. NOT EXISTS ends with the first one, and NOT IN reads all of \(name) once.",
        summary: "Ask with NOT EXISTS or NOT IN",
        coreData: "Use a predicate with NOT or SUBQUERY, such as `items.@count == 0`.")
      let findings = try rewrite.findings(for: analyzed, statement, in: context)
      if !findings.isEmpty { return findings }
    }
    return []
  }
}

/// An outer join that only shows whether a partner exists.
private struct AntiJoin {
  let source: SQLSource
  /// The forms of the statement without the join.
  let forms: [String]

  init?(_ core: ResolvedCore, _ statement: MovableStatement, _ schema: DatabaseSchema) {
    guard let syntax = core.syntax, let from = syntax.from,
      !syntax.columns.contains(where: { if case .all(nil) = $0.kind { true } else { false } })
    else { return nil }
    let resolved = statement.shape.resolved
    for source in from.sources.dropFirst() where source.join.kind == .left && !source.join.isNatural {
      guard let on = source.join.on, source.join.using.isEmpty, source.indexedBy == nil, !source.isNotIndexed,
        resolved.sources[source.id]?.kind == .table,
        !from.sources.contains(where: { $0.id != source.id && source.joinRange.contains($0.range.lowerBound) }),
        let test = syntax.condition?.conjuncts.first(where: { Self.isAbsent(source, $0, on, statement, schema) })
          ?? Self.countOfNone(source, syntax, on, statement, schema),
        !resolved.references.contains(where: { offset, meaning in
          guard case .column(source.id, _) = meaning else { return false }
          return !source.joinRange.contains(offset) && !test.range.contains(offset)
        }),
        !syntax.columns.contains(where: { column in
          guard case .all(let table?) = column.kind else { return false }
          return resolved.sources[source.id]?.name.asciiLowercased == table.key
        })
      else { continue }
      let text = statement.text
      let table = text[source.range]
      var tests = ["NOT EXISTS (SELECT 1 FROM \(table) WHERE \(text[on.range]))"]
      if let list = Self.list(source, on, statement, schema) { tests.append(list) }
      self.source = source
      forms = tests.map { other in
        var rewriter = SQLRewriter(text)
        rewriter.replace(source.joinRange, with: "")
        if let groups = syntax.groupByRange, syntax.having?.range == test.range {
          rewriter.replace(groups.upperBound..<test.range.upperBound, with: "")
          rewriter.restrict(from, syntax.condition, to: other)
        } else {
          rewriter.replace(test.range, with: other)
        }
        return rewriter.rewritten()
      }
      return
    }
    return nil
  }

  /// Whether a condition requires that the joined row is missing. It then tests for NULL a column that is not NULL in
  /// any partner.
  private static func isAbsent(
    _ source: SQLSource, _ condition: SQLExpression, _ on: SQLExpression, _ statement: MovableStatement,
    _ schema: DatabaseSchema
  ) -> Bool {
    guard case .isNull(let value, isNegated: false) = condition.kind else { return false }
    return isOfPartner(source, value, on, statement, schema)
  }

  /// The condition of HAVING, if it requires a count of 0 partners and each group has one row of the first table;
  /// otherwise nil.
  private static func countOfNone(
    _ source: SQLSource, _ core: SQLSelectCore, _ on: SQLExpression, _ statement: MovableStatement,
    _ schema: DatabaseSchema
  ) -> SQLExpression? {
    let keys = core.groupBy.compactMap(statement.plainColumn)
    guard let having = core.having, case .binary(.equal, let left, let right) = having.unwrapped.kind,
      statement.text[right.range] == "0", case .call(let call) = left.unwrapped.kind, call.name.key == "count",
      call.filter == nil, call.window == nil, let value = call.arguments.first,
      isOfPartner(source, value, on, statement, schema), let from = core.from, from.sources.count == 2,
      keys.count == core.groupBy.count, keys.allSatisfy({ $0.source == from.sources[0].id }),
      statement.ordinaryTable(from.sources[0].id, schema)?.hasKey(among: Set(keys.map(\.name))) == true
    else { return nil }
    return having
  }

  /// Whether an expression is a column of the joined source that is not NULL in any partner.
  private static func isOfPartner(
    _ source: SQLSource, _ value: SQLExpression, _ on: SQLExpression, _ statement: MovableStatement,
    _ schema: DatabaseSchema
  ) -> Bool {
    guard let meaning = statement.shape.resolved.meaning(of: value.unwrapped), case .column(source.id, _) = meaning
    else { return false }
    if let own = statement.column(value, schema), own.table.isNeverNull(own.column) { return true }
    return on.conjuncts.contains { part in
      guard case .binary(.equal, let left, let right) = part.kind else { return false }
      return [left, right].contains { statement.shape.resolved.meaning(of: $0.unwrapped) == meaning }
    }
  }

  /// The form with NOT IN; nil unless one equation alone ties the partner to the outer row.
  private static func list(
    _ source: SQLSource, _ on: SQLExpression, _ statement: MovableStatement, _ schema: DatabaseSchema
  ) -> String? {
    let text = statement.text
    guard let tie = statement.tie(of: source.id, by: on.conjuncts),
      statement.comparedType(of: tie.own, schema) == statement.comparedType(of: tie.outer, schema)
    else { return nil }
    let (own, outer) = (text[tie.own.range], text[tie.outer.range])
    let rest = tie.rest.map { $0.conjunct(text[$0.range]) }
    let filter = (rest + ["\(own) IS NOT NULL"]).joined(separator: " AND ")
    let isKnown = statement.column(tie.outer, schema).map { $0.table.isNeverNull($0.column) } ?? false
    let list = "\(outer) NOT IN (SELECT \(own) FROM \(text[source.range]) WHERE \(filter))"
    return isKnown ? list : "(\(outer) IS NULL OR \(list))"
  }
}
