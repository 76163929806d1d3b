import SanderlingSQL

/// Finds outer joins whose rows without a partner are left out again. Such joins keep SQLite from another order of the
/// tables.
struct OuterJoinDetector: FindingDetector {
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema) else { return [] }
    var rewriter = SQLRewriter(statement.text)
    var names: [String] = []
    for core in statement.shape.resolved.cores {
      for source in strictJoins(of: core, statement) {
        guard let range = outerWords(of: source, statement.text) else { continue }
        rewriter.replace(range, with: "JOIN")
        names.append(statement.shape.resolved.sources[source.id]?.name ?? "a table")
      }
    }
    guard !names.isEmpty else { return [] }
    let list = names.joined(separator: ", ")
    let rewrite = StatementRewrite(
      kind: .fullScan, candidates: [rewriter.rewritten()],
      title:
        "\(list) \(names.count == 1 ? "is" : "are") joined by LEFT JOIN, though rows without a partner are left out",
      explanation:
        "A condition on \(list) is never true for the rows that an outer join adds, so that it is an inner join in effect. "
        + "But SQLite keeps the order of the tables for an outer join, and reads all rows of the first one. Written as "
        + "JOIN, it may begin with the table that the condition is on.",
      summary: "Write JOIN in place of LEFT JOIN", grdb: "request.including(required: …)   // in place of optional:")
    return try rewrite.findings(for: analyzed, statement, in: context)
  }

  /// The outer joins that could be inner joins, because WHERE or a later join leaves out their rows of NULL.
  private func strictJoins(of core: ResolvedCore, _ statement: MovableStatement) -> [SQLSource] {
    let sources = core.syntax?.from?.sources ?? []
    guard sources.allSatisfy({ $0.join.kind != .right && $0.join.kind != .full }) else { return [] }
    var conditions = core.condition?.conjuncts ?? []
    for source in sources where source.join.kind == .inner || source.join.kind == .cross {
      conditions += source.join.on?.conjuncts ?? []
    }
    var strict: [SQLSource] = []
    // Once a join is an inner join, its conditions hold for all rows, too.
    for source in sources.reversed() where source.join.kind == .left {
      guard conditions.contains(where: { $0.rejectsNull(of: source.id, in: statement) }) else { continue }
      strict.append(source)
      conditions += source.join.on?.conjuncts ?? []
    }
    return strict.reversed()
  }

  /// The range of `LEFT OUTER JOIN` before a source.
  private func outerWords(of source: SQLSource, _ text: SQLText) -> Range<Int>? {
    let range = source.joinRange.lowerBound..<source.range.lowerBound
    guard !source.join.isNatural else { return nil }
    let words = SQLTokenizer(SQLText(text[range])).filter { !$0.isTrivia }
    let spelling = words.map { SQLText(text[range])[$0.range].uppercased() }
    guard spelling == ["LEFT", "JOIN"] || spelling == ["LEFT", "OUTER", "JOIN"], let first = words.first,
      let last = words.last
    else { return nil }
    return range.lowerBound + first.range.lowerBound..<range.lowerBound + last.range.upperBound
  }
}
