import Foundation
import Testing

@testable import SanderlingCLI

/// The command `sanderling demo --live`, run as a program.
struct LiveDemoTests {
  @Test func reportsDeliveriesAndTheirCost() throws {
    let repository = try TestRepository(commits: 300)
    let result = try LiveDemoRun.result(repository)
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(result.output.hasPrefix("\(repository.path): added 300 commits in "))
    let report = try #require(result.output.firstRange(of: "While this was imported")).lowerBound
    let lines = result.output[report...].split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    try #require(lines.count == 15)
    #expect(lines[0] == "While this was imported, the newest commits, the author summaries and four totals were live:")
    #expect(lines[1].split(separator: " ") == ["Deliveries", "p50", "p99", "Longest"])
    let count = try #require(lines[2].split(separator: " ").first.flatMap { Int($0) })
    #expect(count >= 1)
    #expect(lines[5] == "The newest commits: Maintained from the changes of rows of author, gitCommit.")
    #expect(
      lines[6] == "The author summaries: Maintained from the changes of rows of author, fileChange, gitCommit.")
    #expect(lines[7] == "In the end all of them equalled a fresh SELECT.")
    #expect(lines[9].hasPrefix("The history was imported twice, into two fresh stores"))
    #expect(lines[12].hasPrefix("  with live results  "))
    #expect(lines[13].hasPrefix("  without            "))
    #expect(!result.output.contains("Store: "))
  }

  @Test func printsOneObjectOfJSON() throws {
    let repository = try TestRepository(commits: 300)
    let result = try LiveDemoRun.result(repository, "--json")
    #expect(result.status == 0)
    struct Output: Decodable {
      struct Live: Decodable {
        let deliveries: Int
        let delayP50Seconds, delayP99Seconds, longestDelaySeconds: Double
        let secondsWithLiveResults, secondsWithout: Double
        let processorSecondsWithLiveResults, processorSecondsWithout: Double
        let isMaintained: [String: Bool]
      }
      let commits: Int
      let store: String?
      let seconds: Double
      let live: Live
    }
    let output = try JSONDecoder().decode(Output.self, from: Data(result.output.utf8))
    #expect(output.commits == 300)
    #expect(output.store == nil)
    let live = output.live
    #expect(live.deliveries >= 1)
    #expect(0 < live.delayP50Seconds)
    #expect(live.delayP50Seconds <= live.delayP99Seconds)
    #expect(live.delayP99Seconds <= live.longestDelaySeconds)
    #expect(live.secondsWithLiveResults == output.seconds)
    #expect(min(live.secondsWithout, live.processorSecondsWithout, live.processorSecondsWithLiveResults) > 0)
    #expect(live.isMaintained == ["author summaries": true, "newest commits": true])
  }

  @Test func removesItsStores() throws {
    let repository = try TestRepository(commits: 20)
    let folder = try TemporaryFolder()
    let environment = TestRepository.environment.merging(["TMPDIR": folder.path]) { $1 }
    #expect(try LiveDemoRun.result(repository, environment: environment).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func refusesAStoreOfTheUser() throws {
    let result = try DemoRun.result("--live", "--store", "store.sqlite")
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.errors.contains("--live imports into stores of its own: leave out --store."))
  }

  @Test func reportsAnEmptyRepositoryAsWithoutLiveResults() throws {
    let empty = try TestRepository()
    let result = try LiveDemoRun.result(empty)
    #expect(result.status == 1)
    #expect(result.output == "")
    #expect(result.errors.hasPrefix("Error: The repository at \(empty.path) has no commits"))
  }

  /// Without a terminal, the command writes one line each second to standard error.
  @Test func showsLinesWithoutATerminal() throws {
    let repository = try TestRepository(commits: 3000)
    let start = ContinuousClock.now
    let result = try LiveDemoRun.result(repository, quiet: false)
    let seconds = start.duration(to: .now).seconds
    #expect(result.status == 0)
    let lines = result.errors.split(separator: "\n").filter { $0.contains("with live results") }
    let form =
      #/
      Importing\ with\ live\ results,\ [0-9.]+\ m?s,\ [0-9]+\ %,\ from\ .+:\ [0-9,]+\ commits,\ [0-9,]+\ merges,
      \ [0-9,]+\ authors,\ [0-9,]+\ file\ changes,\ [0-9,]+\ deliveries
    /#
    for line in lines { #expect(try form.wholeMatch(in: line) != nil, "\(line)") }
    #expect(lines.count <= Int(seconds))
    #expect(!result.errors.contains("\u{1B}"))
    #expect(!result.output.contains("\u{1B}"))
  }
}

/// Runs `sanderling demo --live` for tests.
enum LiveDemoRun {
  /// Runs the command to its end, with its output in files.
  static func result(
    _ repository: TestRepository, _ arguments: String..., quiet: Bool = true,
    environment: [String: String] = TestRepository.environment
  ) throws -> Subcommand.Result {
    try Subcommand(
      DemoRun.executable, commandLine(repository, arguments + (quiet ? ["--quiet"] : [])), environment: environment
    ).result()
  }

  /// Starts the command in a terminal.
  static func start(
    _ repository: TestRepository, _ terminal: PseudoTerminal, _ arguments: String...,
    environment: [String: String] = [:]
  ) throws -> Subcommand {
    try Subcommand(
      DemoRun.executable, commandLine(repository, arguments),
      environment: TestRepository.environment.merging(["TERM": "xterm"].merging(environment) { $1 }) { $1 },
      terminal: terminal)
  }

  private static func commandLine(_ repository: TestRepository, _ arguments: [String]) -> [String] {
    ["demo", "--live", "--repo", repository.path] + arguments
  }
}
