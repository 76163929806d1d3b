import Sanderling
import Testing

@testable import SanderlingSync

/// Somebody deleted a row at a server that looks after no references, while somebody else made one that refers to it.
struct ReferredRowsTests {
  private let server = MemoryServer(.ifMatch)

  private struct Device {
    let store: Store
    let session: SyncSession

    var rows: [String] {
      get async throws {
        try await store.read { tx in
          try tx.fetch(Note.query).map(\.id) + tx.fetch(Tagging.query).map { "\($0.noteID):\($0.tag)" }
        }
      }
    }

    var conflicts: Int { get async throws { try await store.count("SELECT count(*) FROM sanderling_sync_conflicts") } }
  }

  private func device(_ deletion: DeletionPolicy) async throws -> Device {
    let store = try Store.synced()
    let records = [
      SyncedRecord(Folder.self), SyncedRecord(Note.self, conflicts: .merge.deletions(deletion)),
      SyncedRecord(Tagging.self),
    ]
    let connection = MemoryServerConnection(server: server)
    let session = try await SyncSession("test", store: store, records: records, source: connection, sink: connection)
    return Device(store: store, session: session)
  }

  /// A device that has deleted a note, and one that has given it a tag meanwhile. Each has synchronised as often as it takes.
  private func run(_ deletion: DeletionPolicy) async throws -> (deleting: Device, tagging: Device) {
    let (deleting, tagging) = (try await device(deletion), try await device(deletion))
    try await deleting.store.write { tx in
      try tx.insert(Folder(id: 1, name: "Inbox"))
      try tx.insert(Note(id: "a", folderID: 1, title: "One", rank: 0))
    }
    try await deleting.session.run()
    try await tagging.session.run()
    try await tagging.store.write { try $0.insert(Tagging(noteID: "a", tag: "x")) }
    try await deleting.store.write { _ = try $0.delete(Note.where { $0.id == "a" }) }
    for _ in 0..<3 { for device in [deleting, tagging] { try await device.session.run() } }
    return (deleting, tagging)
  }

  @Test(arguments: [DeletionPolicy.changeWins, .clientWins])
  func whatIsReferredToIsThereAgain(deletion: DeletionPolicy) async throws {
    let (deleting, tagging) = try await run(deletion)
    #expect(try await tagging.rows == ["a", "a:x"])
    #expect(try await deleting.rows == ["a", "a:x"])
    #expect(await server.rows.count == 3)
    for device in [deleting, tagging] {
      let summary = try await device.session.run()
      #expect(summary.isUnchanged && summary.waiting == 0 && summary.sent == SentCounts())
    }
    #expect(try await tagging.conflicts == 1)
  }

  /// It can't go while something refers to it, and nothing of this device's is to bring it back.
  @Test(arguments: [DeletionPolicy.deletionWins, .serverWins])
  func theDeletionWaitsWhereItWins(deletion: DeletionPolicy) async throws {
    let (deleting, tagging) = try await run(deletion)
    #expect(try await tagging.rows == ["a", "a:x"])
    #expect(try await deleting.rows == [])
    #expect(try await tagging.session.run().waiting == 1)
    try await tagging.store.write { _ = try $0.delete(Tagging.where { $0.noteID == "a" }) }
    for _ in 0..<2 { for device in [deleting, tagging] { try await device.session.run() } }
    #expect(try await tagging.rows == [])
    #expect(await server.rows.keys.map(\.record) == ["folder"])
    for device in [deleting, tagging] { #expect(try await device.session.run().waiting == 0) }
  }
}
