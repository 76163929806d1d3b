import Foundation
import Sanderling

/// A program that a test starts. Only macOS and Linux let a process start programs.
///
/// Foundation's `Process` reads beyond a buffer on Linux if more than about 1,300 files are open, as when all tests
/// run. That crashed test runs (swift-corelibs-foundation, pull request 5472; still in Swift 6.3).
package final class Program: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
  }

  package enum End: Hashable, Sendable {
    case exited(Int32)
    /// Ended by the signal of this number.
    case killed(Int32)

    /// The status of the process, or the signal's number.
    package var status: Int32 {
      switch self {
      case .exited(let number), .killed(let number): number
      }
    }
  }

  package static var canRun: Bool {
    #if os(macOS) || os(Linux)
      true
    #else
      false
    #endif
  }

  /// Returns the first path that is an executable program; nil if there is none or programs can't be started.
  package static func first(of paths: [String]) -> String? {
    canRun ? paths.first { FileManager.default.isExecutableFile(atPath: $0) } : nil
  }

  /// The number of the process.
  package let number: Int32
  /// Guards the process's end once it was read, because the system reports it only once.
  private let end = Lock<End?>(nil)

  /// Starts a program in its own process group. The program inherits no open files but the given ones.
  ///
  /// - Parameters:
  ///   - directory: The working directory; by default that of the tests.
  ///   - input: Standard input, empty by default. Output is discarded unless a file is given.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment,
    directory: String? = nil, input: FileHandle? = nil, output: FileHandle? = nil, errors: FileHandle? = nil
  ) throws {
    number = try Spawning.spawn(
      path, arguments, environment.map { "\($0)=\($1)" }, directory: directory,
      files: [input, output, errors].map { $0?.fileDescriptor })
  }

  /// Runs a program to its end, and reads its output.
  ///
  /// - Parameters:
  ///   - includesErrors: Whether standard error is read, too.
  ///   - running: Called as soon as the program runs, with its output. Returns the bytes that it has read.
  package static func run(
    _ path: String, _ arguments: [String], input: FileHandle? = nil, includesErrors: Bool = false,
    _ running: (FileHandle, Program) -> Data = { _, _ in Data() }
  ) throws -> (output: String, status: Int32) {
    let pipe = Pipe()
    let program = try Program(
      path, arguments, input: input, output: pipe.fileHandleForWriting,
      errors: includesErrors ? pipe.fileHandleForWriting : nil)
    // Without this handle, reading ends when the program ends.
    try pipe.fileHandleForWriting.close()
    var output = running(pipe.fileHandleForReading, program)
    output += try pipe.fileHandleForReading.readToEnd() ?? Data()
    return (String(decoding: output, as: UTF8.self), program.wait().status)
  }

  package func signal(_ signal: Int32) {
    // The system may give the number of an ended process to another process.
    end.withLock { if $0 == nil { kill(number, signal) } }
  }

  package var isRunning: Bool {
    end.withLock { end in
      if end == nil { end = Spawning.end(of: number) }
      return end == nil
    }
  }

  /// Waits for the end of the program. Blocks the thread.
  @discardableResult
  package func wait() -> End {
    while true {
      Spawning.awaitEnd(of: number)
      if let end = end.withLock({ end -> End? in
        if end == nil { end = Spawning.end(of: number) }
        return end
      }) {
        return end
      }
    }
  }
}
