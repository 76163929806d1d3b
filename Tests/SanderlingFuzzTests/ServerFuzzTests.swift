import Foundation
import Sanderling
import Testing

@testable import SanderlingFuzz

/// Devices that synchronise with servers of other authors: `make fuzz-sync FUZZ_ARGUMENTS="--server kinto"` runs
/// longer. Only these tests use the servers, since they restart them and create their collections anew.
@Suite(.serialized, .enabled(if: FuzzServers.areInstalled, FuzzServers.missing)) struct ServerFuzzTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "sanderling-servers-\(UUID().uuidString)")

  private func with<Value>(
    _ kind: RealServer.Kind, _ body: (RealServer) async throws -> Value
  ) async throws -> Value {
    let script = ServerScript(folder: folder.path)
    defer {
      try? script.remove()
      try? FileManager.default.removeItem(at: folder)
    }
    return try await body(try await RealServer(kind, by: script))
  }

  @Test(.nightly, arguments: RealServer.Kind.allCases)
  func devicesAreEqualToTheServerInTheEnd(_ kind: RealServer.Kind) async throws {
    defer {
      try? ServerScript(folder: folder.path).remove()
      try? FileManager.default.removeItem(at: folder)
    }
    try await FuzzerProcess.expectNothingFound(
      ["sync", "--rounds", "2", "--server", kind.rawValue, "--servers", folder.path])
  }

  /// When a server returns, devices that follow it continue with the changes written in the meantime.
  ///
  /// The test runs apart from the other tests, in `make nightly`. At the end of a run of all tests it hung once, for an
  /// unknown reason.
  @Test(.timeLimit(.minutes(10)), .nightly, arguments: RealServer.Kind.allCases)
  func devicesFollowARestartedServer(_ kind: RealServer.Kind) async throws {
    try await with(kind) { server in
      try await server.begin()
      var random = SeededGenerator(seed: FuzzerProcess.seed)
      var devices: [FuzzDevice] = []
      for name in ["d1", "d2"] {
        let settings = DeviceSettings(
          name: name, path: folder.appending(path: "\(name).sqlite").path, port: server.port, rule: server.access.rule,
          access: server.access, isFollowing: true, policy: DevicePolicy(rule: "merge", deletion: "change"), isNew: true
        )
        devices.append(try await FuzzDevice(settings, &random, follows: true))
      }
      let sessions = devices.map(\.session)
      let runs = sessions.map { session in Task { try await session.run() } }
      let (first, second) = (devices[0].store, devices[1].store)
      try await first.write { try $0.insert(DeviceRecords.Tag(id: "t1", name: "before")) }
      try await arrives("t1", at: second)
      let other = Task {
        try await Task.sleep(for: .milliseconds(300))
        try await second.write { try $0.insert(DeviceRecords.Tag(id: "t2", name: "meanwhile")) }
      }
      try await server.restart()
      try await other.value
      try await arrives("t2", at: first)
      try await first.write { try $0.insert(DeviceRecords.Tag(id: "t3", name: "after")) }
      try await arrives("t3", at: second)
      for run in runs {
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
      }
      for device in devices { try device.store.close() }
    }
  }

  /// Waits until a tag has arrived in a store. The test's time limit ends the wait.
  private func arrives(_ key: String, at store: Store) async throws {
    while try await store.fetch(DeviceRecords.Tag.self, key: key) == nil {
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}

/// The servers that these tests can use.
private enum FuzzServers {
  static let missing: Comment = "Needs servers: eval \"$(Scripts/servers start .build/servers)\""
  static let areRequired = ProcessInfo.processInfo.environment["SANDERLING_SERVERS_REQUIRED"] != nil
  /// Whether the tests run. If servers are required and missing, the tests run and fail.
  static let areInstalled = areRequired || ProcessInfo.processInfo.environment["SANDERLING_SERVERS"] != nil
}
