import SanderlingSQL

/// Rewrites statements and parts of the schema with other values, and without comments.
struct StatementTranslator {
  let schema: DatabaseSchema
  let values: ValueTranslator
  let names: SQLNames

  init(schema: DatabaseSchema, values: ValueTranslator) {
    (self.schema, self.values, names) = (schema, values, schema.names)
  }

  /// The greatest number that can select a function's computation and is then not its input.
  private static let greatestArgument: Int64 = 64

  /// Translates a statement of the workload; nil if it can't be parsed, because its literals are then unknown.
  func statement(_ statement: WorkloadStatement) throws -> ProfiledStatement? {
    guard let parsed = try? SQLParser.parse(statement.sql) else { return nil }
    let uses = StatementUses(parsed, schema: schema)
    var byParameter: [Int: ComparedValue] = [:]
    for use in uses.values {
      if case .parameter(let number) = use.value, byParameter[number] == nil { byParameter[number] = use }
    }
    let bindings = try statement.bindings.map { set in
      try set.reduce(into: [Int: String]()) { others, pair in
        let isKept = uses.keptParameters.contains(pair.key) && byParameter[pair.key] == nil
        let other =
          isKept
          ? pair.value
          : try byParameter[pair.key].map { try values.value(pair.value, of: canonical($0)) } ?? pair.value.neutral
        others[pair.key] = other.sqlText
      }
    }
    let milliseconds = statement.totalTime.map {
      Double($0.components.seconds) * 1000 + Double($0.components.attoseconds) / 1e15
    }
    let operations = statement.operations.sorted { $0.key < $1.key }.enumerated()
      .reduce(into: [String: Int]()) { $0["operation \($1.offset + 1)"] = $1.element.value }
    return ProfiledStatement(
      sql: try rewritten(parsed, uses), count: statement.count, milliseconds: milliseconds, rows: statement.totalRows,
      bindings: bindings, operations: operations, mostPerOperation: statement.mostPerOperation)
  }

  /// Returns a parsed statement with replaced literals.
  func rewritten(_ statement: SQLStatement, _ uses: StatementUses) throws -> String {
    let text = statement.text
    var rewriter = SQLRewriter(text)
    for use in uses.values {
      guard case .literal(let range) = use.value, let value = literal(text[range]) else { continue }
      rewriter.replace(range, with: try values.value(value, of: canonical(use)).sqlText)
    }
    let kept = Set(uses.keptLiterals)
    // In parts that the parser skips, the schema's names show which tokens are strings.
    let strings = uses.strings.union(names.values(in: text).map(\.lowerBound))
    let columnNumbers = Fingerprint.columnNumbers(in: text)
    var depth = 0
    var calls: Set<Int> = []
    var last: SQLToken?
    for token in SQLTokenizer(text) {
      switch token.kind {
      case .comment: rewriter.replace(token.range, with: " ")
      case .symbol(.leftParenthesis):
        depth += 1
        if last?.kind == .word, SQLKeyword.keyword(last.map { text[$0.range] } ?? "") == nil { calls.insert(depth) }
      case .symbol(.rightParenthesis):
        calls.remove(depth)
        depth -= 1
      case .string, .blob, .integer, .real:
        let isArgument = calls.contains(depth) && Int64(text[token.range]).map { $0 <= Self.greatestArgument } == true
        if kept.contains(token.range) || columnNumbers.contains(token.range) || isArgument { break }
        if let other = neutral(text[token.range]) { rewriter.replace(token.range, with: other) }
      case .doubleQuoted where strings.contains(token.range.lowerBound):
        if let other = neutral(text[token.range]) { rewriter.replace(token.range, with: other) }
      default: break
      }
      if !token.isTrivia { last = token }
    }
    return rewriter.rewritten()
  }

  /// Replaces the use of a computed column by the use of the column that it is computed from.
  func canonical(_ use: ComparedValue) -> ComparedValue {
    var use = use
    use.column = schema.canonical(use.column)
    return use
  }

  // MARK: Literals

  func literal(_ sql: String) -> BoundValue? {
    if sql.hasPrefix("\"") { return .text(sql.withoutQuotes) }
    return (try? values.connection.value("SELECT \(sql)")) ?? nil
  }

  /// Returns a neutral literal; nil for literals that stay: 0, 1, the empty text, and texts that select a computation.
  func neutral(_ sql: String) -> String? {
    if sql.hasPrefix("'"), LiteralRemover.staysWithoutValues(sql) { return nil }
    guard let value = literal(sql), value.neutral != value else { return nil }
    return value.neutral.sqlText
  }
}
