import Sanderling
import SanderlingTesting
import Testing

@testable import SanderlingSync

/// The app's changes are sent while a pull is running.
@Suite struct PushBesideTests {
  /// A server that sends batches when the test says so, and accepts every mutation.
  private final class Server: SyncSource, SyncSink {
    private struct State {
      var batches: [SyncBatch] = []
      var isOver = false
      /// Whether the source is asked for a batch that the test hasn't given yet.
      var isAsked = false
      var sent: [Mutation] = []
      var version: String?
      var failures = 0
      var isAway = false
    }

    private let state = AwaitedState(State())
    let knowsNumbers = true

    var sent: [Mutation] { state.current.sent }
    var failures: Int { state.current.failures }

    /// Sets the version that the server gives to accepted rows.
    func setVersion(_ version: String) { state.update { $0.version = version } }

    func give(_ changes: [SyncChange], isCheckpoint: Bool = false, restarts: Bool = false) {
      state.update { state in
        state.isAsked = false
        state.batches.append(SyncBatch(changes, isCheckpoint: isCheckpoint, restarts: restarts))
      }
    }

    func end() { state.update { $0.isOver = true } }

    func setAway(_ isAway: Bool) { state.update { $0.isAway = isAway } }

    func hasFailed(_ count: Int) async { await state.wait { $0.failures >= count } }

    /// Waits until the source is asked for a batch that the test hasn't given yet.
    func isAsked() async { await state.wait { $0.isAsked } }

    func isSent(_ count: Int) async { await state.wait { $0.sent.count >= count } }

    private func next() async -> SyncBatch? {
      state.update { $0.isAsked = $0.batches.isEmpty }
      await state.wait { !$0.batches.isEmpty || $0.isOver }
      return state.update { state in
        state.isAsked = false
        return state.batches.isEmpty ? nil : state.batches.removeFirst()
      }
    }

    func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
      AsyncThrowingStream { await self.next() }
    }

