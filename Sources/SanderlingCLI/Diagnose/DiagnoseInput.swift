import ArgumentParser
import Foundation
import SanderlingDiagnosis

/// The sources of the statements for `sanderling diagnose`.
struct DiagnoseInput: ParsableArguments {
  @Option(
    name: .customLong("log"),
    help: ArgumentHelp(
      "A log of an app: GRDB's, Core Data's or the sqlite3 shell's, among other lines.", valueName: "file"))
  var logs: [String] = []

  @Option(
    name: .customLong("trace"),
    help: ArgumentHelp("A trace in JSON lines that Sanderling wrote.", valueName: "file"))
  var traces: [String] = []

  @Option(name: .customLong("sql-file"), help: ArgumentHelp("A file of SQL statements.", valueName: "file"))
  var sqlFiles: [String] = []

  var files: [String] { logs + traces + sqlFiles }

  func validate() throws {
    if files.contains("") { throw ValidationError("--log, --trace and --sql-file need the path of a file.") }
    if files.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input can be read only once.") }
  }

  /// Reads all input.
  func workload(with sql: [String]) throws -> Workload {
    var reader = WorkloadReader()
    for statement in sql { reader.add(sql: statement) }
    for file in sqlFiles { try reader.addSQLFile(at: Self.url(file), named: file) }
    for file in logs + traces { try reader.addLog(at: Self.url(file), named: file) }
    let workload = reader.workload
    // A file without statements has thrown an error already. Only the arguments remain to be checked.
    if workload.statements.isEmpty, !sql.isEmpty {
      if let file = sql.first(where: FileManager.default.fileExists) { throw DiagnoseError.isFile(file) }
      let left = workload.skipped.first
      throw DiagnoseError.noStatements(reason: left.map { ($0.place.map { "\($0): " } ?? "") + $0.reason })
    }
    return workload
  }

  /// Returns the failure if a report lacks given statements: arguments, or statements of an SQL file. Lines of a log
  /// may be anything, so a log fails only if none of its statements is in the report.
  func failure(in report: DiagnosisReport) -> DiagnoseError? {
    let given = report.skipped.filter { $0.place.map(isGiven) ?? false }
    if let first = given.first, report.statements.isEmpty {
      // The message leaves out an argument's number if the argument is the only skipped statement.
      let place = given.count == 1 ? first.place.flatMap { $0.isArgument ? nil : "\($0)" } : first.place.map { "\($0)" }
      return .noneDiagnosed(place: place ?? "", reason: first.reason, further: given.count - 1)
    }
    if let first = given.first {
      return .leftOut(count: given.count, place: first.place.map { "\($0)" } ?? "", reason: first.reason)
    }
    if let failure = unmeasured(in: report) { return failure }
    // A log may have lines that are no statements. A log with only such lines fails.
    guard report.statements.isEmpty, !files.isEmpty, let first = report.skipped.first else { return nil }
    return .leftOut(
      count: report.skipped.count, place: first.place.map { "\($0)" } ?? files[0], reason: first.reason)
  }

  /// Whether a statement is an argument or from an SQL file, rather than from a log.
  private func isGiven(_ place: InputPlace) -> Bool { place.isArgument || sqlFiles.contains(place.source) }

  private func isGiven(_ statement: StatementReport) -> Bool { statement.statement.places.contains(where: isGiven) }

  /// Returns the failure if a given statement didn't run, or if no statement ran.
  private func unmeasured(in report: DiagnosisReport) -> DiagnoseError? {
    func reason(_ statement: StatementReport) -> String? {
      if case .notMeasured(let reason) = statement.state { reason } else { nil }
    }
    let unmeasured = report.statements.filter { reason($0) != nil }
    let given = unmeasured.filter(isGiven)
    let meant = unmeasured.count == report.statements.count ? unmeasured : given
    guard let first = meant.first, let reason = reason(first) else { return nil }
    return .notMeasured(
      count: meant.count, place: first.statement.places.first.map { "\($0)" } ?? "S\(first.statement.id)",
      reason: reason)
  }

  /// Whether the time ended before a fix was tried for a given statement, or for every statement of a log.
  func lacksTime(in report: DiagnosisReport) -> Bool {
    let outcomes = report.outcomes
    let untried = report.statements.filter { outcomes[$0.statement.id] == .untried }
    return untried.contains(where: isGiven) || !untried.isEmpty && untried.count == report.statements.count
  }

  private static func url(_ path: String) -> URL {
    URL(filePath: path == "-" ? "/dev/stdin" : path)
  }
}
