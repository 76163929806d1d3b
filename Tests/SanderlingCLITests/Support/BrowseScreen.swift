import Foundation
import TestPrograms
import Testing

@testable import SanderlingCLI

/// The terminal screen of a running `sanderling browse`.
final class BrowseScreen {
  let terminal: PseudoTerminal
  let run: Subcommand
  static let height = 10

  init(_ arguments: String..., columns: UInt16 = 100, rows: UInt16 = UInt16(height + 2)) throws {
    terminal = try PseudoTerminal(columns: columns, rows: rows)
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

  /// Types keys, then waits for a frame.
  ///
  /// - Parameter isRight: The condition. It gets whole frames of the present window.
  /// - Returns: The lines of the first frame that satisfies the condition.
  @discardableResult
  func lines(
    after keys: String = "", location: SourceLocation = #_sourceLocation, where isRight: ([String]) -> Bool
  ) throws -> [String] {
    try terminal.type(keys)
    var lines: [String] = []
    let frame = terminal.frame { frame in
      // The terminal turns each line feed into a return and a line feed.
      lines = frame.replacing("\r\r\n", with: "\r\n").components(separatedBy: "\r\n")
      return lines.count == terminal.rowCount && isRight(lines)
    }
    try #require(frame != nil, "after \(keys.debugDescription), not \(lines)", sourceLocation: location)
    return lines
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

  /// A line of the system's status of the program; nil if the system has none.
  private func status(_ name: String) -> String? {
    try? String(contentsOfFile: "/proc/\(run.program.number)/status", encoding: .utf8)
      .split(separator: "\n").first { $0.hasPrefix(name + ":") }
      .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
  }

  /// Whether a signal has stopped the program; true where the system doesn't report it.
  var isStopped: Bool { status("State").map { $0.hasPrefix("T") } ?? true }

  /// The largest memory of the program in bytes; nil where the system doesn't report it.
  var peakMemory: Int? { status("VmHWM").flatMap { Int($0.dropLast(3)) }.map { $0 << 10 } }

  /// Quits the program.
  ///
  /// - Parameter keys: The keys that quit it.
  /// - Returns: All frames that the program drew.
  func quit(_ keys: String = "q") throws -> [String] {
    try terminal.type(keys)
    #expect(try run.result().status == 0)
    return try terminal.allText().components(separatedBy: "\u{1B}[H")
  }
}
