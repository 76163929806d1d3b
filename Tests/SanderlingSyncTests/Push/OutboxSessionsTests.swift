import Sanderling
import Testing

@testable import SanderlingSync

/// Two synchronisations can't send the changes of one table, because a pending change is removed once one server has
/// it.
@Suite struct OutboxSessionsTests {
  private struct Sink: SyncSink {
    let outcome: MutationOutcome
    let sent = NotedMutations()

    func send(_ mutations: [Mutation]) -> [MutationOutcome] {
      sent.note(mutations)
      return mutations.map { _ in outcome }
    }
  }

  private let store: Store

  init() throws {
    store = try Store.synced()
  }

  @discardableResult
  private func session(
    _ name: String, _ records: [SyncedRecord], _ outcome: MutationOutcome = .acknowledged()
  ) async throws -> SyncSession {
    try await SyncSession(
      name, store: store, records: records, source: BatchSource([]), sink: Sink(outcome: outcome))
  }

  private let folders = [SyncedRecord(Folder.self)]

  @Test func onlyOneSynchronisationSendsATable() async throws {
    try await session("first", folders)
    try await session("first", folders)
    await #expect(throws: SyncError.sentByAnother(table: "folder", name: "first")) {
      try await session("second", folders)
    }
    // Another synchronisation may still pull the table.
    _ = try await SyncSession("third", store: store, records: folders, source: BatchSource([]))
    #expect("\(SyncError.sentByAnother(table: "folder", name: "first"))".contains("Use that name"))
  }

  @Test func tableIsReleasedOnceItHasNoPendingChange() async throws {
    let first = try await session("first", folders, .refused("never"))
    try await store.write { try $0.insert(Folder(id: 1, name: "Inbox")) }
    try await first.run()
    // The folder's pending change waits for the first synchronisation's server.
    try await session("first", [])
    await #expect(throws: SyncError.sentByAnother(table: "folder", name: "first")) {
      try await session("second", folders)
    }
    try await session("first", folders).run()
    try await store.write { _ = try $0.delete(Folder.where { $0.id == 1 }) }
    try await session("first", folders).run()
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_changes_folder") == 0)
    try await session("first", [])
    try await session("second", folders)
  }

  /// A new row has no base version if a pulled row with the same key was deleted before the outbox existed.
  @Test func rowPulledBeforeTheOutboxExistedGivesNoBaseVersion() async throws {
    let pulled = SyncChange(
      "folder", key: [.integer(1)], .row(["name": .text("Inbox"), "parentID": .null]), version: "7")
    let batch = SyncBatch([pulled], cursor: "1")
    try await SyncSession("first", store: store, records: folders, source: BatchSource([batch])).run()
    try await store.write { _ = try $0.delete(Folder.where { $0.id == 1 }) }
    let sink = Sink(outcome: .acknowledged())
    let session = try await SyncSession(
      "first", store: store, records: folders, source: BatchSource([batch]), sink: sink)
    try await store.write { try $0.insert(Folder(id: 1, name: "Again")) }
    try await session.run()
    #expect(sink.sent.all.map(\.baseVersion) == [nil])
  }
}
