import ArgumentParser
import Foundation

/// The command `sanderling-fuzz sync-device`: a device, in a process that can be killed.
struct SyncDeviceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync-device", abstract: "A device of sanderling-fuzz sync.", shouldDisplay: false)

  @Argument var path: String
  @Option var name: String
  @Option var port: UInt16
  @Option var rule: FuzzServer.Rule
  @Option var conflicts: String
  @Option var deletions: String
  @Option(parsing: .unconditional) var skew: Double
  @Flag var new = false
  @Flag var following = false
  @Option var server: RealServer.Kind?
  @Option var seed: UInt64
  /// The number of steps; 0 for a single synchronisation.
  @Option var steps: Int

  func run() async throws {
    let secret = ProcessInfo.processInfo.environment[ServerAccess.secretName] ?? ""
    let settings = DeviceSettings(
      name: name, path: path, port: port, rule: rule, access: server.map { ServerAccess(kind: $0, secret: secret) },
      isFollowing: following,
      policy: DevicePolicy(rule: conflicts, deletion: deletions),
      skew: skew, isNew: new)
    do {
      if steps > 0 {
        var play = try await DevicePlay(settings, SeededGenerator(seed: seed))
        try await play.play(steps: steps)
      } else {
        var random = SeededGenerator(seed: seed)
        let device = try await FuzzDevice(settings, &random)
        Console.print("runs")
        try await device.session.run()
        try device.store.close()
      }
    } catch {
      Console.print("device \(name), steps \(steps), seed \(seed): \(error)")
      throw ExitCode.failure
    }
  }
}

extension FuzzServer.Rule: ExpressibleByArgument {}
