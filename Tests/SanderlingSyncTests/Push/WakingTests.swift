import GRDB
import Sanderling
import SanderlingTesting
import Testing

@testable import SanderlingSync

/// A pending change is sent as soon as that is possible while a source follows, without another event of the source.
@Suite(.timeLimit(.minutes(5))) struct WakingTests {
  private let store: Store
  private let server = ExchangeServer()

  init() throws { store = try Store.synced() }

  private func session(_ records: [SyncedRecord] = syncedRecords) async throws -> SyncSession {
    var options = SyncOptions()
    options.backoff = PushBackoff(first: .zero, attempts: 3)
    // No pause ends on this clock.
    options.clock = ManualClock()
    return try await SyncSession(
      "test", store: store, records: records, source: server, sink: server, options: options)
  }

  /// Runs a session that has pulled a folder and two notes and follows the source, while `body` runs.
  private func following(_ records: [SyncedRecord] = syncedRecords, _ body: (SyncSession) async throws -> Void)
    async throws
  {
    let session = try await session(records)
    let run = Task { try await session.run() }
    server.give(.folder(1, "Inbox"), .note("a", in: 1, "One"), .note("b", in: 1, "Two"))
    try await store.waits(until: 2, "SELECT count(*) FROM note")
    // The source is asked while a batch is being applied. When it is asked for more after this page, the poll has
    // ended.
    server.give(SyncBatch([]))
    await server.isAsked()
    try await body(session)
    server.end()
    _ = try await run.value
    #expect(try await store.count(Store.countPendingChanges(of: records)) == 0)
  }

  private func rename(_ id: String, _ title: String) async throws {
    try await store.write { _ = try $0.update(Note.where { $0.id == id }, .set(\.title, to: title)) }
  }

  private static let answered = "SELECT count(*) FROM sanderling_sync_changes_note WHERE answer IS NOT NULL"

  /// A conflict is released by the end of the poll that the push waits for because of another, acknowledged mutation.
  /// No later event would release it.
  @Test func conflictIsReleasedByThePollThatAnAcknowledgementAwaits() async throws {
    try await following { _ in
      server.answer { [server] mutation in
        server.sent.count == 1 && mutation.key == [.text("a")] ? .conflict : .acknowledged()
      }
      try await store.write { tx in
        for id in ["a", "b"] { _ = try tx.update(Note.where { $0.id == id }, .set(\.title, to: "mine")) }
      }
      try await store.waits(until: 1, Self.answered)
      server.give(.note("a", in: 1, "One", body: "theirs"))
      await server.isSent(3)
      #expect(server.sent.map(\.key) == [[.text("a")], [.text("b")], [.text("a")]])
    }
  }

  /// A change that is in conflict with a row that was pulled meanwhile is sent again at once, based on that row.
  @Test func conflictWithAnAlreadyPulledRowIsSentAtOnce() async throws {
    try await following { _ in
      server.answer { [server] _ in server.sent.count == 1 ? .conflict : .acknowledged() }
      server.holdAnswers(true)
      try await rename("a", "mine")
      await server.isSent(1)
      server.give(.note("a", in: 1, "One", body: "theirs"))
      await server.isAsked()
      try await store.waits(until: 1, "SELECT count(*) FROM sanderling_sync_changes_note WHERE rebased = 1")
      server.holdAnswers(false)
      await server.isSent(2)
    }
    #expect(try await store.count("SELECT count(*) FROM note WHERE title = 'mine' AND body = 'theirs'") == 1)
  }

  /// A change in conflict waits for the end of a poll. An empty page doesn't end a poll.
  @Test func conflictWaitsForTheEndOfAPoll() async throws {
    try await following { _ in
      server.answer { [server] _ in server.sent.count == 1 ? .conflict : .acknowledged() }
      try await rename("a", "mine")
      await server.isSent(1)
      try await store.waits(until: 1, "SELECT count(*) FROM sanderling_sync_changes_note WHERE conflicts = 1")
      for page in 1...3 {
        server.give(SyncBatch([], cursor: "\(page)"))
        await server.isAsked()
      }
      try await store.waits(until: 3, "SELECT cursor FROM sanderling_sync_state")
      #expect(server.sent.count == 1)
      server.give()
      await server.isSent(2)
    }
  }

  /// A refused change that is retried is sent, although no trigger reports it to the push.
  @Test func aRetriedChangeIsSent() async throws {
    try await following { session in
      server.answer { [server] _ in server.sent.count == 1 ? .refused("no") : .acknowledged() }
      try await rename("a", "mine")
      var refused: [QuarantinedChange] = []
      while refused.isEmpty {
        await Task.yield()
        refused = try await session.quarantine()
      }
      // The push has seen all pending changes.
      await store.settled()
      #expect(try await session.retry(refused[0].id))
      await server.isSent(2)
      server.give()
      try await store.waits(until: 0, "SELECT count(*) FROM sanderling_sync_changes_note")
    }
  }

  /// A change that the server lost is sent again once its row is pulled.
  @Test func aChangeThatTheServerLostIsSentAgain() async throws {
    try await following { _ in
      try await rename("a", "mine")
      await server.isSent(1)
      server.give()
      try await store.waits(until: 0, "SELECT count(*) FROM sanderling_sync_changes_note")
      var back = SyncBatch([.folder(1, "Inbox")])
      back.serverWentBack = true
      server.give(back)
      await server.isAsked()
      await store.settled()
      server.give(.note("a", in: 1, "One"), .note("b", in: 1, "Two"))
      await server.isSent(2)
      server.give()
      try await store.waits(until: 0, "SELECT count(*) FROM sanderling_sync_changes_note")
    }
    #expect(server.sent.last?.content == .update(["title": .text("mine")]))
  }

  /// A row that always fails holds back none of 99 other rows, with a source that follows and with a source that ends.
  @Test(arguments: [1, 10, Int.max]) func failingRowHoldsBackNoOtherRow(batchLimit: Int) async throws {
    for isFollowing in [true, false] {
      let (store, server) = (try Store.synced(), ExchangeServer(batchLimit: batchLimit))
      var options = SyncOptions()
      options.backoff = PushBackoff(first: .zero, attempts: 8)
      options.clock = ManualClock()
      let session = try await SyncSession(
        "test", store: store, records: syncedRecords, source: server, sink: server, options: options)
      server.answer { $0.key == [.text("100")] ? .failed("the server answered 500") : .acknowledged() }
      try await store.write { tx in
        try tx.insert(Folder(id: 1, name: "Inbox"))
        for id in 100..<200 { try tx.insert(Note(id: "\(id)", folderID: 1, title: "", rank: 0)) }
      }
      if !isFollowing { server.end() }
      let run = Task { try await session.run() }
      if isFollowing {
        while Set(server.sent.map(\.key)).count < 101 { await Task.yield() }
        while try await store.count("SELECT count(*) FROM sanderling_sync_changes_note") > 1 {
          await server.isAsked()
          server.give()
        }
        server.end()
      }
      let sent = try await run.value.sent
      #expect(sent?.acknowledged == 100 && sent?.left == 1)
      #expect(sent?.failure == "the server answered 500")
      for key in Set(server.sent.map(\.key)) where key != [.text("100")] {
        #expect(server.sent.count { $0.key == key } == 1, "\(key)")
      }
    }
  }

  /// A push that another process took over writes nothing. The argument is the new holder of the synchronisation, or
  /// NULL if that process has ended.
  @Test(arguments: ["'other'", "NULL"]) func pushWritesNothingAfterAnotherHolderTakesOver(holder: String) async throws {
    try await store.write { tx in
      try tx.insert(Folder(id: 1, name: "Inbox"))
    }
    let session = try await session()
    try await store.write { try $0.insert(Folder(id: 2, name: "mine")) }
    server.onSend { [store] in
      try await store.write { try $0.database.execute(sql: "UPDATE sanderling_sync_state SET holder = \(holder)") }
    }
    server.end()
    await #expect(throws: SyncError.takenOver(name: "test")) { try await session.run() }
    #expect(server.sent.count == 1)
    #expect(try await store.pendingChange(of: Folder.self, key: 2)?.state == .sending)
    // During the next run no other process takes over.
    server.onSend {}
    #expect(try await session.run().sent?.acknowledged == 1)
  }
}
