import ArgumentParser
import Foundation
import SanderlingDiagnosis

/// Where `sanderling diagnose` finds statements.
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
    // Files without statements are errors of their reader.
    if workload.statements.isEmpty, !sql.isEmpty {
      if let file = sql.first(where: FileManager.default.fileExists) { throw DiagnoseError.isFile(file) }
      let left = workload.skipped.first
      throw DiagnoseError.noStatements(reason: left.map { ($0.place.map { "\($0): " } ?? "") + $0.reason })
    }
    return workload
  }

  /// Why statements that were given as such, and not found in a log among others, are not in a report; nil when all are.
  func failure(in report: DiagnosisReport) -> DiagnoseError? {
    let given = report.skipped.filter { skipped in
      guard let source = skipped.place?.source else { return false }
      return source == "argument" || sqlFiles.contains(source)
    }
    if let first = given.first, report.statements.isEmpty {
      let place = first.place.flatMap { $0.source == "argument" ? nil : "\($0)" } ?? ""
      return .noneDiagnosed(place: place, reason: first.reason, further: given.count - 1)
    }
    if let first = given.first {
      return .leftOut(count: given.count, place: first.place.map { "\($0)" } ?? "", reason: first.reason)
    }
    // Of a log, some lines may be anything; but not all.
    guard report.statements.isEmpty, !files.isEmpty, let first = report.skipped.first else { return nil }
    return .leftOut(
      count: report.skipped.count, place: first.place.map { "\($0)" } ?? files[0], reason: first.reason)
  }

  private static func url(_ path: String) -> URL {
    URL(filePath: path == "-" ? "/dev/stdin" : path)
  }
}
