import ArgumentParser
import Foundation

/// The command `sanderling-fuzz sync`.
struct SyncFuzzCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Synchronises devices, in processes that are killed, with a server over a connection that fails.",
    discussion: """
      Each round makes a server and some devices from the seed and its number. Users edit, requests and answers are lost, late, \
      repeated and falsified, processes are paused and killed, disks are full, apps are updated. Then the failures end, \
      and all devices must equal the server: no change is lost or applied twice, and no pending change is left. A failure ends the run with exit code 1, \
      the seed and the round. The order of events in processes depends on time, so a round may need repetition.

      With --scripted, one device in this process synchronises over connections that are cut at places from the seed: each run is the same.
      """)

  @OptionGroup var length: RunLengthOptions

  @OptionGroup var rounds: RoundOptions

  @Option(
    help: ArgumentHelp(
      "Synchronise with a real server, in place of the fuzzer's own server: kinto, pocketbase or rest.",
      discussion:
        "Scripts/servers starts the server, and restarts it in some rounds. The fuzzer's collections there are recreated."
    ))
  var server: RealServer.Kind?

  @Option(help: "The folder of Scripts/servers for --server.")
  var servers = ".build/servers"

  @Option(
    help:
      "The number of times to kill one device while it synchronises, in place of all else. An undisturbed device must equal it."
  )
  var kills: Int?

  @Flag(help: "Cut connections at places from the seed, in place of all else. Needs --rounds or --round.")
  var scripted = false

  func validate() throws {
    if let kills, kills < 1 { throw ValidationError("--kills needs a positive number.") }
    if scripted {
      if kills != nil || server != nil {
        throw ValidationError("--scripted can't be combined with --kills or --server.")
      }
      if (length.rounds == nil) == (rounds.round == nil) {
        throw ValidationError("--scripted needs --rounds or --round, so that each run is the same.")
      }
    }
  }

  func run() async throws {
    guard let executable = Bundle.main.executableURL else {
      throw ValidationError("The path of the fuzzer's executable is unknown. Run the fuzzer by its path.")
    }
    let seed = rounds.chosenSeed
    if let kills {
      var run = KillRun(seed: seed, executable: executable)
      guard try await run.run(kills: kills) else { throw ExitCode.failure }
      return
    }
    if scripted {
      let run = CutRun(seed: seed)
      let hasPassed =
        if let round = rounds.round {
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
      if let round = rounds.round {
        try await run.run(round: round, times: rounds.repetitions)
      } else {
        try await run.run(for: length.length)
      }
    if !hasPassed { throw ExitCode.failure }
  }
}
