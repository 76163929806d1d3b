import ArgumentParser
import Foundation

@main
struct BenchmarkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sanderling-bench",
    abstract: "Times Sanderling beside SQLite's C API and beside GRDB, in one process, round by round.")

  @Option(
    help: """
      Run this suite only: \(suites.map { $0.name }.joined(separator: ", ")). Can be given several times.
      """)
  var only: [String] = []

  @Option(help: "Run only what has this text in its name, like unaffected-1000-mixed or import in the suite live.")
  var matching: String?

  @Option(help: "Write the medians to this file as JSON.")
  var json: String?

  @Option(help: "How many times each contender does the work of a case.")
  var rounds = 15

  @Flag(help: "Small data and few rounds, to see that everything runs. The figures mean nothing.")
  var short = false

  @Option(help: ArgumentHelp("Be the other process of the suite processes.", visibility: .private))
  var commitsTo: String?

  private static var suites: [any BenchmarkSuite.Type] {
    [
      FetchSuite.self, PointSuite.self, MembershipSuite.self, WriteSuite.self, MoveSuite.self, AggregateSuite.self,
      TreeSuite.self,
      ListsSuite.self, SearchSuite.self, SyncSuite.self, LiveSuite.self, ProcessesSuite.self,
    ]
  }

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("--rounds must be at least 1.") }
    for name in only where !Self.suites.contains(where: { $0.name == name }) {
      throw ValidationError(
        "There is no suite '\(name)': choose one of \(Self.suites.map { $0.name }.joined(separator: ", ")).")
    }
  }

  func run() async throws {
    if let commitsTo { return try ProcessesSuite.commit(to: commitsTo, count: rounds) }
    let rounds = short ? min(rounds, 2) : rounds
    var results: [BenchmarkResult] = []
    print(BenchmarkResult.header)
    for suite in Self.suites where only.isEmpty || only.contains(suite.name) {
      let folder = FileManager.default.temporaryDirectory.appending(path: "sanderling-bench-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      for plan in try await suite.init(folder: folder.path, isShort: short).works {
        if let matching, !plan.name.contains(matching) { continue }
        let measured = try await BenchmarkResult.results(of: plan.make(), suite: suite.name, rounds: rounds)
        for result in measured { print(result.line) }
        // A run takes minutes, so each line appears at once, in a file too.
        fflush(nil)
        results += measured
      }
    }
    if let json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try encoder.encode(results).write(to: URL(fileURLWithPath: json))
    }
  }
}
