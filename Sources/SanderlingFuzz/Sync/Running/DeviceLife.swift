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

  mutating func live(until end: ContinuousClock.Instant) throws -> (processes: Int, kills: Int) {
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
