import Foundation
import GRDB
import Sanderling

/// Some devices and a server, from their start to the final checks.
struct SyncRound {
  private let server: FuzzServer
  private let listener: FaultyListener
  private let devices: [DeviceSettings]
  private let executable: URL
  private var random: SeededGenerator
  /// The time during which faults occur.
  private let duration: Duration

  /// The counts of all rounds together.
  struct Counts {
    var rounds = 0
    var processes = 0
    var kills = 0
    var mutations = 0
    var conflicts = 0
  }

  init(_ random: SeededGenerator, in folder: URL, executable: URL) throws {
    var random = random
    let rule = random.element(of: [FuzzServer.Rule.match, .matchOnce, .matchOnce, .lastWins])
    let server = try FuzzServer(
      rule, path: folder.appending(path: "server.sqlite").path, SeededGenerator(seed: random.next()))
    let listener = try FaultyListener(server, SeededGenerator(seed: random.next()))
    let policy = DevicePolicy(&random)
    devices = (1...random.element(of: [1, 2, 2, 3])).map { number in
      DeviceSettings(
        name: "d\(number)", path: folder.appending(path: "d\(number).sqlite").path, port: listener.port, rule: rule,
        policy: policy, skew: random.element(of: [0, 0, 5 * 3600, -7 * 3600]), isNew: random.chance(30))
    }
    (self.server, self.listener) = (server, listener)
    self.executable = executable
    duration = .milliseconds(random.number(500..<3000))
    self.random = random
  }

  mutating func run(_ counts: inout Counts) async throws {
    let end = ContinuousClock.now + duration
    let plans = devices.map { ($0, SeededGenerator(seed: random.next())) }
    let serverRandom = SeededGenerator(seed: random.next())
    let lives = try await DeviceLife.all(plans, until: end, executable: executable) { [server] in
      try await onThread { try Self.serve(server, serverRandom, until: end) }
    }
    listener.calmDown()
    var healing = SyncHealing(devices, &random)
    let healed = try await healing.heal()
    listener.end()
    try SyncChecks(ServerImage(server), healed).run()
    counts.rounds += 1
    counts.processes += lives.processes
    counts.kills += lives.kills
    counts.mutations += try server.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM numbers") ?? 0 }
    counts.conflicts += try healed.reduce(0) { try $0 + SyncChecks.conflictCount($1) }
    try server.close()
  }

  /// Makes the edits of other clients at the server, and the server's own work.
  private static func serve(_ server: FuzzServer, _ random: SeededGenerator, until end: ContinuousClock.Instant) throws
  {
    var random = random
    while ContinuousClock.now < end {
      usleep(UInt32(random.number(1000..<60_000)))
      switch random.number(0..<100) {
      case 0..<8: try server.restart()
      case 8..<14: try server.cutLog()
      default: try server.edit()
      }
    }
  }
}
