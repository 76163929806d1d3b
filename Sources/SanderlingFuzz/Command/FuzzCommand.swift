public import ArgumentParser

/// The command `sanderling-fuzz`.
public struct FuzzCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "sanderling-fuzz",
    abstract: "Looks for cases in which Sanderling is wrong, from a seed that repeats them.",
    subcommands: [
      LiveFuzzCommand.self, DiagnoseFuzzCommand.self, SyncFuzzCommand.self, SyncDeviceCommand.self,
      NeighboursFuzzCommand.self, NeighbourCommand.self,
    ])

  public init() {}
}
