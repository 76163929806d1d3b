import ArgumentParser
import Foundation
import Sanderling
import SanderlingTerminal

/// `sanderling demo`
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Imports a git history into a store, and shows the work of each author.",
    discussion: """
      Reads all commits that HEAD reaches, their authors (by the mailmap, as git shortlog does) and the files that each \
      changed. Run it again to add new commits. You can interrupt it at any moment: the next run continues.
      """)

  @Option(help: ArgumentHelp("A directory of the repository.", valueName: "directory"))
  var repo = "."

  @Option(
    help: ArgumentHelp(
      "The database file. (default: one for each repository, in the temporary folder)", valueName: "file"))
  var store: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Show the commits whose subjects have these words.",
      discussion: """
        In any order, without case, diacritics and widths; the last one may be the beginning of a word. "two words" in double \
        quotes stand side by side, and -word excludes subjects with the word.
        """, valueName: "words"))
  var search: String?

  @Flag(
    help: ArgumentHelp(
      "Follow live results while importing, into two fresh stores.",
      discussion: """
        Draws the newest commits, the author summaries and the totals as they change. Prints the number of deliveries, their delays, \
        and the cost of the import with live results and without.
        """))
  var live = false

  @Flag(help: "Print one JSON object instead of the report.")
  var json = false

  @Flag(name: .shortAndLong, help: "Show no progress.")
  var quiet = false

  @Flag(help: "Log every SQL statement to standard error, as SANDERLING_LOG=debug does.")
  var logStatements = false

  func validate() throws {
    if repo.isEmpty { throw ValidationError("--repo needs the path of a directory.") }
    if store?.isEmpty == true { throw ValidationError("--store needs the path of a file.") }
    if let search, search.allSatisfy(\.isWhitespace) { throw ValidationError("--search needs words to look for.") }
    if live, search != nil {
      throw ValidationError("--search looks into one store, and --live makes two: leave one option out.")
    }
    if live, store != nil { throw ValidationError("--live imports into stores of its own: leave out --store.") }
  }

  func run() async throws {
    let progress = ImportProgress(output: quiet ? .none : .standardError)
    do {
      let text = try await Interruption.cancelling {
        live ? try await followImport() : try await importHistory(progress)
      }
      try OutputWriter.standardOutput.write(json ? text + "\n" : text)
    } catch let interruption as Interruption {
      progress.finish()
      let consequence =
        live
        ? "The stores of the imports are removed."
        : "The commits so far are stored; run the same command again to continue."
      ProgressOutput.write("Interrupted. \(consequence)\n")
      throw ExitCode(interruption.exitCode)
    }
  }

  /// - Returns: The report.
  private func importHistory(_ progress: ImportProgress) async throws -> String {
    let start = ContinuousClock.now
    defer { progress.finish() }
    let repository = try await GitRepository(at: repo)
    let path = self.store.map { URL(filePath: $0).path } ?? DemoStore.defaultPath(for: repository)
    let store = try await DemoStore.open(path)
    if let log = statementLog { store.add(log) }
    do {
      let outcome = try await HistoryImporter(repository: repository, store: store, progress: progress).run()
      let duration = start.duration(to: .now)
      let report = try await DemoReport(
        of: store, repository: repository, outcome: outcome, importDuration: duration, searching: search)
      try store.close()
      return json ? try report.json : report.text
    } catch let error as StoreError {
      throw DemoStoreError(error, path: path) ?? error
    }
  }

  /// - Returns: The report.
  private func followImport() async throws -> String {
    let environment = ProcessInfo.processInfo.environment
    let log = statementLog
    let demo = LiveDemo(
      repository: try await GitRepository(at: repo),
      output: BoardOutput(isQuiet: quiet, isReserved: json || log != nil, environment: environment),
      style: TextStyle(environment: environment), log: log, plainOutput: quiet ? .none : .standardError)
    let report = try await demo.run()
    return json ? try report.json : report.text
  }

  private var statementLog: StatementLog? {
    StatementLog.standardError(isForced: logStatements, environment: ProcessInfo.processInfo.environment)
  }
}
