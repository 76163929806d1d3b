import SanderlingTerminal

/// Measures all statements on the copy before and after ANALYZE.
struct StatisticsDetector: DatabaseDetector {
  func findings(for statements: [AnalyzedStatement], in context: DetectorContext) throws -> [Finding] {
    guard context.schema.indexes.contains(where: { $0.origin == .createIndex }) else { return [] }
    let stale = context.schema.hasStatistics ? Self.stale(in: context) : []
    let trial = WorkloadTrial(context: context)
    let change = ["ANALYZE"]
    // Writes are measured, too, because they also search for their rows.
    let measured = statements.filter { !$0.measurements.isEmpty }
    let replanned = try trial.replanned(by: change, among: measured)
    let result = try replanned.isEmpty ? WorkloadTrial.Result() : trial.result(of: change, for: replanned)
    let kind = context.schema.hasStatistics ? FindingKind.staleStatistics : .missingStatistics
    if result.isBetter, result.comparisons.areBetter {
      return [finding(kind, .proven(result.comparisons), result, stale)]
    }
    if !result.better.isEmpty || !result.worse.isEmpty {
      return [finding(kind, .triedNotBetter(result.comparisons), result, stale)]
    }
    guard !stale.isEmpty else { return [] }
    let reason = "No statement of the workload is planned otherwise with new statistics."
    return [finding(kind, .notMeasured(reason: reason), result, stale)]
  }

  struct StaleTable {
    var name: String
    var known: Int64
    var rows: Int64
  }

  /// The tables whose statistics have over ten times as many rows as the table, or fewer than a tenth.
  static func stale(in context: DetectorContext) -> [StaleTable] {
    guard let rows = try? context.rows("SELECT tbl, idx, stat FROM sqlite_stat1") else { return [] }
    var stale: [StaleTable] = []
    for row in rows {
      guard let table = row[0].text.flatMap(context.schema.table), table.isRowCountExact, let count = table.rowCount,
        let known = row[2].text?.split(separator: " ").first.flatMap({ Int64($0) }),
        !(row[1].text.flatMap(context.schema.index)?.isPartial ?? false)
      else { continue }
      let (less, more) = (Double(min(known, count)), Double(max(known, count)))
      // For small tables, SQLite chooses the same plan with any number of rows.
      guard more >= 1_000, more > 10 * max(1, less), !stale.contains(where: { $0.name == table.name }) else { continue }
      stale.append(StaleTable(name: table.name, known: known, rows: count))
    }
    return stale
  }

  private func finding(
    _ kind: FindingKind, _ outcome: Finding.Outcome, _ result: WorkloadTrial.Result, _ stale: [StaleTable]
  ) -> Finding {
    let better = result.better.map { "S\($0)" }.joined(separator: ", ")
    let worse = result.worse.map { "S\($0)" }.joined(separator: ", ")
    let isProven = if case .proven = outcome { true } else { false }
    let title: String
    if isProven {
      title = "ANALYZE makes \(better) faster, and none slower"
    } else if !worse.isEmpty {
      title =
        better.isEmpty ? "ANALYZE would make \(worse) slower" : "ANALYZE makes \(better) faster, but \(worse) slower"
    } else if let worst = stale.first {
      title =
        "Statistics count \(Figure.count(worst.known, "row")) in \(worst.name), and there are "
        + "\(Figure.count(worst.rows))"
    } else {
      title = "ANALYZE changes plans, and gains nothing worth it"
    }
    let state =
      kind == .missingStatistics
      ? "ANALYZE never ran, so that SQLite guesses how many rows an index finds."
      : "SQLite plans by statistics of an earlier state of the tables."
    let advice =
      isProven || worse.isEmpty
      ? "All statements whose plan changes were measured with new statistics on the copy."
      : "It is not recommended: the statements that get slower need an index, or another form, first."
    var finding = Finding(
      kind: kind, severity: isProven ? result.comparisons.severity : .note, title: title,
      explanation: "\(state) \(advice)",
      evidence: stale.flatMap {
        [
          Evidence(name: "rows of \($0.name) by the statistics", value: Double($0.known), unit: "rows"),
          Evidence(name: "rows of \($0.name)", value: Double($0.rows), unit: "rows"),
        ]
      },
      // New statistics that change no plan are no fix, however old the existing statistics are.
      fix: isProven
        ? Fix(
          summary: "Run ANALYZE, and PRAGMA optimize when the app closes the database",
          sql: ["ANALYZE", "PRAGMA optimize"], grdb: "try db.execute(sql: \"ANALYZE\")",
          coreData: "Set NSSQLiteAnalyzeOption in the store's options once.") : nil,
      outcome: outcome)
    finding.improved = result.better
    if isProven { finding.limits += result.limits }
    return finding
  }
}
