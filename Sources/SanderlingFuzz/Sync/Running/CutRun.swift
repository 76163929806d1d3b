import Foundation
import Sanderling
import SanderlingSync

/// Synchronises a device with many pending changes over connections that are cut at fixed places, without processes and
/// kills. The device and the server must then equal those after one undisturbed run, byte by byte.
package struct CutRun {
  private let seed: UInt64
  private let watchdog = Watchdog()

  /// The greatest number of runs. No session fails more often, because each failure uses up at least one cut.
  private static let mostRuns = 20

  package init(seed: UInt64) {
    self.seed = seed
  }

  /// - Returns: Whether no failure was found.
  package func run(rounds: Int) async throws -> Bool {
    try await run(0..<rounds)
  }

  /// - Returns: Whether no failure was found.
  package func run(round: Int) async throws -> Bool {
    try await run(round..<round + 1)
  }

  private func run(_ rounds: Range<Int>) async throws -> Bool {
    Console.print("sanderling-fuzz sync --scripted --seed \(seed) --rounds \(rounds.count)")
    var random = SeededGenerator(seed: seed)
    let beginning = try await SyncBeginning(seed: seed, &random)
    var cutCount = 0
    for round in rounds {
      let name = "sanderling-fuzz sync --scripted --seed \(seed) --round \(round)"
      watchdog.begin(name, limit: .seconds(300))
      defer { watchdog.end() }
      do {
        let undisturbed = try await end(of: beginning, round, CutScript())
        var places = SeededGenerator(seed: seed, round: round)
        let disturbed = try await end(of: beginning, round, CutScript(&places))
        if disturbed.image != undisturbed.image {
          let lines = disturbed.image.symmetricDifference(undisturbed.image).sorted()
          throw SyncFuzzFailure("after \(disturbed.cuts) cuts:\n\(lines.prefix(10).joined(separator: "\n"))")
        }
        cutCount += disturbed.cuts
      } catch {
        Console.print("\nRound \(round) failed: \(error)")
        Console.print("Its databases are in \(beginning.folder.path)")
        Console.print("To run it again: \(name)")
        return false
      }
    }
    beginning.remove()
    Console.print("\(cutCount) cuts in \(rounds.count) synchronisations: each ended as an undisturbed one")
    // A round in which no request meets a cut compares nothing. A single round may be such a round.
    if rounds.count > 1, cutCount * 2 < rounds.count {
      Console.print("Too few requests met a cut.")
      Console.print("To run it again: sanderling-fuzz sync --scripted --seed \(seed) --rounds \(rounds.count)")
      return false
    }
    return true
  }

  private func end(
    of beginning: SyncBeginning, _ round: Int, _ script: CutScript
  ) async throws -> (image: Set<String>, cuts: Int) {
    let end = try await beginning.end { server in
      try FaultyListener(server, script)
    } synchronise: { settings, listener in
      // Both runs, with and without cuts, use the same options.
      var options = SeededGenerator(seed: seed, round: round)
      let device = try await FuzzDevice(settings, &options)
      for run in 1...Self.mostRuns {
        do {
          _ = try await device.session.run()
          break
        } catch let error as WireError {
          if run == Self.mostRuns { throw SyncFuzzFailure("run \(run) failed, too: \(error)") }
        }
      }
      try device.store.close()
      return listener.cutCount
    }
    return (end.image, end.value)
  }
}
