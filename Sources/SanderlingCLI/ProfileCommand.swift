import ArgumentParser
import Foundation
import SanderlingDiagnosis

/// `sanderling profile`
struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "Writes the shapes of a database without its values, and makes a database from them.",
    discussion: """
      The profile has the properties that make statements slow: names, counts, lengths and the relations between columns. It has no \
      text, number or blob of a row or of a statement. It is one JSON file: read it before you send it. With --generate, the command \
      makes a database from a profile, on which the same statements are slow, and beside it their trace for `sanderling diagnose \
      --trace`.

      The database is opened for reading and never changed. Statements are given as for `sanderling diagnose`. The profile relates \
      the columns that they compare, and contains the statements with other values.

      Exit codes: 0 when done, 1 when no profile or no database could be made, 64 for invalid arguments.
      """)

  @Argument(help: ArgumentHelp("The database file; with --generate, the file to make.", valueName: "database"))
  var database: String

  @Argument(help: ArgumentHelp("Statements that are slow on the database.", valueName: "sql"))
  var sql: [String] = []

  @OptionGroup(title: "Input")
  var input: DiagnoseInput

  @Option(help: ArgumentHelp("Make a database from a profile.", valueName: "profile"))
  var generate: String?

  @Option(
    help: ArgumentHelp("With --generate: the seed of the generated values. (default: random, and printed)"))
  var seed: UInt64?

  @Option(
    help: ArgumentHelp(
      "The profile's file; - is standard output. (default: the database's name and .profile.json, in the current folder)",
      valueName: "file"))
  var output: String?

  @Flag(help: "Show the profile on standard output, and write no file.")
  var dryRun = false

  @Option(
    help: ArgumentHelp("The time for the profile; after it, a sample is used. (default: 60)", valueName: "seconds"))
  var budget: Double?

  @Option(name: .customLong("disk"), help: ArgumentHelp("The space that the copy may take.", valueName: "megabytes"))
  var megabytes: Int64?

  @Option(help: ArgumentHelp("The folder for the copy. (default: the system's temporary folder)", valueName: "folder"))
  var temporaryFolder: String?

  @Flag(name: .shortAndLong, help: "Show no progress.")
  var quiet = false

  func validate() throws {
    if database.isEmpty || database == "-" { throw ValidationError("The database needs the path of a file.") }
    try DiagnoseLimits.check(seconds: budget, of: "--budget")
    try DiagnoseLimits.check(megabytes: megabytes, of: "--disk")
    for (name, value) in [("--output", output), ("--temporary-folder", temporaryFolder), ("--generate", generate)] {
      if value?.isEmpty == true { throw ValidationError("\(name) needs a path.") }
    }
    if generate != nil, !sql.isEmpty || !input.files.isEmpty || output != nil || dryRun {
      throw ValidationError(
        "With --generate, the profile has the statements: leave out statements, input files, --output and --dry-run.")
    }
    if seed != nil, generate == nil { throw ValidationError("--seed needs --generate.") }
    if dryRun, output != nil { throw ValidationError("--dry-run writes no file: leave --output out.") }
    if sql.contains(where: { $0.allSatisfy(\.isWhitespace) }) { throw ValidationError("A statement is empty.") }
  }

  func run() throws {
    Diagnosis.removeTemporaryFoldersOnSignals()
    let progress = DiagnoseProgress(isShown: !quiet && isatty(STDERR_FILENO) == 1)
    do {
      defer { progress.finish() }
      if let generate { try makeDatabase(from: generate, progress) } else { try writeProfile(progress) }
    } catch let error as any CommandError {
      throw error
    } catch let error as any LocalizedError {
      throw ProfileCommandError.failed((error.errorDescription ?? "\(error)").printableLines)
    }
  }

  // MARK: Profile

  private func writeProfile(_ progress: DiagnoseProgress) throws {
    let path = dryRun || output == "-" ? nil : output ?? defaultOutput
    // An unwritable path is found before the work.
    if let path { try checkNew(path) }
    let workload = try input.workload(with: sql)
    var options = DatabaseProfile.Options()
    if let budget { options.timeBudget = .seconds(budget) }
    if let megabytes { options.diskBudget = megabytes * 1_000_000 }
    if let temporaryFolder { options.temporaryFolder = URL(filePath: temporaryFolder, directoryHint: .isDirectory) }
    let profile = try DatabaseProfile.of(URL(filePath: database), workload: workload, options: options) {
      progress.show($0)
    }
    progress.finish()
    let json = try profile.json
    for skipped in workload.skipped {
      note("\(skipped.place.map { "\($0): " } ?? "")\(skipped.reason)")
    }
    profile.notes.forEach(note)
    guard let path else { return try OutputWriter.standardOutput.write(json) }
    try OutputFile.write(json, to: path, .new)
    note(
      "\(path.printable): \(json.count / 1000 + 1) kB. Read it before you send it: names of tables, columns and indexes are in it."
    )
  }

  private var defaultOutput: String { URL(filePath: database).lastPathComponent + ".profile.json" }

  // MARK: Database

  private func makeDatabase(from path: String, _ progress: DiagnoseProgress) throws {
    let trace = database + ".trace.jsonl"
    try checkNew(database)
    try checkNew(trace)
    let profile: DatabaseProfile
    do {
      let input = path == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(filePath: path))
      profile = try DatabaseProfile(json: try input.readToEnd() ?? Data())
    } catch let error as ProfileError {
      throw ProfileCommandError.badProfile(path, message: "\(error)")
    } catch {
      throw ProfileCommandError.unreadable(path, reason: SystemReason.of(error))
    }
    let seed = seed ?? UInt64.random(in: 1...999_999)
    let generated = try profile.generate(at: URL(filePath: database), seed: seed) { progress.show($0) }
    progress.finish()
    generated.notes.forEach(note)
    var lines = "\(database.printable): \(generated.rows) rows, seed \(generated.seed).\n"
    if !profile.trace.isEmpty {
      try OutputFile.write(Data(profile.trace.utf8), to: trace, .new)
      lines +=
        "\(trace.printable): the statements. sanderling diagnose \(database.printable) --trace \(trace.printable)\n"
    }
    try OutputWriter.standardOutput.write(lines)
  }

  // MARK: Files

  private func checkNew(_ path: String) throws {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    if FileManager.default.fileExists(atPath: path) { throw ProfileCommandError.exists(path) }
    guard FileKind(at: folder) == .folder, FileManager.default.isWritableFile(atPath: folder)
    else { throw ProfileCommandError.notWritten(path, reason: "the folder is missing, or can't be written to.") }
  }

  private func note(_ text: String) {
    ProgressOutput.write(text.printableLines + "\n")
  }
}

/// The reason why `sanderling profile` failed.
enum ProfileCommandError: CommandError, Equatable {
  /// The library's message, which says what to do.
  case failed(String)
  case exists(String)
  case unreadable(String, reason: String)
  case badProfile(String, message: String)
  case notWritten(String, reason: String)

  var description: String {
    switch self {
    case .failed(let message): message
    case .exists(let path): "\(path.printable) exists, and was left alone. Name a file that doesn't exist."
    case .unreadable(let path, let reason):
      "\(path.printable) can't be read: \(reason.printable) Name a profile's file."
    case .badProfile(let path, let message): "\(path.printable): \(message.printable)"
    case .notWritten(let path, let reason): "\(path.printable) can't be written: \(reason.printable) Name another file."
    }
  }
}
