import ArgumentParser
import Foundation

/// The command `sanderling-fuzz neighbours`.
struct NeighboursFuzzCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "neighbours",
    abstract: "Compares live results and the history while several processes write to one database.",
    discussion: """
      Each round makes a database and starts one to three processes: stores with live results, plain GRDB and the sqlite3 shell. \
      Some are killed, and some are stopped for a while. Then all pause. Each live result of each process must become equal to a \
      fresh SELECT, and the history replayed from earlier copies must lead to the present rows, with the right authors. A failure \
      ends the run with exit code 1, the seed and the round. The order of events depends on time, so a round may need repetition.
      """)

  @OptionGroup var length: RunLengthOptions

  @OptionGroup var rounds: RoundOptions

  @MainActor
  func run() async throws {
    guard let executable = Bundle.main.executableURL else {
      throw ValidationError("The fuzzer doesn't know where it is.")
    }
    guard NeighbourProcess.hasShell else {
      throw ValidationError("The sqlite3 shell is missing. Install it, on Debian with: apt-get install sqlite3")
    }
    let run = NeighbourRun(seed: rounds.chosenSeed, executable: executable)
    let hasPassed =
      if let round = rounds.round {
        await run.run(round: round, times: rounds.repetitions)
      } else {
        await run.run(for: length.length)
      }
    if !hasPassed { throw ExitCode.failure }
  }
}
