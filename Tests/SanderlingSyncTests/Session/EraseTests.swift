import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// A session continues with the new, empty database after its store was erased.
@Suite(.timeLimit(.minutes(5))) struct EraseTests {
  private let folder: TemporaryFolder
  private let store: Store
  private let server = ExchangeServer()

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(path: folder.path("erased.db"), schema: recordTypes)
  }

  private func session(sends: Bool = true) async throws -> SyncSession {
    try await SyncSession(
      "test", store: store, records: syncedRecords, source: server, sink: sends ? server : nil)
  }

  private func giveRows() {
    server.give(SyncBatch([.folder(1, "Inbox"), .note("a", in: 1, "One")], cursor: "1"))
  }

  @Test(arguments: [true, false]) func sessionContinuesAfterTheStoreIsErased(sends: Bool) async throws {
    let session = try await session(sends: sends)
    giveRows()
    server.end()
    try await session.run()
    try await store.erase()
    // All lists are empty, and reading them is no error.
    #expect(try await session.quarantine().isEmpty)
    await #expect(throws: SyncError.notInQuarantine(id: 1)) { try await session.discard(1) }
    #expect(try await session.keptColumns().isEmpty)
    #expect(try await session.waitingDeletionCount() == 0)
    giveRows()
    #expect(try await session.run().counts.written == 2)
    guard sends else { return }
    try await store.write { _ = try $0.update(Note.query, .set(\.title, to: "mine")) }
    #expect(try await session.run().sent?.acknowledged == 1)
    #expect(server.sent.map(\.content) == [.update(["title": .text("mine")])])
    try store.close()
  }

  /// A run ends with `SyncError.erased` in its next transaction if the store is erased during the run.
  @Test(arguments: [true, false]) func erasingTheStoreEndsARunWithAnError(sends: Bool) async throws {
    let session = try await session(sends: sends)
    let run = Task { try await session.run() }
    giveRows()
    try await store.waits(until: 1, "SELECT count(*) FROM note")
    await server.isAsked()
    try await store.erase()
    server.give(SyncBatch([.folder(2, "Other")]))
    await #expect(throws: SyncError.erased(name: "test")) { try await run.value }
    #expect(SyncError.erased(name: "test").description.contains("Run it again"))
    giveRows()
    server.end()
    #expect(try await session.run().counts.written == 2)
    try store.close()
  }

  /// A push ends with `SyncError.erased` if the store is erased before the answer arrives.
  @Test func erasingTheStoreEndsAPushWithAnError() async throws {
    let session = try await session()
    giveRows()
    server.end()
    try await session.run()
    try await store.write { _ = try $0.update(Note.query, .set(\.title, to: "mine")) }
    server.onSend { [store] in try await store.erase() }
    await #expect(throws: SyncError.erased(name: "test")) { try await session.run() }
    server.onSend {}
    giveRows()
    #expect(try await session.run().counts.written == 2)
    try store.close()
  }

  /// A run doesn't continue in a new store, although another session of its name made the same tables again.
  @Test func runDoesNotContinueInARecreatedStore() async throws {
    let session = try await session()
    let run = Task { try await session.run() }
    giveRows()
    try await store.waits(until: 1, "SELECT count(*) FROM note")
    await server.isAsked()
    try await store.erase()
    _ = try await self.session()
    server.give(SyncBatch([.folder(2, "Other")]))
    await #expect(throws: SyncError.erased(name: "test")) { try await run.value }
    #expect(try await store.count("SELECT count(*) FROM folder") == 0)
    try store.close()
  }
}
