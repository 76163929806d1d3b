import GRDB
import Sanderling
import SanderlingTesting
import Testing

@testable import SanderlingSync

/// Pulls with `SyncOptions.Visibility.checkpoints`, which show changes only at their checkpoint.
@Suite struct CheckpointTests {
  let store: Store
  private var options: SyncOptions {
    var options = SyncOptions(shows: .checkpoints)
    options.pace = SlicePace(changes: 3)
    return options
  }

  init() throws {
    store = try Store.synced()
  }

  private func notes(_ numbers: ClosedRange<Int>, _ title: String = "One") -> [SyncChange] {
    numbers.map { .note("n\($0)", in: 1, title) }
  }

  /// Makes insertions fail while a table has `count` rows, by RAISE(FAIL), which keeps the statement's changes, or
  /// RAISE(ABORT).
  private func plantFailure(of table: String, atRow count: Int, _ failure: String) async throws {
    try await store.write { tx in
      try tx.database.execute(
        sql: """
          CREATE TRIGGER full BEFORE INSERT ON \(table) WHEN (SELECT count(*) FROM \(table)) = \(count) \
          BEGIN SELECT RAISE(\(failure), 'planted'); END
          """)
    }
  }

  @Test func changesStayStagedUntilTheirCheckpointArrives() async throws {
    let source = BatchSource([
      SyncBatch(notes(1...40)), SyncBatch(notes(41...80)), SyncBatch([.folder(1, "Inbox")], isCheckpoint: true),
    ])
    var stopped = source
    stopped.failsBefore = 2
    await #expect(throws: BatchSource.Failure.self) { try await store.pull(stopped, options: options) }
    #expect(try await store.count("SELECT count(*) FROM note") == 0)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_staged") == 80)

    let summary = try await store.pull(source, options: options)
    #expect(summary.counts.received == 1 && summary.counts.written == 81 && summary.waiting == 0)
    #expect(try await store.count("SELECT count(*) FROM note") == 80)
    for table in ["staged", "stages", "parked"] {
      #expect(try await store.count("SELECT count(*) FROM sanderling_sync_\(table)") == 0)
    }
    #expect(try await store.count("SELECT cursor = '3' AND checkpoint = '3' FROM sanderling_sync_state") == 1)
  }

  @Test func aSourceWithoutCheckpointsStagesNoMoreThanItsLimit() async throws {
    var options = options
    options.stagedLimit = 100
    let most = Lock(0)
    var source = BatchSource(
      [SyncBatch([.folder(1, "Inbox")], restarts: true)]
        + (0..<10).map { SyncBatch(notes($0 * 40 + 1...$0 * 40 + 40)) })
    source.onBatch = { _ in
      let count = try await store.count("SELECT count(*) FROM sanderling_sync_staged")
      most.withLock { $0 = max($0, count) }
    }
    try await store.pull(source, options: options)
    #expect(most.withLock { $0 } < 140)
    let (staged, applied) = (
      try await store.count("SELECT count(*) FROM sanderling_sync_staged"),
      try await store.count("SELECT count(*) FROM note")
    )
    #expect(staged < 100 && staged + applied == 400)
    // The next checkpoint brings the rest.
    source.batches.append(SyncBatch([], cursor: "end", isCheckpoint: true))
    try await store.pull(source, options: options)
    #expect(try await store.count("SELECT count(*) FROM note") == 400)
    #expect(try await store.count("SELECT restarting FROM sanderling_sync_state") == 0)
  }

  @Test func liveResultsShowCompleteCheckpoints() async throws {
    try await store.pull(.folder(1, "Inbox"))
    let recorder = LiveRecorder(of: store.counts(of: Note.query), in: store)
    #expect(try await recorder.next().value == 0)
    let seen = Lock<Set<Int>>([])
    var source = BatchSource([
      SyncBatch(notes(1...100), isCheckpoint: true), SyncBatch(notes(101...150)),
      SyncBatch(notes(151...300) + [.deletion("note", .text("n1"))], isCheckpoint: true),
    ])
    source.onBatch = { _ in
      let count = try await store.count("SELECT count(*) FROM note")
      seen.withLock { _ = $0.insert(count) }
    }
    try await SyncSession("other", store: store, records: syncedRecords, source: source, options: options).run()
    #expect(await recorder.allValues().map(\.value) == [0, 100, 299])
    #expect(seen.withLock { $0 } == [0, 100])
  }

