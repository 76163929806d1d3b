import Foundation
import Testing

@testable import SanderlingFuzz

/// Devices in processes that are killed, for some seconds: `make fuzz-sync` looks longer.
@Suite(.serialized) struct SyncFuzzTests {
  /// Where the fuzzer was built, beside the tests.
  static var executable: URL? {
    let folders = [Bundle.main.executableURL, Bundle.main.bundleURL].compactMap { $0 }.flatMap {
      [$0.deletingLastPathComponent(), $0.deletingLastPathComponent().deletingLastPathComponent(), $0]
    }
    let arguments = CommandLine.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    return (folders + arguments).map { $0.appending(path: "sanderling-fuzz") }.first {
      FileManager.default.isExecutableFile(atPath: $0.path)
    }
  }

  static var seed: UInt64 {
    ProcessInfo.processInfo.environment["SANDERLING_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max)
  }

  @Test func devicesAreEqualInTheEnd() async throws {
    let executable = try #require(Self.executable)
    #expect(try await SyncFuzzRun(seed: Self.seed, executable: executable).run(for: .seconds(5)))
  }

  @Test func aKilledSynchronisationEndsAsOneThatIsNot() async throws {
    let executable = try #require(Self.executable)
    var run = try KillRun(seed: Self.seed, executable: executable)
    #expect(try await run.run(kills: 30))
  }
}
