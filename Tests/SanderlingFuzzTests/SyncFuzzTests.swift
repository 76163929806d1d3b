import Testing

/// Devices that synchronise with a server over failing connections: `make fuzz-sync` runs longer.
@Suite(.serialized) struct SyncFuzzTests {
  /// In one process, with connections cut at places from the seed, so that each run of a seed is the same.
  @Test func synchronisationSurvivesCutConnections() async throws {
    try await FuzzerProcess.expectNothingFound(["sync", "--scripted", "--rounds", "6"])
  }

  @Test func scriptedRoundRunsAlone() async throws {
    try await FuzzerProcess.expectNothingFound(["sync", "--scripted", "--round", "3"])
  }

  @Test(.nightly) func devicesAreEqualInTheEnd() async throws {
    try await FuzzerProcess.expectNothingFound(["sync", "--rounds", "3"])
  }

  @Test(.nightly) func synchronisationSurvivesKills() async throws {
    try await FuzzerProcess.expectNothingFound(["sync", "--kills", "30"])
  }
}
