import SanderlingSQL

/// Finds lists that are sorted by a column of one table, although the filtered table has a copy of the column.
///
/// `WHERE link.chat = ? ORDER BY message.date DESC LIMIT 50`: all messages of a chat are looked up and sorted. If each
/// link has its message's date, an index of chat and date has the newest messages at its end, for large and small
/// chats.
struct CopiedOrderDetector: FindingDetector {
  /// The number of rows in the first comparison of a column with its copy. All rows are compared later.
  private static let sampledRows = 2_000
  /// The least number of rows that shows that a column is a copy. Fewer rows, or rows with one value, may be equal by
  /// chance.
  private static let leastCopies: Int64 = 20

  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard GainRule(before: analyzed.measurements).isWorthATrial,
      let statement = MovableStatement(analyzed, schema: context.schema), let core = statement.core,
      statement.select.limit != nil, !statement.select.orderBy.isEmpty, core.syntax.groupBy.isEmpty,
      core.shape.aggregates.isEmpty, !core.syntax.isDistinct, !core.shape.hasWindowFunctions
    else { return [] }
    let joins = JoinedColumns(core: core.syntax, shape: core.shape, statement: statement, schema: context.schema)
    for source in joins.tables.keys.sorted() {
      guard let order = try self.order(by: source, joins, core.resolved, context) else { continue }
      let findings = try rewrite(order, statement).findings(for: analyzed, statement, in: context)
        .filter { savesEnough($0, beside: context.advice) }
      if !findings.isEmpty { return findings }
    }
    return []
  }

  /// Whether the finding saves enough more than the indexes that are advised for the present statement.
  private func savesEnough(_ finding: Finding, beside advice: StatementAdvice?) -> Bool {
    guard case .proven(let comparisons) = finding.outcome, let advice, !advice.isNone else { return true }
    return advice.comparisons.workAfter - comparisons.workAfter
      >= GainRule.leastCostOfTrial * Double(comparisons.count)
  }

  /// The terms of ORDER BY, written as columns of one source.
  private struct Order {
    var columns: [(range: Range<Int>, sql: String)] = []
    /// The name of the first replaced term, and the name of the column that replaces it.
    var names: (term: String, other: String)?
    var assumption = RewriteAssumption.none
    var limits: [String] = []
  }

  /// The terms of ORDER BY, written as columns of the source. Nil if the source has no column for one of the terms, or
  /// if all terms are columns of the source already.
  private func order(
    by source: Int, _ joins: JoinedColumns, _ core: ResolvedCore, _ context: DetectorContext
  ) throws -> Order? {
    guard let own = joins.tables[source] else { return nil }
    var order = Order()
    for term in joins.statement.select.orderBy {
      guard let column = joins.column(term.expression, core), let other = joins.tables[column.source] else {
        return nil
      }
      if column.source == source { continue }
      let name: String
      if let equal = joins.equal(to: column, in: source) {
        name = equal
      } else if let copy = try copy(of: column, in: source, joins, context) {
        name = copy.column
        order.assumption = order.assumption + copy.assumption
        order.limits.append(
          "The same as long as \(own.table.name).\(name) equals \(other.table.name).\(column.name) of the row that it refers to, as in "
            + "all rows now: each write of the one must also write the other.")
      } else {
        return nil
      }
      let sql = "\(FanOutSQL.name(own.name)).\(FanOutSQL.name(name))"
      order.columns.append((term.expression.range, sql))
      if order.names == nil {
        order.names = ("\(other.table.name).\(column.name)", "\(own.table.name).\(name)")
      }
    }
    return order.columns.isEmpty ? nil : order
  }

  private func rewrite(_ order: Order, _ statement: MovableStatement) -> StatementRewrite {
    var rewriter = SQLRewriter(statement.text)
    for column in order.columns { rewriter.replace(column.range, with: column.sql) }
    let (term, other) = order.names ?? ("", "")
    return StatementRewrite(
      kind: .sortWithoutIndex, candidates: [rewriter.rewritten()],
      title: "All rows are joined and sorted by \(term), though \(other) is the same",
      explanation:
        "An index has columns of one table. By \(term) no index of the other table has the rows in order, so that all that it finds are "
        + "looked up, and sorted, before LIMIT leaves the first ones. Sorted by \(other), an index of the condition and of the order ends "
        + "as soon as there are enough.",
      summary: "Sort by \(other)", limits: order.limits, isSameByNature: order.limits.isEmpty,
      assumption: order.assumption)
  }

  // MARK: Copies

  /// The column of a source that is a copy of a column of the referenced row. Only the first rows of the source are
  /// compared.
  private func copy(
    of column: JoinedColumns.Column, in source: Int, _ joins: JoinedColumns, _ context: DetectorContext
  ) throws -> (column: String, assumption: RewriteAssumption)? {
    guard let own = joins.tables[source], let other = joins.tables[column.source],
      let kind = other.kind(of: column.name), let ties = joins.ties(from: source, to: column.source),
      other.table.hasKey(among: Set(ties.map(\.other)))
    else { return nil }
    let tied = Set(ties.map(\.own))
    let candidates = own.table.columns.filter {
      !$0.isHidden && !tied.contains($0.name) && own.kind(of: $0.name) == kind
    }
    let table = own.table.name.quotedIdentifier
    let reference =
      "FROM \(other.table.name.quotedIdentifier) AS \"other\" WHERE "
      + ties.map { "\"other\".\($0.other.quotedIdentifier) = \(table).\($0.own.quotedIdentifier)" }
      .joined(separator: " AND ")
    let original = "\"other\".\(column.name.quotedIdentifier)"
    for candidate in candidates {
      let copy = "\(table).\(candidate.name.quotedIdentifier)"
      let condition = "NOT EXISTS (SELECT 1 \(reference) AND \(original) IS NOT \(copy))"
      let some = "(SELECT * FROM \(table) LIMIT \(Self.sampledRows)) AS \(table)"
      guard try context.rows("SELECT 1 FROM \(some) WHERE (\(condition)) IS NOT TRUE LIMIT 1").isEmpty else { continue }
      let counts = try context.rows(
        "SELECT count(v), count(DISTINCT v) FROM (SELECT (SELECT \(original) \(reference)) AS v FROM \(some))")
      guard let row = counts.first, row[0].integer ?? 0 >= Self.leastCopies, row[1].integer ?? 0 > 1 else { continue }
      let mending =
        "UPDATE OR IGNORE \(table) SET \(candidate.name.quotedIdentifier) = (SELECT \(original) \(reference)) "
        + "WHERE EXISTS (SELECT 1 \(reference))"
      let rows = RewriteAssumption.Rows(table: own.table.name, condition: condition, mending: mending)
      return (candidate.name, RewriteAssumption(rows: [rows]))
    }
    return nil
  }
}