    func send(_ mutations: [Mutation]) -> [MutationOutcome] {
      state.update { state in
        if state.isAway {
          state.failures += 1
          return [.failed("the server is away")]
        }
        state.sent += mutations
        return mutations.map { _ in .acknowledged(version: state.version) }
      }
    }
  }

  /// A server whose sequence of changes ends when a mutation arrives. The server answers the mutation afterwards, and its
  /// first answer is a conflict.
  private final class LateServer: SyncSource, SyncSink {
    enum Event { case asked, ended, sent }

    private let state = AwaitedState<[Event]>([])
    let knowsNumbers = true
    var events: [Event] { state.current.filter { $0 != .ended } }

    func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
      state.update { $0.append(.asked) }
      let isFirst = cursor == nil
      let given = AwaitedState(0)
      return AsyncThrowingStream {
        if given.update({ count in
          count += 1; return count
        }) == 1 {
          return SyncBatch(
            isFirst ? [.folder(1, "Inbox"), .note("a", in: 1, "One")] : [], cursor: "1", isCheckpoint: !isFirst)
        }
        if isFirst { await self.state.wait { $0.contains(.sent) } }
        self.state.update { $0.append(.ended) }
        return nil
      }
    }

    func send(_ mutations: [Mutation]) async -> [MutationOutcome] {
      let isFirst = state.update { events in
        events.append(.sent)
        return events.count { $0 == .sent } == 1
      }
      if !isFirst { return mutations.map { _ in .acknowledged(version: "2") } }
      await state.wait { $0.contains(.ended) }
      return mutations.map { _ in .conflict }
    }
  }

  /// A change that conflicts at the end of a pull waits for the next pull. The pull may have been requested before
  /// the conflict, so a new row that is sent again at once would conflict with itself.
  @Test func conflictAtTheEndOfAPullWaitsForTheNextPull() async throws {
    let server = LateServer()
    let session = try await SyncSession("test", store: store, records: syncedRecords, source: server, sink: server)
    let run = Task { try await session.run() }
    try await isApplied(folder: 1)
    try await rename("mine")
    #expect(try await run.value.sent?.acknowledged == 1)
    #expect(server.events == [.asked, .sent, .asked, .sent])
  }

  private let store: Store
  private let server = Server()

  init() throws {
    store = try Store.synced()
  }

  private func session(_ options: SyncOptions = SyncOptions()) async throws -> SyncSession {
    try await SyncSession(
      "test", store: store, records: syncedRecords, source: server, sink: server, options: options)
  }

  private func rename(_ title: String) async throws {
    let count = try await store.write { try $0.update(Note.where { $0.id == "a" }, .set(\.title, to: title)) }
    try #require(count == 1)
  }

  private func pendingCount() async throws -> Int {
    try await store.count(Store.countPendingChanges(of: syncedRecords))
  }

  /// Waits until a pulled folder is stored.
  private func isApplied(folder: Int) async throws {
    while try await store.count("SELECT count(*) FROM folder WHERE id = \(folder)") == 0 { await Task.yield() }
  }

  /// Gives the source batches until the sent mutation is settled. That happens at the end of a poll. One batch may not be
  /// enough, because the running poll may end before the push waits for its end.
  private func isSettled(giving changes: [SyncChange] = []) async throws {
    while try await store.count("SELECT count(*) FROM sanderling_sync_changes_note WHERE state = 1") > 0 {
      await server.isAsked()
      server.give(changes)
    }
  }

  @Test func changesAreSentDuringAPull() async throws {
    let session = try await session()
    let run = Task { try await session.run() }
    server.give([.folder(1, "Inbox"), .note("a", in: 1, "One")])
    try await isApplied(folder: 1)
    for round in 1...3 {
      try await rename("mine \(round)")
      await server.isSent(round)
      try await isSettled()
    }
    server.end()
    #expect(try await run.value.sent?.acknowledged == 3)
    #expect(server.sent.count == 3)
  }

  /// A failed push is repeated as soon as the server answers the pull again, without its wait of a minute.
  @Test func failedPushIsRepeatedOnceTheServerAnswersAgain() async throws {
    var options = SyncOptions()
    options.backoff = PushBackoff(first: .zero, attempts: 2)
    // The wait of a minute never ends on this clock.
    let clock = ManualClock()
    options.clock = clock
    let session = try await session(options)
    let run = Task { try await session.run() }
    // The batch is no checkpoint, because a failed push would be repeated at the end of a checkpoint.
    server.give([.folder(1, "Inbox"), .note("a", in: 1, "One")])
    try await isApplied(folder: 1)
    server.setAway(true)
    try await rename("mine")
    await server.hasFailed(2)
    try await clock.sleepers(1)
    // The number of the mutation is stored too. That write doesn't repeat the push.
    await store.settled()
    try await store.write { try $0.insert(Folder(id: 2, name: "mine, too")) }
    // The failed push is tried twice more. Then the new change is tried once, because the server doesn't answer.
    await server.hasFailed(5)
    try await clock.sleepers(1)
    #expect(server.failures == 5)
    server.setAway(false)
    while server.sent.count < 2 {
      await server.isAsked()
      server.give([], isCheckpoint: true)
    }
    server.end()
    #expect(try await run.value.sent?.acknowledged == 2)
  }

  /// A batch that the server read before it acknowledged a change doesn't undo the change.
  @Test(arguments: [SyncOptions.Visibility.changes, .checkpoints])
  func batchReadBeforeAnAcknowledgementUndoesNoChange(shows: SyncOptions.Visibility) async throws {
    let session = try await session(SyncOptions(shows: shows))
    let run = Task { try await session.run() }
    server.give([.folder(1, "Inbox"), .note("a", in: 1, "One")], isCheckpoint: true)
    try await isApplied(folder: 1)
    let titles = LiveRecorder(of: store.values(of: Note.query.select { $0.title }), in: store)
    #expect(try await titles.next().value == "One")

    try await rename("mine")
    await server.isSent(1)
    let pending = try await store.pendingChange(of: Note.self, key: "a")
    #expect(pending?.state == .sending)
    let others = (1...100).map { SyncChange.note("n\($0)", in: 1, "Other") }
    server.give([.note("a", in: 1, "One")] + others)
    try await isSettled()
    server.give([.folder(2, "Other")], isCheckpoint: true)
    try await isApplied(folder: 2)
    #expect(await titles.allValues().map(\.value) == ["One", "mine"])
    #expect(try await store.count("SELECT count(*) FROM note") == 101)

    server.give([.note("a", in: 1, "mine")], isCheckpoint: true)
    server.end()
    _ = try await run.value
    #expect(server.sent.count == 1)
    #expect(await titles.allValues().map(\.value) == ["One", "mine"])
  }

  /// A staged row that may be newer than an acknowledged insertion is merged with it. Another client inserted a row of
  /// the same key, and without versions the order of the two is unknown.
  @Test func stagedRowIsMergedWithAnAcknowledgedInsertion() async throws {
    let session = try await session(SyncOptions(shows: .checkpoints))
    let run = Task { try await session.run() }
    server.give([.folder(1, "Inbox")], isCheckpoint: true)
    try await isApplied(folder: 1)
    let titles = LiveRecorder(of: store.values(of: Note.query.select { $0.title }), in: store)
    try await store.write { try $0.insert(Note(id: "a", folderID: 1, title: "mine", rank: 0)) }
    await server.isSent(1)
    server.give([.note("a", in: 1, "theirs"), .folder(2, "Other")])
    try await isSettled()
    server.give([.folder(3, "Other")], isCheckpoint: true)
    try await isApplied(folder: 3)
    server.end()
    _ = try await run.value
    #expect(await titles.allValues().compactMap(\.value) == ["mine"])
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_conflicts WHERE lost = 'theirs'") == 1)
    // The server's changes by other clients were already pulled: they stay, or the user's visible changes overwrite
    // them.
    #expect(server.sent.count == 2)
  }

  /// A row that the server accepts while a restarted source lists its rows stays, although the listing is older.
  @Test(arguments: [SyncOptions.Visibility.changes, .checkpoints])
  func rowAcceptedDuringARestartStays(shows: SyncOptions.Visibility) async throws {
    // The source leaves out the only note.
    let session = try await session(SyncOptions(shows: shows, allowsMassDeletion: true))
    let run = Task { try await session.run() }
    server.give([.folder(1, "Inbox"), .note("a", in: 1, "One")], isCheckpoint: true)
    server.give([.folder(1, "Inbox")], restarts: true)
    await server.isAsked()
    try await store.write { try $0.insert(Note(id: "b", folderID: 1, title: "mine", rank: 0)) }
    await server.isSent(1)
    try await isSettled()
    server.give([], isCheckpoint: true)
    server.end()
    _ = try await run.value
    #expect(try await store.fetch(Note.query).map(\.id) == ["b"])
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_seen_note") == 0)
  }

  /// A change is sent again as an insertion if a restarted source doesn't list its row. The server applied the change,
  /// and another client deleted the row before the restart. The answer arrives later.
  @Test(arguments: [SyncOptions.Visibility.changes, .checkpoints])
  func changeOfAnUnlistedRowIsSentAgainAfterARestart(shows: SyncOptions.Visibility) async throws {
    // The source leaves out the only note.
    let session = try await session(SyncOptions(shows: shows, allowsMassDeletion: true))
    let run = Task { try await session.run() }
    server.give([.folder(1, "Inbox"), .note("a", in: 1, "One")], isCheckpoint: true)
    try await isApplied(folder: 1)
    await server.isAsked()
    try await rename("mine")
    await server.isSent(1)
    // The acknowledgement waits for the end of the running poll.
    server.give([.folder(1, "Inbox"), .folder(2, "Other")], restarts: true)
    await server.isAsked()
    // An empty batch would say that the source has listed all rows.
    try await isSettled(giving: [.folder(2, "Other")])
    server.give([], isCheckpoint: true)
    server.end()
    _ = try await run.value
    // The update is sent once more if its answer is stored before the source restarts.
    let kinds = server.sent.map(\.isInsertion)
    #expect(kinds == [false, true] || kinds == [false, false, true], "\(kinds)")
    #expect(try await pendingCount() == 0)
    #expect(try await store.count("SELECT count(*) FROM note") == 1)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_conflicts WHERE kind = 'deletion'") == 1)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_seen_note") == 0)
  }

  /// A staged row that is newer than the acknowledged change stays. Another client changed the row in the meantime.
  @Test func newerStagedRowSupersedesAnAcknowledgedChange() async throws {
    let session = try await session(SyncOptions(shows: .checkpoints))
    let run = Task { try await session.run() }
    func note(_ title: String, version: String) -> SyncChange {
      var note = SyncChange.note("a", in: 1, title)
      note.version = version
      return note
    }
    server.setVersion("2")
    server.give([.folder(1, "Inbox"), note("One", version: "1")], isCheckpoint: true)
    try await isApplied(folder: 1)
    try await rename("mine")
    await server.isSent(1)
    server.give([note("theirs", version: "3"), .folder(2, "Other")])
    try await isSettled()
    server.give([.folder(3, "Other")], isCheckpoint: true)
    server.end()
    _ = try await run.value
    #expect(try await store.fetch(Note.query).map(\.title) == ["theirs"])
  }

  /// A push that the database refuses ends the run. Otherwise the source would continue, and nothing would be sent.
  @Test func aPushThatTheDatabaseRefusesEndsTheRun() async throws {
    let session = try await session()
    let run = Task { try await session.run() }
    server.give([.folder(1, "Inbox"), .note("a", in: 1, "One")])
    try await isApplied(folder: 1)
    try await store.write { tx in
      try tx.run(
        """
        CREATE TRIGGER refusal BEFORE UPDATE ON sanderling_sync_changes_note WHEN new.state = 1
        BEGIN SELECT RAISE(ABORT, 'refused'); END
        """, [])
    }
    try await rename("mine")
    await #expect(throws: StoreError.self) { try await run.value }
    server.end()
    #expect(try await pendingCount() == 1)
    try await store.write { try $0.run("DROP TRIGGER refusal", []) }
    #expect(try await session.run().sent?.acknowledged == 1)
  }

  /// A cancelled run keeps the acknowledgement, so the server receives the mutation only once. The running poll never
  /// ends, and its position is unknown.
  @Test func cancelledRunKeepsTheAcknowledgement() async throws {
    let session = try await session()
    let run = Task { try await session.run() }
    server.give([.folder(1, "Inbox"), .note("a", in: 1, "One")])
    try await isApplied(folder: 1)
    try await rename("mine")
    await server.isSent(1)
    session.cancel()
    server.end()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(try await pendingCount() == 1)
    #expect(try await session.run().sent?.acknowledged == 1)
    #expect(server.sent.count == 1)
    #expect(try await pendingCount() == 0)
  }
}
