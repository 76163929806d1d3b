import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// Opening a synchronised store.
@Suite struct StartTests {
  private struct Nowhere: SyncSink {
    func send(_ mutations: [Mutation]) -> [MutationOutcome] { [] }
  }

  /// Opening a store and its session commits nothing. A commit could make SQLite move the whole log of a killed process
  /// into the database.
  @Test func openingWritesNothing() async throws {
    let path = NSTemporaryDirectory() + "start-\(UUID().uuidString).sqlite"
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
    let store = try Store(path: path, schema: recordTypes)
    _ = try await SyncSession(
      "test", store: store, records: syncedRecords, source: BatchSource([.folder(1, "Inbox")]), sink: Nowhere()
    ).run()
    try store.close()

    let other = try DatabaseQueue(path: path)
    let before = try other.inDatabase { try Int.fetchOne($0, sql: "PRAGMA data_version") }
    let again = try Store(path: path, schema: recordTypes)
    #expect(try await again.count("SELECT count(*) FROM folder") == 1)
    #expect(try other.inDatabase { try Int.fetchOne($0, sql: "PRAGMA data_version") } == before)
    // Opening a session writes nothing either.
    let session = try await SyncSession(
      "test", store: again, records: syncedRecords, source: BatchSource([]), sink: Nowhere())
    #expect(try other.inDatabase { try Int.fetchOne($0, sql: "PRAGMA data_version") } == before)
    _ = session
    try again.close()
  }
}
