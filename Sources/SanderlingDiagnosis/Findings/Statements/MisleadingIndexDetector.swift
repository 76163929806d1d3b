/// Finds indexes that SQLite uses although another plan is faster, as for a value that most rows have.
///
/// Without statistics, SQLite assumes that any equality leaves few rows. With statistics, it assumes that each value
/// has the same number of rows. SQLite reads no index for a condition in another form than `column = value`:
/// https://www.sqlite.org/optoverview.html
struct MisleadingIndexDetector: FindingDetector {
  /// The greatest share of the work that the other plan may take.
  private static let mostShare = 0.5

  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    // ANALYZE is the better fix. If it makes other statements worse, the report withdraws it.
    if case .analyze? = context.advice?.change { return [] }
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    var seen: Set<String> = []
    for node in analyzed.plan.nodes {
      guard let (table, index) = Self.read(by: node.step), seen.insert(table).inserted else { continue }
      let rewrite = StatementRewrite(
        kind: .harmfulIndex, candidates: candidates(statement, table, node.step),
        title: "SQLite reads \(table) by way of \(index), which is longer than another one",
        explanation:
          "Which rows a condition leaves SQLite guesses, without figures or for values that are rarer or more frequent than others. A "
          + "condition that is tested with IS TRUE, or a key of the order with + before it, is read by no index, and means the same.",
        summary: "Keep SQLite from \(index)",
        limits: ["The way stays when the data changes: it fits the values that were measured."], isSameByNature: true)
      let found = try rewrite.findings(for: analyzed, statement, in: context).filter(Self.isClear)
      if !found.isEmpty { return try found.map { try named($0, analyzed, context) } }
    }
    return []
  }

  /// The finding with the kind of its cause: the index, or the order of the joins that follows from it.
  private func named(
    _ finding: Finding, _ analyzed: AnalyzedStatement, _ context: DetectorContext
  ) throws -> Finding {
    guard let fix = finding.fix, let form = fix.sql.last else { return finding }
    let reader = PlanReader(connection: context.connection, schema: context.schema)
    let plan = try Trial(connection: context.connection).run(fix.sql.dropLast().map(\.self)) {
      try reader.plan(of: form)
    }.value
    guard let first = analyzed.plan.nodes.lazy.compactMap(\.step.table).first,
      let other = plan.nodes.lazy.compactMap(\.step.table).first, first != other
    else { return finding }
    var finding = finding
    finding.kind = .joinOrder
    finding.title = "SQLite begins the joins with \(first), for an index, and is sooner done with \(other)"
    return finding
  }

  /// Whether the other plan is clearly faster, so that it stays so for a while, and reads no more of the file.
  private static func isClear(_ finding: Finding) -> Bool {
    guard case .proven(let comparisons) = finding.outcome else { return false }
    let pages = comparisons.reduce(into: (before: 0.0, after: 0.0)) { pages, comparison in
      pages.before += Double(comparison.before.coldPages)
      pages.after += Double(comparison.after.coldPages)
    }
    return comparisons.workAfter < mostShare * comparisons.workBefore
      && (pages.after <= pages.before || comparisons.contains { !$0.before.isComplete })
  }

  private static func read(by step: PlanStep) -> (table: String, index: String)? {
    switch step {
    case .search(let table, let index?, _, let terms) where !terms.isEmpty: (table, index)
    case .scan(let table, let index?, false): (table, index)
    default: nil
    }
  }

  /// The statement without the cause for the index: the conditions, the order, or both.
  private func candidates(_ statement: MovableStatement, _ table: String, _ step: PlanStep) -> [String] {
    var columns: Set<String> = []
    if case .search(_, _, _, let terms) = step {
      columns = Set(terms.map { String($0.prefix { $0 != "=" && $0 != "<" && $0 != ">" }).asciiLowercased })
    }
    let conditions = filters(of: table, on: columns, statement)
    let key = keyOfOrder(of: table, statement)
    var candidates: [String] = []
    for (holdsConditions, holdsOrder) in [(true, false), (false, true), (true, true)] {
      if holdsConditions && conditions.isEmpty || holdsOrder && key == nil { continue }
      var rewriter = SQLRewriter(statement.text)
      if holdsConditions {
        for condition in conditions {
          rewriter.replace(condition.range, with: statement.withoutIndex(condition))
        }
      }
      if holdsOrder, let key { rewriter.insert("+", at: key) }
      candidates.append(rewriter.rewritten())
    }
    return candidates
  }

  /// The comparisons that read only this source, and at least one of the columns.
  private func filters(
    of table: String, on columns: Set<String>, _ statement: MovableStatement
  ) -> [SQLExpression] {
    let ids = Set(
      statement.shape.resolved.sources.values.filter { $0.name.asciiLowercased == table.asciiLowercased }.map(\.id))
    return statement.conditions.filter { condition in
      let sources = statement.sources(in: condition.range)
      guard condition.isComparison, sources.count == 1, let own = sources.first, ids.contains(own) else { return false }
      return statement.shape.resolved.references.contains { place, meaning in
        guard condition.range.contains(place), case .column(own, let name) = meaning else { return false }
        return columns.contains(name.asciiLowercased)
      }
    }
  }

  /// The position of the first key of the order, if it is a column of the source and LIMIT ends the list.
  private func keyOfOrder(of table: String, _ statement: MovableStatement) -> Int? {
    guard statement.select.limit != nil, let core = statement.core, core.syntax.groupBy.isEmpty,
      let term = statement.select.orderBy.first?.expression.unwrapped,
      case .column(let source, _)? = statement.shape.resolved.meaning(of: term),
      statement.shape.resolved.sources[source]?.name.asciiLowercased == table.asciiLowercased
    else { return nil }
    return term.range.lowerBound
  }
}

extension SQLExpression {
  /// Whether an index may find the rows that meet the condition.
  fileprivate var isComparison: Bool {
    switch kind {
    case .binary, .isNull, .between, .membership: true
    default: false
    }
  }
}
