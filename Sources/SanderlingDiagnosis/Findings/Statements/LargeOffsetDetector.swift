/// Finds pages with a large OFFSET, for which SQLite reads all rows before the page.
struct LargeOffsetDetector: FindingDetector {
  static let leastOffset: Int64 = 100

  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema),
      let page = PageByKey(statement, schema: context.schema)
    else { return [] }
    var comparisons: [Comparison] = []
    var samples: [BindingSample] = []
    var sql = ""
    var deepest: Int64 = 0
    for (sample, before) in analyzed.baseline {
      guard let offset = page.offset(sample.values), offset >= Self.leastOffset, before.rowsReturned > 0,
        let last = try page.lastRow(before: offset, sample, in: context),
        let rewritten = page.next(after: last, sample.values)
      else { continue }
      let verdict = try context.compare(
        page.withTail, rewritten.sql, bindings: sample.values, otherBindings: rewritten.values, order: statement.order)
      guard verdict == .same else { return [] }
      comparisons.append(
        Comparison(
          bindings: sample.name, before: before,
          after: try context.runner.measure(rewritten.sql, bindings: rewritten.values)))
      samples.append(BindingSample(name: sample.name, values: rewritten.values))
      sql = rewritten.sql
      deepest = max(deepest, offset)
    }
    guard !comparisons.isEmpty else { return [] }
    let proof = try PageProof(page: page, context: context, samples: analyzed.samples).verdict()
    if proof == .different { return [] }
    let trial = RewriteTrial(context: context, analyzed: analyzed, statement: statement)
    let plain = RewriteTrial.Result(sql: sql, comparisons: comparisons, isBetter: comparisons.areBetter)
    var best = try trial.indexed(plain, samples) ?? plain
    best.note(proof)
    if best.isBetter { try trial.note(best, samples) }
    return [finding(analyzed, page, best, deepest, in: context)]
  }

  /// The first digit of a number, followed by zeros. The number itself is a value of the statement, which a report may
  /// have to hide.
  private static func about(_ number: Int64) -> Double {
    var unit: Int64 = 1
    while number / unit >= 10 { unit *= 10 }
    return Double(number / unit * unit)
  }

  private func finding(
    _ analyzed: AnalyzedStatement, _ page: PageByKey, _ result: RewriteTrial.Result, _ offset: Int64,
    in context: DetectorContext
  ) -> Finding {
    let (isBetter, outcome) = (result.isBetter, result.outcome)
    var pages = [result.sql]
    if page.hasTwoStates { pages = [false, true].compactMap(page.next(isFirstNull:)) }
    let first = page.keys[0].name
    let names = page.keys.map(\.name).joined(separator: ", ")
    return Finding(
      kind: .largeOffset, severity: outcome.severity, statement: analyzed.statement.id, caller: analyzed.caller,
      title: "OFFSET reads all rows of the pages before to throw them away",
      explanation:
        "OFFSET doesn't jump: SQLite finds, and sorts, every row that it skips, so that each page takes longer "
        + "than the one "
        + "before. The page after a known row is found by that row's \(names)"
        + (isBetter ? "." : "; here that gains too little, as long as no index has this order."),
      evidence: [Evidence(name: "rows skipped, at least", value: Self.about(offset), unit: "rows")],
      fix: result.doubt != nil
        ? nil
        : Fix(
          summary: "Ask for the rows after the last one of the page before"
            + (result.changes.isEmpty ? "" : ", with an index in their order"),
          sql: result.changes + pages.map(context.shown),
          grdb: page.conditionWithPlaces.map {
            "// Keep \(names) of the last row of the page.\n.filter(sql: \"\($0)\", arguments: […])"
          },
          coreData: "Add a predicate on \(names) of the last object in place of fetchOffset."),
      outcome: outcome,
      limits: (page.tail.isEmpty
        ? []
        : [
          "\(page.tail.joined(separator: ", ")) \(page.tail.count == 1 ? "is" : "are") added to the order, so that no two rows are equal in it."
        ])
        + (page.tail == ["rowid"] ? ["VACUUM may give rows other rowids: no place is kept across one."] : [])
        + (page.hasTwoStates
          ? [
            "\(first) may be NULL: the first statement follows a row where it has a value, the second one a row where it is "
              + "NULL."
          ] : [])
        + analyzed.limits,
      formProof: result.proof)
  }
}
