/// A SELECT that may multiply the rows that it counts: the statement itself, a subquery in its FROM, or a view that it
/// reads.
struct FanOutPart {
  let analyzed: AnalyzedStatement
  let statement: MovableStatement
  /// The name of the part in a report; nil for the statement itself.
  var name: String?
  /// Returns the statement with a rewrite in place of the part.
  let embed: (String) -> String

  /// The statement, and the subqueries and views of its FROM. Throws `DiagnosisError`. O(rows) of the subqueries,
  /// within half a second for each.
  static func all(
    of analyzed: AnalyzedStatement, _ statement: MovableStatement, in context: DetectorContext
  ) throws -> [FanOutPart] {
    var parts = [FanOutPart(analyzed: analyzed, statement: statement, embed: { $0 })]
    for source in statement.shape.resolved.sources.values.sorted(by: { $0.id < $1.id }) where parts.count < 6 {
      let name = FanOutSQL.name(source.name)
      switch source.syntax.kind {
      case .subquery(let select) where select.with == nil && isIndependent(source, statement):
        let part = try part(statement.text[select.range], of: analyzed, statement, in: context) { sql in
          statement.replacing(source.syntax.range, with: "(\(sql)) AS \(name)")
        }
        if var part {
          part.name = "the subquery \(source.name)"
          parts.append(part)
        }
      case .table where source.kind == .view:
        guard let view = statement.shape.views[source.id],
          view.resolved.cores.first?.results.map(\.name) == source.columns
        else { continue }
        let part = try part(view.text[0..<view.text.bytes.count], of: analyzed, statement, in: context) { sql in
          statement.replacing(source.syntax.range, with: "(\(sql)) AS \(name)")
        }
        if var part {
          part.name = "the view \(source.table?.name ?? source.name)"
          parts.append(part)
        }
      default: continue
      }
    }
    return parts
  }

  /// Whether a subquery names no column of the outer statement.
  private static func isIndependent(_ source: ResolvedSource, _ statement: MovableStatement) -> Bool {
    source.cores.allSatisfy { statement.shape.select($0)?.isCorrelated == false }
  }

  /// Reads a SELECT as a part; nil unless it is a join with aggregates or DISTINCT.
  private static func part(
    _ sql: String, of analyzed: AnalyzedStatement, _ statement: MovableStatement, in context: DetectorContext,
    embed: @escaping (String) -> String
  ) throws -> FanOutPart? {
    let sql = sql.trimmed
    guard let shape = try? ShapeReader.shape(of: sql, in: context.schema.description),
      let core = shape.selects.first, core.sources.count > 1, !core.aggregates.isEmpty || core.isDistinct
    else { return nil }
    var inner = analyzed
    inner.statement.sql = sql
    inner.shape = shape
    inner.samples = analyzed.samples.map {
      BindingSample(name: $0.name, values: statement.values($0.values, for: sql))
    }
    var runner = context.runner
    runner.timeBudget = min(runner.timeBudget, .milliseconds(500))
    inner.measurements = try inner.samples.map { try runner.measure(sql, bindings: $0.values) }
    return MovableStatement(inner, schema: context.schema).map {
      FanOutPart(analyzed: inner, statement: $0, embed: embed)
    }
  }
}

extension String {
  /// The text without white space and semicolons at its ends.
  fileprivate var trimmed: String {
    let isEdge: (Character) -> Bool = { $0.isWhitespace || $0 == ";" }
    return String(drop(while: isEdge).reversed().drop(while: isEdge).reversed())
  }
}