  @Test func applyingACheckpointContinuesAfterAFailure() async throws {
    try await store.pull(.folder(1, "Inbox"))
    try await plantFailure(of: "note", atRow: 200, "FAIL")
    let source = BatchSource([SyncBatch(notes(1...250)), SyncBatch(notes(251...260), isCheckpoint: true)])
    var stopping = options
    stopping.misfits = .stop
    let session = try await SyncSession(
      "other", store: store, records: syncedRecords, source: source, options: stopping)
    await #expect(throws: (any Error).self) { try await session.run() }
    let count = try await store.count("SELECT count(*) FROM note")
    #expect(count <= 200)
    try await store.write { try $0.database.execute(sql: "DROP TRIGGER full") }
    // The source sends nothing more.
    let summary = try await session.run()
    #expect(summary.counts.received == 0)
    #expect(try await store.count("SELECT count(*) FROM note") == 260)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_staged") == 0)
  }

  /// A small checkpoint is applied in one transaction, even if the transactions of a slow device have only a few
  /// changes.
  @Test func aSmallCheckpointIsOneTransaction() async throws {
    try await store.pull(.folder(1, "Inbox"))
    try await plantFailure(of: "note", atRow: 30, "FAIL")
    var stopping = options
    stopping.misfits = .stop
    let session = try await SyncSession(
      "other", store: store, records: syncedRecords,
      source: BatchSource([SyncBatch(notes(1...40), isCheckpoint: true)]), options: stopping)
    await #expect(throws: (any Error).self) { try await session.run() }
    #expect(try await store.count("SELECT count(*) FROM note") == 0)
    try await store.write { try $0.database.execute(sql: "DROP TRIGGER full") }
    try await session.run()
    #expect(try await store.count("SELECT count(*) FROM note") == 40)
  }

