import ArgumentParser
import Foundation
import SanderlingDiagnosis

/// `sanderling diagnose`
struct DiagnoseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagnose",
    abstract: "Finds out why statements on an SQLite database are slow, and proves each fix on a copy.",
    discussion: """
      The database is opened for reading and never changed. Everything is tried on copies in a temporary folder, which is removed at \
      the end. Statements come as arguments, from files of SQL, from logs (GRDB's, Core Data's, the sqlite3 shell's) and from \
      Sanderling's traces; "-" as a file is standard input. Without statements, the indexes, the statistics, the foreign keys and \
      the settings are checked.

      Exit codes: 0 when done, 1 when a given statement, or everything, couldn't be diagnosed, 2 when there is a finding for \
      --fail-on, 64 for invalid arguments. The exit code is 3 when the time ended before a fix was tried for a given statement, or for any \
      statement of a log.
      """)

  @Argument(help: ArgumentHelp("The database file.", valueName: "database"))
  var database: String

  @Argument(help: ArgumentHelp("Statements to diagnose.", valueName: "sql"))
  var sql: [String] = []

  @OptionGroup(title: "Input")
  var input: DiagnoseInput

  @OptionGroup(title: "Output")
  var output: DiagnoseOutput

  @OptionGroup(title: "Limits")
  var limits: DiagnoseLimits

  func validate() throws {
    if database.isEmpty { throw ValidationError("The database needs the path of a file.") }
    if sql.contains("-") {
      throw ValidationError(
        "\"-\" is no statement. --sql-file - reads statements from standard input, and --log - a log.")
    }
    if sql.contains(where: { $0.allSatisfy(\.isWhitespace) }) { throw ValidationError("A statement is empty.") }
    if database == "-" { throw ValidationError("The database must be a file: standard input can't be copied.") }
  }

  func run() throws {
    Diagnosis.removeTemporaryFoldersOnSignals()
    let environment = ProcessInfo.processInfo.environment
    // Unreadable inputs and unwritable outputs are found before the work.
    let page = try output.html.map { try ReportFile(path: $0, option: "--html", keeping: input.files + [database]) }
    let script = try output.apply.map {
      try ReportFile(path: $0, option: "--apply", keeping: input.files + [database] + [output.html].compactMap(\.self))
    }
    let progress = DiagnoseProgress(isShown: !output.quiet && isatty(STDERR_FILENO) == 1)
    let report: DiagnosisReport
    do {
      defer { progress.finish() }
      let workload = try input.workload(with: sql)
      // The processor time leaves out the wait for the user's input.
      report = try Diagnosis(database: URL(filePath: database), options: options(afterWorking: ProcessTime.current))
        .run(workload) { progress.show($0.description) }
    } catch let error as any LocalizedError {
      // Paths and names are the user's, and may contain control characters.
      throw DiagnoseError.failed((error.errorDescription ?? "\(error)").printableLines)
    }
    let failure = input.failure(in: report)
    // A report without any statement would say no more than the failure.
    if let failure, report.statements.isEmpty { throw failure }
    try page?.write(HTMLReport(report, showsValues: output.showValues).text)
    try script?.write(ApplyScript(report).text)
    try output.write(report, environment: environment)
    if let failure { throw failure }
    let exitCode = FailurePolicy(failingOn: output.failOn).exitCode(for: report)
    if exitCode != 0 { throw ExitCode(exitCode) }
    if input.lacksTime(in: report) { throw ExitCode(Self.lackOfTime) }
  }

  /// The exit code if the time ended before any answer.
  private static let lackOfTime: Int32 = 3

  private func options(afterWorking spent: Duration) -> Diagnosis.Options {
    var options = limits.options(afterWorking: spent)
    options.showsValues = output.showValues
    return options
  }
}
