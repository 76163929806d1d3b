import Foundation

/// Runs rounds of devices and a server until the time is over or a failure is found.
package struct SyncFuzzRun {
  private let seed: UInt64
  private let executable: URL
  private let folder: URL
  private let server: RealServer?
  private let watchdog = Watchdog()

  /// The time limit of a round. A round takes seconds, and longer beside many tests, when devices wait for a thread.
  private static let patience = Duration.seconds(300)
  /// The greatest number of consecutive rounds in which no device sends anything.
  private static let emptyRounds = 20

  /// - Parameters:
  ///   - executable: The fuzzer's executable, which is started for each device.
  ///   - server: A real server; nil for the fuzzer's own.
  package init(seed: UInt64, executable: URL, server: RealServer? = nil) {
    self.server = server
    self.seed = seed
    self.executable = executable
    folder = FileManager.default.temporaryDirectory.appending(path: "sanderling-fuzz-\(UUID().uuidString)")
  }

  /// - Returns: Whether no failure was found.
  package func run(for length: RunLength) async throws -> Bool {
    Console.print("sanderling-fuzz sync --seed \(seed)\(arguments)")
    let start = ContinuousClock.now
    var lastLine = start
    var counts = SyncRound.Counts()
    while !length.isOver(afterRounds: counts.rounds, since: start)
      || counts.mutations == 0 && counts.rounds < Self.emptyRounds
    {
      guard try await run(counts.rounds, &counts) else { return false }
      if ContinuousClock.now - lastLine >= .seconds(10) {
        lastLine = .now
        printProgress(counts, since: start)
      }
    }
    printProgress(counts, since: start)
    // A run without mutations or processes would test little.
    if counts.mutations == 0 || counts.processes == 0 {
      Console.print("Nothing was sent.")
      Console.print("To run it again: sanderling-fuzz sync --seed \(seed) --rounds \(counts.rounds)\(arguments)")
      return false
    }
    return true
  }

  package func run(round: Int, times: Int) async throws -> Bool {
    var counts = SyncRound.Counts()
    for _ in 0..<times {
      guard try await run(round, &counts) else { return false }
    }
    Console.print("Round \(round) found nothing.")
    return true
  }

  private func run(_ round: Int, _ counts: inout SyncRound.Counts) async throws -> Bool {
    let name = "sanderling-fuzz sync --seed \(seed) --round \(round) --repeat 20\(arguments)"
    watchdog.begin(name, limit: Self.patience)
    defer { watchdog.end() }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
      let random = SeededGenerator(seed: seed, round: round)
      if let server {
        var world = try RealRound(server, random, in: folder, executable: executable)
        try await world.run(&counts)
      } else {
        var world = try SyncRound(random, in: folder, executable: executable)
        try await world.run(&counts)
      }
    } catch {
      Console.print("\nRound \(round) failed: \(error)")
      Console.print("Its databases are in \(folder.path)")
      // The interleaving of processes depends on time, so a seed does not repeat it exactly.
      Console.print("To run it again: \(name)")
      return false
    }
    try FileManager.default.removeItem(at: folder)
    return true
  }

  private var arguments: String { server.map { " --server \($0.kind.rawValue)" } ?? "" }

  private func printProgress(_ counts: SyncRound.Counts, since start: ContinuousClock.Instant) {
    let seconds = (ContinuousClock.now - start).components.seconds
    Console.print(
      "\(seconds) s: \(counts.rounds) rounds, \(counts.processes) processes, \(counts.kills) killed, "
        + "\(counts.mutations) \(server == nil ? "mutations" : "requests"), \(counts.conflicts) conflicts")
  }
}
