import Sanderling
import SanderlingTesting
import Testing

@testable import SanderlingSync

/// What the app changes while a pull is under way.
@Suite struct PushBesideTests {
  /// Gives batches as the test says, and takes every mutation.
  private actor Server: SyncSource, SyncSink {
    private var batches: [SyncBatch] = []
    private var isOver = false
    private var asked: CheckedContinuation<SyncBatch?, Never>?
    /// Until it is asked. One that asked again and again took the time of what it waits for.
    private var whoWaits: [CheckedContinuation<Void, Never>] = []
    private(set) var sent: [Mutation] = []
    /// What it calls what it takes.
    var version: String?
    private(set) var failures = 0
    private var isAway = false
    nonisolated let knowsNumbers = true

    func setVersion(_ version: String) { self.version = version }

    func give(_ changes: [SyncChange], isCheckpoint: Bool = false, restarts: Bool = false) {
      let batch = SyncBatch(changes, isCheckpoint: isCheckpoint, restarts: restarts)
      guard let asked else { return batches.append(batch) }
      self.asked = nil
      asked.resume(returning: batch)
    }

    func end() {
      isOver = true
      asked?.resume(returning: nil)
      asked = nil
    }

    func next() async -> SyncBatch? {
      if !batches.isEmpty { return batches.removeFirst() }
      if isOver { return nil }
      return await withCheckedContinuation { continuation in
        asked = continuation
        for waiting in whoWaits { waiting.resume() }
        whoWaits = []
      }
    }

    func setAway(_ isAway: Bool) { self.isAway = isAway }

    func hasFailed(_ count: Int) async { while failures < count { await Task.yield() } }

    /// Waits until the source is asked for more than there is.
    func isAsked() async {
      while asked == nil { await withCheckedContinuation { whoWaits.append($0) } }
    }

    func isSent(_ count: Int) async { while sent.count < count { await Task.yield() } }

    nonisolated func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
      AsyncThrowingStream {
        await withTaskCancellationHandler {
          await self.next()
        } onCancel: {
          Task { await self.end() }
        }
      }
    }

    func send(_ mutations: [Mutation]) -> [MutationOutcome] {
      if isAway {
        failures += 1
        return [.failed("the server is away")]
      }
      sent += mutations
      return mutations.map { _ in .acknowledged(version: version) }
    }
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

  /// Waits until a folder that the server gave is there.
  private func isApplied(folder: Int) async throws {
    while try await store.count("SELECT count(*) FROM folder WHERE id = \(folder)") == 0 { await Task.yield() }
  }

  /// Gives batches until what was sent is settled: the look that was under way may be over before the push begins to wait for one.
  private func isSettled() async throws {
    while try await store.count("SELECT count(*) FROM sanderling_sync_changes_note WHERE state = 1") > 0 {
      await server.isAsked()
      await server.give([])
    }
  }

  @Test func changesAreSentWhileTheSourceGoesOn() async throws {
    let session = try await session()
    let run = Task { try await session.run() }
    await server.give([.folder(1, "Inbox"), .note("a", in: 1, "One")])
    try await isApplied(folder: 1)
    for round in 1...3 {
      try await rename("mine \(round)")
      await server.isSent(round)
      try await isSettled()
    }
    await server.end()
    #expect(try await run.value.sent?.acknowledged == 3)
    #expect(await server.sent.count == 3)
  }

  /// A server that answers the pull again is there for the push, too: it doesn't wait for its minute.
  @Test(.timeLimit(.minutes(1))) func whatFailedIsSentWhenTheServerIsThereAgain() async throws {
    var options = SyncOptions()
    options.backoff = PushBackoff(first: .milliseconds(1), greatest: .milliseconds(1), attempts: 2)
    let session = try await session(options)
    let run = Task { try await session.run() }
    await server.give([.folder(1, "Inbox"), .note("a", in: 1, "One")], isCheckpoint: true)
    // The source is asked for more before what it gave is applied.
    try await isApplied(folder: 1)
    await server.setAway(true)
    try await rename("mine")
    await server.hasFailed(2)
    await server.setAway(false)
    let start = ContinuousClock.now
    while await server.sent.isEmpty {
      await server.isAsked()
      await server.give([], isCheckpoint: true)
    }
    #expect(.now - start < .seconds(30))
    await server.end()
    #expect(try await run.value.sent?.acknowledged == 1)
  }

