import Testing

/// Devices beside a server over connections that fail: `make fuzz-sync` looks longer.
@Suite(.serialized) struct SyncFuzzTests {
  /// In one process, with cuts at places from the seed: each run of it is the same.
  @Test func aCutSynchronisationEndsAsOneThatIsNot() async throws {
    try await FuzzerProcess.expectNothingFound(["sync", "--scripted", "--rounds", "6"])
  }

  @Test func oneRoundOfAScriptRunsAlone() async throws {
    try await FuzzerProcess.expectNothingFound(["sync", "--scripted", "--round", "3"])
  }

  @Test(.nightly) func devicesAreEqualInTheEnd() async throws {
    try await FuzzerProcess.expectNothingFound(["sync", "--rounds", "3"])
  }

  @Test(.nightly) func aKilledSynchronisationEndsAsOneThatIsNot() async throws {
    try await FuzzerProcess.expectNothingFound(["sync", "--kills", "30"])
  }
}
