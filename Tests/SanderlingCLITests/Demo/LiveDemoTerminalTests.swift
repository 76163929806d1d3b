import Foundation
import TestPrograms
import Testing

@testable import SanderlingCLI

/// The output of `sanderling demo --live` in a terminal.
struct LiveDemoTerminalTests {
  private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  private static let leave = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  @Test(arguments: [(columns: UInt16(120), rows: UInt16(40)), (60, 20), (20, 5)])
  func drawsFramesThatFitAndThenTheReport(columns: UInt16, rows: UInt16) throws {
    let repository = try TestRepository(commits: 1000)
    let terminal = try PseudoTerminal(columns: columns, rows: rows)
    let start = ContinuousClock.now
    let run = try LiveDemoRun.start(repository, terminal)
    #expect(try run.result().status == 0)
    let seconds = start.duration(to: .now).seconds

    let text = try terminal.allText()
    #expect(text.hasPrefix(Self.enter))
    let parts = text.components(separatedBy: Self.leave)
    try #require(parts.count == 2)
    #expect(parts[1].hasPrefix("\(repository.path): added 1,000 commits in "))
    #expect(!parts[1].contains("\u{1B}"))

    let frames = parts[0].components(separatedBy: "\u{1B}[H").dropFirst()
    #expect(!frames.isEmpty)
    #expect(frames.count <= Int(seconds * 30) + 1)
    for frame in frames {
      let lines = frame.replacing(#/\u{1B}\[[0-9]*[a-zA-Z]/#, with: "").components(separatedBy: "\r\n")
      #expect(lines.count <= Int(rows))
      for line in lines { #expect(line.displayWidth <= Int(columns), "\(line)") }
    }
  }

  @Test func isPlainWithNoColor() throws {
    let repository = try TestRepository(commits: 1000)
    let terminal = try PseudoTerminal(columns: 100, rows: 30)
    #expect(try LiveDemoRun.start(repository, terminal, environment: ["NO_COLOR": "1"]).result().status == 0)
    let text = try terminal.allText()
    #expect(text.contains("\u{1B}[H"))
    #expect(!text.contains(#/\u{1B}\[[0-9;]*m/#))
  }

  @Test(arguments: [["--json"], ["--quiet"], ["--log-statements"]])
  func drawsNothingOnRequest(arguments: [String]) throws {
    let repository = try TestRepository(commits: 300)
    let terminal = try PseudoTerminal(columns: 100, rows: 30)
    #expect(try LiveDemoRun.start(repository, terminal, arguments[0]).result().status == 0)
    #expect(try !terminal.allText().contains("\u{1B}"))
  }

  @Test func drawsNothingOnADumbTerminal() throws {
    let repository = try TestRepository(commits: 300)
    let terminal = try PseudoTerminal(columns: 100, rows: 30)
    #expect(try LiveDemoRun.start(repository, terminal, environment: ["TERM": "dumb"]).result().status == 0)
    #expect(try !terminal.allText().contains("\u{1B}"))
  }

  /// After one or two signals the command ends, and the terminal is in its original state. The second signal ends it at
  /// once.
  @Test(arguments: [(SIGINT, 1), (SIGTERM, 1), (SIGINT, 2)])
  func leavesTheTerminalInOrderWhenInterrupted(signal: Int32, times: Int) async throws {
    let repository = try TestRepository(commits: 4000)
    let folder = try TemporaryFolder()
    let terminal = try PseudoTerminal(columns: 100, rows: 30)
    let run = try LiveDemoRun.start(repository, terminal, environment: ["TMPDIR": folder.path])
    await send(signal, times: times, to: run.program, onceSomethingIsOn: terminal)
    let result = try run.result()
    #expect(run.program.wait() == .exited(128 + signal))
    let text = try terminal.allText()
    #expect(text.hasPrefix(Self.enter))
    #expect(text.hasSuffix(Self.leave))
    #expect(text.components(separatedBy: Self.leave).count == 2)
    if times == 1 {
      #expect(result.errors == "Interrupted. The stores of the imports are removed.\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
  }

  /// Sends signals as soon as the terminal shows something. This runs in its own thread, because other tests block the
  /// threads that tasks share.
  private func send(_ signal: Int32, times: Int, to program: Program, onceSomethingIsOn terminal: PseudoTerminal) async
  {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        while program.isRunning, !terminal.hasText { Thread.sleep(forTimeInterval: 0.005) }
        for _ in 0..<times { program.signal(signal) }
        continuation.resume()
      }
    }
  }
}
