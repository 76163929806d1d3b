import Foundation
import Subprocess

/// Runs git commands in one directory.
///
/// The output doesn't depend on the user's configuration or language. `git shortlog` shares the two exceptions: the
/// places of mailmaps, and the attributes that make a file binary.
struct GitProcess: Sendable {
  let directory: String

  /// Returns the whole output of a command, which should be short. Invalid UTF-8 is repaired.
  ///
  /// - Throws: ``GitError`` if git is missing or fails.
  func output(_ arguments: [String]) async throws -> String {
    var bytes: [UInt8] = []
    try await stream(arguments) { buffer in
      buffer.withUnsafeBytes { bytes += $0 }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Passes on a command's output in pieces, as they arrive.
  ///
  /// While `receive` works and the pipe is full, git waits, so memory stays bounded. The process is ended if `receive`
  /// throws or the task is cancelled.
  ///
  /// - Parameters:
  ///   - input: The command's standard input, in pieces of moderate size.
  /// - Throws: ``GitError`` if git is missing or fails, the error of `receive`, or `CancellationError`.
  func stream<Input: Sequence<[UInt8]> & Sendable>(
    _ arguments: [String], input: Input = EmptyCollection<[UInt8]>(),
    _ receive: (SubprocessOutputSequence.Buffer) async throws -> Void
  ) async throws {
    let result: ExecutionResult<Messages, SequenceOutput, SequenceOutput>
    do {
      result = try await Subprocess.run(
        .name("git"), arguments: Arguments(Self.settings(for: directory) + arguments), environment: Self.environment,
        platformOptions: Self.platformOptions, input: .inputWriter, output: .sequence, error: .sequence
      ) { execution in
        async let errors = Self.lastBytes(of: execution.standardError)
        async let writing = Self.write(input, to: execution.standardInputWriter)
        for try await buffer in execution.standardOutput { try await receive(buffer) }
        // In a cancelled task, the output can end before git does.
        try Task.checkCancellation()
        return await Messages(text: errors, isInputComplete: writing)
      }
    } catch let error as SubprocessError where error.code == .executableNotFound {
      throw GitError.notInstalled
    }
    let messages = result.closureResult
    guard result.terminationStatus.isSuccess, messages.isInputComplete else {
      throw GitError.failed(
        command: arguments.first ?? "", status: Self.name(of: result.terminationStatus),
        message: messages.text.printableLines)
    }
  }

  private struct Messages {
    let text: String
    let isInputComplete: Bool
  }

  private static func settings(for directory: String) -> [String] {
    ["-C", directory, "--no-pager", "-c", "log.showSignature=false", "-c", "core.quotePath=false"]
  }

  private static var platformOptions: PlatformOptions {
    var options = PlatformOptions()
    // Ctrl-C in a terminal signals every process of the group. In a group of its own, git ends when this process
    // decides.
    options.processGroupID = 0
    return options
  }

  private static let environment = Environment.inherit.updating([
    "LC_ALL": "C", "LANGUAGE": nil, "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0",
    // Otherwise git flushes each commit to the pipe.
    "GIT_FLUSH": "0",
    // A hook or an alias of git sets these variables. Only the directory decides.
    "GIT_DIR": nil, "GIT_WORK_TREE": nil, "GIT_INDEX_FILE": nil, "GIT_PREFIX": nil, "GIT_COMMON_DIR": nil,
    "GIT_OBJECT_DIRECTORY": nil, "GIT_ALTERNATE_OBJECT_DIRECTORIES": nil, "GIT_NAMESPACE": nil,
  ])

  /// Returns the last bytes of git's messages, which contain the reason of a failure.
  private static func lastBytes(of output: SubprocessOutputSequence) async -> String {
    let limit = 4096
    var bytes: [UInt8] = []
    do {
      for try await buffer in output {
        buffer.withUnsafeBytes { bytes += $0 }
        if bytes.count > 2 * limit { bytes.removeFirst(bytes.count - limit) }
      }
    } catch {
      // The exit status reports git's failure. The message may be incomplete.
    }
    return String(decoding: bytes.suffix(limit), as: UTF8.self)
  }

  /// - Returns: Whether git read all input. If git ends early, its exit status says more.
  private static func write(_ input: some Sequence<[UInt8]> & Sendable, to writer: StandardInputWriter) async -> Bool {
    do {
      for piece in input {
        guard try await writer.write(piece) == piece.count else { return false }
      }
      try await writer.finish()
      return true
    } catch {
      return false
    }
  }

  private static func name(of status: TerminationStatus) -> String {
    switch status {
    case .exited(let code): "exit code \(code)"
    case .signaled(let signal): "signal \(signal)"
    }
  }
}
