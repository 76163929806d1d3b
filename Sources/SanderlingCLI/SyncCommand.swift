import ArgumentParser
import Foundation
import Sanderling
import SanderlingSync

/// `sanderling sync`
struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Brings the rows of a file or a server into tables of an SQLite database.",
    discussion: """
      Reads JSON or comma-separated values (RFC 4180) from a file, or from standard input for -, in transactions of some \
      milliseconds, so that an app can use the database at the same time. JSON is one object a line, or an array of objects. Rows that are \
      in the table already are not written again. After an interruption, the next run continues at the same place, if the file still \
      begins with the same content. A file that has grown is read from its former end; a file with another beginning is read again from its start. \
      Standard input, and a file with --complete, are read from the beginning each time.

      The table gets the values of its own columns. Other columns of the file are kept beside it, and a message names them; --alter \
      adds them to the table. A computed column of the table must have the computed value in the file. A missing table is created: \
      its types are those of the values if they lose nothing, and its key is --key, or the column id. A row that refers to a missing \
      row is parked in the database until that row comes, from any file. Rows that don't fit, and lines that can't be read, are \
      quarantined with the reason in the table sanderling_sync_quarantine. So is a row with the key of an earlier row of the file \
      and other values.

      With --complete, rows that the file doesn't have are removed. Without --allow-mass-deletion, a run never removes all rows of a \
      table, nor more than half of 20 rows or more. The same rule holds for rows that a server doesn't have any more.

      An address that begins with https:// names a server, and --server its protocol. The collections have the names of the \
      tables. For a missing table, the command first reads the collection once to find its columns. With --send, later changes of \
      the tables go to the server, by this command too. --server json reads the array of rows that is below the address by the \
      table's name, removes other rows, and sends nothing. With --check, the command reads two pages of each collection, compares \
      them with the protocol, and writes nothing. A token, or the password of --user, is read from the environment variable \
      SANDERLING_SYNC_TOKEN, or from a file.

      Exit codes: 0 when all rows are in the table, 2 when rows are parked, quarantined or not sent, 64 for invalid arguments. The \
      exit code is 1 when the file, the server or the database can't be read or written.
      """)

  @Argument(
    help: ArgumentHelp("The file, - for standard input, or the address of a server.", valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp("The database file, which is created if there is none.", valueName: "database"))
  var into: String

  @Option(help: ArgumentHelp("The table. Can be given several times for a server.", valueName: "name"))
  var record: [String]

  @Option(
    help: ArgumentHelp(
      "A column of the key. Can be given several times. (default: the primary key, and id for a new table)",
      valueName: "column"))
  var key: [String] = []

  @Option(help: "The format of the file. (default: by the ending of its name)")
  var format: SyncFormat?

  @Option(help: "The protocol of the server.")
  var server: SyncServer?

  @Option(help: ArgumentHelp("The bucket of a Kinto server. (default: default)", valueName: "name"))
  var bucket: String?

  @Option(help: ArgumentHelp("The member of a JSON server's answer that has the rows.", valueName: "name"))
  var rows: String?

  @Option(
    help: ArgumentHelp("The name of the user who signs in, with a password in place of a token.", valueName: "name"))
  var user: String?

  @Option(help: ArgumentHelp("The collection of a PocketBase server's users.", valueName: "name"))
  var users = "users"

  @Option(
    help: ArgumentHelp("A file with the token or password. (default: SANDERLING_SYNC_TOKEN)", valueName: "file"))
  var tokenFile: String?

  @Option(
    help: ArgumentHelp(
      "The longest pause that the server may ask for; for a longer pause, the command ends with 1. (default: an hour)",
      valueName: "seconds"))
  var maxWait: Double?

  @Flag(help: "Also send changes of the tables to the server.")
  var send = false

  @Flag(help: "Test whether the server follows the protocol of --server, print the findings, and change nothing.")
  var check = false

  @Flag(help: "Remove the rows that the file doesn't have.")
  var complete = false

  @Flag(help: "Add columns to the table that only the file, or the server's rows, have.")
  var alter = false

  @OptionGroup(title: "The form of a file")
  var reading: FileArguments

  @Flag(
    help:
      "Allow a run to remove all rows of a table, or more than half of 20 rows or more."
  )
  var allowMassDeletion = false

  @Flag(help: "Stop at the first row that doesn't fit.")
  var strict = false

  @Flag(help: "Print one JSON object instead of the report.")
  var json = false

  @Flag(name: .shortAndLong, help: "Show no progress.")
  var quiet = false

  func validate() throws {
    if file.isEmpty { throw ValidationError("The file needs a path, or - for standard input.") }
    if into.isEmpty { throw ValidationError("--into needs the path of a database.") }
    if record.isEmpty || record.contains(where: \.isEmpty) {
      throw ValidationError("--record needs the name of a table.")
    }
    for record in record.map({ $0.lowercased() }) where record.hasPrefix("sqlite_") || record.hasPrefix("sanderling_") {
      throw ValidationError("--record can't name \(record): the prefixes sqlite_ and sanderling_ are reserved.")
    }
    if Set(key.map(\.folded)).count < key.count { throw ValidationError("--key names a column twice.") }
    if key.contains(where: \.isEmpty) { throw ValidationError("--key needs the name of a column.") }
    if let maxWait, !(0...31_536_000).contains(maxWait) {
      throw ValidationError("--max-wait needs a number of seconds from 0 on.")
    }
    if let url {
      if server == nil {
        throw ValidationError("Name the protocol of \(url.host() ?? file) with --server: kinto, pocketbase or json.")
      }
      if format != nil || complete { throw ValidationError("--format and --complete are for files.") }
      try requireNoFileArguments()
      if send, server == .json {
        throw ValidationError("--send needs a server that accepts changes: kinto or pocketbase.")
      }
      if server != .kinto, bucket != nil { throw ValidationError("--bucket is for --server kinto.") }
      if server != .json, rows != nil { throw ValidationError("--rows is for --server json.") }
      if record.count > 1, !key.isEmpty { throw ValidationError("--key is for one table.") }
      return
    }
    if check { throw ValidationError("--check is for the address of a server, https://….") }
    if server != nil || user != nil || tokenFile != nil || send || bucket != nil || rows != nil || maxWait != nil {
      throw ValidationError(
        "--server, --bucket, --rows, --user, --token-file, --max-wait and --send are for the address of a server, https://…."
      )
    }
    if format == nil, FileKind(at: file) == .folder {
      throw ValidationError(SyncCommandError.isFolder(file).description)
    }
    if record.count > 1 { throw ValidationError("A file goes into one table: give one --record.") }
    if allowMassDeletion, !complete {
      throw ValidationError("--allow-mass-deletion needs --complete: a file removes rows only with that.")
    }
    if format == nil, SyncFormat(path: file) == nil {
      throw ValidationError("The file's name shows no format. Name it with --format: json, jsonl or csv.")
    }
    if format ?? SyncFormat(path: file) != .csv, reading.csv != CSVFormat() {
      throw ValidationError("--delimiter, --null and --blob are for comma-separated values.")
    }
  }

  private func requireNoFileArguments() throws {
    if reading.csv != CSVFormat() || reading.options != FileOptions() {
      throw ValidationError(
        "--delimiter, --encoding, --null, --blob, --duplicates, --ignore and the limits are for files.")
    }
  }

  /// The address of a server; nil for a file.
  private var url: URL? {
    guard file.hasPrefix("https://") || file.hasPrefix("http://") else { return nil }
    return URL(string: file)
  }

  func run() async throws {
    if check { return try await printFindings() }
    let report: SyncReport
    do {
      report = try await Interruption.cancelling { try await synchronize() }
    } catch let interruption as Interruption {
      ProgressOutput.write(SyncInterrupted.message(of: interruption) + "\n")
      throw ExitCode(interruption.exitCode)
    } catch {
      throw SyncCommandError(error, file: file, database: into) ?? error
    }
    try OutputWriter.standardOutput.write(json ? try report.jsonText + "\n" : report.text)
    if report.waiting > 0 || report.quarantine > 0 || report.isLeft { throw ExitCode(2) }
  }

  private var output: ProgressOutput { quiet ? .none : .standardError }

  /// The synchronisation with the server; nil for a file.
  private var serverSync: ServerSync? {
    get throws {
      guard let url, let server else { return nil }
      let secret = try ServerSync.secret(file: tokenFile, environment: ProcessInfo.processInfo.environment)
      return ServerSync(
        url: url, server: server, database: into, records: record, key: key, bucket: bucket ?? "default", rows: rows,
        user: user, users: users, secret: secret, isSending: send, isStrict: strict,
        allowsMassDeletion: allowMassDeletion, alters: alter, greatestWait: maxWait.map { .seconds($0) }, output: output
      )
    }
  }

  private func printFindings() async throws {
    let findings: [HTTPFinding]
    do {
      findings = try await Interruption.cancelling { try await serverSync?.check() ?? [] }
    } catch let interruption as Interruption {
      throw ExitCode(interruption.exitCode)
    } catch {
      throw SyncCommandError(error, file: file, database: into) ?? error
    }
    try OutputWriter.standardOutput.write(findings.map { $0.description.printable + "\n" }.joined())
    if findings.contains(where: { $0.kind == .wrong }) { throw ExitCode(2) }
  }

  func synchronize() async throws -> SyncReport {
    if let serverSync = try serverSync { return try await serverSync.run() }
    guard let format = format ?? SyncFormat(path: file), let record = record.first else { throw ExitCode(64) }
    return try await FileLoad(
      file: file, format: format, database: into, record: record, key: key, isComplete: complete, isStrict: strict,
      allowsMassDeletion: allowMassDeletion, csv: reading.csv, options: reading.options, alters: alter, output: output
    ).run()
  }
}

/// The format of a file's rows.
enum SyncFormat: String, CaseIterable, ExpressibleByArgument {
  /// One object a line, or one array of objects. The file shows the form.
  case json, jsonl
  case csv

  /// - Returns: Nil for a name without a known ending.
  init?(path: String) {
    switch URL(filePath: path).pathExtension.lowercased() {
    case "jsonl", "ndjson": self = .jsonl
    case "json": self = .json
    case "csv", "tsv": self = .csv
    default: return nil
    }
  }
}
