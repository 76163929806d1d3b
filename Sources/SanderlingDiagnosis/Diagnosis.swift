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
/// The database is opened for reading and never changed. All trials run on a copy in a temporary folder, which is
/// removed when ``run(_:progress:)`` returns.
public struct Diagnosis: Sendable {
  /// The budgets and the other settings of a diagnosis.
  public struct Options: Sendable {
    /// The time for all work except copying the database. If it ends early, the remaining statements are planned, not
    /// measured.
    public var timeBudget = Duration.seconds(60)
    /// The time for one statement: to measure it, and to try fixes, indexes first.
    ///
    /// Processor time of other processes doesn't count, so a busy machine finds the same fixes. Yet the work never
    /// takes more than three times as long. Nil for a share of the budget of all statements: at least two seconds, and
    /// proportionally more for a database of more than 100 MB.
    public var statementBudget: Duration?
    /// Bytes that copies may take.
    public var diskBudget: Int64 = 8 << 30
    /// The greatest number of indexes to propose for the workload. It only keeps the report on very many statements
    /// short, since each index must be worth its cost anyway.
    public var maximumIndexes = 40
    /// Whether literals of statements and values of the database may be in the report.
    public var showsValues = false
    /// The folder for copies; nil for the system's temporary folder.
    public var temporaryFolder: URL?
    /// The kinds of findings to look for; nil for all.
    public var kinds: Set<FindingKind>?

    /// Replaces `timeBudget` in tests. It ends the work at a certain check of the time, independent of a clock.
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
  /// Runs on the calling thread, for at most the time budget. Ends early if the task is cancelled.
  ///
  /// - Parameters:
  ///   - workload: The statements. Without any, the indexes, statistics, foreign keys and settings are checked.
  ///   - progress: Called before each part of the work, on the calling thread.
  /// - Returns: All findings, starting with the greatest gain.
  /// - Throws: ``DiagnosisError`` if the database can't be copied. A statement that can't be run is skipped, and the
  ///   report contains the reason.
  public func run(
    _ workload: Workload = Workload(), progress: ((DiagnosisProgress) -> Void)? = nil
  ) throws -> DiagnosisReport {
    try DiagnosisRun(database: database, options: options, progress: progress ?? { _ in }).report(on: workload)
  }

  /// Removes the temporary folders of running diagnoses when SIGINT, SIGTERM or SIGHUP ends the process.
  ///
  /// For commands only, once at their start. An app handles its signals itself.
  public static func removeTemporaryFoldersOnSignals() {
    TemporaryFolder.removeAllOnSignals()
  }
}
