import Foundation

/// Synchronises a device with many pending changes, in processes that are killed at random moments, until one ends by
/// itself. The device and the server must then equal those after one undisturbed run, byte by byte.
package struct KillRun {
  private let seed: UInt64
  private let executable: URL
  private var random: SeededGenerator

  package init(seed: UInt64, executable: URL) {
    self.seed = seed
    self.executable = executable
    random = SeededGenerator(seed: seed)
  }

  /// - Returns: Whether no failure was found.
  package mutating func run(kills: Int) async throws -> Bool {
    Console.print("sanderling-fuzz sync --seed \(seed) --kills \(kills)")
    let beginning = try await SyncBeginning(seed: seed, &random)
    let undisturbed = try await run(beginning, limit: 0)
    var (done, rounds) = (0, 0)
    while done < kills {
      let disturbed = try await run(beginning, limit: kills - done)
      done += disturbed.kills
      rounds += 1
      if disturbed.image != undisturbed.image {
        let lines = disturbed.image.symmetricDifference(undisturbed.image).sorted()
        Console.print("\nRound \(rounds) failed, after \(done) kills: \(lines.prefix(10).joined(separator: "\n"))")
        Console.print("Its databases are in \(beginning.folder.path)")
        Console.print("To run it again: sanderling-fuzz sync --seed \(seed) --kills \(kills)")
        return false
      }
    }
    beginning.remove()
    Console.print("\(done) kills in \(rounds) synchronisations: each ended as an undisturbed one")
    return true
  }

  /// Synchronises copies of the beginning, until a run ends by itself.
  private mutating func run(_ beginning: SyncBeginning, limit: Int) async throws -> (image: Set<String>, kills: Int) {
    let most = limit == 0 ? 0 : random.number(1..<min(limit, 12) + 1)
    let moments = (0..<most).map { _ in
      UInt32(random.number(0..<random.element(of: [2_000, 20_000, 200_000])))
    }
    let (seed, executable) = (seed, executable)
    let end = try await beginning.end { server in
      let listener = try FaultyListener(server, SeededGenerator(seed: seed))
      listener.calmDown()
      return listener
    } synchronise: { settings, _ in
      var kills = 0
      for moment in moments {
        let process = try DeviceProcess(settings, seed: seed, steps: 0, executable: executable)
        process.waitForLine()
        usleep(moment)
        guard process.isRunning else {
          if let complaint = process.complaint() { throw SyncFuzzFailure(complaint) }
          return kills
        }
        process.kill()
        kills += 1
      }
      let last = try DeviceProcess(settings, seed: seed, steps: 0, executable: executable)
      if let complaint = last.complaint() { throw SyncFuzzFailure(complaint) }
      return kills
    }
    return (end.image, end.value)
  }
}
