/// Finds conditions with a column inside an expression, which no index serves, and rewrites them so that the column
/// stands alone.
struct ConditionRewriteDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    // A condition can read an expression of a view only if the view is expanded.
    try ViewExpansion.findings(for: analyzed, in: context) { try findings(ofConditions: $0, in: context) }
  }

  private func findings(ofConditions analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    let trial = RewriteTrial(context: context, analyzed: analyzed, statement: statement)
    var findings: [Finding] = []
    for condition in statement.conditions {
      for rewrite in rewrites(of: condition, statement, context) {
        if let finding = try rewrite.finding(trial) {
          findings.append(finding)
          break
        }
      }
    }
    return findings
  }

  private func rewrites(
    of condition: SQLExpression, _ statement: MovableStatement, _ context: DetectorContext
  ) -> [StatementRewrite] {
    var rewrites: [StatementRewrite] = []
    let reader = ComparisonReader(statement: statement, schema: context.schema)
    for comparison in reader.comparisons(in: condition) {
      if let bare = BareColumn(comparison, statement, context.schema) {
        rewrites.append(Self.rewrite(bare, condition, statement, context))
      } else if let moved = reader.moved(comparison) {
        rewrites.append(
          StatementRewrite(
            kind: .functionOnColumn, candidates: [statement.replacing(condition.range, with: moved.sql)],
            title: "The difference to \(moved.computed) is computed for every row, so that no index can be used",
            explanation:
              "An index can hold a value that is computed from columns alone, not one that also depends on a value of the "
              + "execution. With all known values on one side, the index of \(moved.computed) finds the rows.",
            summary: "Leave \(moved.computed) alone on its side of the comparison",
            limits: ["The same but for the rounding of numbers with a fraction."]))
      }
      if let cast = reader.cast(comparison) {
        rewrites.append(
          StatementRewrite(
            kind: .typeMismatch, candidates: [statement.replacing(condition.range, with: cast.sql)],
            title: "\(cast.column) is text, and is compared with numbers: its index can't be used",
            explanation:
              "SQLite turns the texts into numbers to compare them with a column of numbers. Its index is in "
              + "the order of "
              + "texts, so that every row is read. Written as a text, the number is looked up in the index. The "
              + "lasting fix "
              + "is one type for both columns.",
            summary: "Compare text with text",
            limits: ["The same as long as the texts are numbers in their usual form, as they are now."],
            needsRows: true, assumption: cast.assumption))
      }
      if let untyped = reader.untyped(comparison) {
        rewrites.append(
          StatementRewrite(
            kind: .typeMismatch, candidates: [statement.replacing(condition.range, with: untyped.sql)],
            title:
              "No index of \(untyped.computed) is used while it is compared with \(untyped.column), a column with a type",
            explanation:
              "SQLite applies the type of \(untyped.column) to the other side, and an index of \(untyped.computed) holds the values "
              + "without it. A plus before the column takes its type away, and the index finds the rows.",
            summary: "Write + before \(untyped.column)",
            limits: untyped.isSameByNature
              ? [] : ["The same as long as the two have values of the same type, as they do now."],
            isSameByNature: untyped.isSameByNature, assumption: untyped.assumption))
      }
    }
    if let positive = Self.positive(condition, statement, context.schema) { rewrites.append(positive) }
    if let prefix = PatternPrefix(condition, statement, context.schema) {
      rewrites.append(
        StatementRewrite(
          kind: .patternWithoutIndex, candidates: [statement.replacing(condition.range, with: prefix.range)],
          title:
            "LIKE with a fixed beginning reads all rows, where a range of \(prefix.column) finds them by the index",
          explanation: prefix.isComputed
            ? "SQLite uses an index for LIKE where the whole pattern is a literal or a parameter, and not where it is "
              + "put together in the statement. All texts that begin with the one lie between two values of an index "
              + "that ignores case; LIKE decides among them. Where the app can put the pattern together itself, `LIKE ?` "
              + "needs no range."
            : "LIKE ignores the case of letters, and the index of \(prefix.column) doesn't, so that SQLite "
              + "doesn't use it. The "
              + "beginning has no letters: all texts that begin with it lie between two values.",
          summary: prefix.isComputed ? "Ask for a range beside LIKE" : "Ask for a range in place of LIKE",
          assumption: prefix.assumption))
    }
    if let lookup = LookupCondition(condition, statement, context.schema) {
      rewrites.append(
        StatementRewrite(
          kind: .subqueryPerRow, candidates: [statement.replacing(condition.range, with: lookup.sql)],
          title: "The reference of every row is looked up in \(lookup.table) to compare it",
          explanation:
            "The subquery runs for each row, since no index holds its result. An index of \(lookup.table) finds the wanted keys "
            + "once, and an index of these keys finds the rows.",
          summary: "Look the value up once, and find the rows by its key"))
    }
    if let ranges = Self.ranges(beside: condition, statement, context.schema) { rewrites.append(ranges) }
    return rewrites
  }

  /// The comparison without NOT for a condition such as `NOT (column > value)`.
  private static func positive(
    _ condition: SQLExpression, _ statement: MovableStatement, _ schema: DatabaseSchema
  ) -> StatementRewrite? {
    guard case .unary(.not, let inner) = condition.kind,
      case .binary(let operation, let left, let right) = inner.unwrapped.kind,
      let opposite = opposites[operation]
    else { return nil }
    let text = statement.text
    let sql = "\(text[left.range]) \(opposite.rawValue) \(text[right.range])"
    return StatementRewrite(
      kind: .fullScan, candidates: [statement.replacing(condition.range, with: sql)],
      title: "NOT keeps the comparison \(schema.fingerprint(of: text[inner.unwrapped.range])) from an index",
      explanation:
        "SQLite uses an index for a comparison, and not for its negation by NOT. The opposite comparison leaves out the same rows, "
        + "those with NULL among them.",
      summary: "Write the opposite comparison", isSameByNature: true)
  }

  private static let opposites: [SQLBinaryOperator: SQLBinaryOperator] = [
    .less: .greaterOrEqual, .lessOrEqual: .greater, .greater: .lessOrEqual, .greaterOrEqual: .less, .notEqual: .equal,
  ]

  /// The two ranges on both sides of the value for a condition such as `column <> value`.
  private static func ranges(
    beside condition: SQLExpression, _ statement: MovableStatement, _ schema: DatabaseSchema
  ) -> StatementRewrite? {
    guard case .binary(.notEqual, let left, let right) = condition.kind else { return nil }
    let text = statement.text
    guard let (side, value) = [(left, right), (right, left)].first(where: { statement.column($0.0, schema) != nil }),
      let own = statement.column(side, schema), statement.isConstant(value),
      schema.indexes.contains(where: {
        $0.table.asciiLowercased == own.table.name.asciiLowercased
          && $0.keys.first?.column?.asciiLowercased == own.column.name.asciiLowercased
      })
    else { return nil }
    let (one, other) = (text[left.range], text[right.range])
    return StatementRewrite(
      kind: .fullScan,
      candidates: [statement.replacing(condition.range, with: "(\(one) < \(other) OR \(one) > \(other))")],
      title: "<> reads all rows, where the index of \(own.column.name) finds the rows below and above the value",
      explanation:
        "SQLite uses no index for <>. Nearly all rows have the one value, and the others lie in two ranges. An index "
        + "finds each range. Where the value is always the same, a partial index `WHERE \(schema.fingerprint(of: text[condition.range]))` "
        + "with this value needs no other statement.",
      summary: "Ask for the rows below and above the value", isSameByNature: true)
  }

  private static func rewrite(
    _ bare: BareColumn, _ condition: SQLExpression, _ statement: MovableStatement, _ context: DetectorContext
  ) -> StatementRewrite {
    StatementRewrite(
      kind: bare.isCast ? .typeMismatch : .functionOnColumn,
      candidates: bare.forms.map { statement.replacing(condition.range, with: $0) },
      title: "\(bare.name) is computed for every row, so that the index of \(bare.column) can't be used",
      explanation:
        "An index holds the values of \(bare.column), not values that are computed from them. The same condition on the column "
        + "itself finds its rows by the index.",
      summary: "Leave \(bare.column) alone on its side of the comparison", limits: bare.limits, needsRows: bare.isCast,
      assumption: bare.assumption)
  }
}

