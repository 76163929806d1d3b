import Foundation
import GRDB
import Sanderling
import TestPrograms
import Testing

@testable import SanderlingCLI

/// An import that is interrupted again and again continues in the next run each time.
struct InterruptionTests {
  @Test func interruptedImportContinuesInTheNextRun() async throws {
    let total = 12_000
    let repository = try TestRepository(commits: total)
    let path = repository.folder.file("store.sqlite")
    var count = 0
    var signals = [SIGTERM, SIGINT, SIGKILL]
    var misses = 0
    while let signal = signals.popLast() {
      let run = try DemoRun.start("--quiet", "--repo", repository.path, "--store", path)
      // Sends the signal as soon as a transaction has stored more commits.
      let wasAtWork = await run.program.wasAtWork(endedBy: signal, asking: 0.005) { [count] in
        let last = try? DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "SELECT max(id) FROM gitCommit") }
        return last.map { $0 > count } ?? false
      }
      let result = try run.result()
      if !wasAtWork {
        // On a busy machine the import may end before the signal. The test then starts again.
        misses += 1
        try #require(misses < 10, "the imports end before they can be interrupted")
        for file in try FileManager.default.contentsOfDirectory(atPath: repository.folder.path)
        where file.hasPrefix("store.sqlite") {
          try FileManager.default.removeItem(atPath: repository.folder.file(file))
        }
        count = 0
        signals.append(signal)
        continue
      }
      #expect(run.program.wait() == (signal == SIGKILL ? .killed(signal) : .exited(128 + signal)))
      #expect(result.status == (signal == SIGKILL ? SIGKILL : 128 + signal))
      #expect(result.output == "")
      if signal != SIGKILL {
        #expect(
          result.errors
            == "Interrupted. The commits so far are stored; run the same command again to continue.\n")
        #expect(try processes(mentioning: repository.path) == [])
      }

      let store = try await DemoStore.open(path)
      let stored = try await store.count(GitCommit.query)
      #expect((count + 1..<total).contains(stored))
      #expect(try await store.integrityCheck() == [])
      // The newest commits are imported first, and each stored commit is complete.
      let expected = try repository.git("log", "-\(stored)", "--numstat", "--find-renames", "--format=")
      #expect(try await store.count(FileChange.query) == expected.split(separator: "\n").count)
      count = stored
    }
    let (store, outcome) = try await importHistory(of: repository.path, into: path)
    #expect(outcome == HistoryImporter.Outcome(commitsAdded: total - count))
    #expect(try await Totals(of: store) == Totals(of: repository.path))
  }

  /// The command lines of running processes that contain a text, if the kernel lists processes.
  private func processes(mentioning text: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: "/proc/self/cmdline") else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.compactMap { number in
      // A process that has just ended has no command line.
      try? String(contentsOfFile: "/proc/\(number)/cmdline", encoding: .utf8)
    }.filter { $0.contains(text) }
  }
}
