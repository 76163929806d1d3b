import Testing

/// Devices in processes that are killed, for some seconds: `make fuzz-sync` looks longer.
@Suite(.serialized) struct SyncFuzzTests {
  @Test func devicesAreEqualInTheEnd() async throws {
    try await FuzzerProcess.expectNothingFound(["sync", "--seconds", "5"])
  }

  @Test func aKilledSynchronisationEndsAsOneThatIsNot() async throws {
    try await FuzzerProcess.expectNothingFound(["sync", "--kills", "30"])
  }
}
