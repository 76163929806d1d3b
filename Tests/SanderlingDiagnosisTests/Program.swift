import Foundation

/// A program that a test runs. Only macOS and Linux let a process start others.
enum Program {
  struct NotAvailable: Error {}

  /// The first of the paths that is a program.
  static func first(of paths: [String]) -> String? {
    #if os(macOS) || os(Linux)
      paths.first { FileManager.default.isExecutableFile(atPath: $0) }
    #else
      nil
    #endif
  }

  /// Runs to the end; what goes to standard error is dropped.
  static func run(_ path: String, _ arguments: [String], input: FileHandle = .nullDevice) throws
    -> (output: String, status: Int32)
  {
    #if os(macOS) || os(Linux)
      let (process, output) = (Process(), Pipe())
      process.executableURL = URL(filePath: path)
      process.arguments = arguments
      process.standardInput = input
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let data = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return (String(decoding: data, as: UTF8.self), process.terminationStatus)
    #else
      throw NotAvailable()
    #endif
  }
}
