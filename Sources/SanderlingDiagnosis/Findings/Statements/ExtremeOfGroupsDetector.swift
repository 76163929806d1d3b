/// Finds subqueries that read all rows of a table for the least or greatest value of each group, so that the outer
/// statement can join one row of each group.
///
/// An example is `t JOIN (SELECT g, max(y) AS y FROM t GROUP BY g) n ON n.g = t.g AND n.y = t.y`. With an index that
/// begins with `g` and `y`, one search finds the next group, and one search finds its end.
struct ExtremeOfGroupsDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    for source in statement.shape.resolved.sources.values.sorted(by: { $0.id < $1.id }) {
      guard let select = statement.ownSelect(of: source), let groups = groups(of: select, source, statement, context)
      else { continue }
      let rewrite = StatementRewrite(
        kind: .fullScan, candidates: [statement.replacing(select.range, with: groups.sql)],
        title: "All rows of \(groups.table) are grouped for one row of each group",
        explanation:
          "GROUP BY reads every row to find the \(groups.extreme) of \(groups.value) for each \(groups.key). An index that "
          + "begins with both has it at one end of each group, and leads from one group to the next without the rows between.",
        summary: "Go from group to group with a recursive common table",
        coreData: "Keep the row's relationship with its parent, such as `latest`, and fetch that.",
        limits: ["It pays as long as groups have many rows: for groups of a few, leave GROUP BY."])
      let findings = try rewrite.findings(for: analyzed, statement, in: context)
      if !findings.isEmpty { return findings }
    }
    return []
  }

  private struct Groups {
    var sql: String
    var table: String
    var key: String
    var value: String
    var extreme: String
  }

  /// `SELECT g, max(y) FROM t WHERE … GROUP BY g`, if the outer statement joins both columns.
  private func groups(
    of select: SQLSelect, _ source: ResolvedSource, _ statement: MovableStatement, _ context: DetectorContext
  ) -> Groups? {
    guard select.with == nil, select.limit == nil, select.orderBy.isEmpty, select.cores.count == 1,
      let core = select.cores.first, core.columns.count == 2, core.groupBy.count == 1, core.having == nil,
      !core.isDistinct, let from = core.from, from.sources.count == 1,
      let resolved = statement.shape.resolved.core(core.id), let shape = statement.shape.select(core.id),
      let inner = shape.sources.first, inner.kind == .table,
      let table = inner.table.flatMap(context.schema.table), table.kind == .ordinary, resolved.results.count == 2,
      let aggregate = shape.aggregates.first, shape.aggregates.count == 1, ["min", "max"].contains(aggregate.function),
      !aggregate.hasFilter, let value = aggregate.key, value.isColumn,
      case .column(inner.id, let name)? = statement.shape.resolved.meaning(of: core.groupBy[0].unwrapped),
      // If a collation makes values equal, GROUP BY may show any of them.
      let column = table.column(name), column.collation.asciiLowercased == "binary"
    else { return nil }
    let places = resolved.results.indices
    let keyPlace = places.first { place in
      resolved.results[place].expression.map { statement.shape.resolved.meaning(of: $0.unwrapped) }
        == .column(source: inner.id, name: name)
    }
    let valuePlace = places.first { resolved.results[$0].expression?.unwrapped.range == aggregate.range }
    guard let keyPlace, let valuePlace, joins(source, [keyPlace, valuePlace], statement) else { return nil }

    let (rows, key) = (statement.text[from.range], statement.text[core.groupBy[0].range])
    let walk = GroupWalk(table: table.name, rows: rows, key: key)
    let filter = core.condition.map { "(\(statement.text[$0.range])) AND " } ?? ""
    let columns = places.map { place in
      let sql =
        place == keyPlace
        ? walk.value
        : "(SELECT \(statement.text[aggregate.range]) FROM \(rows) WHERE \(filter)\(key) = \(walk.value))"
      return "\(sql) AS \(FanOutSQL.name(resolved.results[place].name))"
    }
    return Groups(
      sql: walk.selecting(columns.joined(separator: ", ")),
      table: table.name, key: name, value: value.columns.first ?? "a column",
      extreme: aggregate.function == "max" ? "greatest" : "least")
  }

  /// Whether the outer statement compares each of the columns for equality with a column of another source. Rows with
  /// NULL in these columns are then left out.
  private func joins(_ source: ResolvedSource, _ places: [Int], _ statement: MovableStatement) -> Bool {
    guard let outer = statement.shape.source(source.id), !outer.isNullable else { return false }
    return places.allSatisfy { place in
      outer.terms.contains { term in
        term.kind == .equality && term.isNullRejecting && term.isOfSources
          && term.columns.map(\.asciiLowercased) == [source.columns[safe: place]?.asciiLowercased]
      }
    }
  }
}
