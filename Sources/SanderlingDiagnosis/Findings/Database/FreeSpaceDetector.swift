import SanderlingTerminal

/// Finds files that are much larger than their content, or whose tables are scattered.
struct FreeSpaceDetector: DatabaseDetector {
  /// The least size of a file in which the positions of the pages matter.
  static let leastBytes: Int64 = 1 << 20
  static let leastFreeShare = 0.2
  static let leastScatteredShare = 0.5

  func findings(for statements: [AnalyzedStatement], in context: DetectorContext) throws -> [Finding] {
    let header = context.copy.header
    let bytes = header.pages &* Int64(header.pageSize)
    var findings = autoVacuum(header)
    guard bytes >= Self.leastBytes, header.pages > 0 else { return findings }
    let free = Double(header.freePages) / Double(header.pages)
    let scattered = try scatteredTable(in: context)
    let unused = try unusedShare(in: context)
    guard free >= Self.leastFreeShare || scattered != nil || unused >= Self.leastFreeShare else { return findings }
    let rebuilt = try context.copy.makeRebuiltCopy(pageSize: header.pageSize)
    let size = (try rebuilt.value("PRAGMA page_count")?.integer ?? header.pages) &* Int64(header.pageSize)
    let saved = bytes - size
    let table = scattered?.table ?? context.schema.tables.max { ($0.pages ?? 0) < ($1.pages ?? 0) }
    let comparison = try table.map { try scan($0, rebuilt, in: context) } ?? nil
    guard Double(saved) >= Self.leastFreeShare * Double(bytes) || scattered != nil else { return findings }
    findings.append(finding(saved, bytes, header, scattered, comparison))
    return findings
  }

  /// The largest table with its share of scattered pages; nil if most of its pages follow one another in the file.
  private func scatteredTable(in context: DetectorContext) throws -> (table: TableSchema, share: Double)? {
    guard let table = context.schema.tables.max(by: { ($0.pages ?? 0) < ($1.pages ?? 0) }),
      let pages = table.pages, pages >= 500,
      let order = try? context.rows(
        "SELECT pageno FROM dbstat WHERE name = \(table.name.quotedLiteral) AND pagetype = 'leaf' "
          + "ORDER BY path"
      )
    else { return nil }
    let numbers = order.compactMap { $0.first?.integer }
    guard numbers.count >= 500 else { return nil }
    // A page of an index or of an upper level between two pages of the table is no jump that matters.
    let jumps = zip(numbers, numbers.dropFirst()).count { abs($1 - $0) > 8 }
    let share = Double(jumps) / Double(numbers.count - 1)
    return share > Self.leastScatteredShare ? (table, share) : nil
  }

  /// The share of empty space within the pages of the tables and indexes.
  private func unusedShare(in context: DetectorContext) throws -> Double {
    let sql = "SELECT total(unused), total(pgsize) FROM dbstat WHERE aggregate = TRUE"
    guard let row = try? context.rows(sql).first, case .real(let unused)? = row.first, case .real(let size)? = row.last,
      size > 0
    else { return 0 }
    return unused / size
  }

  private func scan(_ table: TableSchema, _ rebuilt: SQLiteConnection, in context: DetectorContext) throws
    -> Comparison?
  {
    guard table.kind == .ordinary, let column = table.columns.last else { return nil }
    let sql =
      "SELECT count(\(column.name.quotedIdentifier)) FROM \(table.name.quotedIdentifier) NOT INDEXED"
    return Comparison(
      bindings: "scan of \(table.name)", before: try context.runner.measure(sql),
      after: try context.runner(on: rebuilt).measure(sql))
  }

  private func finding(
    _ saved: Int64, _ bytes: Int64, _ header: DatabaseHeader, _ scattered: (table: TableSchema, share: Double)?,
    _ comparison: Comparison?
  ) -> Finding {
    let share = Double(saved) / Double(bytes)
    let isSize = share >= Self.leastFreeShare
    let outcome: Finding.Outcome =
      if isSize, let comparison {
        .proven([comparison])
      } else {
        .notMeasured(reason: "The cost of a jump depends on the device; on a copy all pages come from memory.")
      }
    var evidence = [
      Evidence(name: "size", value: Double(bytes), unit: "bytes"),
      Evidence(name: "given back by VACUUM", value: Double(max(0, saved)), unit: "bytes"),
      Evidence(name: "free pages", value: Double(header.freePages), unit: "pages"),
    ]
    if let scattered {
      evidence.append(
        Evidence(
          name: "pages of \(scattered.table.name) that don't follow the one before",
          value: (scattered.share * 100).rounded(),
          unit: "%"))
    }
    return Finding(
      kind: .fragmentation, severity: isSize && saved > 10 << 20 ? .warning : .note,
      title: isSize
        ? "VACUUM makes the file \(Figure.bytes(saved)) smaller (\(Figure.share(share)))"
        : "The pages of \(scattered?.table.name ?? "the largest table") lie scattered in the file",
      explanation:
        "Deleted rows leave pages that stay in the file, and rows that are written out of order leave pages "
        + "half full and "
        + "out of order. VACUUM writes all rows anew, one after the other. It needs as much free disk again, "
        + "and blocks "
        + "writers meanwhile: do it while the app is idle.",
      evidence: evidence,
      fix: Fix(
        summary: "Run VACUUM once", sql: ["VACUUM"], grdb: "try dbWriter.vacuum()",
        coreData: "Open the store once with NSSQLiteManualVacuumOption."), outcome: outcome)
  }

  private func autoVacuum(_ header: DatabaseHeader) -> [Finding] {
    guard header.autoVacuum == 1 else { return [] }
    return [
      Finding(
        kind: .autoVacuum, severity: .note, title: "auto_vacuum is FULL: each commit that frees pages moves others",
        explanation:
          "After a deletion SQLite moves the last pages of the file into the gaps, which writes more pages in "
          + "each such "
          + "commit and scatters tables over the file. INCREMENTAL does so only when the app asks for it.",
        fix: Fix(
          summary: "Let the app decide when to give pages back",
          sql: ["PRAGMA auto_vacuum = INCREMENTAL", "PRAGMA incremental_vacuum(200)"]),
        outcome: .notMeasured(reason: "The cost depends on the rows that the app deletes."))
    ]
  }
}

extension DetectorContext {
  /// A runner for another connection with the same limits.
  func runner(on connection: SQLiteConnection) -> StatementRunner {
    var other = StatementRunner(connection: connection)
    other.timeBudget = runner.timeBudget
    other.stepBudget = runner.stepBudget
    return other
  }
}
