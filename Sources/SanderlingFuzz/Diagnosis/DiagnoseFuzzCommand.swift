import ArgumentParser
import Foundation

/// The command `sanderling-fuzz diagnose`.
struct DiagnoseFuzzCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diagnose",
    abstract:
      "Diagnoses damaged databases with hostile statements and logs, and compares proven rewrites on other rows.",
    discussion: """
      Each even round makes a database, damages it or not, and diagnoses statements and a log that try to write, to load code or to \
      loop, or that are no SQL at all. A crash, a run beyond its budget, a change of the database or a file that is left behind \
      ends the run with exit code 1, the seed and the round. Each odd round diagnoses random statements on random rows: a proven \
      rewrite with another result on other random rows ends the run, too.
      """)

  @OptionGroup var length: RunLengthOptions

  @Option(help: "The seed of all random choices. (default: a random seed, which is printed)")
  var seed: UInt64?

  @Option(help: "Run this round only.")
  var round: Int?

  @Flag(help: "Compare proven rewrites only.")
  var rewrites = false

  func run() throws {
    let run = try DiagnoseFuzzRun(seed: seed ?? .random(in: 0...UInt64.max))
    let hasPassed =
      if let round {
        try run.run(only: round)
      } else {
        try run.run(for: length.length, onlyRewrites: rewrites)
      }
    if !hasPassed { throw ExitCode.failure }
  }
}
