import ArgumentParser
import Foundation

/// The command `sanderling-fuzz sync`.
struct SyncFuzzCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Synchronises devices, in processes that are killed, with a server over a connection that fails.",
    discussion: """
      Each round makes a server and some devices from the seed and its number. Users edit, requests and answers are lost, late, \
      repeated and falsified, processes are paused and killed, disks are full, apps are updated. Then nothing goes wrong any more, \
      and all must be equal, with nothing lost, nothing done twice, and nothing left over. A failure ends the run with exit code 1, \
      the seed and the round. The order of events in processes depends on time, so a round may need repetition.

      With --scripted, one device in this process synchronises over connections that are cut at places from the seed: each run is the same.
      """)

  @OptionGroup var length: RunLengthOptions

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
        "Scripts/servers starts it, and restarts it in some rounds. Its collections of the fuzzer's names are recreated."
    ))
  var server: RealServer.Kind?

  @Option(help: "The folder of Scripts/servers for --server.")
  var servers = ".build/servers"

  @Option(
    help:
      "Kill one device as often as this while it is synchronised, in place of all else, and compare it with one that wasn't."
  )
  var kills: Int?

  @Flag(help: "Cut connections at places from the seed, in place of all else. Needs --rounds or --round.")
  var scripted = false

  func validate() throws {
    if let kills, kills < 1 { throw ValidationError("--kills needs a positive number.") }
    if scripted {
      if kills != nil || server != nil { throw ValidationError("--scripted goes with none of --kills and --server.") }
      if (length.rounds == nil) == (round == nil) {
        throw ValidationError("--scripted needs --rounds or --round, so that each run is the same.")
      }
    }
  }

  func run() async throws {
    guard let executable = Bundle.main.executableURL else {
      throw ValidationError("The fuzzer doesn't know where it is.")
    }
    let seed = seed ?? .random(in: 0...UInt64.max)
    if let kills {
      var run = KillRun(seed: seed, executable: executable)
      guard try await run.run(kills: kills) else { throw ExitCode.failure }
      return
    }
    if scripted {
      let run = CutRun(seed: seed)
      let hasPassed =
        if let round {
          try await run.run(round: round)
        } else {
          try await run.run(rounds: length.rounds ?? 1)
        }
      if !hasPassed { throw ExitCode.failure }
      return
    }
    let script = ServerScript(folder: servers)
    // A server that was already running is not stopped.
    let isStarted = server.map { !script.isRunning($0) } == true
    defer { if isStarted { try? script.stop() } }
    var real: RealServer?
    if let server { real = try await RealServer(server, by: script) }
    let run = SyncFuzzRun(seed: seed, executable: executable, server: real)
    let hasPassed =
      if let round {
        try await run.run(round: round, times: repetitions)
      } else {
        try await run.run(for: length.length)
      }
    if !hasPassed { throw ExitCode.failure }
  }
}
