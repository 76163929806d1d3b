import Foundation

/// A program that a test runs. Only macOS and Linux let a process start others.
struct Program {
  struct NotAvailable: Error {}

  static var canRun: Bool {
    #if os(macOS) || os(Linux)
      true
    #else
      false
    #endif
  }

  let executable: URL
  let arguments: [String]
  /// Whether the output has what goes to standard error, too.
  var includesErrors = false

  /// Runs to the end.
  ///
  /// - Parameter running: Called as soon as it runs, with its output and its number; returns what it has read.
  func run(_ running: (FileHandle, Int32) -> Data = { _, _ in Data() }) throws -> (output: String, status: Int32) {
    #if os(macOS) || os(Linux)
      let (process, pipe) = (Process(), Pipe())
      process.executableURL = executable
      process.arguments = arguments
      process.standardOutput = pipe
      if includesErrors { process.standardError = pipe }
      try process.run()
      var output = running(pipe.fileHandleForReading, process.processIdentifier)
      output += pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (String(decoding: output, as: UTF8.self), process.terminationStatus)
    #else
      throw NotAvailable()
    #endif
  }
}
