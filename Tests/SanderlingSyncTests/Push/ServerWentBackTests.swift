import Sanderling
import Testing

@testable import SanderlingSync

/// Changes that a server acknowledged and then lost, for example in a failover, are sent again.
@Suite struct ServerWentBackTests {
  private struct Sink: SyncSink {
    let sent = NotedMutations()

    func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] {
      sent.note(mutations)
      return mutations.map { .acknowledged(version: String($0.sequence)) }
    }
  }

  private func run(_ store: Store, _ batch: SyncBatch, _ sink: Sink) async throws {
    // Each run has its own source, and gives it the same cursor.
    var batch = batch
    batch.cursor = "0"
    let session = try await SyncSession(
      "test", store: store, records: syncedRecords, source: BatchSource([batch]), sink: sink)
    try await session.run()
  }

  @Test func lostAcknowledgedChangesAreMergedAndSentAgain() async throws {
    let (store, sink) = (try Store.synced(), Sink())
    let rows = [SyncChange.folder(1, "Inbox"), .note("a", in: 1, "One", body: "first"), .note("b", in: 1, "Two")]
    try await run(store, SyncBatch(rows, restarts: true), sink)
    try await store.write { tx in
      try tx.update(Note.where { $0.id == "a" }, .set(\.title, to: "mine"))
      try tx.insert(Note(id: "c", folderID: 1, title: "new", rank: 0))
      _ = try tx.delete(Note.where { $0.id == "b" })
    }
    try await run(store, SyncBatch([]), sink)
    #expect(sink.sent.all.count == 3)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_acknowledged") == 3)

    // The new primary server has the original rows, except for another client's change.
    var back = SyncBatch(
      [.folder(1, "Inbox"), .note("a", in: 1, "One", body: "theirs"), .note("b", in: 1, "Two")], isCheckpoint: true)
    back.serverWentBack = true
    try await run(store, back, sink)
    let again = sink.sent.all.dropFirst(3)
    #expect(Set(again.map(\.key)) == [[.text("a")], [.text("b")], [.text("c")]])
    #expect(again.first { $0.key == [.text("a")] }?.content == .update(["title": .text("mine")]))
    #expect(again.first { $0.key == [.text("b")] }?.content == .deletion)
    #expect(again.first { $0.key == [.text("c")] }?.isInsertion == true)
    #expect(
      try await store.count("SELECT count(*) FROM note WHERE id = 'a' AND title = 'mine' AND body = 'theirs'") == 1)
    #expect(try await store.count("SELECT count(*) FROM note WHERE id = 'b'") == 0)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_conflicts") == 0)
  }

  @Test func changesThatTheServerStillHasAreNotSentAgain() async throws {
    let (store, sink) = (try Store.synced(), Sink())
    try await run(store, SyncBatch([.folder(1, "Inbox"), .note("a", in: 1, "One")], restarts: true), sink)
    try await store.write { _ = try $0.update(Note.where { $0.id == "a" }, .set(\.title, to: "mine")) }
    try await run(store, SyncBatch([]), sink)
    var back = SyncBatch([.folder(1, "Inbox"), .note("a", in: 1, "mine")], isCheckpoint: true)
    back.serverWentBack = true
    try await run(store, back, sink)
    #expect(sink.sent.all.count == 1)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_changes_note") == 0)
  }
}