  /// A push that is acknowledged while its checkpoint is being applied is applied with that checkpoint. A trigger
  /// stands in for the push.
  @Test func pushAcknowledgedDuringACheckpointIsAppliedWithIt() async throws {
    try await store.pull(.folder(1, "Inbox"))
    let taken = SyncChange.note("n1", in: 1, "Taken")
    let session = try await SyncSession(
      "other", store: store, records: syncedRecords,
      source: BatchSource([SyncBatch(notes(1...250), isCheckpoint: true)]), options: options)
    try await store.write { tx in
      try tx.database.execute(
        sql: """
          CREATE TRIGGER taken AFTER INSERT ON note WHEN NEW.id = 'n250' BEGIN
            INSERT INTO sanderling_sync_staged (name, record, key, payload) VALUES ('other', 'note', '["n1"]', '\(taken.payload)');
            UPDATE sanderling_sync_stages SET last = (SELECT max(id) FROM sanderling_sync_staged);
          END
          """)
    }
    try await session.run()
    #expect(try await store.fetch(Note.where { $0.id == "n1" }).map(\.title) == ["Taken"])
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_staged") == 0)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_stages") == 0)
  }

  /// A push that is acknowledged while the comparison with a restarted source begins is applied with that comparison.
  @Test func pushAcknowledgedAsAComparisonBeginsIsAppliedWithIt() async throws {
    try await store.pull(.folder(1, "Inbox"))
    let taken = SyncChange.note("n1", in: 1, "Taken")
    try await store.write { tx in
      try tx.database.execute(
        sql: """
          CREATE TRIGGER taken AFTER UPDATE OF restarting ON sanderling_sync_state WHEN NEW.restarting = 1 BEGIN
            INSERT INTO sanderling_sync_staged (name, record, key, payload) VALUES ('test', 'note', '["n1"]', '\(taken.payload)');
            UPDATE sanderling_sync_stages SET last = (SELECT max(id) FROM sanderling_sync_staged);
          END
          """)
    }
    let all = [SyncChange.folder(1, "Inbox")] + notes(1...3)
    try await store.pull(
      BatchSource([SyncBatch([]), SyncBatch(all, isCheckpoint: true, restarts: true)]), options: options)
    #expect(try await store.fetch(Note.where { $0.id == "n1" }).map(\.title) == ["Taken"])
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_staged") == 0)
  }

  /// No number of a staged change is used twice, because a staged change is recognised by its number.
  @Test func numbersOfStagedChangesAreNeverReused() async throws {
    try await store.pull(.folder(1, "Inbox"))
    let source = BatchSource([
      SyncBatch([]), SyncBatch(notes(1...100), isCheckpoint: true), SyncBatch([.note("last", in: 1, "One")]),
    ])
    try await store.pull(source, options: options)
    #expect(try await store.count("SELECT min(id) FROM sanderling_sync_staged") > 100)
  }

  /// The first pull leaves a cursor. The second pull stages rows of a source that lists everything again without
  /// cursors, and fails. The third pull asks for everything, and not for the changes after the first pull's cursor.
  @Test func stagedComparisonWithoutACursorIsReadFromTheStart() async throws {
    try await store.pull(BatchSource([SyncBatch([.folder(1, "Inbox"), .note("n1", in: 1, "One")])]))
    var whole = BatchSource([
      SyncBatch([.folder(1, "Inbox")], restarts: true), SyncBatch(notes(1...2), isCheckpoint: true),
    ])
    whole.batches[0].cursor = nil
    whole.batches[1].cursor = nil
    whole.failsBefore = 1
    let asked = Lock<[String?]>([])
    func pull(_ source: BatchSource) async throws {
      try await store.pull(Asked(source: source) { cursor in asked.withLock { $0.append(cursor) } }, options: options)
    }
    await #expect(throws: BatchSource.Failure.self) { try await pull(whole) }
    whole.failsBefore = nil
    try await pull(whole)
    #expect(asked.withLock { $0 } == ["1", nil])
    #expect(try await store.fetch(Note.order { $0.id }).map(\.id) == ["n1", "n2"])
  }

  /// A source that sends all its batches, whichever cursor it is asked with, and reports that cursor.
  private struct Asked: SyncSource {
    let source: BatchSource
    let onAsked: @Sendable (String?) -> Void

    func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
      onAsked(cursor)
      return source.batches(after: nil)
    }
  }

  @Test func restartedSourceIsComparedAtItsCheckpoint() async throws {
    try await store.pull(.folder(1, "Inbox"), .note("n1", in: 1, "One"), .note("old", in: 1, "Old"))
    let source = BatchSource([
      SyncBatch(notes(5...9)), SyncBatch([.folder(1, "Inbox")], restarts: true),
      SyncBatch(notes(1...2), isCheckpoint: true), SyncBatch([.note("n3", in: 1, "Three")]),
    ])
    try await SyncSession("other", store: store, records: syncedRecords, source: source, options: options).run()
    #expect(try await store.fetch(Note.order { $0.id }).map(\.id) == ["n1", "n2"])
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_staged") == 1)
    // A session that shows changes as they arrive also shows the staged changes.
    try await SyncSession("other", store: store, records: syncedRecords, source: source).run()
    #expect(try await store.fetch(Note.order { $0.id }).map(\.id) == ["n1", "n2", "n3"])
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_staged") == 0)
  }

  @Test func partlyStagedFirstBatchIsDiscardedByTheNextRun() async throws {
    try await store.pull(.folder(1, "Inbox"))
    try await plantFailure(of: "sanderling_sync_staged", atRow: 70, "ABORT")
    let source = BatchSource([SyncBatch(notes(1...100))])
    await #expect(throws: StoreError.self) {
      try await SyncSession("other", store: store, records: syncedRecords, source: source, options: options).run()
    }
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_staged") > 0)
    try await SyncSession("other", store: store, records: syncedRecords, source: source).run()
    #expect(try await store.count("SELECT count(*) FROM note") == 100)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_staged") == 0)
  }

  @Test func partlyStagedBatchIsReceivedAgain() async throws {
    try await store.pull(.folder(1, "Inbox"))
    try await plantFailure(of: "sanderling_sync_staged", atRow: 290, "ABORT")
    let source = BatchSource([SyncBatch(notes(1...10)), SyncBatch(notes(8...300, "Two"), isCheckpoint: true)])
    let session = try await SyncSession("other", store: store, records: syncedRecords, source: source, options: options)
    await #expect(throws: StoreError.self) { try await session.run() }
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_staged") > 10)
    try await store.write { try $0.database.execute(sql: "DROP TRIGGER full") }
    try await session.run()
    #expect(try await store.count("SELECT count(*) FROM note WHERE title = 'Two'") == 293)
    #expect(try await store.count("SELECT count(*) FROM note") == 300)
  }

  /// If a run ends within a batch, the next run drops the part that was staged, so that it doesn't count with a later
  /// batch. Here the source sends fewer rows when it is asked again.
  @Test func partlyStagedBatchDoesNotCountWithALaterBatch() async throws {
    func pull(_ source: BatchSource) async throws {
      try await SyncSession("other", store: store, records: syncedRecords, source: source, options: options).run()
    }
    try await store.pull(.folder(1, "Inbox"))
    try await plantFailure(of: "sanderling_sync_staged", atRow: 280, "ABORT")
    let first = BatchSource([SyncBatch([.folder(1, "Inbox")] + notes(1...300), isCheckpoint: true)])
    await #expect(throws: StoreError.self) { try await pull(first) }
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_staged") > 0)
    try await store.write { try $0.database.execute(sql: "DROP TRIGGER full") }
    let second = BatchSource([
      SyncBatch([.folder(1, "Inbox"), .note("n1", in: 1, "Two")], isCheckpoint: true),
      SyncBatch([.folder(2, "Other")]), SyncBatch([.folder(3, "Other")], isCheckpoint: true),
    ])
    try await pull(second)
    #expect(try await store.count("SELECT count(*) FROM note") == 1)
    #expect(try await store.count("SELECT count(*) FROM folder") == 3)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_staged") == 0)
  }
}
