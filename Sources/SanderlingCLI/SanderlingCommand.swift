public import ArgumentParser

/// The command `sanderling`.
public struct SanderlingCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "sanderling",
    abstract: "Shows what the package Sanderling does with a database of yours.",
    version: "unreleased",
    subcommands: [
      DemoCommand.self, BrowseCommand.self, DiagnoseCommand.self, ProfileCommand.self, RecordsCommand.self,
      SyncCommand.self,
      DemoSyncCommand.self,
    ])

  public init() {}
}
