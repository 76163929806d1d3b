import Foundation
import TestPrograms

/// A program that a test runs, and its output.
final class Subcommand {
  struct Result {
    let status: Int32
    let output: String
    let errors: String
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let program: Program
  private let folder: TemporaryFolder

  /// Starts a program with its output in files, so that the program never waits for a reader.
  ///
  /// - Parameters:
  ///   - terminal: The terminal for standard output, in place of a file.
  ///   - readsTerminal: Whether standard input is the terminal, too.
  init(
    _ executable: String, _ arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment,
    directory: String? = nil, terminal: PseudoTerminal? = nil, readsTerminal: Bool = false
  ) throws {
    folder = try TemporaryFolder()
    let (output, errors) = (try Self.file("output", in: folder), try Self.file("errors", in: folder))
    program = try Program(
      executable, arguments, environment: environment, directory: directory,
      input: readsTerminal ? terminal?.device : nil, output: terminal?.device ?? output, errors: errors)
  }

  /// Waits for the end of the program, and reads its output.
  func result() throws -> Result {
    Result(status: program.wait().status, output: try text("output"), errors: try text("errors"))
  }

  private static func file(_ name: String, in folder: TemporaryFolder) throws -> FileHandle {
    try Data().write(to: URL(filePath: folder.file(name)))
    return try FileHandle(forWritingTo: URL(filePath: folder.file(name)))
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: folder.file(name))), as: UTF8.self)
  }
}
