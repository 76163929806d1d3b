import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

@Suite struct PullTests {
  let store: Store

  init() throws {
    store = try Store.synced()
  }

  @Test func rowsAreInsertedUpdatedAndRemoved() async throws {
    let first = try await store.pull(
      .folder(1, "Inbox"), .note("a", in: 1, "One"), .note("b", in: 1, "Two", rank: 2), .tagging("a", "red"))
    #expect(first.counts.received == 4 && first.counts.written == 4 && first.waiting == 0)

    let changes = [
      SyncChange.note("a", in: 1, "One!", isPinned: true), .deletion("note", .text("b")), .folder(1, "Inbox"),
    ]
    let second = try await SyncSession(
      "again", store: store, records: syncedRecords, source: BatchSource(changes)
    ).run()
    #expect(second.counts.written == 1 && second.counts.removed == 1 && second.counts.unchanged == 1)
    #expect(
      try await store.fetch(Note.order { $0.id })
        == [Note(id: "a", folderID: 1, title: "One!", body: nil, rank: 0, isPinned: true)])
    #expect(try await store.fetch(Tagging.query) == [Tagging(noteID: "a", tag: "red")])
  }

  @Test func equalRowsAreNotWritten() async throws {
    try await store.pull(.folder(1, "Inbox"), .note("a", in: 1, "One", body: "ä"), .tagging("a", "red"))
    let before = try await store.count("SELECT total_changes()")
    let again = try await SyncSession(
      "again", store: store, records: syncedRecords,
      source: BatchSource([.folder(1, "Inbox"), .note("a", in: 1, "One", body: "ä"), .tagging("a", "red")])
    ).run()
    #expect(again.isUnchanged && again.counts.unchanged == 3)
    // The synchronisation writes only its own state and cursor.
    let noted = try await store.count("SELECT total_changes()") - before
    #expect(noted <= 6, "\(noted) rows were written")
  }

  @Test func equivalentTextWithOtherBytesIsWritten() async throws {
    try await store.pull(.folder(1, "e\u{301}"))
    try await SyncSession(
      "again", store: store, records: syncedRecords, source: BatchSource([.folder(1, "\u{e9}")])
    ).run()
    #expect(try await store.count("SELECT length(CAST(name AS BLOB)) FROM folder") == 2)
  }

  @Test func absentColumnKeepsItsValue() async throws {
    try await store.pull(.folder(1, "Inbox"), .note("a", in: 1, "One", body: "text", rank: 5))
    let partial = SyncChange("note", key: [.text("a")], .row(["title": .text("Other")]))
    let summary = try await SyncSession(
      "again", store: store, records: syncedRecords, source: BatchSource([partial, partial])
    ).run()
    #expect(summary.counts.written == 1)
    #expect(
      try await store.fetch(Note.query) == [Note(id: "a", folderID: 1, title: "Other", body: "text", rank: 5)])
  }

  @Test func aRowAfterItsDeletionHasDefaults() async throws {
    try await store.pull(.folder(1, "Inbox"), .note("a", in: 1, "One", body: "text", rank: 5, isPinned: true))
    let row = SyncChange(
      "note", key: [.text("a")], .row(["title": .text("New"), "folderID": .integer(1), "rank": .integer(3)]))
    try await SyncSession(
      "again", store: store, records: syncedRecords, source: BatchSource([.deletion("note", .text("a")), row])
    ).run()
    #expect(try await store.fetch(Note.query) == [Note(id: "a", folderID: 1, title: "New", body: nil, rank: 3)])
    #expect(try await store.count("SELECT typeof(rank) = 'real' FROM note") == 1)
  }

  @Test func childrenWaitForTheirParents() async throws {
    let source = BatchSource([
      SyncBatch([.tagging("a", "red"), .note("a", in: 2, "One")]),
      SyncBatch([.folder(2, "Inner", in: 1)]), SyncBatch([.folder(1, "Outer")]),
    ])
    var stopped = source
    stopped.failsBefore = 2
    await #expect(throws: BatchSource.Failure.self) { try await store.pull(stopped) }
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_parked") == 3)
    #expect(try await store.count("SELECT count(*) FROM folder") == 0)

    let summary = try await store.pull(source)
    #expect(summary.waiting == 0 && summary.counts.received == 1 && summary.counts.written == 4)
    #expect(try await store.fetch(Tagging.query).count == 1)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_parents") == 0)
  }

  @Test func locallyInsertedParentReleasesParkedRows() async throws {
    #expect(try await store.pull(.note("a", in: 7, "One")).waiting == 1)
    try await store.write { try $0.insert(Folder(id: 7, name: "Mine")) }
    #expect(try await store.pull(BatchSource([SyncBatch]())).waiting == 0)
    #expect(try await store.fetch(Note.query).count == 1)
  }

  @Test func rowsInAReferenceCycleAreStored() async throws {
    let source = BatchSource([
      SyncBatch([.folder(1, "One", in: 3)]), SyncBatch([.folder(2, "Two", in: 1)]),
      SyncBatch([.folder(4, "Four", in: 4)]), SyncBatch([.folder(3, "Three", in: 2)]),
    ])
    #expect(try await store.pull(source).waiting == 0)
    #expect(try await store.fetch(Folder.query).count == 4)
  }

  @Test func parentIsDeletedAfterItsLastChild() async throws {
    try await store.pull(.folder(1, "Inbox"), .note("a", in: 1, "One"))
    let source = BatchSource([
      SyncBatch([.deletion("folder", .integer(1))]), SyncBatch([.deletion("note", .text("a"))]),
    ])
    let again = try await SyncSession("again", store: store, records: syncedRecords, source: source).run()
    #expect(again.waiting == 0 && again.counts.removed == 2)
    #expect(try await store.count("SELECT count(*) FROM folder") == 0)
  }

  @Test func quarantinedChangesCanBeCorrectedRetriedAndDiscarded() async throws {
    let synchronization = try await SyncSession(
      "test", store: store, records: syncedRecords,
      source: BatchSource([
        .folder(1, "Inbox"), .note("a", in: 1, "One", rank: 1),
        SyncChange("note", key: [.text("b")], .row(["title": .integer(5), "folderID": .integer(1), "rank": .real(0)])),
        SyncChange("note", key: [.integer(1)], .deletion), SyncChange("other", key: [.null], .deletion),
        SyncChange("note", key: [.text("c")], .row(["title": .text("C")])),
        SyncChange("note", key: [.text("a")], .row(["isPinned": .integer(2)])),
      ]))
    let summary = try await synchronization.run()
    #expect(summary.counts.quarantined == 5 && summary.counts.written == 1)
    let refused = try await synchronization.quarantine()
    #expect(refused.count == 5)
    let note = try #require(refused.first { $0.change.key == [.text("b")] })
    #expect(note.column == "title" && note.reason == "it is integer and not text")
    #expect(refused.first { $0.change.key == [.text("c")] }?.column == "folderID")
    #expect(try await synchronization.retry(note.id, with: ["title": .text("Two")]))
    await #expect(throws: SyncError.notInQuarantine(id: note.id)) { try await synchronization.retry(note.id) }
    #expect(try await store.fetch(Note.query).map(\.title) == ["Two"])
    var others = refused.map(\.id).filter { $0 != note.id }
    #expect(try await synchronization.quarantine(after: note.id).map(\.id) == others.filter { $0 > note.id })
    while !others.isEmpty {
      #expect(try await synchronization.quarantine(limit: 10).map(\.id) == others)
      try await synchronization.discard(others.removeLast())
    }
    #expect(try await synchronization.quarantine(limit: 10).isEmpty)
  }

  @Test func newerChangeReleasesAQuarantinedRow() async throws {
    try await store.pull(
      .folder(1, "Inbox"),
      SyncChange(
        "note", key: [.text("a")], .row(["folderID": .integer(1), "rank": .text("high"), "title": .text("One")])))
    let mended = SyncChange("note", key: [.text("a")], .row(["rank": .real(2)]))
    try await SyncSession(
      "test", store: store, records: syncedRecords,
      source: BatchSource([
        SyncBatch([]), SyncBatch([mended]),
      ])
    ).run()
    #expect(try await store.fetch(Note.query) == [Note(id: "a", folderID: 1, title: "One", body: nil, rank: 2)])
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_quarantine") == 0)
  }

  @Test func pullStopsAtAMisfitIfTheOptionsSaySo() async throws {
    let source = BatchSource([
      SyncBatch([.folder(1, "Inbox")]), SyncBatch([SyncChange("folder", key: [.integer(2)], .row(["name": .null]))]),
    ])
    await #expect(
      throws: SyncError.misfit(
        record: "folder", key: [.integer(2)], column: "name", reason: "it is NULL, and the column doesn't accept NULL")
    ) { try await store.pull(source, options: SyncOptions(misfits: .stop)) }
    #expect(try await store.fetch(Folder.query).count == 1)
  }

  @Test func restartOfTheSourceRemovesUnlistedRows() async throws {
    try await store.pull(
      .folder(1, "Inbox"), .folder(2, "Old"), .note("a", in: 1, "One"), .note("b", in: 2, "Two"),
      .note("c", in: 9, "Parked"))
    let anew = BatchSource([
      SyncBatch([]), SyncBatch([.note("a", in: 1, "One")], restarts: true), SyncBatch([.folder(1, "Inbox")]),
    ])
    var stopped = anew
    stopped.failsBefore = 2
    await #expect(throws: BatchSource.Failure.self) { try await store.pull(stopped) }
    #expect(try await store.fetch(Folder.query).count == 2)
    let summary = try await store.pull(anew)
    #expect(summary.counts.removed == 2 && summary.counts.written == 0)
    #expect(try await store.fetch(Folder.query).map(\.id) == [1])
    #expect(try await store.fetch(Note.query).map(\.id) == ["a"])
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_seen_note") == 0)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_parked") == 0)
  }

  @Test func leftoverKeysOfAComparisonAreClearedByTheNextRun() async throws {
    let source = BatchSource([
      SyncBatch([.folder(1, "Inbox")], restarts: true), SyncBatch([.note("a", in: 1, "One")]),
    ])
    try await store.pull(source)
    try await store.write { tx in
      try tx.database.execute(
        sql: """
          UPDATE sanderling_sync_state SET cursor = NULL;
          CREATE TRIGGER full BEFORE DELETE ON sanderling_sync_seen_note BEGIN SELECT RAISE(ABORT, 'planted'); END;
          """)
    }
    await #expect(throws: StoreError.self) { try await store.pull(source) }
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_seen_note") == 1)
    try await store.write { try $0.database.execute(sql: "DROP TRIGGER full") }
    try await store.pull(source)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_seen_note") == 0)
    #expect(try await store.fetch(Note.query).count == 1)
  }

  /// A run that ends while a restart begins is followed by a full download. The restart dropped the parked changes, and
  /// the source may later continue without a restart.
  @Test func failedRestartIsFollowedByAFullDownload() async throws {
    let parked = SyncChange.note("c", in: 9, "Parked")
    try await store.pull(parked)
    try await store.write {
      try $0.database.execute(
        sql: """
          CREATE TRIGGER full BEFORE INSERT ON sanderling_sync_comparisons BEGIN SELECT RAISE(ABORT, 'planted'); END
          """)
    }
    await #expect(throws: StoreError.self) {
      try await store.pull(BatchSource([SyncBatch([parked]), SyncBatch([], restarts: true)]))
    }
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_parked") == 0)
    try await store.write { try $0.database.execute(sql: "DROP TRIGGER full") }
    try await store.pull(BatchSource([SyncBatch([parked]), SyncBatch([.folder(9, "Late")])]))
    #expect(try await store.fetch(Note.query).map(\.id) == ["c"])
    #expect(try await store.count("SELECT restarting FROM sanderling_sync_state") == 0)
  }

  /// A comparison that ended before its first rows is started again from the beginning. If it continued from the old
  /// cursor, all rows before the cursor would be unlisted, and removed.
  @Test func comparisonThatStoredNoRowsStartsFromTheBeginning() async throws {
    let known: [SyncChange] = [.folder(1, "Inbox"), .note("a", in: 1, "One")]
    try await store.pull(BatchSource(known))
    try await store.write {
      try $0.database.execute(
        sql: "CREATE TRIGGER full BEFORE INSERT ON note WHEN NEW.id = 'b' BEGIN SELECT RAISE(ROLLBACK, 'planted'); END")
    }
    let new = SyncChange.note("b", in: 1, "Two")
    await #expect(throws: (any Error).self) {
      try await store.pull(BatchSource([SyncBatch(known), SyncBatch([new], restarts: true)]))
    }
    #expect(try await store.count("SELECT restarting FROM sanderling_sync_state") == 1)
    try await store.write { try $0.database.execute(sql: "DROP TRIGGER full") }
    try await store.pull(BatchSource([SyncBatch(known), SyncBatch([new])]))
    #expect(try await store.fetch(Note.query).map(\.id).sorted() == ["a", "b"])
  }

  /// A row that the server accepts while unlisted rows are being removed stays. A trigger stands in for the push.
  @Test func rowAcceptedDuringTheRemovalOfUnlistedRowsStays() async throws {
    try await store.pull(.folder(1, "Inbox"), .note("a", in: 1, "One"), .note("b", in: 1, "Two"))
    try await store.write {
      try $0.database.execute(
        sql: """
          CREATE TRIGGER taken AFTER DELETE ON note WHEN OLD.id = 'a' BEGIN
            INSERT INTO sanderling_sync_seen_note VALUES ('b');
          END
          """)
    }
    // The source leaves out both notes.
    try await store.pull(
      BatchSource([SyncBatch([]), SyncBatch([.folder(1, "Inbox")], restarts: true)]),
      options: SyncOptions(allowsMassDeletion: true))
    #expect(try await store.fetch(Note.query).map(\.id) == ["b"])
  }

  /// A source whose sequence ends when its task is cancelled, as an `AsyncStream` does.
  private struct EndingSource: SyncSource {
    let stream: AsyncThrowingStream<SyncBatch, any Error>

    func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable { stream }
  }

  @Test func cancelledListingRemovesNoUnlistedRows() async throws {
    try await store.pull(.folder(1, "Inbox"), .note("a", in: 1, "One"))
    let (stream, continuation) = AsyncThrowingStream<SyncBatch, any Error>.makeStream()
    continuation.yield(SyncBatch([.folder(1, "Other")], restarts: true))
    let session = try await SyncSession(
      "test", store: store, records: syncedRecords, source: EndingSource(stream: stream))
    let run = Task { try await session.run() }
    while try await store.count("SELECT count(*) FROM folder WHERE name = 'Other'") == 0 {
      try await Task.sleep(for: .milliseconds(1))
    }
    session.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(try await store.fetch(Note.query).map(\.id) == ["a"])
    #expect(try await store.count("SELECT restarting FROM sanderling_sync_state") == 1)
  }

  @Record("seat", indexes: [.unique(on: \.row, \.number)])
  struct Seat: Equatable {
    var id: Int
    var row: String
    var number: Int
  }

  private static func seat(_ id: Int, _ row: String, _ number: Int) -> SyncChange {
    SyncChange("seat", key: [.integer(Int64(id))], .row(["row": .text(row), "number": .integer(Int64(number))]))
  }

  /// Rows can hand on and exchange unique values within a batch, also if each batch is a checkpoint. In the order of
  /// their changes, rows that exchange values would violate the index.
  @Test(arguments: [false, true]) func rowsHandOnAndSwapUniqueValues(areCheckpoints: Bool) async throws {
    let store = try Store(inMemory: [Seat.self])
    let batches = [
      SyncBatch((1...100).map { Self.seat($0, "A", $0) }),
      // Each row takes the value of the next row.
      SyncBatch((1...100).map { Self.seat($0, "A", $0 + 1) }),
      // The rows exchange their values.
      SyncBatch([Self.seat(1, "A", 3), Self.seat(2, "A", 2), Self.seat(5, "B", 1)]),
      // The rows with the other key keep their values.
      SyncBatch([Self.seat(7, "B", 1), Self.seat(9, "B", 2)]),
    ].map { batch in
      var batch = batch
      batch.isCheckpoint = areCheckpoints
      return batch
    }
    let summary = try await SyncSession(
      "seats", store: store, records: [SyncedRecord(Seat.self)], source: BatchSource(batches),
      options: SyncOptions(shows: areCheckpoints ? .checkpoints : .changes)
    ).run()
    #expect(summary.counts.quarantined == 1)
    var expected = (1...100).map { Seat(id: $0, row: "A", number: $0 + 1) }
    (expected[0].number, expected[1].number) = (3, 2)
    expected[4] = Seat(id: 5, row: "B", number: 1)
    expected[8] = Seat(id: 9, row: "B", number: 2)
    #expect(try await store.fetch(Seat.order { $0.id }) == expected)
  }

  @Test func versionsAreKept() async throws {
    var change = SyncChange.folder(1, "Inbox")
    change.version = "7"
    try await store.pull(change)
    #expect(try await store.count("SELECT version FROM sanderling_sync_versions_folder WHERE k0 = 1") == 7)
  }

  @Test func secondRunOfTheSameNameIsRefused() async throws {
    let (started, signal) = AsyncStream<Void>.makeStream()
    var source = BatchSource([SyncBatch([.folder(1, "Inbox")])])
    source.onBatch = { _ in
      signal.yield()
      try await Task.sleep(for: .seconds(1000))
    }
    let first = try await SyncSession("test", store: store, records: syncedRecords, source: source)
    let running = Task { try await first.run() }
    for await _ in started { break }
    await #expect(throws: SyncError.alreadyRunning(name: "test")) { try await first.run() }
    await #expect(throws: SyncError.alreadyRunning(name: "test")) { try await store.pull(.folder(1, "Inbox")) }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    #expect(try await store.pull(.folder(1, "Inbox")).counts.written == 1)
  }

  @Test func runWritesNothingAfterAnotherHolderTakesOver() async throws {
    var source = BatchSource([SyncBatch([.folder(1, "Inbox")])])
    source.onBatch = { [store] _ in
      try await store.write { try $0.database.execute(sql: "UPDATE sanderling_sync_state SET holder = 'other'") }
    }
    await #expect(throws: SyncError.takenOver(name: "test")) { try await store.pull(source) }
    #expect(try await store.fetch(Folder.query).isEmpty)
    // The holder of the interrupted run has the number of this process, which has no such run.
    #expect(try await store.pull(.folder(1, "Inbox")).counts.written == 1)
  }

  @Test func aPausedRunWaits() async throws {
    let synchronization = try await SyncSession(
      "test", store: store, records: syncedRecords, source: BatchSource([.folder(1, "Inbox")]))
    synchronization.pause()
    let running = Task { try await synchronization.run() }
    for await progress in synchronization.progress where progress.phase == .paused { break }
    #expect(try await store.fetch(Folder.query).isEmpty)
    synchronization.resume()
    #expect(try await running.value.counts.written == 1)
  }

  @Test @MainActor func statusShowsTheProgressOfARun() async throws {
    let synchronization = try await SyncSession(
      "test", store: store, records: syncedRecords, source: BatchSource([.folder(1, "Inbox")]))
    let status = synchronization.status
    try await synchronization.run()
    while status.progress.counts.received == 0 || status.progress.phase != .idle { await Task.yield() }
    #expect(status.progress.counts.written == 1)
  }
}
