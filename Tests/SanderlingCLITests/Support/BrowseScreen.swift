import Foundation
import TestPrograms
import Testing

@testable import SanderlingCLI

/// The terminal screen of a running `sanderling browse`.
final class BrowseScreen {
  let terminal: PseudoTerminal
  private let run: Subcommand
  static let height = 10

  init(_ arguments: String...) throws {
    terminal = try PseudoTerminal(columns: 100, rows: UInt16(Self.height + 2))
    run = try Subcommand(
      DemoRun.executable, ["browse"] + arguments,
      environment: ProcessInfo.processInfo.environment.merging(["NO_COLOR": "1"]) { $1 }, terminal: terminal,
      readsTerminal: true)
  }

  /// Ends the program if the test failed before it quit.
  deinit {
    if run.program.isRunning { run.program.signal(SIGTERM) }
  }

  /// Types keys, then waits until the screen contains all texts.
  func sees(_ text: String..., after keys: String = "", location: SourceLocation = #_sourceLocation) throws {
    try terminal.type(keys)
    var last = ""
    let frame = terminal.frame { frame in
      last = frame
      return text.allSatisfy { frame.contains($0) }
    }
    try #require(frame != nil, "\(text) after \(keys.debugDescription), not \(last)", sourceLocation: location)
  }

  /// Waits until the first rows have these ids, and the last line begins with `status`.
  func showsFirst(_ ids: [Int], _ status: String, _ comment: Testing.Comment) throws {
    var last = ""
    var looks = 0
    let frame = terminal.frame { frame in
      // The first row keeps its place on the screen when another process inserts rows before it. So the Home key is
      // pressed.
      if looks.isMultiple(of: 50) { try? terminal.type("\u{1B}[H") }
      looks += 1
      let lines = frame.components(separatedBy: "\r\n")
      last = frame
      return lines.last?.hasPrefix(status) == true && Self.ids(lines) == ids
    }
    try #require(frame != nil, "\(comment): \(ids) and \(status.debugDescription), not \(last)")
  }

  private static func ids(_ lines: [String]) -> [Int] {
    lines.dropFirst().dropLast().compactMap { line in
      line.split(separator: " ").first { $0 != ">" }.flatMap { Int($0) }
    }
  }

  /// Quits the program.
  ///
  /// - Returns: All frames that the program drew.
  func quit() throws -> [String] {
    try terminal.type("q")
    #expect(try run.result().status == 0)
    return try terminal.allText().components(separatedBy: "\u{1B}[H")
  }
}
