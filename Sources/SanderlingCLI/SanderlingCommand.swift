import ArgumentParser

/// The command `sanderling`.
@main
struct SanderlingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sanderling",
    abstract: "Shows what the package Sanderling does with a database of yours.",
    subcommands: [DemoCommand.self])
}
