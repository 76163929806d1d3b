/// A statement that reads one view, with the view's own tables and columns in place of the view.
///
/// An example is `SELECT * FROM list ORDER BY at DESC LIMIT 25`. The view's joins may have a better order, but a
/// statement can demand it only if it names the joined tables.
struct ViewExpansion {
  let sql: String

  /// Expands the view of a statement; nil for other statements, for views that do more than join and compute, and for
  /// views that a subquery reads.
  init?(_ statement: MovableStatement) {
    guard let core = statement.core, !core.shape.hasWindowFunctions, statement.select.with == nil,
      statement.shape.selects.count == 1,
      let from = core.syntax.from, from.sources.count == 1,
      let source = statement.shape.resolved.sources[from.sources[0].id], source.kind == .view,
      let view = statement.shape.views[source.id], let columns = Self.columns(of: view, named: source.columns)
    else { return nil }
    let text = statement.text
    var rewriter = SQLRewriter(text)
    func replaceColumns(in expression: SQLExpression) -> Bool {
      for node in expression.withDescendants {
        guard case .column = node.kind else { continue }
        switch statement.shape.resolved.meaning(of: node) {
        case .column(source.id, let name)?:
          guard let column = columns[name.asciiLowercased] else { return false }
          rewriter.replace(node.range, with: column)
        case .result: break
        default: return false
        }
      }
      return true
    }
    guard case .select(let select) = view.resolved.statement.kind, let viewCore = select.cores.first,
      let viewFrom = viewCore.from
    else { return nil }
    rewriter.replace(from.range, with: view.text[viewFrom.range])
    if let own = viewCore.condition {
      rewriter.restrict(from, core.syntax.condition, to: "(\(view.text[own.range]))")
    }
    for column in core.syntax.columns {
      switch column.kind {
      case .all:
        let all = source.columns.map { "\(columns[$0.asciiLowercased] ?? "NULL") AS \(FanOutSQL.name($0))" }
        rewriter.replace(column.range, with: all.joined(separator: ", "))
      case .expression(let expression, let alias):
        guard replaceColumns(in: expression) else { return nil }
        if alias == nil, case .column(source.id, let name)? = statement.shape.resolved.meaning(of: expression) {
          rewriter.insert(" AS \(FanOutSQL.name(name))", at: column.range.upperBound)
        }
      }
    }
    let expressions =
      [core.syntax.condition, core.syntax.having].compactMap(\.self) + core.syntax.groupBy
      + statement.select.orderBy.map(\.expression)
    guard expressions.allSatisfy(replaceColumns) else { return nil }
    sql = rewriter.rewritten()
  }

  /// The expressions of a view's columns, by their names in lower case; nil if the view isn't a plain SELECT.
  private static func columns(of view: QueryShape, named names: [String]) -> [String: String]? {
    guard case .select(let select) = view.resolved.statement.kind, select.with == nil, select.limit == nil,
      select.orderBy.isEmpty, select.cores.count == 1, let core = select.cores.first, core.rows.isEmpty,
      !core.isDistinct, core.groupBy.isEmpty, core.having == nil, let shape = view.select(core.id),
      shape.aggregates.isEmpty, !shape.hasWindowFunctions,
      let resolved = view.resolved.core(core.id), resolved.results.count == names.count
    else { return nil }
    var columns: [String: String] = [:]
    for (name, result) in zip(names, resolved.results) {
      if let expression = result.expression {
        let sql = view.text[expression.range]
        if case .column = expression.unwrapped.kind {
          columns[name.asciiLowercased] = sql
        } else {
          columns[name.asciiLowercased] = "(\(sql))"
        }
      } else if case .column(let source, let column)? = result.meaning, let table = view.resolved.sources[source] {
        columns[name.asciiLowercased] = "\(FanOutSQL.name(table.name)).\(FanOutSQL.name(column))"
      } else {
        return nil
      }
    }
    return columns.count == names.count ? columns : nil
  }
}

extension ViewExpansion {
  /// The shape of a statement with the view's own tables in its place, as SQLite reads it; nil if the statement reads
  /// no such view.
  static func shape(of analyzed: AnalyzedStatement, in schema: DatabaseSchema) -> QueryShape? {
    guard analyzed.shape?.views.isEmpty == false, let statement = MovableStatement(analyzed, schema: schema),
      let expansion = ViewExpansion(statement)
    else { return nil }
    return try? ShapeReader.shape(of: expansion.sql, in: schema.description)
  }

  static let limit = "The statement repeats the text of the view, and must be changed whenever the view changes."

  /// The findings of a statement. If it reads a view, the view's own joins are in its place.
  ///
  /// Throws `DiagnosisError`. O(rows read), a few times.
  static func findings(
    for analyzed: AnalyzedStatement, in context: DetectorContext, _ find: (AnalyzedStatement) throws -> [Finding]
  ) throws -> [Finding] {
    guard analyzed.shape?.views.isEmpty == false, let expanded = try expanded(analyzed, in: context) else {
      return try find(analyzed)
    }
    return try find(expanded).map { finding in
      var finding = finding
      finding.limits.append(limit)
      return finding
    }
  }

  /// The statement with the expanded text and its former measurements; nil if it reads no such view, or if rows show a
  /// difference.
  private static func expanded(
    _ analyzed: AnalyzedStatement, in context: DetectorContext
  ) throws -> AnalyzedStatement? {
    guard let statement = MovableStatement(analyzed, schema: context.schema), let expansion = ViewExpansion(statement),
      let shape = try? ShapeReader.shape(of: expansion.sql, in: context.schema.description)
    else { return nil }
    let trial = RewriteTrial(context: context, analyzed: analyzed, statement: statement)
    // The rules of SQL make the expansion equal, so rows need not confirm it.
    guard try trial.verdict(on: expansion.sql) != .different, try trial.returnsSameRows(expansion.sql) else {
      return nil
    }
    var expanded = analyzed
    (expanded.statement.sql, expanded.shape) = (expansion.sql, shape)
    return expanded
  }
}
