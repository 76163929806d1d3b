import Foundation
import Sanderling
import SanderlingSync

/// Some devices and a real server, from their start to the final checks.
struct RealRound {
  private let server: RealServer
  private let proxy: HTTPProxy
  private let devices: [DeviceSettings]
  private let executable: URL
  private var random: SeededGenerator
  /// The time during which faults occur.
  private let duration: Duration
  /// Whether the server is stopped and restarted meanwhile.
  private let restarts: Bool

  init(_ server: RealServer, _ random: SeededGenerator, in folder: URL, executable: URL) throws {
    var random = random
    let log = try ProxyLog(path: folder.appending(path: "proxy.log").path)
    let proxy = try HTTPProxy(to: server.port, SeededGenerator(seed: random.next()), log: log)
    let policy = DevicePolicy(&random)
    devices = (1...random.element(of: [2, 2, 3])).map { number in
      DeviceSettings(
        name: "d\(number)", path: folder.appending(path: "d\(number).sqlite").path, port: proxy.port,
        rule: server.access.rule,
        access: server.access, isFollowing: random.chance(50), policy: policy,
        skew: random.element(of: [0, 5 * 3600, -7 * 3600]),
        isNew: random.chance(30))
    }
    (self.server, self.proxy, self.executable) = (server, proxy, executable)
    restarts = random.chance(25)
    duration = .milliseconds(random.number(2000..<5000)) + (restarts ? .seconds(4) : .zero)
    self.random = random
  }

  mutating func run(_ counts: inout SyncRound.Counts) async throws {
    defer { proxy.end() }
    try await server.begin()
    let end = ContinuousClock.now + duration
    let plans = devices.map { ($0, SeededGenerator(seed: random.next())) }
    let lives = try await DeviceLife.all(plans, until: end, executable: executable) { [server, restarts, duration] in
      guard restarts else { return }
      try await Task.sleep(for: duration / 2)
      try await server.restart()
    }
    proxy.calmDown()
    var healing = SyncHealing(devices, &random)
    var tidied: [[String]: String] = [:]
    let healed = try await healing.heal {
      let cells = try await server.tidy()
      tidied.merge(cells) { $1 }
      return !cells.isEmpty
    }
    try SyncChecks(await ServerImage(server, tidied: tidied, told: proxy.told), healed).run()
    counts.rounds += 1
    counts.processes += lives.processes
    counts.kills += lives.kills
    counts.mutations += proxy.count
    counts.conflicts += try healed.reduce(0) { try $0 + SyncChecks.conflictCount($1) }
  }
}
