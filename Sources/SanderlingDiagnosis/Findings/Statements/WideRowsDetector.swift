import SanderlingTerminal

/// Finds lists that read large texts or blobs with each row.
struct WideRowsDetector: FindingDetector {
  static let leastRows: Int64 = 10
  static let leastBytes = 1_000.0
  static let sampledRows = 200

  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding] {
    guard let statement = MovableStatement(analyzed, schema: context.schema), let core = statement.core,
      core.syntax.groupBy.isEmpty, core.shape.aggregates.isEmpty, !core.syntax.isDistinct,
      (analyzed.measurements.map(\.rowsReturned).max() ?? 0) >= Self.leastRows
    else { return [] }
    let results = core.resolved.results.map { result -> (source: Int, name: String)? in
      let meaning = result.meaning ?? result.expression.flatMap { statement.shape.resolved.meaning(of: $0.unwrapped) }
      guard case .column(let source, let name)? = meaning else { return nil }
      return (source, name)
    }
    var large: [(place: Int, bytes: Double)] = []
    var all = 0.0
    var sizes: [Int: [String: Double]] = [:]
    for (place, result) in results.enumerated() {
      guard let result,
        let table = statement.shape.resolved.sources[result.source]?.table.flatMap({
          context.schema.table($0.name)
        }), table.kind == .ordinary
      else { continue }
      if sizes[result.source] == nil { sizes[result.source] = try Self.sizes(of: table, in: context) }
      let bytes = sizes[result.source]?[result.name] ?? 0
      all += bytes
      if bytes >= Self.leastBytes { large.append((place, bytes)) }
    }
    let bytes = large.reduce(0) { $0 + $1.bytes }
    // A list of one or two columns, or of large columns only, probably shows all of them.
    guard !large.isEmpty, results.count >= 3, large.count < results.count, bytes >= 0.5 * all else { return [] }
    return try finding(analyzed, statement, large, bytes, share: bytes / all, in: context)
  }

  private static func sizes(of table: TableSchema, in context: DetectorContext) throws -> [String: Double] {
    let columns = table.columns.filter { [.text, .blob].contains($0.affinity) && !$0.isHidden }
    guard !columns.isEmpty else { return [:] }
    let lengths = columns.map { "avg(length(CAST(\($0.name.quotedIdentifier) AS BLOB)))" }
    let step = max(1, (table.rowCount ?? 0) / Int64(sampledRows))
    // The sampled rows come from the whole table, because old and new rows differ.
    let rows = table.isWithoutRowID || table.rowCount == nil ? "" : " WHERE rowid % \(step) = 0"
    let sql =
      "SELECT \(lengths.joined(separator: ", ")) FROM (SELECT * FROM \(table.name.quotedIdentifier)\(rows) "
      + "LIMIT \(sampledRows))"
    guard let row = try context.rows(sql).first else { return [:] }
    return zip(columns, row).reduce(into: [:]) { sizes, column in
      if case .real(let bytes) = column.1 { sizes[column.0.name] = bytes }
    }
  }

  private func finding(
    _ analyzed: AnalyzedStatement, _ statement: MovableStatement, _ large: [(place: Int, bytes: Double)],
    _ bytes: Double, share: Double, in context: DetectorContext
  ) throws -> [Finding] {
    guard let core = statement.core else { return [] }
    let places = Set(large.map(\.place))
    let left = core.resolved.results.enumerated().filter { !places.contains($0.offset) }.map { _, result in
      if let expression = result.expression {
        let sql = statement.text[expression.range]
        return result.hasAlias ? "\(sql) AS \(FanOutSQL.name(result.name))" : sql
      }
      guard case .column(let source, let name)? = result.meaning,
        let table = statement.shape.resolved.sources[source]?.name
      else { return FanOutSQL.name(result.name) }
      return core.shape.sources.count > 1
        ? "\(FanOutSQL.name(table)).\(FanOutSQL.name(name))" : FanOutSQL.name(name)
    }
    let sql = statement.replacing(core.syntax.columnsRange, with: left.joined(separator: ", "))
    let trial = RewriteTrial(context: context, analyzed: analyzed, statement: statement)
    let result = try trial.measured(sql)
    guard result.isBetter else { return [] }
    let saved = result.comparisons.reduce(0) { $0 + $1.before.pages - $1.after.pages }
    // The name of a result without an alias is its expression.
    let names = large.map { context.shown(core.resolved.results[$0.place].name) }.joined(separator: ", ")
    let rows = analyzed.measurements.map(\.rowsReturned).max() ?? 0
    let total = bytes * Double(rows)
    return [
      Finding(
        kind: .wideRowsForCount, severity: .note, statement: analyzed.statement.id, caller: analyzed.caller,
        title: "\(Figure.share(share)) of the bytes of this list are \(names)",
        explanation:
          "Each of \(Figure.count(rows)) rows brings \(Figure.bytes(Int64(clamping: bytes))) of \(names) on the average. "
          + "Large values lie "
          + "in pages of their own, which are read and copied for rows that only show a title. If the list "
          + "doesn't show "
          + "them, leave them out and read them with the row that is opened.",
        evidence: [
          Evidence(name: "bytes in large columns", value: total.rounded(), unit: "bytes"),
          Evidence(name: "bytes in a row's large columns", value: bytes.rounded(), unit: "bytes"),
          Evidence(name: "pages saved", value: Double(max(0, saved)), unit: "pages"),
        ],
        fix: Fix(
          // The fix has no SQL: a statement that returns fewer columns is another statement.
          summary: "Select only the columns that the list shows", sql: [],
          grdb: "request.select(…)   // or a record type with the columns of the list",
          sanderling: "A `@Projection` with the fields of the list.",
          coreData: "request.propertiesToFetch = […], or move the large attribute to an entity of its own."),
        // The statement would return other columns, so no report may propose it as a proven fix.
        outcome: .notMeasured(
          reason:
            "Only the app knows whether it shows \(names). Without, \(Figure.count(max(0, saved), "page")) fewer are read."
        ),
        limits: analyzed.limits)
    ]
  }
}