extension MovableStatement {
  /// The conditions that all rows must meet, of WHERE and of inner joins, in all cores.
  var conditions: [SQLExpression] {
    shape.resolved.cores.flatMap { core -> [SQLExpression] in
      let joins = (core.syntax?.from?.sources ?? []).filter { $0.join.kind == .inner || $0.join.kind == .cross }
      return (core.condition?.conjuncts ?? []) + joins.flatMap { $0.join.on?.conjuncts ?? [] }
    }
  }

  func replacing(_ range: Range<Int>, with sql: String) -> String {
    var rewriter = SQLRewriter(text)
    rewriter.replace(range, with: sql)
    return rewriter.rewritten()
  }

  /// The table and the column of an expression that is a plain column; otherwise nil.
  func column(_ expression: SQLExpression, _ schema: DatabaseSchema) -> (table: TableSchema, column: ColumnSchema)? {
    guard case .column(let source, let name)? = shape.resolved.meaning(of: expression.unwrapped),
      let table = shape.resolved.sources[source]?.table.flatMap({ schema.table($0.name) }),
      let column = table.column(name)
    else { return nil }
    return (table, column)
  }

  /// Whether an expression has the same value for all rows.
  func isConstant(_ expression: SQLExpression) -> Bool { expression.readsNoRows }
}
