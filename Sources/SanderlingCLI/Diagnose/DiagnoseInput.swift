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
  }

  /// Reads all input.
  func workload(with sql: [String]) throws -> Workload {
    var reader = WorkloadReader()
    for statement in sql { reader.add(sql: statement) }
    for file in sqlFiles { try reader.addSQLFile(at: Self.url(file), named: file) }
    for file in logs + traces { try reader.addLog(at: Self.url(file), named: file) }
    return reader.workload
  }

  private static func url(_ path: String) -> URL {
    URL(filePath: path == "-" ? "/dev/stdin" : path)
  }
}
