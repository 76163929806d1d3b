import Foundation
import SanderlingTerminal

/// Measures small transactions that are synced to the disk, with several journal modes and synchronous settings.
struct WriteSettingsDetector: DatabaseDetector {
  static let transactions = 10
  /// The number of rounds in which all settings are measured, because a shared disk is slow at times.
  static let rounds = 3

  func findings(for statements: [AnalyzedStatement], in context: DetectorContext) throws -> [Finding] {
    let usesLog = context.copy.header.usesWriteAheadLog
    // Without writes, no statement waits for the disk.
    guard !usesLog || statements.contains(where: \.isWrite) else { return [] }
    // The settings are measured separately, because each has its own gain and its own cost.
    var best: [Settings: StatementMeasurement] = [:]
    for _ in 0..<Self.rounds {
      for settings in Settings.allCases where settings != .journal || !usesLog {
        let measurement = try measure(settings, in: context)
        if measurement.warmTime < best[settings]?.warmTime ?? .seconds(60) { best[settings] = measurement }
      }
    }
    guard let full = best[.full], let normal = best[.normal] else { return [] }
    return (best[.journal].map { [finding($0, full, journal)] } ?? []) + [finding(full, normal, synchronous)]
  }

  private enum Settings: CaseIterable {
    /// `journal` is a rollback journal, and `full` is a write-ahead log. Both are synced at each transaction.
    case journal, full
    /// A write-ahead log that is synced only at checkpoints.
    case normal

    var journal: String { self == .journal ? "DELETE" : "WAL" }
    var synchronous: String { self == .normal ? "NORMAL" : "FULL" }
  }

  private func finding(
    _ before: StatementMeasurement, _ after: StatementMeasurement, _ words: ([Comparison], Bool) -> Finding
  ) -> Finding {
    words(
      [Comparison(bindings: "a transaction of one row, synced", before: before, after: after)],
      before.warmTime > after.warmTime * 1.5)
  }

  /// Measures a transaction that writes one row to a small database beside the copy. The times are means.
  private func measure(_ settings: Settings, in context: DetectorContext) throws -> StatementMeasurement {
    let file = context.copy.folder.url.appendingPathComponent("writes-\(UUID().uuidString).sqlite")
    defer {
      for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
    }
    let connection = try SQLiteConnection(path: file.path, mode: .copy)
    // The trial waits for the disk. That is no work of the processor.
    connection.budget = StatementBudget(deadline: Deadline(after: context.questionTime))
      .within(context.connection.budget)
    try connection.run("PRAGMA page_size = \(context.copy.header.pageSize)")
    try connection.run("PRAGMA journal_mode = \(settings.journal)")
    try connection.run("PRAGMA synchronous = \(settings.synchronous)")
    try connection.run("CREATE TABLE t (id INTEGER PRIMARY KEY, value TEXT)")
    let statement = try connection.prepare("INSERT INTO t (value) VALUES ('A row of a usual length, written alone.')")
    _ = connection.takePageCounts()
    let start = ContinuousClock.now
    for _ in 0..<Self.transactions {
      while try statement.step() {}
      statement.reset()
    }
    let time = start.duration(to: .now) / Self.transactions
    let runs = Int64(Self.transactions)
    let pages = connection.takePageCounts()
    return StatementMeasurement(
      steps: statement.counter(.steps) / runs, pages: pages.all / runs, coldPages: pages.missed / runs, warmTime: time,
      coldTime: time, rowsReturned: 1)
  }

  private static let limit =
    "Measured with a small database in the temporary folder of this machine: disks of phones differ."

  private func journal(_ comparisons: [Comparison], _ isBetter: Bool) -> Finding {
    let (before, after) = (comparisons[0].before.warmTime, comparisons[0].after.warmTime)
    return Finding(
      kind: .journalMode, severity: isBetter ? .warning : .note,
      title: "The journal mode is DELETE: a small transaction takes \(Figure.duration(before)), and "
        + "\(Figure.duration(after)) with a write-ahead log",
      explanation:
        "With a rollback journal each transaction writes and syncs two files, and readers and the writer exclude each "
        + "other. In WAL mode a transaction appends to one file, and readers go on meanwhile. Both were measured with "
        + "synchronous FULL, which loses no transaction.",
      fix: Fix(
        summary: "Use a write-ahead log", sql: ["PRAGMA journal_mode = WAL"],
        grdb: "let dbPool = try DatabasePool(path: path)   // in place of DatabaseQueue",
        sanderling: "A Store always uses a write-ahead log.",
        coreData: "Leave out the NSSQLitePragmasOption `journal_mode`: WAL is the default."),
      outcome: isBetter ? .proven(comparisons) : .triedNotBetter(comparisons), limits: [Self.limit])
  }

  private func synchronous(_ comparisons: [Comparison], _ isBetter: Bool) -> Finding {
    let (before, after) = (comparisons[0].before.warmTime, comparisons[0].after.warmTime)
    return Finding(
      kind: .synchronousMode, severity: .note,
      title: "With a write-ahead log and synchronous FULL a small transaction takes \(Figure.duration(before)), with "
        + "NORMAL \(Figure.duration(after))",
      explanation:
        "In WAL mode, FULL syncs the log after each transaction, NORMAL at checkpoints only. NORMAL keeps the database "
        + "consistent, but a power failure may lose the last transactions. The file doesn't show the mode that the "
        + "app uses; "
        + "SQLite's default is FULL.",
      fix: Fix(
        summary: "Use synchronous NORMAL where losing the last moment is bearable",
        sql: ["PRAGMA synchronous = NORMAL"],
        grdb:
          "config.prepareDatabase { db in try db.execute(sql: \"PRAGMA synchronous = NORMAL\") }   // "
          + "DatabasePool's default",
        coreData: "Set NSSQLitePragmasOption to [\"synchronous\": \"NORMAL\"]."),
      outcome: isBetter ? .proven(comparisons) : .triedNotBetter(comparisons), limits: [Self.limit])
  }
}