  /// The server read it before it acknowledged.
  @Test(arguments: [SyncOptions.Visibility.changes, .checkpoints])
  func anOlderAnswerUndoesNothing(shows: SyncOptions.Visibility) async throws {
    let session = try await session(SyncOptions(shows: shows))
    let run = Task { try await session.run() }
    await server.give([.folder(1, "Inbox"), .note("a", in: 1, "One")], isCheckpoint: true)
    try await isApplied(folder: 1)
    let titles = LiveRecorder(of: store.values(of: Note.query.select { $0.title }), in: store)
    #expect(try await titles.next().value == "One")

    try await rename("mine")
    await server.isSent(1)
    let pending = try await store.pendingChange(of: Note.self, key: "a")
    #expect(pending?.state == .sending)
    let others = (1...100).map { SyncChange.note("n\($0)", in: 1, "Other") }
    await server.give([.note("a", in: 1, "One")] + others)
    try await isSettled()
    await server.give([.folder(2, "Other")], isCheckpoint: true)
    try await isApplied(folder: 2)
    await store.settled()
    #expect(titles.values.map(\.value) == ["One", "mine"])
    #expect(try await store.count("SELECT count(*) FROM note") == 101)

    await server.give([.note("a", in: 1, "mine")], isCheckpoint: true)
    await server.end()
    _ = try await run.value
    #expect(await server.sent.count == 1)
    #expect(titles.values.map(\.value) == ["One", "mine"])
  }

  /// Somebody else made a row of the same key, which is staged: without versions nobody knows whether before or after the server took ours.
  @Test func whatIsStagedAndMayBeNewerIsMergedWithWhatTheServerTook() async throws {
    let session = try await session(SyncOptions(shows: .checkpoints))
    let run = Task { try await session.run() }
    await server.give([.folder(1, "Inbox")], isCheckpoint: true)
    try await isApplied(folder: 1)
    let titles = LiveRecorder(of: store.values(of: Note.query.select { $0.title }), in: store)
    try await store.write { try $0.insert(Note(id: "a", folderID: 1, title: "mine", rank: 0)) }
    await server.isSent(1)
    await server.give([.note("a", in: 1, "theirs"), .folder(2, "Other")])
    try await isSettled()
    await server.give([.folder(3, "Other")], isCheckpoint: true)
    try await isApplied(folder: 3)
    await server.end()
    _ = try await run.value
    await store.settled()
    #expect(titles.values.compactMap(\.value) == ["mine"])
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_conflicts WHERE lost = 'theirs'") == 1)
    // What it has of theirs, it was told of: that stays, or is overwritten by what the user sees.
    #expect(await server.sent.count == 2)
  }

  /// The rows were read before the server had it.
  @Test func whatTheServerTakesWhileTheSourceBeginsAnewStays() async throws {
    let session = try await session()
    let run = Task { try await session.run() }
    await server.give([.folder(1, "Inbox"), .note("a", in: 1, "One")], isCheckpoint: true)
    await server.give([.folder(1, "Inbox")], restarts: true)
    await server.isAsked()
    try await store.write { try $0.insert(Note(id: "b", folderID: 1, title: "mine", rank: 0)) }
    await server.isSent(1)
    try await isSettled()
    await server.give([], isCheckpoint: true)
    await server.end()
    _ = try await run.value
    #expect(try await store.fetch(Note.query).map(\.id) == ["b"])
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_seen_note") == 0)
  }

  /// Somebody else has changed the row since the server took ours, and that is staged already.
  @Test func whatIsStagedAndNewerStays() async throws {
    let session = try await session(SyncOptions(shows: .checkpoints))
    let run = Task { try await session.run() }
    func note(_ title: String, version: String) -> SyncChange {
      var note = SyncChange.note("a", in: 1, title)
      note.version = version
      return note
    }
    await server.setVersion("2")
    await server.give([.folder(1, "Inbox"), note("One", version: "1")], isCheckpoint: true)
    try await isApplied(folder: 1)
    try await rename("mine")
    await server.isSent(1)
    await server.give([note("theirs", version: "3"), .folder(2, "Other")])
    try await isSettled()
    await server.give([.folder(3, "Other")], isCheckpoint: true)
    await server.end()
    _ = try await run.value
    #expect(try await store.fetch(Note.query).map(\.title) == ["theirs"])
  }

  /// The source would go on for ever, and nothing be sent.
  @Test(.timeLimit(.minutes(1))) func aPushThatTheDatabaseRefusesEndsTheRun() async throws {
    let session = try await session()
    let run = Task { try await session.run() }
    await server.give([.folder(1, "Inbox"), .note("a", in: 1, "One")])
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
    #expect(try await pendingCount() == 1)
    try await store.write { try $0.run("DROP TRIGGER refusal", []) }
    #expect(try await session.run().sent?.acknowledged == 1)
  }

  @Test func aRunThatIsCancelledEndsItsPush() async throws {
    let session = try await session()
    let run = Task { try await session.run() }
    await server.give([.folder(1, "Inbox"), .note("a", in: 1, "One")])
    try await isApplied(folder: 1)
    try await rename("mine")
    await server.isSent(1)
    session.cancel()
    await server.end()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(try await pendingCount() == 1)
    // It is sent again as it was.
    #expect(try await session.run().sent?.acknowledged == 1)
    #expect(Set(await server.sent).count == 1)
  }
}
