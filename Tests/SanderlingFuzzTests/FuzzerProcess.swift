import Foundation
import SanderlingFuzz
import TestPrograms
import Testing

extension Trait where Self == ConditionTrait {
  /// Runs a test in nightly runs only: tests of killed processes and restarted servers meet other moments in each run.
  static var nightly: Self {
    .enabled(
      if: ProcessInfo.processInfo.environment["SANDERLING_NIGHTLY"] != nil,
      "Runs in `make nightly`, or with SANDERLING_NIGHTLY set.")
  }
}

/// The fuzzer in a separate process. Its tasks get threads whatever other tests do, and its watchdog ends nothing else.
enum FuzzerProcess {
  /// The fuzzer's program, which is built beside the tests.
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

  /// Runs the fuzzer to its end, and expects that it finds nothing.
  static func expectNothingFound(_ arguments: [String]) async throws {
    let path = try #require(executable).path
    // A separate thread waits for the process, so that no thread of tasks is blocked.
    let (output, status) = try await onThread {
      try Program.run(path, arguments + ["--seed", "\(seed)"], includesErrors: true)
    }
    #expect(status == 0, "\(output)")
  }
}
