import Foundation
import Subprocess

/// Runs git commands in one directory.
///
/// What git prints can't depend on the user's configuration or language, with two exceptions that `git shortlog` has too:
/// where mailmaps are, and which attributes make a file binary.
struct GitProcess: Sendable {
  let directory: String

  /// The whole output of a command that prints little.
  ///
  /// - Throws: ``GitError`` when git is missing, fails, or prints no UTF-8.
  func output(_ arguments: [String]) async throws -> String {
    var bytes: [UInt8] = []
    try await stream(arguments) { buffer in
      buffer.withUnsafeBytes { bytes += $0 }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Passes a command's output on piece by piece, as soon as it arrives.
  ///
  /// git waits while `receive` works and its pipe is full, so that memory stays bounded. git is ended if `receive`
  /// throws or the task is cancelled.
  ///
  /// - Parameters:
  ///    - input: git's standard input, in pieces of moderate size.
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
        // A cancelled task reads the end of the output before git's end.
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
    // Ctrl-C in a terminal reaches every process of the group: this one decides when git ends.
    options.processGroupID = 0
    return options
  }

  private static let environment = Environment.inherit.updating([
    "LC_ALL": "C", "LANGUAGE": nil, "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0",
    // Without it git writes each commit to the pipe by itself.
    "GIT_FLUSH": "0",
    // Set where a hook or an alias of git runs this command: the directory decides alone.
    "GIT_DIR": nil, "GIT_WORK_TREE": nil, "GIT_INDEX_FILE": nil, "GIT_PREFIX": nil, "GIT_COMMON_DIR": nil,
    "GIT_OBJECT_DIRECTORY": nil, "GIT_ALTERNATE_OBJECT_DIRECTORIES": nil, "GIT_NAMESPACE": nil,
  ])

  /// The end of git's messages, which has the reason of a failure.
  private static func lastBytes(of output: SubprocessOutputSequence) async -> String {
    let limit = 4096
    var bytes: [UInt8] = []
    do {
      for try await buffer in output {
        buffer.withUnsafeBytes { bytes += $0 }
        if bytes.count > 2 * limit { bytes.removeFirst(bytes.count - limit) }
      }
    } catch {
      // git's exit status tells that it failed; the message is as complete as it can be.
    }
    return String(decoding: bytes.suffix(limit), as: UTF8.self)
  }

  /// - Returns: Whether git took it all. It doesn't when it ends early, and then its exit status says more.
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
