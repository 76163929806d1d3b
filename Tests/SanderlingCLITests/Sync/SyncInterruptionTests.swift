import Foundation
import GRDB
import TestPrograms
import Testing

@testable import SanderlingCLI

/// The output of `sanderling sync` while it waits for a server, after a redirection, and after an interruption.
struct SyncInterruptionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A run of `sanderling sync` whose standard error is read while it runs.
  private final class Run {
    let program: Program
    private let errors: FileHandle
    private(set) var text = ""

    init(_ arguments: String..., folder: TemporaryFolder, input: FileHandle? = nil) throws {
      let pipe = Pipe()
      program = try Program(
        DemoRun.executable, ["sync"] + arguments, directory: folder.path, input: input,
        errors: pipe.fileHandleForWriting)
      try pipe.fileHandleForWriting.close()
      errors = pipe.fileHandleForReading
    }

    /// Reads until standard error contains a text, or the program has ended.
    func read(until part: String) throws {
      while !text.contains(part), case let data = errors.availableData, !data.isEmpty {
        text += String(decoding: data, as: UTF8.self)
      }
      try #require(text.contains(part), "\(text)")
    }

    func end() throws -> Program.End {
      text += String(decoding: try errors.readToEnd() ?? Data(), as: UTF8.self)
      return program.wait()
    }
  }

  private func rows(_ sql: String) throws -> [Int] {
    try DatabaseQueue(path: folder.file("app.sqlite")).read { try Int.fetchAll($0, sql: sql) }
  }

  // MARK: Waits

  @Test func waitOfAnHourIsAnnounced() throws {
    let server = try ScriptedServer { _, _ in .json("", status: 429, headers: ["Retry-After": "3600"]) }
    let address = server.url.absoluteString
    let run = try Run(address, "--server", "json", "--into", "app.sqlite", "--record", "item", folder: folder)
    try run.read(until: "Ctrl-C ends it.\n")
    #expect(
      run.text.contains(
        "\(address)/item: the server answered 429 and asks for a pause. Waiting for 3,600 s, until "),
      "\(run.text)")
    run.program.signal(SIGINT)
    #expect(try run.end() == .exited(128 + SIGINT))
    #expect(run.text.hasSuffix("Interrupted before this run stored a row. Run the same command again.\n"))
    #expect(server.requests.count == 1)
  }

  @Test func maxWaitLimitsAWait() throws {
    let server = try ScriptedServer { _, _ in .json("", status: 429, headers: ["Retry-After": "3600"]) }
    let address = server.url.absoluteString
    let result = try Subcommand(
      DemoRun.executable,
      ["sync", address, "--server", "json", "--into", "app.sqlite", "--record", "item", "--max-wait", "60"],
      directory: folder.path
    ).result()
    #expect(result.status == 1 && server.requests.count == 1)
    #expect(
      result.errors.hasPrefix(
        "Error: \(address)/item: the server asks for a pause of 3,600 s, and --max-wait allows less. Run this again at "
      ),
      "\(result.errors)")
  }

  @Test func refusedRedirectionNamesItsTarget() throws {
    let other = try ScriptedServer { _, _ in .json("[]") }
    let server = try ScriptedServer { _, _ in
      .json("", status: 301, headers: ["Location": other.url.absoluteString + "/v2/item?token=secret"])
    }
    let result = try Subcommand(
      DemoRun.executable,
      ["sync", server.url.absoluteString, "--server", "json", "--into", "app.sqlite", "--record", "item"],
      directory: folder.path
    ).result()
    #expect(result.status == 1 && other.requests.isEmpty)
    #expect(
      result.errors == """
        Error: item: the server redirects the request to \(other.url.absoluteString)/v2/item. The redirection isn't followed, since the token would go along. \
        If that is the server's own address, give it in place of this address; otherwise ask the owner of the server.

        """)
  }

  // MARK: Interruptions

  /// Writes rows to a named pipe until its reader closes it. Returns the number of rows.
  private func write(_ first: String, to pipe: String, _ row: (Int) -> String) throws -> Int {
    // The call waits until the program opens the pipe.
    let file = try FileHandle(forWritingTo: URL(filePath: pipe))
    try file.write(contentsOf: Data(first.utf8))
    var count = 0
    do {
      while true {
        try file.write(contentsOf: Data(row(count).utf8))
        count += 1
      }
    } catch {
      return count
    }
  }

  /// An interruption while all rows are examined, before the table is made, stores nothing.
  @Test func interruptionDuringTheFirstReadStoresNothing() throws {
    signal(SIGPIPE, SIG_IGN)
    let pipe = folder.file("rows")
    #expect(mkfifo(pipe, 0o600) == 0)
    let run = try Run("rows", "--format", "csv", "--into", "app.sqlite", "--record", "item", folder: folder)
    let count = try write("id,title\n", to: pipe) { number in
      if number == 1000 { run.program.signal(SIGINT) }
      return "\(number),title\n"
    }
    #expect(count > 1000)
    #expect(try run.end() == .exited(128 + SIGINT))
    #expect(
      run.text.hasSuffix("Interrupted before this run stored a row. Run the same command again.\n"), "\(run.text)")
    #expect(try rows("SELECT count(*) FROM sqlite_schema WHERE name = 'item'") == [0])
  }

  @Test func interruptionReportsTheStoredRows() throws {
    signal(SIGPIPE, SIG_IGN)
    try DatabaseQueue(path: folder.file("app.sqlite")).write {
      try $0.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, title TEXT)")
    }
    let pipe = folder.file("rows")
    #expect(mkfifo(pipe, 0o600) == 0)
    let run = try Run("rows", "--format", "csv", "--into", "app.sqlite", "--record", "item", folder: folder)
    var isInterrupted = false
    _ = try write("id,title\n", to: pipe) { number in
      if !isInterrupted, number.isMultiple(of: 1000), (try? rows("SELECT count(*) FROM item").first) ?? 0 > 0 {
        run.program.signal(SIGINT)
        isInterrupted = true
      }
      return "\(number),title\n"
    }
    #expect(try run.end() == .exited(128 + SIGINT))
    let stored = try #require(try rows("SELECT count(*) FROM item").first)
    #expect(
      run.text.contains(", and \(stored.grouped) are in the database. Run the same command again to continue.\n"),
      "\(run.text)")
  }
}
