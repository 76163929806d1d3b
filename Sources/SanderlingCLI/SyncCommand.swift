import ArgumentParser
import Foundation
import Sanderling
import SanderlingSync

/// `sanderling sync`
struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Brings the rows of a file into a table of an SQLite database.",
    discussion: """
      Reads JSON lines or comma-separated values (RFC 4180) from a file, or from standard input for -, in transactions of some \
      milliseconds, so that an app can use the database meanwhile. Rows that are there already are not written again. \
      Interrupted and started again it goes on where it was, as long as the file begins as it did; a file that has grown is read \
      from there, and another one from the beginning.

      The table takes the file's columns that it has; others are kept beside it. A table that isn't there is made: its types are those of \
      the values, its key is --key, or the column id. Rows that refer to others which aren't there wait in the database until these \
      come, from any file. Rows that don't fit are put aside with the reason, in the table sanderling_sync_quarantine.

      Exit codes: 0 when all rows are in the table, 1 when the file or the database can't be read or written, 2 when rows wait or \
      don't fit, 64 for arguments that make no sense.
      """)

  @Argument(help: ArgumentHelp("The file, or - for standard input.", valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp("The database file, which is made if there is none.", valueName: "database"))
  var into: String

  @Option(help: ArgumentHelp("The table.", valueName: "name"))
  var record: String

  @Option(
    help: ArgumentHelp(
      "A column of the key. Can be given several times. (default: the primary key, and id for a new table)",
      valueName: "column"))
  var key: [String] = []

  @Option(help: "What the file is. (default: by the ending of its name)")
  var format: SyncFormat?

  @Flag(help: "Remove the rows that the file doesn't have.")
  var complete = false

  @Flag(help: "Stop at the first row that doesn't fit.")
  var strict = false

  @Flag(help: "Print one JSON object instead of the report.")
  var json = false

  @Flag(name: .shortAndLong, help: "Show no progress.")
  var quiet = false

  func validate() throws {
    if file.isEmpty { throw ValidationError("The file needs a path, or - for standard input.") }
    if into.isEmpty { throw ValidationError("--into needs the path of a database.") }
    if record.isEmpty { throw ValidationError("--record needs the name of a table.") }
    if record.lowercased().hasPrefix("sqlite_") || record.lowercased().hasPrefix("sanderling_") {
      throw ValidationError("--record needs the name of a table of yours: \(record) belongs to others.")
    }
    if key.contains(where: \.isEmpty) { throw ValidationError("--key needs the name of a column.") }
    if format == nil, SyncFormat(path: file) == nil {
      throw ValidationError("--format says what the file is, jsonl or csv: its name doesn't end so.")
    }
  }

  func run() async throws {
    guard let format = format ?? SyncFormat(path: file) else { return }
    let load = FileLoad(
      file: file, format: format, database: into, record: record, key: key, isComplete: complete, isStrict: strict,
      output: quiet ? .none : .standardError)
    let report: SyncReport
    do {
      report = try await Interruption.cancelling { try await load.run() }
    } catch let interruption as Interruption {
      ProgressOutput.write(
        "Interrupted. What was read so far is stored; run the same command again to go on.\n")
      throw ExitCode(interruption.exitCode)
    }
    print(json ? try report.jsonText : report.text, terminator: json ? "\n" : "")
    if report.waiting > 0 || report.quarantine > 0 { throw ExitCode(2) }
  }
}

/// What a file's rows are written in.
enum SyncFormat: String, CaseIterable, ExpressibleByArgument {
  case jsonl, csv

  /// - Returns: nil for a name that doesn't tell.
  init?(path: String) {
    switch URL(filePath: path).pathExtension.lowercased() {
    case "jsonl", "ndjson": self = .jsonl
    case "csv": self = .csv
    default: return nil
    }
  }
}
