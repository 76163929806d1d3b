/// Finds conditions that a parameter switches off, as in lists with optional filters. Rewrites the statement in two
/// parts: one with the filter and its index, and one without the filter.
struct SwitchedConditionDetector: FindingDetector {
  /// The greatest number of tried filters. They are the switched-on filters that leave the fewest rows.
  private static let tries = 3
  /// The greatest share of the rows that a filter may leave. With more rows, an index gains little.
  private static let mostShare = 0.4
  /// The greatest share of rows that a filter may leave to be reported without a rewrite.
  private static let shareForWords = 0.02
  private static let leastRowsForWords: Int64 = 2_000

  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard GainRule(before: analyzed.measurements).isWorthATrial, let original = analyzed.shape,
      let numbered = MovableStatement.numbered(original),
      let shape = try? ShapeReader.shape(of: numbered, in: context.schema.description)
    else { return [] }
    let filters = try filters(of: shape, analyzed, context)
    if let statement = MovableStatement(analyzed, schema: context.schema) {
      for filter in filters.prefix(Self.tries) {
        if let finding = try finding(filter, analyzed, statement, context) { return [finding] }
      }
    }
    return filters.first.map { words($0, analyzed, context) } ?? []
  }

  /// The filters that an execution switches on, the most promising first.
  private func filters(
    of shape: QueryShape, _ analyzed: AnalyzedStatement, _ context: DetectorContext
  ) throws -> [SwitchedFilter] {
    try ConditionSwitch.all(of: shape.resolved)
      .compactMap { try SwitchedFilter($0, of: analyzed, shape, in: context) }
      .filter { $0.isServable && $0.share <= Self.mostShare }
      .sorted { $0.rank < $1.rank }
  }

  // MARK: In two parts

  private func finding(
    _ filter: SwitchedFilter, _ analyzed: AnalyzedStatement, _ statement: MovableStatement, _ context: DetectorContext
  ) throws -> Finding? {
    // No rewrite is known for filters in subqueries and in compound statements.
    let forms = SwitchedStatement(statement: statement, part: filter.part).forms
    guard !forms.isEmpty else { return nil }
    var trial = RewriteTrial(context: context, analyzed: analyzed, statement: statement)
    trial.decisive = Set(filter.samples)
    let rewrite = StatementRewrite(
      kind: .orWithoutIndex, candidates: forms, title: Self.title(filter),
      explanation:
        "\(Self.explanation(filter)) Asked for in two parts, each with the switch as a condition of its own, only one of them "
        + "reads anything, and the filter has its index.",
      summary: "Ask for the rows with and without the filter in two parts; only one of them runs",
      grdb: Self.grdb(filter),
      coreData: Self.coreData, limits: Self.limits(analyzed), evidence: Self.evidence(filter), isSameByNature: true)
    return try rewrite.finding(trial)
  }

  // MARK: In words

  /// The finding in words, if there is no rewrite or none is better.
  private func words(
    _ filter: SwitchedFilter, _ analyzed: AnalyzedStatement, _ context: DetectorContext
  ) -> [Finding] {
    // If an index of another condition serves the statement, no other code is needed.
    guard filter.share <= Self.shareForWords, !filter.isPattern, context.advice?.isNone ?? true,
      let most = filter.samples.compactMap({ analyzed.measurements[safe: $0] }).max(by: { $0.work < $1.work }),
      !most.isComplete || most.scannedRows >= Self.leastRowsForWords
    else { return [] }
    return [
      Finding(
        kind: .orWithoutIndex, severity: .note, statement: analyzed.statement.id, caller: analyzed.caller,
        title: Self.title(filter),
        explanation:
          "\(Self.explanation(filter)) A statement that has only the conditions that are set is planned for these.",
        evidence: Self.evidence(filter),
        fix: Fix(
          summary: "Build the statement from the filters that are set", sql: [], grdb: Self.grdb(filter),
          coreData: Self.coreData),
        outcome: .notMeasured(reason: "The statement has to be put together by the app."),
        limits: Self.limits(analyzed) + analyzed.limits)
    ]
  }

  private static func title(_ filter: SwitchedFilter) -> String {
    "A filter on \(filter.columns.joined(separator: ", ")) that a parameter may switch off reads all rows of \(filter.table.name)"
  }

  private static func explanation(_ filter: SwitchedFilter) -> String {
    "SQLite plans before it knows the parameters. Since one may switch the condition on \(filter.columns.joined(separator: ", ")) "
      + "off, no index may find its rows."
  }

  private static func evidence(_ filter: SwitchedFilter) -> [Evidence] {
    [
      Evidence(name: "rows of \(filter.table.name)", value: Double(filter.table.rowCount ?? 0), unit: "rows"),
      Evidence(name: "rows that the filter leaves", value: Double(filter.rows), unit: "rows"),
    ]
  }

  private static func grdb(_ filter: SwitchedFilter) -> String? {
    guard filter.columns.count == 1 else { return nil }
    let condition = "Column(\"\(filter.columns[0])\") == value"
    return "if let value { request = request.filter(\(condition)) }   // for each filter that is set"
  }

  private static let coreData = "Give the request an NSCompoundPredicate of the filters that are set."

  /// The limits if the values don't come from a log.
  private static func limits(_ analyzed: AnalyzedStatement) -> [String] {
    analyzed.samples.allSatisfy { $0.name == BindingSample.logged }
      ? [] : ["Which filters are switched on is not known without logged values: all are taken for switched on."]
  }
}
