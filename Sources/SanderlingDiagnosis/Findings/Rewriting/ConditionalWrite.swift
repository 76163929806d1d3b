import SanderlingSQL

/// An UPDATE or DELETE with a condition on the rows of one table, or an INSERT of the rows of a SELECT.
struct ConditionalWrite {
  /// A SELECT that returns the rows of the write.
  let selection: String
  /// Whether the write reads subqueries.
  let asksSubqueries: Bool
  private let text: SQLText
  /// The range that the SELECT of the rows contains: the condition, or the SELECT itself.
  private let part: Range<Int>
  private let head: String

  /// Nil for other statements.
  init?(_ analyzed: AnalyzedStatement, _ schema: DatabaseSchema) {
    // Named parameters would have other numbers in the SELECT.
    guard let original = analyzed.shape, original.parameterNames.keys.allSatisfy({ $0.hasPrefix("?") }),
      let numbered = MovableStatement.numbered(original), let statement = try? SQLParser.parse(numbered),
      Self.isRowIDTable(original.kind, schema)
    else { return nil }
    text = statement.text
    let (target, condition): (SQLSource, SQLExpression)
    switch statement.kind {
    case .insert(let insert):
      guard let select = insert.select, insert.with == nil, insert.upserts.isEmpty, insert.returning.isEmpty,
        select.cores.allSatisfy({ $0.rows.isEmpty && $0.from != nil })
      else { return nil }
      (part, head, selection) = (select.range, "", text[select.range])
      asksSubqueries = true
      return
    case .delete(let delete):
      guard let filter = delete.condition, delete.with == nil, delete.returning.isEmpty, delete.orderBy.isEmpty,
        delete.limit == nil
      else { return nil }
      (target, condition) = (delete.target, filter)
    case .update(let update):
      guard let filter = update.condition, update.with == nil, update.returning.isEmpty, update.orderBy.isEmpty,
        update.limit == nil, update.from == nil
      else { return nil }
      (target, condition) = (update.target, filter)
    case .select: return nil
    }
    guard target.indexedBy == nil else { return nil }
    part = condition.range
    asksSubqueries = condition.withDescendants.contains { $0.subquery != nil }
    head = "SELECT rowid FROM \(text[target.range]) WHERE "
    selection = head + text[condition.range]
  }

  private static func isRowIDTable(_ kind: QueryShape.Kind, _ schema: DatabaseSchema) -> Bool {
    switch kind {
    case .delete(let table), .update(let table, _):
      schema.table(table).map { $0.kind == .ordinary && !$0.isWithoutRowID } ?? false
    case .insert: true
    case .select: false
    }
  }

  /// The write of the rows of another SELECT; nil if that SELECT reads other tables.
  func replacing(by selection: String) -> String? {
    guard selection.hasPrefix(head) else { return nil }
    var rewriter = SQLRewriter(text)
    rewriter.replace(part, with: String(selection.dropFirst(head.count)))
    return rewriter.rewritten()
  }
}
