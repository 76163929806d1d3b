import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// The log of a store that pulls.
@Suite struct WriteAheadLogTests {
  /// The user's commits have nothing to move then: here SQLite would move nothing by itself.
  @Test func aRunMovesWhatItWrites() async throws {
    let path = NSTemporaryDirectory() + "log-\(UUID().uuidString).sqlite"
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
    let store = try Store(path: path, schema: recordTypes, configuration: configuration)
    let text = String(repeating: "a long title ", count: 100)
    let batches = (0..<10).map { batch in
      SyncBatch((0..<500).map { .note("n\(batch * 500 + $0)", in: 1, text) })
    }
    try await store.pull(BatchSource([SyncBatch([.folder(1, "Inbox")])] + batches))
    let size = { (end: String) in
      try #require(try FileManager.default.attributesOfItem(atPath: path + end)[.size] as? Int)
    }
    #expect(try size("") > 6_000_000)
    #expect(try size("-wal") < 4_000_000)
    try store.close()
  }
}
