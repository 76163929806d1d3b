import Foundation
import GRDB
import TestPrograms
import Testing

@testable import SanderlingCLI

/// A file that can't be used ends each command with an error that names the file and the remedy.
struct WrongFileTests {
  /// The arguments of a command, with `FILE` in place of the wrong file.
  struct Use: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    /// Whether `FILE` must be a database.
    let wantsDatabase: Bool
    /// Whether the file may be missing, and is then made.
    let isMade: Bool

    init(_ arguments: String..., wantsDatabase: Bool = true, isMade: Bool = false) {
      (self.arguments, self.wantsDatabase, self.isMade) = (arguments, wantsDatabase, isMade)
    }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  private static let uses = [
    Use("browse", "FILE"), Use("browse", "FILE", "note"), Use("browse", "FILE", "SELECT 1 FROM note"),
    Use("records", "FILE"), Use("diagnose", "FILE", "--quiet"),
    Use("diagnose", "FILE", "SELECT 1 FROM note", "--quiet"),
    Use("profile", "FILE", "--output", "out.json"), Use("profile", "FILE", "--dry-run"),
    Use("profile", "--generate", "FILE", "made.sqlite", wantsDatabase: false),
    Use("diagnose", "app.sqlite", "--log", "FILE", "--quiet", wantsDatabase: false),
    Use("diagnose", "app.sqlite", "--trace", "FILE", "--quiet", wantsDatabase: false),
    Use("diagnose", "app.sqlite", "--sql-file", "FILE", "--quiet", wantsDatabase: false),
    Use("sync", "FILE", "--into", "new.sqlite", "--record", "b", "--format", "jsonl", wantsDatabase: false),
    Use("sync", "FILE", "--into", "new.sqlite", "--record", "b", "--format", "csv", wantsDatabase: false),
    Use("sync", "notes.jsonl", "--into", "FILE", "--record", "b", isMade: true),
    Use(
      "sync", "https://127.0.0.1:9", "--server", "json", "--into", "new.sqlite", "--record", "b", "--token-file",
      "FILE",
      wantsDatabase: false),
    Use("demo", "--repo", "FILE", wantsDatabase: false),
    Use("demo", "--repo", ".", "--store", "FILE", isMade: true),
  ]

  enum Wrong: String, CaseIterable, Sendable {
    case missing = "none.sqlite"
    case missingFolder = "none/app.sqlite"
    case folder
    case empty
    case text = "text.sqlite"
    case gzip = "app.sqlite.gz"
    case pipe
    case cut = "cut.sqlite"
    case file = "notes.jsonl/app.sqlite"
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.file("app.sqlite")
    try DatabaseQueue(path: path).write { db in
      try db.execute(
        sql: """
          CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
          WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO note SELECT i, 'note ' || i FROM n
          """)
    }
    try TestRepository.git(["init", "--quiet", "."], in: folder.path)
    try TestRepository.git(["commit", "--quiet", "--allow-empty", "--message", "first"], in: folder.path)
    let whole = try Data(contentsOf: URL(filePath: path))
    for (name, data) in [
      ("notes.jsonl", Data("{\"id\":1}\n".utf8)), ("empty", Data()),
      ("text.sqlite", Data(String(repeating: "no database, ", count: 500).utf8)),
      ("app.sqlite.gz", Data([0x1F, 0x8B, 8, 0]) + Data(repeating: 7, count: 3000)), ("cut.sqlite", whole.prefix(5000)),
    ] {
      try data.write(to: URL(filePath: folder.file(name)))
    }
    try FileManager.default.createDirectory(atPath: folder.file("folder"), withIntermediateDirectories: false)
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
  }

  @Test(arguments: uses, Wrong.allCases) func theErrorNamesTheFileAndTheRemedy(use: Use, wrong: Wrong) throws {
    switch wrong {
    // A new database is made. Any file may be a log, and a repository is a folder.
    case .missing where use.isMade, .empty where use.isMade: return
    // No process writes to this pipe. A command that can read a pipe rightly waits for a writer.
    case .pipe where !use.wantsDatabase: return
    case .folder where use.arguments.contains("--repo") && !use.isMade: return
    // An empty file has no rows, and any text may be a token.
    case .empty where use.arguments.contains("--token-file"), .text where use.arguments.contains("--token-file"): return
    // In this case the query is wrong, and not the file.
    case .empty where use.arguments.contains("SELECT 1 FROM note"): return
    case .cut where use.arguments.first == "sync" || use.isMade: return
    default: break
    }
    let arguments = use.arguments.map { $0 == "FILE" ? wrong.rawValue : $0 }
    let run = try Subcommand(
      DemoRun.executable, arguments, environment: TestRepository.environment, directory: folder.path)
    let result = try run.result()
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    #expect(result.output == "")
    let last = result.errors.split(separator: "\n").filter { $0.hasPrefix("Error: ") }.last.map(String.init) ?? ""
    #expect(last.contains(wrong.rawValue), "\(result.errors)")
    // The remedy is a sentence after the sentence about the fault.
    #expect(last.hasSuffix(".") && last.contains(". "), "\(result.errors)")
    #expect(!last.contains("..") && !last.contains("Optional(") && !last.contains("NSCocoaError"), "\(result.errors)")
  }

  @Test(arguments: uses) func anEmptyName(use: Use) throws {
    let result = try Subcommand(
      DemoRun.executable, use.arguments.map { $0 == "FILE" ? "" : $0 }, environment: TestRepository.environment,
      directory: folder.path
    ).result()
    #expect(result.status != 0 && result.output == "")
    #expect(result.errors.hasPrefix("Error: "), "\(result.errors)")
  }

  @Test(
    .enabled(if: getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")), arguments: uses)
  func noPermission(use: Use) throws {
    // The command runs as another user, because root can read all files.
    let path = folder.file("secret")
    try Data("SQLite format 3\0".utf8).write(to: URL(filePath: path))
    #expect(chmod(path, 0) == 0 && chmod(folder.path, 0o777) == 0)
    for name in ["app.sqlite", "notes.jsonl"] { #expect(chmod(folder.file(name), 0o644) == 0) }
    let arguments = use.arguments.map { $0 == "FILE" ? path : $0 }
    if arguments.first == "demo" { return }
    let result = try Subcommand(
      "/usr/bin/setpriv", ["--reuid", "65534", "--clear-groups", "--", DemoRun.executable] + arguments,
      directory: folder.path
    ).result()
    #expect(result.status == 1 && result.output == "", "\(result.errors)")
    let last = result.errors.split(separator: "\n").filter { $0.hasPrefix("Error: ") }.last.map(String.init) ?? ""
    #expect(last.contains(path) && last.hasSuffix(".") && last.contains(". "), "\(result.errors)")
  }
}
