import Foundation
import Sanderling

/// A program that a test starts. Only macOS and Linux let a process start others.
///
/// Foundation's `Process` reads beyond a buffer on Linux while more than about 1,300 files are open, as while all tests run. That ended the
/// tests now and then (swift-corelibs-foundation, pull request 5472; Swift 6.3 has it still).
package final class Program: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
  }

  package enum End: Hashable, Sendable {
    case exited(Int32)
    /// By the signal of that number.
    case killed(Int32)

    /// The process's result: its status, or the signal's number.
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

  /// The first of the paths that is a program.
  package static func first(of paths: [String]) -> String? {
    canRun ? paths.first { FileManager.default.isExecutableFile(atPath: $0) } : nil
  }

  /// Of the process.
  package let number: Int32
  /// Guards the result once it was read: the system reports it only once.
  private let end = Lock<End?>(nil)

  /// Starts a program in a group of its own. It has no files of the tests but those given here.
  ///
  /// - Parameters:
  ///   - directory: Where it works; where the tests do unless given.
  ///   - input: Empty unless given, just as output is dropped unless a file is given.
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
  ///   - running: Called as soon as it runs, with its output; returns the bytes that it has read.
  package static func run(
    _ path: String, _ arguments: [String], input: FileHandle? = nil, includesErrors: Bool = false,
    _ running: (FileHandle, Program) -> Data = { _, _ in Data() }
  ) throws -> (output: String, status: Int32) {
    let pipe = Pipe()
    let program = try Program(
      path, arguments, input: input, output: pipe.fileHandleForWriting,
      errors: includesErrors ? pipe.fileHandleForWriting : nil)
    // So that reading ends with the program.
    try pipe.fileHandleForWriting.close()
    var output = running(pipe.fileHandleForReading, program)
    output += try pipe.fileHandleForReading.readToEnd() ?? Data()
    return (String(decoding: output, as: UTF8.self), program.wait().status)
  }

  package func signal(_ signal: Int32) {
    // One that has ended and was asked for has given its number back.
    end.withLock { if $0 == nil { kill(number, signal) } }
  }

  package var isRunning: Bool {
    end.withLock { end in
      if end == nil { end = Spawning.end(of: number) }
      return end == nil
    }
  }

  /// Waits for its end. Blocks the thread.
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
