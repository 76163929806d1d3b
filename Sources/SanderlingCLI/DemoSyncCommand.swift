import ArgumentParser
import Foundation
import Sanderling

/// `sanderling demo-sync`
struct DemoSyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo-sync",
    abstract: "Keeps two devices equal to a Kinto server, and shows both while they write.",
    discussion: """
      Two stores load the notes of a collection at the same time. Then both change notes, also the same ones, and synchronise until nothing is left. \
      A third store reads the server from the beginning: all three must be equal. The stores are removed at the end. \
      `make demo-sync` starts a server on this machine and fills it.

      Exit codes: 0 when all are equal, 1 when they aren't or the server fails.
      """)

  @Option(help: ArgumentHelp("The server, as http://127.0.0.1:8888/v1.", valueName: "address"))
  var server: String

  @Option(help: ArgumentHelp("Its bucket, with a collection notes.", valueName: "name"))
  var bucket = "demo"

  @Option(help: ArgumentHelp("How many notes each device changes.", valueName: "number"))
  var edits = 300

  @Flag(help: "Print one JSON object instead of the report.")
  var json = false

  @Flag(name: .shortAndLong, help: "Show no progress.")
  var quiet = false

  func validate() throws {
    if URL(string: server)?.host() == nil { throw ValidationError("--server needs the address of a server.") }
    if edits < 1 { throw ValidationError("--edits needs a number from 1 on.") }
  }

  func run() async throws {
    guard let url = URL(string: server) else { return }
    let demo = SyncDemo(url: url, bucket: bucket, edits: edits, isQuiet: quiet)
    let report: SyncDemoReport
    do {
      report = try await Interruption.cancelling { try await demo.run() }
    } catch let interruption as Interruption {
      ProgressOutput.write("Interrupted. The stores of both devices are removed.\n")
      throw ExitCode(interruption.exitCode)
    }
    try OutputWriter.standardOutput.write(json ? try report.jsonText + "\n" : report.text)
    if !report.areEqual { throw ExitCode(1) }
  }
}
