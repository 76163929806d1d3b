public import ArgumentParser
import Dispatch
import Foundation

/// The command `sanderling`.
public struct SanderlingCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "sanderling",
    abstract: "Applies the package Sanderling to a database of yours.",
    discussion: """
      Each subcommand lists its exit codes. Two hold for all of them: output that can't be written, on a full disk or to a closed stream, ends the \
      command with 1 and a message. When the reader of the output ends first, as in `sanderling … | head`, the command ends with 141 and without a \
      message, as `cat` and `grep` do.
      """,
    version: "unreleased",
    subcommands: [
      DemoCommand.self, BrowseCommand.self, DiagnoseCommand.self, ProfileCommand.self, RecordsCommand.self,
      SyncCommand.self,
      DemoSyncCommand.self,
    ])

  public init() {}

  /// Runs the command with the arguments of the process, and ends the process.
  ///
  /// The function isn't asynchronous, because the runtime of tasks opens files. These would take the numbers of closed
  /// standard streams.
  public static func start() -> Never {
    OutputWriter.occupyClosedDescriptors()
    // Writing to a pipe without a reader then fails and doesn't end the process. Other output and files are still
    // written.
    signal(SIGPIPE, SIG_IGN)
    Task { Foundation.exit(await run(Array(CommandLine.arguments.dropFirst()))) }
    dispatchMain()
  }

  /// - Returns: The exit code.
  private static func run(_ arguments: [String]) async -> Int32 {
    do {
      var command = try await parsed(arguments)
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      let code = report(error)
      if code != 0 { return code }
    }
    // The writers of progress and of the screen don't throw.
    if let failure = OutputWriter.standardOutput.failure { return report(failure) }
    // A closed reader of standard error only misses progress, which is no failure.
    if case .notWritten = OutputWriter.standardError.failure { return 1 }
    return 0
  }

  /// Returns the subcommand or the help that the arguments name.
  private static func parsed(_ arguments: [String]) async throws -> any ParsableCommand {
    do {
      let command = try await asyncParseAsRoot(arguments)
      let isOwn = configuration.subcommands.contains { $0 == type(of: command) }
      if !isOwn, let mistake = ArgumentMistake(in: arguments) { throw mistake }
      return command
    } catch  where exitCode(for: error) == .validationFailure {
      throw ArgumentMistake(in: arguments) ?? error
    }
  }

  /// Writes requested help to standard output, and the message of any other error to standard error.
  ///
  /// - Returns: The exit code.
  private static func report(_ error: any Error) -> Int32 {
    if let error = error as? OutputError {
      if case .notWritten = error { OutputWriter.standardError.show(fullMessage(for: error) + "\n") }
      return error.exitCode
    }
    if let mistake = error as? ArgumentMistake {
      OutputWriter.standardError.show("Error: \(mistake)\n")
      return ExitCode.validationFailure.rawValue
    }
    let code = exitCode(for: error)
    let message = fullMessage(for: error)
    if !message.isEmpty {
      (code.isSuccess ? OutputWriter.standardOutput : .standardError).show(message + "\n")
    }
    return code.rawValue
  }
}
