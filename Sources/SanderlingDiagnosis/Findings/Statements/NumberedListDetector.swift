/// Finds lists that number all rows to show one page.
///
/// `SELECT * FROM (SELECT t.*, row_number() OVER (ORDER BY x) AS n FROM t) WHERE n BETWEEN 21 AND 40` is usual in
/// databases without LIMIT. Every row is sorted and numbered. With a LIMIT before the numbering, SQLite keeps only the
/// first rows, or reads only these by an index.
struct NumberedListDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    for source in statement.shape.resolved.sources.values.sorted(by: { $0.id < $1.id }) {
      guard let select = statement.ownSelect(of: source),
        let numbered = NumberedRows(of: select, source, statement, context, ofGroups: false),
        !readsRowid(numbered, statement), let assumption = numbered.assumption(statement, context.schema)
      else { continue }
      let limits =
        assumption.rows.isEmpty
        ? [] : ["Of rows that are equal in the window's order it is left to chance which comes first, in both forms."]
      let rewrite = StatementRewrite(
        kind: .sortWithoutIndex, candidates: [statement.replacing(select.range, with: limited(numbered, statement))],
        title: "All rows of \(numbered.table.name) are numbered, and the first ones are kept",
        explanation:
          "row_number() sorts and counts every row before the condition on the number throws most of them away. With the same order and a "
          + "LIMIT before, only the rows up to the last one that is shown are kept while sorting, or read at all where an index has the order.",
        summary: "Leave the rows behind the page out before they are numbered", limits: limits, assumption: assumption)
      let findings = try rewrite.findings(for: analyzed, statement, in: context)
      if !findings.isEmpty { return findings }
    }
    return []
  }

  /// A subquery has no rowid.
  private func readsRowid(_ numbered: NumberedRows, _ statement: MovableStatement) -> Bool {
    statement.shape.resolved.references.values.contains { meaning in
      guard case .column(numbered.source.id, let name) = meaning else { return false }
      return numbered.table.column(name) == nil
    }
  }

  private func limited(_ numbered: NumberedRows, _ statement: MovableStatement) -> String {
    let (core, text) = (numbered.core, statement.text)
    let filter = core.condition.map { " WHERE \(text[$0.range])" } ?? ""
    let order = numbered.window.orderBy.map { text[$0.range] }.joined(separator: ", ")
    return
      "SELECT \(text[core.columnsRange]) FROM (SELECT * FROM \(text[numbered.from.range])\(filter) ORDER BY \(order) "
      + "LIMIT \(numbered.last)) AS \(FanOutSQL.name(numbered.source.name))"
  }
}
