import Foundation

/// Finds out why statements are slow on a database, and proves each fix on a copy of it.
///
/// ```swift
/// var reader = WorkloadReader()
/// try reader.addLog(at: log)
/// let report = try Diagnosis(database: file).run(reader.workload)
/// print(TerminalReport(report).text)
/// ```
///
/// The database is opened for reading and never changed. Everything is tried on a copy in a temporary folder, which is removed when
/// ``run(_:progress:)`` returns.
public struct Diagnosis: Sendable {
  /// The budgets and the other settings of a diagnosis.
  public struct Options: Sendable {
    /// The time for everything but copying the database. Statements for which none is left are planned, not measured.
    public var timeBudget = Duration.seconds(60)
    /// The time for one statement: to measure it, and to try fixes, indexes first. Time that other processes take of the processor doesn't
    /// count, so that a busy machine finds the same; but the work never takes more than three times as long. Nil for a share of the budget
    /// of all statements: at least two seconds, and in proportion more for a database of more than 100 MB.
    public var statementBudget: Duration?
    /// Bytes that copies may take.
    public var diskBudget: Int64 = 8 << 30
    /// The most indexes that are proposed for the workload. Each has to pay for itself: this only keeps a report of very many statements short.
    public var maximumIndexes = 40
    /// Whether literals of statements and values of the database may be in the report.
    public var showsValues = false
    /// Where copies are made; nil for the system's temporary folder.
    public var temporaryFolder: URL?
    /// The kinds of findings to look for; nil for all.
    public var kinds: Set<FindingKind>?

    /// Replaces `timeBudget` in tests: it ends the work at a certain check of the time, independent of a clock.
    var deadline: Deadline?

    public init() {}
  }

  /// The database file.
  public var database: URL
  /// The budgets and choices of the diagnosis.
  public var options: Options

  /// - Parameter database: The database file. Its write-ahead log is read, too.
  public init(database: URL, options: Options = Options()) {
    self.database = database
    self.options = options
  }

  /// Diagnoses the statements of a workload and the database itself.
  ///
  /// Runs on the calling thread, for as long as the time budget says, and ends early when the task is cancelled.
  ///
  /// - Parameters:
  ///   - workload: The statements. Without any, the indexes, statistics, foreign keys and settings are checked.
  ///   - progress: Called before each part of the work, on the calling thread.
  /// - Returns: All findings, those that gain most first.
  /// - Throws: ``DiagnosisError`` when the database can't be copied. A statement that can't be run is skipped, and the report
  ///   says why.
  public func run(
    _ workload: Workload = Workload(), progress: ((DiagnosisProgress) -> Void)? = nil
  ) throws -> DiagnosisReport {
    try DiagnosisRun(database: database, options: options, progress: progress ?? { _ in }).report(on: workload)
  }

  /// Removes the temporary folders of running diagnoses when SIGINT, SIGTERM or SIGHUP ends the process.
  ///
  /// For commands, once, at their start: an app decides over its signals itself.
  public static func removeTemporaryFoldersOnSignals() {
    TemporaryFolder.removeAllOnSignals()
  }
}
