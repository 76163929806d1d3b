import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// The write-ahead log of a store stays small during a pull.
@Suite struct WriteAheadLogTests {
  private let path = NSTemporaryDirectory() + "log-\(UUID().uuidString).sqlite"

  private func withStore(
    automaticCheckpoint pages: Int = 1000, _ body: (Store) async throws -> Void
  ) async throws {
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = \(pages)") }
    let store = try Store(path: path, schema: recordTypes, configuration: configuration)
    try await body(store)
    try store.close()
  }

  private func size(_ end: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path + end)[.size] as? Int)
  }

  /// The number of pages in the log after which the writer moves them into the database by itself.
  private func automaticCheckpoint(_ store: Store) async throws -> Int? {
    try await store.write { try Int.fetchOne($0.database, sql: "PRAGMA wal_autocheckpoint") }
  }

  /// Batches of notes; 1,000 notes take about 1.3 MB.
  private func batches(_ count: Int, prefix: String = "n") -> [SyncBatch] {
    let text = String(repeating: "a long title ", count: 100)
    return [SyncBatch([.folder(1, "Inbox")])]
      + (0..<count).map { batch in SyncBatch((0..<500).map { .note("\(prefix)\(batch * 500 + $0)", in: 1, text) }) }
  }

  /// A run moves the pages that it wrote into the database, so that the user's commits don't have to. In this store
  /// SQLite would move none by itself.
  @Test func runMovesItsPagesIntoTheDatabase() async throws {
    try await withStore(automaticCheckpoint: 0) { store in
      try await store.pull(BatchSource(batches(20)))
      #expect(try size("") > 12_000_000)
      // About 90 MB pass through the log. It restarts at 6 MB, or a little later if a read is running.
      #expect(try size("-wal") < 30_000_000)
      #expect(try await automaticCheckpoint(store) == 0)
    }
  }

  @Test func automaticCheckpointsWaitUntilTheRunEnds() async throws {
    try await withStore { store in
      let seen = Lock<[Int?]>([])
      var source = BatchSource(batches(4))
      source.onBatch = { [automaticCheckpoint] _ in
        let pages = try await automaticCheckpoint(store)
        seen.withLock { $0.append(pages) }
      }
      try await store.pull(source)
      #expect(seen.withLock { ($0.last ?? nil) ?? 0 } > 1000)
      #expect(try await automaticCheckpoint(store) == 1000)
    }
  }

  @Test func automaticCheckpointsResumeAfterAFailedOrCancelledRun() async throws {
    try await withStore { store in
      await #expect(throws: BatchSource.Failure.self) {
        try await store.pull(BatchSource(batches(4), failsBefore: 4))
      }
      #expect(try await automaticCheckpoint(store) == 1000)
      let session = try await SyncSession(
        "cancelled", store: store, records: syncedRecords, source: BatchSource(batches(40, prefix: "c")))
      let run = Task { try await session.run() }
      for await progress in session.progress where progress.counts.written > 1_500 { break }
      session.cancel()
      await #expect(throws: CancellationError.self) { try await run.value }
      #expect(try await automaticCheckpoint(store) == 1000)
    }
  }

  @Test func automaticCheckpointsResumeAfterTheLastOfSeveralRuns() async throws {
    try await withStore { store in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for name in ["a", "b", "c"] {
          let session = try await SyncSession(
            name, store: store, records: syncedRecords, source: BatchSource(batches(4, prefix: name)))
          group.addTask { _ = try await session.run() }
        }
        try await group.waitForAll()
      }
      #expect(try await automaticCheckpoint(store) == 1000)
    }
  }

  /// A run ends with an error if the store is erased during the run, and the store stays usable.
  @Test func aStoreIsErasedDuringARun() async throws {
    try await withStore { store in
      var source = BatchSource(batches(8))
      source.onBatch = { if $0 == 5 { try await store.erase() } }
      await #expect(throws: (any Error).self) { try await store.pull(source) }
      #expect(try await automaticCheckpoint(store) == 1000)
      try await store.pull(BatchSource(batches(2)))
      #expect(try await store.count("SELECT count(*) FROM note") == 1_000)
      #expect(try await store.integrityCheck().isEmpty)
    }
  }

  /// A run ends with an error if the store is closed during the run. The run's own connection closes, too, so SQLite
  /// removes the log.
  @Test func aStoreIsClosedDuringARun() async throws {
    try await withStore { store in
      var source = BatchSource(batches(8))
      source.onBatch = { if $0 == 5 { try store.close() } }
      await #expect(throws: (any Error).self) { try await store.pull(source) }
      #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
      let again = try Store(path: path, schema: recordTypes)
      let count = try await again.count("SELECT count(*) FROM note")
      #expect(count >= 1_500)
      try again.close()
    }
  }
}
