import Foundation
import GRDB
import TestPrograms
import Testing

@testable import SanderlingCLI

/// Each subcommand ends with an error code if its output can't be written, and with a message if a message can be
/// written.
struct StandardStreamTests {
  /// The arguments of a run that succeeds and writes to standard output.
  struct Case: CustomTestStringConvertible, Sendable {
    let arguments: [String]

    init(_ arguments: String...) { self.arguments = arguments }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  private static let cases = [
    Case("--help"), Case("--version"), Case("sync", "--help"), Case("help", "demo-sync"), Case("records", "app.sqlite"),
    Case("browse", "app.sqlite", "note"), Case("browse", "app.sqlite", "note", "--json"),
    Case("browse", "app.sqlite", "note", "--csv"),
    Case("browse", "app.sqlite", "SELECT title FROM note", "--json"),
    Case("diagnose", "app.sqlite", "SELECT * FROM note WHERE title = 'a'", "--quiet"),
    Case("diagnose", "app.sqlite", "SELECT * FROM note", "--quiet", "--format", "json"),
    Case("profile", "app.sqlite", "--dry-run"), Case("profile", "app.sqlite", "--output", "-"),
    Case("profile", "--generate", "note.profile.json", "made.sqlite"),
    Case("sync", "notes.jsonl", "--into", "other.sqlite", "--record", "note"),
    Case("sync", "notes.jsonl", "--into", "other.sqlite", "--record", "note", "--json"),
    Case("demo", "--repo", "repository", "--store", "demo.sqlite"),
    Case("demo", "--repo", "repository", "--store", "demo.sqlite", "--json", "--quiet"),
  ]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try DatabaseQueue(path: folder.file("app.sqlite")).write { db in
      try db.execute(
        sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT NOT NULL); INSERT INTO note VALUES (1, 'a')")
    }
    try Data(#"{"id":1,"title":"a"}"#.utf8).write(to: URL(filePath: folder.file("notes.jsonl")))
  }

  /// Makes the files that only some of the cases need.
  private func prepare(_ test: Case) throws {
    if test.arguments.contains("--generate") {
      let made = try run(Case("profile", "app.sqlite", "--output", "note.profile.json"), "")
      try #require(made.status == 0, "\(made.errors)")
    }
    if test.arguments.contains("repository") {
      try TestRepository.git(["init", "--quiet", "repository"], in: folder.path)
      try TestRepository.git(
        ["commit", "--quiet", "--allow-empty", "--message", "first"], in: folder.file("repository"))
    }
  }

  /// Runs a case in a shell.
  ///
  /// - Parameter redirection: A redirection in the shell's syntax, such as `> /dev/full`.
  private func run(_ test: Case, _ redirection: String) throws -> Subcommand.Result {
    try Subcommand(
      "/bin/sh", ["-c", "exec \"$0\" \"$@\" \(redirection)", DemoRun.executable] + test.arguments,
      environment: TestRepository.environment, directory: folder.path
    ).result()
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")), arguments: cases)
  func aFullDisk(test: Case) throws {
    try prepare(test)
    let result = try run(test, "> /dev/full")
    #expect(result.status == 1)
    #expect(
      result.errors.hasSuffix(
        "Error: Standard output can't be written: No space left on device. The output is incomplete. "
          + "Free some space there, and run this again.\n"), "\(result.errors)")
  }

  @Test(arguments: cases)
  func aClosedStandardOutput(test: Case) throws {
    try prepare(test)
    let result = try run(test, ">&-")
    #expect(result.status == 1)
    #expect(
      result.errors.hasSuffix(
        "Error: Standard output can't be written: it isn't open for writing. The output is incomplete. "
          + "Open it, and run this again.\n"), "\(result.errors)")
  }

  @Test(arguments: cases)
  func closedPipeEndsTheCommandBySIGPIPE(test: Case) throws {
    try prepare(test)
    let (pipe, errors) = (Pipe(), folder.file("errors"))
    try Data().write(to: URL(filePath: errors))
    try pipe.fileHandleForReading.close()
    let program = try Program(
      DemoRun.executable, test.arguments, environment: TestRepository.environment, directory: folder.path,
      output: pipe.fileHandleForWriting, errors: FileHandle(forWritingTo: URL(filePath: errors)))
    #expect(program.wait() == .exited(128 + SIGPIPE))
    #expect(try !String(contentsOfFile: errors, encoding: .utf8).contains("Error"))
  }

  /// If both streams are lost, only the exit code can report the failure.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")), arguments: ["2> /dev/full", "2>&-"],
    [
      Case("records", "noted.sqlite"), Case("browse", "noted.sqlite", "plain"),
      Case("sync", "notes.jsonl", "--into", "noted.sqlite", "--record", "note"),
    ])
  func exitCodeReportsLostErrorMessages(redirection: String, test: Case) throws {
    try DatabaseQueue(path: folder.file("noted.sqlite")).write { db in
      try db.execute(
        sql: """
          CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
          CREATE TABLE plain (text TEXT);
          INSERT INTO plain VALUES ('a')
          """)
    }
    let complete = try run(test, "")
    #expect(complete.status == 0)
    let result = try run(test, redirection)
    #expect(result.status == (complete.errors.isEmpty ? 0 : 1))
    #expect(!result.output.isEmpty)
  }

  /// A closed stream's file descriptor is not reused for the database, so no output is written into the database.
  @Test func noOutputIsWrittenIntoTheDatabase() throws {
    let before = try Data(contentsOf: URL(filePath: folder.file("app.sqlite")))
    let complete = try run(Case("records", "app.sqlite"), "")
    try #require(complete.status == 0 && !complete.output.isEmpty, "\(complete.errors)")
    let losesErrors = !complete.errors.isEmpty
    for (redirection, isFailure, output) in [
      (">&-", true, ""), ("2>&-", losesErrors, complete.output), ("<&-", false, complete.output),
      ("<&- >&- 2>&-", true, ""),
    ] {
      let result = try run(Case("records", "app.sqlite"), redirection)
      #expect(result.status == (isFailure ? 1 : 0) && result.output == output, "\(redirection)")
    }
    #expect(try Data(contentsOf: URL(filePath: folder.file("app.sqlite"))) == before)
  }

  @Test func headPrintsItsLinesWithoutAnError() throws {
    try DatabaseQueue(path: folder.file("long.sqlite")).write { db in
      try db.execute(
        sql: """
          CREATE TABLE long (id INTEGER PRIMARY KEY, text TEXT);
          WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
          INSERT INTO long SELECT i, printf('%050d', i) FROM n;
          """)
    }
    let result = try Subcommand(
      "/bin/sh", ["-c", "{ \"$0\" browse long.sqlite; echo $? > status; } | head -1", DemoRun.executable],
      directory: folder.path
    ).result()
    #expect(result.output == "id,text\n" && result.errors == "")
    #expect(try String(contentsOfFile: folder.file("status"), encoding: .utf8) == "141\n")
  }

  /// Only the files in `Output` write to standard streams and create report files.
  @Test func onlyOutputFilesWriteToStandardStreams() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/SanderlingCLI").standardizedFileURL
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      count += 1
      if file.pathComponents.contains("Output") { continue }
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let code = line.split(separator: "//", omittingEmptySubsequences: false)[0]
        #expect(
          !code.contains(
            #/(^|[^.\w])(print|debugPrint|dump|puts|fputs|putchar|NSLog)\(|FileHandle\.standard(Output|Error)|\.write\(to(File)?: /#
          ),
          "\(file.lastPathComponent): \(line)")
      }
    }
    #expect(count > 80)
  }
}
