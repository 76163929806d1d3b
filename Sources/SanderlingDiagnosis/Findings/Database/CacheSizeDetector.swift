import SanderlingTerminal

/// Finds statements that read more than SQLite's default cache holds, so that each execution reads the file again.
struct CacheSizeDetector: DatabaseDetector {
  func findings(for statements: [AnalyzedStatement], in context: DetectorContext) throws -> [Finding] {
    let pageSize = Int64(context.copy.header.pageSize)
    let needed = { (measurement: StatementMeasurement) in measurement.coldPages &* pageSize }
    let usualCache = try Self.usualCache(in: context.copy)
    let large = statements.filter { statement in
      !statement.isWrite
        && statement.measurements.contains { $0.isComplete && needed($0) > usualCache << 10 }
    }
    guard let statement = large.max(by: { $0.statement.count < $1.statement.count }),
      let sample = statement.baseline.max(by: { needed($0.measurement) < needed($1.measurement) })?.sample
    else { return [] }
    let small = try context.copy.makeConnection()
    try small.run("PRAGMA cache_size = -\(usualCache)")
    let before = try context.runner(on: small).measure(statement.sql, bindings: sample.values)
    // The two measurements follow each other directly, because other processes also take time.
    let after = try context.runner.measure(statement.sql, bindings: sample.values)
    let comparisons = [Comparison(bindings: sample.name, before: before, after: after)]
    guard before.isComplete, before.warmTime > after.warmTime * 1.5 else { return [] }
    let bytes = needed(after)
    // The needed size in steps of a megabyte, but not more than a phone can spare.
    let size = min(64, bytes / 1_000_000 + 1) * 1_000
    return [
      Finding(
        kind: .cacheSize, severity: .note,
        title:
          "S\(statement.statement.id) reads \(Figure.bytes(bytes)), and the default cache holds \(Figure.bytes(usualCache << 10))",
        explanation:
          "Pages that don't fit into the cache of a connection are read again by each execution: from the "
          + "system's cache at "
          + "best. The app's setting isn't stored in the file; it was measured with the default and with a "
          + "cache that holds "
          + "all. An index that reads fewer pages comes first.",
        evidence: [Evidence(name: "pages of one execution", value: Double(bytes), unit: "bytes")],
        fix: Fix(
          summary: "Give the connection a larger cache", sql: ["PRAGMA cache_size = -\(size)"],
          grdb: "config.prepareDatabase { db in try db.execute(sql: \"PRAGMA cache_size = -\(size)\") }",
          coreData: "Set NSSQLitePragmasOption to [\"cache_size\": \"-\(size)\"]."),
        outcome: .proven(comparisons))
    ]
  }

  /// The cache of a connection that sets no size, in KiB: 2,000 for SQLite's default, less on Apple's systems.
  private static func usualCache(in copy: DatabaseCopy) throws -> Int64 {
    let connection = try SQLiteConnection(path: copy.fileURL.path, mode: .copy)
    guard let size = try connection.value("PRAGMA cache_size")?.integer, size != 0 else { return 2_000 }
    // A positive size is a number of pages, and a negative size is a number of KiB.
    return size < 0 ? Int64(clamping: size.magnitude) : min(size, 1 << 40) * Int64(copy.header.pageSize) >> 10
  }
}
