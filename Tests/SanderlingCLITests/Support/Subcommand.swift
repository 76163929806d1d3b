import Foundation

/// A program that a test runs.
final class Subcommand {
  struct Result {
    let status: Int32
    let output: String
    let errors: String
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let process = Process()
  private let folder: TemporaryFolder

  /// Starts a program with its output in files, so that it never waits for a reader.
  ///
  /// - Parameters:
  ///   - terminal: Where it writes its output instead.
  ///   - readsTerminal: Whether it reads from there, too.
  init(
    _ executable: String, _ arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment,
    directory: String? = nil, terminal: PseudoTerminal? = nil, readsTerminal: Bool = false
  ) throws {
    folder = try TemporaryFolder()
    process.executableURL = URL(filePath: executable)
    process.arguments = arguments
    process.environment = environment
    if let directory { process.currentDirectoryURL = URL(filePath: directory) }
    process.standardInput = readsTerminal ? terminal?.device : FileHandle.nullDevice
    let output = try file("output")
    process.standardOutput = terminal?.device ?? output
    process.standardError = try file("errors")
    try process.run()
  }

  /// Waits for the end of the program.
  func result() throws -> Result {
    process.waitUntilExit()
    return Result(status: process.terminationStatus, output: try text("output"), errors: try text("errors"))
  }

  private func file(_ name: String) throws -> FileHandle {
    try Data().write(to: URL(filePath: folder.file(name)))
    return try FileHandle(forWritingTo: URL(filePath: folder.file(name)))
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: folder.file(name))), as: UTF8.self)
  }
}