/// The tables that a core joins, and the columns that its conditions compare as equal.
private struct JoinedColumns {
  struct Column: Hashable {
    var source: Int
    var name: String
  }

  struct Table {
    /// The table's alias, or its own name without an alias.
    var name: String
    var table: TableSchema

    /// The rules that compare and sort a column's values. Equal values of columns with the same rules have the same
    /// order. Nil for unknown columns.
    func kind(of column: String) -> Kind? {
      guard let column = table.column(column) else {
        return ActualColumn.rowIDNames.contains(column.asciiLowercased)
          ? Kind(isNumber: true, type: nil, collation: "binary") : nil
      }
      let isNumber = [.integer, .real, .numeric].contains(column.affinity)
      return Kind(
        isNumber: isNumber, type: isNumber ? nil : column.affinity, collation: column.collation.asciiLowercased)
    }
  }

  struct Kind: Hashable {
    var isNumber: Bool
    var type: Affinity?
    var collation: String
  }

  let statement: MovableStatement
  /// The ordinary tables, by the numbers of their sources. Outer joined tables are left out, because such a table may
  /// have no row.
  private(set) var tables: [Int: Table] = [:]
  private var equalities: [(one: Column, other: Column)] = []

  init(core: SQLSelectCore, shape: SelectShape, statement: MovableStatement, schema: DatabaseSchema) {
    self.statement = statement
    for source in shape.sources
    where source.kind == .table && [.inner, .cross].contains(source.join) && !source.isNullable {
      guard let table = source.table.flatMap(schema.table), table.kind == .ordinary else { continue }
      tables[source.id] = Table(name: source.name, table: table)
    }
    let joins = (core.from?.sources ?? []).filter { [.inner, .cross].contains($0.join.kind) }
    for condition in (core.condition?.conjuncts ?? []) + joins.flatMap({ $0.join.on?.conjuncts ?? [] }) {
      guard case .binary(.equal, let left, let right) = condition.unwrapped.kind, let one = column(left),
        let other = column(right), one.source != other.source
      else { continue }
      equalities += [(one, other), (other, one)]
    }
  }

  private func column(_ expression: SQLExpression) -> Column? {
    guard case .column(let source, let name)? = statement.shape.resolved.meaning(of: expression.unwrapped) else {
      return nil
    }
    return Column(source: source, name: name)
  }

  /// The column that a term of ORDER BY sorts by. The term may be the name or the number of a result column.
  func column(_ term: SQLExpression, _ core: ResolvedCore) -> Column? {
    if let own = column(term) { return own }
    var result: ResolvedCore.ResultColumn?
    if case .result(_, let index)? = statement.shape.resolved.meaning(of: term.unwrapped) {
      result = core.results[safe: index]
    } else if case .literal(.integer) = term.unwrapped.kind, let place = Int(statement.text[term.unwrapped.range]) {
      result = core.results[safe: place - 1]
    }
    if case .column(let source, let name)? = result?.meaning { return Column(source: source, name: name) }
    return result?.expression.flatMap { column($0) }
  }

  /// The column of a source that must equal the given column by a condition of the statement.
  func equal(to column: Column, in source: Int) -> String? {
    guard let kind = tables[column.source]?.kind(of: column.name) else { return nil }
    return equalities.first { one, other in
      one == column && other.source == source && tables[source]?.kind(of: other.name) == kind
    }?.other.name
  }

  /// The columns that join a source to another source; nil if there are none.
  func ties(from source: Int, to other: Int) -> [(own: String, other: String)]? {
    let ties = equalities.filter { $0.one.source == source && $0.other.source == other }
      .map { (own: $0.one.name, other: $0.other.name) }
    return ties.isEmpty ? nil : ties
  }
}
