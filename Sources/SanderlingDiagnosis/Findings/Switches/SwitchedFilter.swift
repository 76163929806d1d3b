/// The number of rows that a switched condition leaves, with the values of the executions.
struct SwitchedFilter {
  let part: ConditionSwitch
  let table: TableSchema
  /// The columns that the condition reads, as the schema spells them.
  let columns: [String]
  /// The greatest number of rows that the condition leaves in an execution that switches it on.
  let rows: Int64
  /// The numbers of the samples that switch the condition on.
  let samples: [Int]
  /// Whether an index could find the condition's rows.
  let isServable: Bool
  /// Whether the condition compares a column with a pattern, so that an index helps only for the pattern's beginning.
  let isPattern: Bool
  /// Whether an existing index begins with the compared columns.
  let hasIndex: Bool

  /// Counts the rows of a condition; nil if no execution switches it on, or if it reads columns of several tables.
  ///
  /// Throws `DiagnosisError` when the diagnosis was cancelled. O(rows) of the table.
  init?(
    _ part: ConditionSwitch, of analyzed: AnalyzedStatement, _ shape: QueryShape, in context: DetectorContext
  ) throws {
    let resolved = shape.resolved
    let sources = resolved.references.filter { part.filterRange.contains($0.key) }.compactMap { reference -> Int? in
      if case .column(let source, _) = reference.value { source } else { nil }
    }
    guard let id = sources.first, Set(sources).count == 1, let source = resolved.sources[id],
      let table = source.table.flatMap({ context.schema.table($0.name) }), table.kind == .ordinary
    else { return nil }
    let from = "FROM \(table.name.quotedIdentifier) AS \(source.name.quotedIdentifier)"
    let (question, switched) = ("SELECT count(*) \(from) WHERE \(part.filter)", "SELECT (\(part.off)) IS NOT TRUE")
    // In a large table, some rows suffice to estimate the number.
    let ofSome = question.replacing(
      from,
      with: "FROM (SELECT * FROM \(table.name.quotedIdentifier) LIMIT \(BindingSampler.sampledRows)) "
        + "AS \(source.name.quotedIdentifier)")
    let scale = Double(table.rowCount ?? 0) / Double(BindingSampler.sampledRows)
    let number = { (sql: String, sample: BindingSample) in
      try Self.number(
        sql, MovableStatement.values(sample.values, named: shape.parameterNames, for: sql), context)
    }
    var (rows, samples): (Int64, [Int]) = (0, [])
    for (place, sample) in analyzed.samples.enumerated() {
      guard try number(switched, sample) == 1 else { continue }
      samples.append(place)
      let count =
        try number(question, sample) ?? number(ofSome, sample).map { Int64(clamping: Double($0) * max(1, scale)) }
      // If the rows can't be counted, they count as many.
      rows = max(rows, count ?? table.rowCount ?? .max)
    }
    guard !samples.isEmpty else { return nil }
    let terms = (try? ShapeReader.shape(of: question, in: context.schema.description))?.selects.first?.sources.first
    let keys = TermKeys(table: table).sequence(terms?.terms ?? []).keys
    let isOfKey = terms?.terms.contains { $0.key?.isRowid == true } == true
    (self.part, self.table, self.rows, self.samples) = (part, table, rows, samples)
    isPattern = terms?.terms.contains { if case .pattern = $0.kind { true } else { false } } == true
    isServable = !keys.isEmpty || isOfKey || terms?.alternatives.isEmpty == false
    hasIndex =
      isOfKey
      || table.indexes.contains { index in
        keys.contains { key in index.condition == nil && index.keys.first?.isLike(key, in: table) == true }
      }
    columns = terms?.columns ?? []
  }

  /// The share of a question's time that counting may take.
  private static let shareOfTime = 0.1

  private static func number(
    _ sql: String, _ values: [Int: BoundValue], _ context: DetectorContext
  ) throws -> Int64? {
    do {
      return try context.connection.limited(to: context.questionTime * shareOfTime) {
        try context.rows(sql, values).first?.first?.integer
      }
    } catch DiagnosisError.statement, DiagnosisError.notAllowed {
      return nil
    } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
      if context.connection.budget.deadline.hasPassed { throw DiagnosisError.stopped(reason) }
      return nil
    }
  }

  /// The rank of the filter, the least first: the number of rows, with a preference for filters with an existing index,
  /// which need no change of the schema.
  var rank: Double { Double(rows) * (hasIndex ? Self.preferenceOfExisting : 1) }

  /// The factor of the rank if an index exists.
  private static let preferenceOfExisting = 0.25

  /// The share of the table's rows that is left.
  var share: Double { Double(rows) / Double(max(1, table.rowCount ?? 1)) }
}
