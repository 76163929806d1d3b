import SanderlingTerminal

/// Tries pages of 4,096 bytes for files that have smaller pages.
struct PageSizeDetector: DatabaseDetector {
  static let pageSize = 4_096
  static let leastBytes: Int64 = 1 << 20
  /// The greatest number of measured statements. They are the statements that read most pages.
  static let maximumStatements = 5

  func findings(for statements: [AnalyzedStatement], in context: DetectorContext) throws -> [Finding] {
    let header = context.copy.header
    guard header.pageSize < Self.pageSize, header.pages &* Int64(header.pageSize) >= Self.leastBytes else { return [] }
    let rebuilt = try context.copy.makeRebuiltCopy(pageSize: Self.pageSize)
    let runner = context.runner(on: rebuilt)
    let heaviest = statements.filter { !$0.isWrite && !$0.measurements.isEmpty }
      .sorted { ($0.measurements.first?.pages ?? 0) > ($1.measurements.first?.pages ?? 0) }
      .prefix(Self.maximumStatements)
    var comparisons = try heaviest.flatMap { statement in
      try statement.baseline.prefix(1).map { sample, before in
        Comparison(
          bindings: "S\(statement.statement.id), \(sample.name)", before: before,
          after: try runner.measure(statement.sql, bindings: sample.values))
      }
    }
    if comparisons.isEmpty, let scan = try scan(runner, in: context) { comparisons = [scan] }
    let before = comparisons.reduce(0) { $0 + $1.before.coldPages }
    let after = comparisons.reduce(0) { $0 + $1.after.coldPages }
    let isBetter = after > 0 && Double(before) >= 1.5 * Double(after)
    return [
      Finding(
        kind: .pageSize, severity: isBetter ? .warning : .note,
        title:
          "Pages of \(Figure.count(header.pageSize)) bytes: with \(Figure.count(Self.pageSize)) the same "
          + "statements read "
          + "\(Figure.count(after)) pages in place of \(Figure.count(before))",
        explanation:
          "Flash storage and file systems work in blocks of 4,096 bytes and more, so that each smaller page "
          + "costs a read of "
          + "its own. The size was the default before SQLite 3.12. It changes with a VACUUM, outside of WAL mode.",
        evidence: [
          Evidence(name: "page size", value: Double(header.pageSize), unit: "bytes"),
          Evidence(name: "pages read from the file", value: Double(before), unit: "pages"),
          Evidence(name: "with 4,096 bytes", value: Double(after), unit: "pages"),
        ],
        fix: Fix(
          summary: "Change the page size once",
          sql: ["PRAGMA journal_mode = DELETE", "PRAGMA page_size = \(Self.pageSize)", "VACUUM"]),
        outcome: isBetter ? .proven(comparisons) : .triedNotBetter(comparisons))
    ]
  }

  private func scan(_ runner: StatementRunner, in context: DetectorContext) throws -> Comparison? {
    let tables = context.schema.tables.filter { $0.kind == .ordinary }
    guard let table = tables.max(by: { ($0.rowCount ?? 0) < ($1.rowCount ?? 0) }) else { return nil }
    let sql = "SELECT count(*) FROM \(table.name.quotedIdentifier) NOT INDEXED"
    return Comparison(
      bindings: "scan of \(table.name)", before: try context.runner.measure(sql), after: try runner.measure(sql))
  }
}
