import SanderlingSQL

/// Tries EXISTS in place of IN and IN in place of EXISTS, and finds NOT IN with NULL among its values.
struct MembershipDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    let trial = RewriteTrial(context: context, analyzed: analyzed, statement: statement)
    var findings: [Finding] = []
    for condition in statement.conditions {
      if let finding = try nullFinding(condition, trial) {
        findings.append(finding)
        continue
      }
      guard let other = Self.otherForm(of: condition, statement, context.schema) else { continue }
      let searches = other.isPerRow ? Self.searches(in: condition, statement) : []
      let rewrite = StatementRewrite(
        kind: .subqueryPerRow, candidates: [statement.replacing(condition.range, with: other.sql)],
        title: other.isPerRow
          ? "The subquery runs for each row, where its rows can be read once"
          : "The subquery reads all its rows, where few are asked for",
        explanation: (other.isPerRow
          ? "EXISTS asks its question again for each row. " : "IN reads all rows of the subquery first. ")
          + "The other form means the same, and fits the numbers of rows here better.",
        summary: other.isPerRow ? "Ask with IN" : "Ask with EXISTS",
        limits: searches.isEmpty
          ? [] : ["An invalid full-text query (an empty one, for example) is an error even if no row reaches it."],
        assumption: RewriteAssumption(values: searches))
      if let finding = try rewrite.finding(trial), !other.isListed || Self.isShownByTime(finding) {
        findings.append(finding)
      }
    }
    return findings
  }

  /// Whether the clock shows the gain. Many searches for missing rows read pages that are in the cache, and a list of
  /// all other rows takes time that pages don't show.
  private static func isShownByTime(_ finding: Finding) -> Bool {
    guard case .proven(let comparisons) = finding.outcome else { return true }
    return comparisons.allSatisfy { !$0.before.isComplete }
      || comparisons.map(\.after).warmTime <= comparisons.map(\.before).warmTime * 0.67
  }

  /// The conditions that SQLite can compute in place of a MATCH with a full-text table.
  private static func searches(in condition: SQLExpression, _ statement: MovableStatement) -> [String] {
    let text = statement.text
    return condition.withDescendants.flatMap { node -> [String] in
      guard case .exists(let select) = node.kind else { return [] }
      return select.cores.flatMap { core -> [String] in
        let searches = (core.condition?.conjuncts ?? []).filter {
          if case .pattern(let pattern) = $0.kind { pattern.name == "MATCH" } else { false }
        }
        guard let from = core.from else { return [] }
        return searches.map { "(SELECT 1 FROM \(text[from.range]) WHERE \(text[$0.range]) LIMIT 1) IS NOT 2" }
      }
    }
  }

  /// The form with EXISTS for IN, or with IN for EXISTS; nil if NULL could change the result.
  static func otherForm(
    of condition: SQLExpression, _ statement: MovableStatement, _ schema: DatabaseSchema
  ) -> (sql: String, isPerRow: Bool, isListed: Bool)? {
    let text = statement.text
    var (expression, isNegated) = (condition.unwrapped, false)
    if case .unary(.not, let inner) = expression.kind { (expression, isNegated) = (inner.unwrapped, true) }
    switch expression.kind {
    case .membership(let value, .subquery(let select), let isNot):
      isNegated = isNegated != isNot
      guard select.with == nil, select.limit == nil, select.operators.allSatisfy({ $0.hasPrefix("UNION") }),
        isOuter(value, of: select, statement), hasOneType(select, statement, schema)
      else { return nil }
      // The union has a value if one of its SELECTs has it.
      var arms: [String] = []
      for core in select.cores {
        guard let arm = existence(of: value, in: core, isNegated: isNegated, statement, schema) else { return nil }
        arms.append(arm)
      }
      if isNegated { return (arms.map { "NOT \($0)" }.joined(separator: " AND "), false, false) }
      return (arms.count == 1 ? arms[0] : "(\(arms.joined(separator: " OR ")))", false, false)
    case .exists(let select):
      guard let core = plainCore(select), let from = core.from, let link = link(of: core, statement, schema) else {
        return nil
      }
      let filter = link.rest.isEmpty ? "" : " WHERE \(link.rest.joined(separator: " AND "))"
      let (outer, own) = (text[link.outer.range], text[link.own.range])
      guard isNegated else { return ("\(outer) IN (SELECT \(own) FROM \(text[from.range])\(filter))", true, false) }
      // NULL equals nothing: an outer NULL has no matching row, and inner NULLs match no row.
      let known = "\(filter.isEmpty ? " WHERE" : "\(filter) AND") \(own) IS NOT NULL"
      return ("(\(outer) IS NULL OR \(outer) NOT IN (SELECT \(own) FROM \(text[from.range])\(known)))", true, true)
    default: return nil
    }
  }

  /// EXISTS for a value among the values of a core; nil if the comparisons differ, or if a NULL could change the
  /// result.
  private static func existence(
    of value: SQLExpression, in core: SQLSelectCore, isNegated: Bool, _ statement: MovableStatement,
    _ schema: DatabaseSchema
  ) -> String? {
    let text = statement.text
    guard isPlain(core) || isGrouped(core, statement), core.columns.count == 1,
      case .expression(let column, _) = core.columns[0].kind, let from = core.from
    else { return nil }
    let conditions = core.condition?.conjuncts ?? []
    // A value that equals another isn't NULL.
    let rest = conditions.filter { !isNotNull($0, column, statement) }
    if isNegated {
      guard let own = statement.column(column, schema),
        own.table.isNeverNull(own.column) || rest.count < conditions.count,
        let other = statement.column(value, schema), other.table.isNeverNull(other.column)
      else { return nil }
    }
    guard sameCollation(value, column, statement, schema) else { return nil }
    let inner = InnerText(core, from, beside: value, statement)
    let written = rest.count < conditions.count ? rest.map(\.range) : core.condition.map { [$0.range] } ?? []
    let filter = written.map { "(\(inner[$0])) AND " }.joined()
    // Only the group of the searched value remains. This group must still meet HAVING.
    let groups = core.groupBy.first.map { first in
      " GROUP BY \(inner[first.range])" + (core.having.map { " HAVING \(inner[$0.range])" } ?? "")
    }
    let own = inner.alias.map { "\($0).\(text[column.range])" } ?? qualified(column, statement)
    return "EXISTS (SELECT 1 FROM \(inner[from.range]) WHERE \(filter)"
      + "\(own) = \(qualified(value, statement))\(groups ?? ""))"
  }

  /// Whether a condition only requires that a column is not NULL.
  private static func isNotNull(
    _ condition: SQLExpression, _ column: SQLExpression, _ statement: MovableStatement
  ) -> Bool {
    guard case .isNull(let value, isNegated: true) = condition.kind,
      let meaning = statement.shape.resolved.meaning(of: value.unwrapped)
    else { return false }
    return meaning == statement.shape.resolved.meaning(of: column.unwrapped)
  }

  /// The equality that links a subquery to the outer row, and the subquery's other conditions. If these read the same
  /// column of the outer row, they read the equal inner column instead. Nil if they read another column of the outer
  /// row.
  private static func link(
    of core: SQLSelectCore, _ statement: MovableStatement, _ schema: DatabaseSchema
  ) -> (own: SQLExpression, outer: SQLExpression, rest: [String])? {
    guard let condition = core.condition else { return nil }
    let text = statement.text
    let own = Set(
      statement.shape.resolved.sources.values.filter { core.range.contains($0.syntax.range.lowerBound) }.map(\.id))
    let inner = Set(core.from?.sources.map(\.id) ?? [])
    let isInner: (SQLExpression) -> Bool = {
      let read = statement.sources(in: $0.range)
      return !read.isEmpty && read.isSubset(of: inner)
    }
    let isPlainOuter: (SQLExpression) -> Bool = { statement.sources(in: $0.range).isDisjoint(with: own) }
    let conjuncts = condition.conjuncts
    for link in conjuncts {
      guard case .binary(.equal, let left, let right) = link.kind,
        let (key, outer) = [(left, right), (right, left)].first(where: {
          isInner($0) && isPlainOuter($1) && !statement.sources(in: $1.range).isEmpty
        }), sameCollation(outer, key, statement, schema)
      else { continue }
      let meaning = statement.shape.resolved.meaning(of: outer.unwrapped)
      var rest: [String] = []
      for other in conjuncts where other.range != link.range {
        let outside = statement.shape.resolved.references.filter { offset, meaning in
          guard other.range.contains(offset), case .column(let source, _) = meaning else { return false }
          return !own.contains(source)
        }
        guard outside.values.allSatisfy({ $0 == meaning }) else { break }
        var rewriter = SQLRewriter(text)
        for offset in outside.keys {
          rewriter.replace(nameRange(from: offset, in: text), with: qualified(key, statement))
        }
        rest.append("(\(rewriter.rewritten(other.range)))")
      }
      if rest.count == conjuncts.count - 1 { return (key, outer, rest) }
    }
    return nil
  }

  /// The core of a SELECT; nil if the SELECT has WITH, LIMIT, groups, VALUES, several cores, or calls among its
  /// columns.
  private static func plainCore(_ select: SQLSelect) -> SQLSelectCore? {
    guard select.with == nil, select.cores.count == 1, select.limit == nil, let core = select.cores.first, isPlain(core)
    else { return nil }
    return core
  }

  /// Whether a core has no groups, no VALUES, and no calls among its columns.
  private static func isPlain(_ core: SQLSelectCore) -> Bool {
    guard core.groupBy.isEmpty, core.having == nil, core.rows.isEmpty else { return false }
    return !core.columns.contains { column in
      guard case .expression(let expression, _) = column.kind else { return false }
      return expression.withDescendants.contains { if case .call = $0.kind { true } else { false } }
    }
  }

  /// The range of a name with the names of its table and schema before it.
  static func nameRange(from offset: Int, in text: SQLText) -> Range<Int> {
    var end = offset
    var isName = false
    for token in SQLTokenizer(SQLText(text[offset..<text.bytes.count])) where !token.isTrivia {
      if (token.kind == .symbol(.dot)) != isName { break }
      isName.toggle()
      if isName { end = offset + token.range.upperBound }
    }
    return offset..<end
  }

  /// Whether a core has one group for each value of its only column.
  private static func isGrouped(_ core: SQLSelectCore, _ statement: MovableStatement) -> Bool {
    guard core.groupBy.count == 1, core.rows.isEmpty, core.columns.count == 1,
      case .expression(let column, _) = core.columns[0].kind,
      let meaning = statement.shape.resolved.meaning(of: column.unwrapped)
    else { return false }
    return statement.shape.resolved.meaning(of: core.groupBy[0].unwrapped) == meaning
  }

  private static func isOuter(_ value: SQLExpression, of select: SQLSelect, _ statement: MovableStatement) -> Bool {
    if case .row = value.unwrapped.kind { return false }
    return !statement.sources(in: value.range).isEmpty
  }

  /// The text of a value. A name that the subquery could take for its own column gets the name of its table.
  private static func qualified(_ value: SQLExpression, _ statement: MovableStatement) -> String {
    let written = statement.text[value.range]
    guard case .column(let reference) = value.unwrapped.kind, reference.table == nil,
      case .column(let source, _)? = statement.shape.resolved.meaning(of: value.unwrapped),
      let name = statement.shape.resolved.sources[source]?.name
    else { return written }
    return "\(FanOutSQL.name(name)).\(written)"
  }

  /// Whether both sides have the same collation and type. `=` compares by these.
  private static func sameCollation(
    _ one: SQLExpression, _ other: SQLExpression, _ statement: MovableStatement, _ schema: DatabaseSchema
  ) -> Bool {
    let types = (statement.comparedType(of: one, schema), statement.comparedType(of: other, schema))
    // The value of a function has no type and no collation, so both forms use the column's.
    switch types {
    case (let one?, let other?): return one == other
    case (_?, nil): return isCall(other)
    case (nil, _?): return isCall(one)
    default: return false
    }
  }

  /// Whether the values of a union's SELECTs have one type and one collation, which decide comparisons.
  private static func hasOneType(_ select: SQLSelect, _ statement: MovableStatement, _ schema: DatabaseSchema) -> Bool {
    guard select.cores.count > 1 else { return true }
    let types = select.cores.map { core in
      core.columns.first.flatMap { column -> ComparedType? in
        guard case .expression(let expression, _) = column.kind else { return nil }
        return statement.comparedType(of: expression, schema)
      }
    }
    return types.allSatisfy { $0 != nil && $0 == types[0] }
  }

  private static func isCall(_ expression: SQLExpression) -> Bool {
    if case .call = expression.unwrapped.kind { true } else { false }
  }

  /// The finding that NOT IN is never true because its values contain NULL.
  private func nullFinding(_ condition: SQLExpression, _ trial: RewriteTrial) throws -> Finding? {
    let (statement, context) = (trial.statement, trial.context)
    guard case .membership(let value, .subquery(let select), isNegated: true) = condition.kind,
      let core = select.cores.first, select.cores.count == 1, core.columns.count == 1,
      statement.shape.select(core.id)?.isCorrelated == false,
      case .expression(let column, _) = core.columns[0].kind, let sample = trial.analyzed.samples.first
    else { return nil }
    let question =
      "SELECT EXISTS (SELECT 1 FROM (SELECT (\(statement.text[column.range])) AS value "
      + "\(core.from.map { "FROM \(statement.text[$0.range])" } ?? "")"
      + "\(core.condition.map { " WHERE \(statement.text[$0.range])" } ?? "")) WHERE value IS NULL)"
    guard core.groupBy.isEmpty, select.limit == nil,
      try context.rows(statement.with + question, statement.values(sample.values, for: statement.with + question))
        .first?.first?.integer == 1
    else { return nil }
    let inner = statement.text[column.range]
    let fixed = statement.replacing(
      condition.range, with: "\(statement.text[value.range]) NOT IN (\(nonNull(select, core, inner, statement)))")
    let doubt = try doubt(of: fixed, column, trial)
    return Finding(
      kind: .subqueryPerRow, severity: .wrongResult, statement: trial.analyzed.statement.id,
      caller: trial.analyzed.caller,
      title: "NOT IN finds nothing: \(context.schema.fingerprint(of: inner)) is NULL in some row",
      explanation:
        "A comparison with NULL is neither true nor false, so that `NOT IN` is never true as soon as one value of the "
        + "subquery is NULL: the statement leaves out all rows. Leave NULL out of the subquery.",
      fix: doubt == nil ? Fix(summary: "Leave NULL out of the subquery", sql: [context.shown(fixed)]) : nil,
      outcome: .notMeasured(reason: doubt ?? "The finding is about right results, not about time."))
  }

  /// The reason why a correction may change more than the effect of NULL; nil if small tables without NULL show that it
  /// doesn't.
  private func doubt(of fixed: String, _ column: SQLExpression, _ trial: RewriteTrial) throws -> String? {
    guard let own = trial.statement.column(column, trial.context.schema) else {
      return "Not proven to mean the same without NULL: the subquery's values are computed."
    }
    let rows = RewriteAssumption.Rows(
      table: own.table.name, condition: "\(own.column.name.quotedIdentifier) IS NOT NULL")
    switch try trial.verdict(on: fixed, assuming: RewriteAssumption(madeRows: [rows])) {
    case .same: return nil
    case .different: return "Leaving NULL out of the subquery changes other rows, too."
    case .untried(let reason, _): return "Not proven to mean the same without NULL. \(reason)"
    }
  }

  private func nonNull(
    _ select: SQLSelect, _ core: SQLSelectCore, _ column: String, _ statement: MovableStatement
  ) -> String {
    var rewriter = SQLRewriter(statement.text)
    if let condition = core.condition {
      rewriter.replace(condition.range, with: "(\(statement.text[condition.range])) AND \(column) IS NOT NULL")
    } else if let from = core.from {
      rewriter.insert(" WHERE \(column) IS NOT NULL", at: from.range.upperBound)
    }
    return rewriter.rewritten(select.range)
  }
}
