import Sanderling
import Testing

@testable import SanderlingSync

/// Two clients at a server that doesn't enforce references: one deletes a row, the other inserts a row that refers to
/// it.
struct ReferredRowsTests {
  private struct Device {
    let store: Store
    let session: SyncSession

    /// The notes by their keys, and the tags with their note's keys.
    var rows: [String] {
      get async throws {
        try await store.read { tx in
          try (tx.fetch(Note.query).map(\.id) + tx.fetch(Tagging.query).map { "\($0.noteID):\($0.tag)" }).sorted()
        }
      }
    }

    var content: [String] {
      get async throws {
        try await store.read { tx in
          let (folders, notes) = (try tx.fetch(Folder.query), try tx.fetch(Note.query))
          return try (folders.map { "\($0)" } + notes.map { "\($0)" } + tx.fetch(Tagging.query).map { "\($0)" })
            .sorted()
        }
      }
    }

    var conflicts: Int { get async throws { try await store.count("SELECT count(*) FROM sanderling_sync_conflicts") } }
  }

  private func device(_ deletion: DeletionPolicy, _ server: MemoryServer) async throws -> Device {
    let store = try Store.synced()
    let records = [
      SyncedRecord(Folder.self), SyncedRecord(Note.self, conflicts: .merge.deletions(deletion)),
      SyncedRecord(Tagging.self),
    ]
    let connection = MemoryServerConnection(server: server)
    let session = try await SyncSession("test", store: store, records: records, source: connection, sink: connection)
    return Device(store: store, session: session)
  }

  /// Makes a device that deleted a note, and a device that gave the note a tag at the same time. Both synchronise three
  /// times.
  private func run(
    _ deletion: DeletionPolicy, _ server: MemoryServer
  ) async throws -> (deleting: Device, tagging: Device) {
    let (deleting, tagging) = (try await device(deletion, server), try await device(deletion, server))
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
  func referencedRowIsRestoredOnBothDevices(deletion: DeletionPolicy) async throws {
    let server = MemoryServer(.ifMatch)
    let (deleting, tagging) = try await run(deletion, server)
    #expect(try await tagging.rows == ["a", "a:x"])
    #expect(try await deleting.rows == ["a", "a:x"])
    #expect(await server.rows.count == 3)
    for device in [deleting, tagging] {
      let summary = try await device.session.run()
      #expect(summary.isUnchanged && summary.waiting == 0 && summary.sent == SentCounts())
    }
    #expect(try await tagging.conflicts == 1)
  }

  /// A deletion that wins waits until no row on the device refers to the deleted row, and then removes the row.
  @Test(arguments: [DeletionPolicy.deletionWins, .serverWins])
  func winningDeletionWaitsForReferringRows(deletion: DeletionPolicy) async throws {
    let server = MemoryServer(.ifMatch)
    let (deleting, tagging) = try await run(deletion, server)
    #expect(try await tagging.rows == ["a", "a:x"])
    #expect(try await deleting.rows == [])
    #expect(try await tagging.session.run().waiting == 1)
    try await tagging.store.write { _ = try $0.delete(Tagging.where { $0.noteID == "a" }) }
    for _ in 0..<2 { for device in [deleting, tagging] { try await device.session.run() } }
    #expect(try await tagging.rows == [])
    #expect(await server.rows.keys.map(\.record) == ["folder"])
    for device in [deleting, tagging] { #expect(try await device.session.run().waiting == 0) }
  }

  /// Three devices become equal, whichever device deletes referenced rows. Two make random changes, and a third joins
  /// last.
  @Test(arguments: MemoryServer.Rule.allCases)
  func devicesBecomeEqual(rule: MemoryServer.Rule) async throws {
    let seed = SeededGenerator().seed
    for number in 0..<UInt64(8) {
      let comment: Testing.Comment = "SANDERLING_SEED=\(seed), run \(number)"
      var generator = SeededGenerator(seed: seed &+ number)
      let server = MemoryServer(rule)
      let devices = [try await device(.changeWins, server), try await device(.changeWins, server)]
      for _ in 0..<24 {
        let device = generator.element(devices)
        for _ in 0..<Int.random(in: 1...6, using: &generator) { try await device.store.change(&generator) }
        if generator.chance(0.5) { try await device.session.run() }
      }
      for _ in 0..<3 { for device in devices { try await device.session.run() } }
      let late = try await device(.changeWins, server)
      try await late.session.run()
      let content = try await devices[0].content
      for device in [devices[1], late] { #expect(try await device.content == content, comment) }
      for device in devices + [late] {
        let summary = try await device.session.run()
        #expect(summary.isUnchanged && summary.waiting == 0 && summary.sent == SentCounts(), comment)
      }
    }
  }
}
