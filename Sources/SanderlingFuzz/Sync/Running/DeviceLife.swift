import Foundation

/// A device whose process is paused, killed and started again.
struct DeviceLife {
  private let settings: DeviceSettings
  private let executable: URL
  private var random: SeededGenerator

  init(_ settings: DeviceSettings, _ random: SeededGenerator, executable: URL) {
    self.settings = settings
    self.random = random
    self.executable = executable
  }

  /// Runs the lives of several devices at once, each with its own random numbers, beside the life of their server.
  ///
  /// - Returns: The numbers of processes and of killed processes.
  static func all(
    _ plans: [(DeviceSettings, SeededGenerator)], until end: ContinuousClock.Instant, executable: URL,
    beside server: @escaping @Sendable () async throws -> Void
  ) async throws -> (processes: Int, kills: Int) {
    try await withThrowingTaskGroup(of: (processes: Int, kills: Int).self) { group in
      for (settings, random) in plans {
        group.addTask {
          try await onThread {
            var life = DeviceLife(settings, random, executable: executable)
            return try life.live(until: end)
          }
        }
      }
      group.addTask {
        try await server()
        return (0, 0)
      }
      return try await group.reduce(into: (processes: 0, kills: 0)) {
        $0.processes += $1.processes
        $0.kills += $1.kills
      }
    }
  }

  private mutating func live(until end: ContinuousClock.Instant) throws -> (processes: Int, kills: Int) {
    var (processes, kills) = (0, 0)
    var settings = settings
    // A step over a real server's connection takes longer.
    let killChance = settings.access == nil ? 7 : 2
    while ContinuousClock.now < end {
      // An update of the app.
      if random.chance(20) { settings.isNew = true }
      let process = try DeviceProcess(
        settings, seed: random.next(), steps: random.number(10..<200), executable: executable)
      processes += 1
      while process.isRunning {
        usleep(UInt32(random.number(1000..<80_000)))
        if ContinuousClock.now >= end || random.chance(killChance) {
          process.kill()
          kills += 1
        } else if random.chance(5) {
          process.pause()
          usleep(UInt32(random.number(1000..<300_000)))
          process.resume()
        }
      }
      if let complaint = process.complaint() { throw SyncFuzzFailure(complaint) }
    }
    return (processes, kills)
  }
}
