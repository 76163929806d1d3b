import Foundation
import SanderlingFuzz
import TestPrograms
import Testing

extension Trait where Self == ConditionTrait {
  /// For tests of processes that are killed and of servers that are restarted: the moments that they meet are other ones in each run.
  static var nightly: Self {
    .enabled(
      if: ProcessInfo.processInfo.environment["SANDERLING_NIGHTLY"] != nil,
      "Runs in `make nightly`, or with SANDERLING_NIGHTLY set.")
  }
}

/// The fuzzer in a process of its own, whose tasks get threads whatever other tests do, and whose watchdog ends nothing else.
enum FuzzerProcess {
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

  /// Runs it to its end, and expects that it finds nothing.
  static func expectNothingFound(_ arguments: [String]) async throws {
    let path = try #require(executable).path
    // Its thread waits, and no thread of tasks does.
    let (output, status) = try await onThread {
      try Program.run(path, arguments + ["--seed", "\(seed)"], includesErrors: true)
    }
    #expect(status == 0, "\(output)")
  }
}
