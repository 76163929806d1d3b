import Foundation
import GRDB
import Sanderling
import TestPrograms
import Testing

/// A process that is killed at any moment of a move leaves the old store and no new database, or a complete one.
@Suite(.serialized, .enabled(if: BuildFolder.program("StoreKillHelper") != nil))
struct MoveKillTests {
  /// The number of kills, of `SANDERLING_MOVE_KILLS`.
  private static let killCount = ProcessInfo.processInfo.environment["SANDERLING_MOVE_KILLS"].flatMap { Int($0) } ?? 20

  @Test func theResultIsEqualAfterKills() async throws {
    var random = SeededGenerator()
    let seed = random.seed
    let helper = try #require(BuildFolder.program("StoreKillHelper"))
    var fixture = try MoveFixture(books: 20_000)
    var before = try fixture.oldFiles
    // The time that a run takes without a kill.
    let start = ContinuousClock.now
    #expect(try Program.run(helper.path, ["move", fixture.old, "0"]).output.contains("moved "))
    var duration = start.duration(to: .now) / .microseconds(1)
    #expect(try fixture.differences() == [])
    var (killed, finished) = (0, 0)
    fixture = try MoveFixture(books: 20_000)
    before = try fixture.oldFiles
    while killed < Self.killCount {
      let time = UInt32.random(in: 0...UInt32(duration * 1.1), using: &random)
      let (_, status) = try Program.run(helper.path, ["move", fixture.old, "0"]) { output, program in
        let beginning = output.availableData
        // A random moment of death is the purpose of this test. The test waits for no result.
        usleep(time)
        program.signal(SIGKILL)
        return beginning
      }
      if status == SIGKILL { killed += 1 }
      // The machine may be faster or slower now than at the first run. About one run of four ends before its kill.
      duration *= status == SIGKILL ? 1.03 : 0.9
      #expect(try fixture.oldFiles == before, "seed \(seed), kill \(killed)")
      guard fixture.move.isFinished else { continue }
      // The process was killed after the switch, or had ended.
      finished += 1
      #expect(try fixture.differences() == [], "seed \(seed), kill \(killed)")
      #expect(try integrity(fixture.new) == "ok", "seed \(seed), kill \(killed)")
      try FileManager.default.removeItem(atPath: fixture.new)
    }
    // Later runs remove the remains of killed ones.
    let report = try await fixture.move.run()
    #expect(try fixture.differences() == [] && report.problemCount == 0, "seed \(seed)")
    #expect(try integrity(fixture.new) == "ok", "seed \(seed)")
    #expect(try fixture.files.filter { $0.hasPrefix("new") } == ["new.sqlite"], "seed \(seed)")
    print("seed \(seed): \(killed) kills, and \(finished) runs that had finished")
  }

  private func integrity(_ path: String) throws -> String? {
    try DatabaseQueue(path: path).read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
  }
}
