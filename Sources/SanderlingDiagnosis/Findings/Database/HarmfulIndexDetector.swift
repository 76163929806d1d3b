/// Finds indexes with which SQLite chooses worse plans than without them.
struct HarmfulIndexDetector: DatabaseDetector {
  /// The share of the rows for each key below which a search is selective.
  static let leastShare = 0.02

  func findings(for statements: [AnalyzedStatement], in context: DetectorContext) throws -> [Finding] {
    var findings: [Finding] = []
    for table in context.schema.tables {
      for index in table.indexes where index.canBeDropped && !UnusedIndexDetector.servesForeignKey(index, of: table) {
        let users = statements.filter { $0.uses(index) }
        guard !users.isEmpty, users.allSatisfy({ !$0.measurements.isEmpty && !$0.demands(index) }),
          try isUnselective(index, of: table, in: context)
        else { continue }
        let result = try WorkloadTrial(context: context).result(of: [context.dropping(index)], for: users)
        guard result.isBetter, result.comparisons.areBetter else { continue }
        var finding = finding(index, result, in: context)
        finding.improved = result.better
        finding.limits.append(context.limitOfDropping(index, statements))
        finding.limits += result.limits
        findings.append(finding)
      }
    }
    return findings
  }

  /// Whether an index has so few different keys that each key finds many rows.
  private func isUnselective(
    _ index: IndexSchema, of table: TableSchema, in context: DetectorContext
  ) throws -> Bool {
    guard let rows = table.rowCount, rows > 100, let key = index.keys.first else { return false }
    let name = key.column.map(\.quotedIdentifier) ?? key.expression ?? "NULL"
    let most = Int64(clamping: 1 / Self.leastShare)
    let sql =
      "SELECT count(*) FROM (SELECT DISTINCT \(name) FROM (SELECT \(name) FROM \(table.name.quotedIdentifier) "
      + "LIMIT 100000) LIMIT \(most + 1))"
    guard let count = try context.rows(sql).first?.first?.integer else { return false }
    return count <= most
  }

  private func finding(_ index: IndexSchema, _ result: WorkloadTrial.Result, in context: DetectorContext) -> Finding {
    let names = result.better.map { "S\($0)" }.joined(separator: ", ")
    return Finding(
      kind: .harmfulIndex, severity: result.comparisons.severity,
      statement: result.better.count == 1 ? result.better.first : nil,
      title: "\(index.name) makes \(names) slower than no index at all",
      explanation:
        "Few different values share all rows of \(index.table), so that each search by \(index.name) finds a "
        + "large part "
        + "of the table and jumps to each row. Without the index SQLite takes a better way. All statements that "
        + "read the "
        + "index were measured without it, and none got slower.",
      evidence: context.bytes(of: index).map {
        [Evidence(name: "size of the index", value: Double($0), unit: "bytes")]
      } ?? [],
      fix: Fix(
        summary: "Drop \(index.name)", sql: [context.dropping(index)], grdb: "try db.drop(index: \"\(index.name)\")"),
      outcome: .proven(result.comparisons))
  }
}
