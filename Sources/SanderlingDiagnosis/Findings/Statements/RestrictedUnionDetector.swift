import SanderlingSQL

/// Finds subqueries and views that combine several SELECTs although the statement needs few of their rows.
///
/// SQLite makes all rows of a UNION, and of compound SELECTs that contain joins, before it applies the statement's
/// conditions.
struct RestrictedUnionDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    var rewriter = SQLRewriter(statement.text)
    var restricted: [CompoundSource] = []
    for core in statement.shape.resolved.cores {
      guard let from = core.syntax?.from,
        from.sources.allSatisfy({ $0.join.kind != .right && $0.join.kind != .full })
      else { continue }
      for source in from.sources where source.join.kind != .left {
        guard let compound = CompoundSource(source, statement) else { continue }
        let conditions = (core.condition?.conjuncts ?? []).compactMap { compound.conditions($0, statement) }
        guard !conditions.isEmpty else { continue }
        compound.add(conditions, to: &rewriter)
        restricted.append(compound)
      }
    }
    guard let name = restricted.first?.name else { return [] }
    let rewrite = StatementRewrite(
      kind: .fullScan, candidates: [rewriter.rewritten()],
      title: "All rows of \(name) are put together, where few of them are asked for",
      explanation:
        "\(name) is made of several SELECTs. SQLite makes all of their rows before it applies the condition of the statement. The "
        + "same condition within each of the SELECTs finds the rows by an index.",
      summary: "Ask within each SELECT of \(name)",
      limits: restricted.contains(where: \.isView) ? [ViewExpansion.limit] : [])
    return try rewrite.findings(for: analyzed, statement, in: context)
  }
}

/// A subquery or view of several SELECTs, none of which has groups or a LIMIT.
private struct CompoundSource {
  private struct Arm {
    var syntax: SQLSelectCore
    var from: SQLFrom
    var resolved: ResolvedCore
  }

  let name: String
  let isView: Bool
  private let source: SQLSource
  /// The text of the view; for other sources, the text of the statement.
  private let text: SQLText
  private let resolved: ResolvedStatement
  /// The range of the compound SELECT.
  private let select: Range<Int>
  private let arms: [Arm]
  private let columns: [String]

  init?(_ source: SQLSource, _ statement: MovableStatement) {
    guard let outer = statement.shape.resolved.sources[source.id] else { return nil }
    let shape: QueryShape
    let select: SQLSelect
    if outer.kind == .view {
      guard let view = statement.shape.views[source.id], case .select(let own) = view.resolved.statement.kind else {
        return nil
      }
      (shape, select, isView) = (view, own, true)
    } else {
      guard case .subquery(let own) = source.kind else { return nil }
      (shape, select, isView) = (statement.shape, own, false)
    }
    guard select.with == nil, select.limit == nil, select.orderBy.isEmpty, select.cores.count > 1 else { return nil }
    var arms: [Arm] = []
    for syntax in select.cores {
      guard syntax.rows.isEmpty, syntax.groupBy.isEmpty, syntax.having == nil, let from = syntax.from,
        let own = shape.select(syntax.id), own.aggregates.isEmpty, !own.hasWindowFunctions, !own.isCorrelated,
        let resolved = shape.resolved.core(syntax.id), resolved.results.count == outer.columns.count
      else { return nil }
      arms.append(Arm(syntax: syntax, from: from, resolved: resolved))
    }
    columns = outer.columns.map(\.asciiLowercased)
    guard arms[0].resolved.results.map(\.name.asciiLowercased) == columns else { return nil }
    (self.source, self.arms, self.select) = (source, arms, select.range)
    (name, text, resolved) = (outer.name, shape.text, shape.resolved)
  }

  /// A condition on the source as a condition on the rows of each of its SELECTs; nil for other conditions.
  func conditions(_ condition: SQLExpression, _ statement: MovableStatement) -> [String]? {
    guard statement.sources(in: condition.range) == [source.id], condition.callsScalarsOnly else { return nil }
    var found: [String] = []
    for arm in arms {
      var rewriter = SQLRewriter(statement.text)
      for node in condition.withDescendants {
        switch node.kind {
        case .subquery, .exists, .membership(_, .subquery, _), .membership(_, .table, _): return nil
        case .column:
          guard case .column(source.id, let name)? = statement.shape.resolved.meaning(of: node),
            let place = columns.firstIndex(of: name.asciiLowercased), let sql = result(place, of: arm)
          else { return nil }
          rewriter.replace(node.range, with: sql)
        default: continue
        }
      }
      found.append(condition.conjunct(rewriter.rewritten(condition.range)))
    }
    return found
  }

  private func result(_ place: Int, of arm: Arm) -> String? {
    let result = arm.resolved.results[place]
    if let expression = result.expression {
      guard expression.callsScalarsOnly else { return nil }
      return expression.isColumnOrLiteral ? text[expression.range] : "(\(text[expression.range]))"
    }
    guard case .column(let source, let column)? = result.meaning, let table = resolved.sources[source]?.name else {
      return nil
    }
    return "\(FanOutSQL.name(table)).\(FanOutSQL.name(column))"
  }

  /// Adds conditions on the rows of each SELECT to the statement.
  func add(_ conditions: [[String]], to rewriter: inout SQLRewriter) {
    var own = isView ? SQLRewriter(text) : rewriter
    for (place, arm) in arms.enumerated() {
      let all = conditions.map { $0[place] }.joined(separator: " AND ")
      own.restrict(arm.from, arm.syntax.condition, to: all)
    }
    if isView {
      rewriter.replace(source.range, with: "(\(own.rewritten(select))) AS \(FanOutSQL.name(name))")
    } else {
      rewriter = own
    }
  }
}

extension SQLExpression {
  fileprivate var isColumnOrLiteral: Bool {
    switch kind {
    case .column, .literal, .parentheses: true
    default: false
    }
  }
}
