import Foundation
import GRDB
import Testing

@testable import Sanderling

/// The naming of snapshots: which commit a reader's snapshot shows.
@Suite struct CommitNamingTests {
  @Test func snapshotDuringACommitHasNoName() throws {
    let sequence = CommitSequence()
    let before = sequence.beginNaming()
    #expect(sequence.confirm(before) == 0)
    sequence.begin()
    #expect(sequence.confirm(before) == nil)
    let during = sequence.beginNaming()
    #expect(sequence.confirm(during) == nil)
    sequence.complete()
    #expect(sequence.confirm(before) == nil && sequence.confirm(during) == nil)
    #expect(sequence.confirm(sequence.beginNaming()) == 1)
    sequence.begin()
    sequence.cancel()
    #expect(sequence.number == 1 && sequence.confirm(sequence.beginNaming()) == 1)
  }

  /// Each commit increments a row, so that the row tells which commit a snapshot shows.
  @Test func snapshotsAreNamedRightDuringWrites() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "naming-\(UUID().uuidString).sqlite").path
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
    let pool = try DatabasePool(path: path)
    try await pool.write { try $0.execute(sql: "CREATE TABLE counter (value); INSERT INTO counter VALUES (0)") }
    let capture = try TestCapture(pool)
    let start = capture.lastCommit
    let writing = Task {
      for _ in 0..<2000 {
        try pool.writeWithoutTransaction { try $0.execute(sql: "UPDATE counter SET value = value + 1") }
      }
    }
    var named = 0
    for _ in 0..<2000 {
      let attempt = capture.sequence.beginNaming()
      let (value, name) = try await pool.read { db in
        (try UInt64.fetchOne(db, sql: "SELECT value FROM counter"), capture.sequence.confirm(attempt))
      }
      guard let name else { continue }
      named += 1
      try #require(value == name - start)
    }
    try await writing.value
    #expect(named > 0)
    #expect(capture.lastCommit == start + 2000)
  }

  @Test func writerNamesItsOwnSnapshot() throws {
    let database = try CapturedDatabase(CaptureTests.table)
    let name = database.queue.inDatabase { database.capture.name($0) }
    #expect(name == database.capture.lastCommit)
  }
}
