import ArgumentParser
import Foundation

/// `sanderling-fuzz sync`
struct SyncFuzzCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Synchronises devices, in processes that are killed, with a server over a connection that fails.",
    discussion: """
      Each round makes a server and some devices from the seed and its number. Users edit, requests and answers are lost, late, \
      repeated and falsified, processes are paused and killed, disks are full, apps are updated. Then the faults stop, and all \
      databases must be equal: no change lost, none applied twice, none left over. A failure ends the run with exit code 1, the seed \
      and the round. The order of events depends on time, so a round may have to be repeated.
      """)

  @Option(help: "How long to run, in seconds.")
  var seconds = 60

  @Option(help: "Where all that is random comes from. (default: another one each time, which is printed)")
  var seed: UInt64?

  @Option(help: "Run this round only, once or as often as --repeat says.")
  var round: Int?

  @Option(name: .customLong("repeat"), help: "How often to run the round of --round.")
  var repetitions = 1

  @Option(
    help: ArgumentHelp(
      "Synchronise with a server that others wrote, in place of the fuzzer's own: kinto, pocketbase or rest.",
      discussion:
        "Scripts/servers starts it, and restarts it in some rounds. Its collections of the fuzzer's names are made anew."
    ))
  var server: RealServer.Kind?

  @Option(help: "The folder of Scripts/servers for --server.")
  var servers = ".build/servers"

  @Option(
    help:
      "Kill one device as often as this while it is synchronised, in place of all else, and compare it with one that wasn't."
  )
  var kills: Int?

  func validate() throws {
    if let kills, kills < 1 { throw ValidationError("--kills needs a positive number.") }
    if seconds < 1 { throw ValidationError("--seconds needs a positive number.") }
  }

  func run() async throws {
    guard let executable = Bundle.main.executableURL else {
      throw ValidationError("The fuzzer doesn't know where it is.")
    }
    let seed = seed ?? .random(in: 0...UInt64.max)
    if let kills {
      var run = try KillRun(seed: seed, executable: executable)
      guard try await run.run(kills: kills) else { throw ExitCode.failure }
      return
    }
    let script = ServerScript(folder: servers)
    // One that was running stays.
    let isStarted = server.map { !script.isRunning($0) } == true
    defer { if isStarted { try? script.stop() } }
    var real: RealServer?
    if let server { real = try await RealServer(server, by: script) }
    let run = SyncFuzzRun(seed: seed, executable: executable, server: real)
    let hasPassed =
      if let round {
        try await run.run(round: round, times: repetitions)
      } else {
        try await run.run(for: .seconds(seconds))
      }
    if !hasPassed { throw ExitCode.failure }
  }
}
