import SanderlingSQL

/// Finds sources with INDEXED BY or NOT INDEXED, which demand an index or forbid all indexes.
struct IndexHintDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    var rewriter = SQLRewriter(statement.text)
    var hints: [(sql: String, table: String)] = []
    for source in statement.shape.resolved.sources.values.sorted(by: { $0.id < $1.id }) {
      guard let hint = Self.hint(of: source.syntax, statement.text) else { continue }
      hints.append((String(statement.text[hint].drop { $0.isWhitespace }), source.table?.name ?? source.name))
      rewriter.replace(hint, with: "")
    }
    guard let first = hints.first else { return [] }
    let rewrite = StatementRewrite(
      kind: first.sql.hasPrefix("NOT") ? .fullScan : .harmfulIndex, candidates: [rewriter.rewritten()],
      title: "\(first.sql) keeps SQLite from a better way to read \(first.table)",
      explanation:
        "The statement says how \(first.table) is read, independent of its rows and indexes. Without that, SQLite chooses, and takes an "
        + "index that is made for the statement.",
      summary: "Leave \(first.sql) out", isSameByNature: true)
    return try rewrite.findings(for: analyzed, statement, in: context)
  }

  /// The range of `INDEXED BY name` or `NOT INDEXED` with the space before it.
  private static func hint(of source: SQLSource, _ text: SQLText) -> Range<Int>? {
    guard source.indexedBy != nil || source.isNotIndexed else { return nil }
    let own = SQLText(text[source.range])
    let tokens = SQLTokenizer(own).filter { !$0.isTrivia }
    let length = source.isNotIndexed ? 2 : 3
    guard tokens.count > length else { return nil }
    let begin = source.range.lowerBound + tokens[tokens.count - length - 1].range.upperBound
    return begin..<source.range.upperBound
  }
}
