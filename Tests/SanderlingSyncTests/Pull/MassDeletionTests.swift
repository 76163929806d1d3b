import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// A complete listing that leaves out most rows of a table is refused, unless that is allowed.
@Suite struct MassDeletionTests {
  @Record("item") struct Item: Equatable {
    var id: Int
    var name: String
  }

  @Record("part") struct Part: Equatable {
    var id: Int
    var name: String
  }

  private let store: Store

  init() throws {
    store = try Store(inMemory: [Item.self, Part.self])
  }

  private let records = [SyncedRecord(Item.self), SyncedRecord(Part.self)]

  private static func items(_ ids: some Sequence<Int>, _ record: String = "item") -> [SyncChange] {
    ids.map { SyncChange(record, key: [.integer(Int64($0))], .row(["name": .text("\($0)")])) }
  }

  /// A source that always restarts and lists all its rows, whichever cursor it is asked with.
  private struct Listing: SyncSource {
    var changes: [SyncChange]
    var batchSize = 7

    func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
      var batches = [SyncBatch([], cursor: "0", restarts: true)]
      for start in stride(from: 0, to: changes.count, by: batchSize) {
        batches.append(SyncBatch(Array(changes[start..<min(start + batchSize, changes.count)]), cursor: "\(start)"))
      }
      batches.append(SyncBatch([], cursor: "end", isCheckpoint: true))
      return BatchSource(batches).batches(after: nil)
    }
  }

  private func add(_ ids: some Sequence<Int> & Sendable) async throws {
    try await store.write("add") { tx in
      for id in ids { try tx.insert(Item(id: id, name: "\(id)")) }
    }
  }

  private func session(_ source: any SyncSource, _ options: SyncOptions = SyncOptions()) async throws -> SyncSession {
    try await SyncSession("test", store: store, records: records, source: source, options: options)
  }

  private func run(_ ids: some Sequence<Int>, _ options: SyncOptions = SyncOptions()) async throws -> SyncSummary {
    try await session(Listing(changes: Self.items(ids)), options).run()
  }

  private func ids() async throws -> [Int] { try await store.fetch(Item.order { $0.id }).map(\.id) }

  /// A listing may leave out at most half of a table's rows, or all but one of fewer than 20 rows. Each argument has
  /// the numbers of rows and of unlisted rows, and whether the listing is refused.
  @Test(
    arguments: [
      (1, 1, true), (2, 1, false), (3, 3, true), (19, 18, false), (19, 19, true), (20, 10, false), (20, 11, true),
      (21, 10, false), (21, 11, true), (400, 200, false), (400, 201, true),
    ], [SyncOptions.Visibility.changes, .checkpoints])
  func listingThatOmitsMostRowsIsRefused(
    _ counts: (rows: Int, unnamed: Int, isRefused: Bool), shows: SyncOptions.Visibility
  )
    async throws
  {
    try await add(1...counts.rows)
    let rest = Array((1...counts.rows).dropFirst(counts.unnamed))
    let options = SyncOptions(shows: shows)
    guard counts.isRefused else {
      #expect(try await run(rest, options).counts.removed == counts.unnamed)
      #expect(try await ids() == rest)
      return
    }
    let error = SyncError.massDeletion(table: "item", unnamed: counts.unnamed, of: counts.rows)
    await #expect(throws: error) { try await run(rest, options) }
    #expect(try await ids() == Array(1...counts.rows))
    #expect("\(error)".contains("\(counts.unnamed) of the \(counts.rows) rows of table item"))
    #expect("\(error)".contains("SyncOptions.allowsMassDeletion"))
    // The listing is accepted with the option that the error names.
    var allowing = options
    allowing.allowsMassDeletion = true
    #expect(try await run(rest, allowing).counts.removed == counts.unnamed)
    #expect(try await ids() == rest)
    for table in ["seen_item", "row_counts", "staged", "stages"] {
      #expect(try await store.count("SELECT count(*) FROM sanderling_sync_\(table)") == 0, "\(table)")
    }
  }

  /// A good listing is accepted after refused listings: the rows that those listed are forgotten.
  @Test(arguments: [SyncOptions.Visibility.changes, .checkpoints])
  func listingIsAcceptedAfterRefusedListings(shows: SyncOptions.Visibility) async throws {
    try await add(1...30)
    let options = SyncOptions(shows: shows)
    for _ in 1...2 {
      let error = SyncError.massDeletion(table: "item", unnamed: 30, of: 30)
      await #expect(throws: error) { try await run([], options) }
      #expect(try await store.count("SELECT count(*) FROM sanderling_sync_seen_item") == 0)
    }
    await #expect(throws: SyncError.massDeletion(table: "item", unnamed: 25, of: 30)) { try await run(1...5, options) }
    #expect(try await ids() == Array(1...30))
    let summary = try await run(Array(3...30) + [40], options)
    #expect(summary.counts.removed == 2 && summary.counts.written == 1)
    #expect(try await ids() == Array(3...30) + [40])
    #expect(try await store.count("SELECT restarting FROM sanderling_sync_state") == 0)
  }

  /// After a refused listing, a source that continues from a cursor is asked for all its rows. The refused listing may
  /// have left out rows that no later batch contains.
  @Test func refusedListingMakesTheSourceListAllRowsAgain() async throws {
    try await session(BatchSource([SyncBatch(Self.items(1...30), isCheckpoint: true)])).run()
    let short = [SyncBatch(Self.items(1...3), restarts: true), SyncBatch(Self.items([40]), isCheckpoint: true)]
    try await store.write { try $0.database.execute(sql: "UPDATE sanderling_sync_state SET cursor = NULL") }
    await #expect(throws: SyncError.massDeletion(table: "item", unnamed: 27, of: 30)) {
      try await session(BatchSource(short)).run()
    }
    // From its cursor, this source would send only its last row.
    let whole = [SyncBatch([]), SyncBatch([]), SyncBatch(Self.items(1...30)), SyncBatch(Self.items([41]))]
    #expect(try await session(BatchSource(whole)).run().counts.removed == 1)
    #expect(try await ids() == Array(1...30) + [41])
  }

  /// A listing of different rows is refused each time. The rows that it added before don't make it more complete.
  @Test func listingOfDifferentRowsIsRefusedEachTime() async throws {
    try await add(1...30)
    for _ in 1...3 {
      await #expect(throws: SyncError.massDeletion(table: "item", unnamed: 30, of: 30)) { try await run(101...300) }
    }
    #expect(try await ids() == Array(1...30) + Array(101...300))
  }

  /// If the listing of one table is refused, no row of any table is removed.
  @Test func refusedListingOfOneTableRemovesNoRowOfAnyTable() async throws {
    try await add(1...30)
    try await store.write { tx in for id in 1...30 { try tx.insert(Part(id: id, name: "\(id)")) } }
    for (items, parts, table) in [(1...29, 1...2, "part"), (1...2, 1...29, "item")] {
      let listing = Listing(changes: Self.items(items) + Self.items(parts, "part"))
      await #expect(throws: SyncError.massDeletion(table: table, unnamed: 28, of: 30)) {
        try await session(listing).run()
      }
      #expect(try await store.count("SELECT (SELECT count(*) FROM item) * 100 + (SELECT count(*) FROM part)") == 3030)
    }
  }

  private struct Sink: SyncSink {
    let outcome: MutationOutcome
    let sent = NotedMutations()

    func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] {
      sent.note(mutations)
      return mutations.map { _ in outcome }
    }
  }

  /// New local rows, which the server doesn't know, don't count as unlisted rows. Local rows that were changed count.
  @Test func newLocalRowsDoNotCountAsUnlisted() async throws {
    var options = SyncOptions()
    options.backoff = PushBackoff(first: .zero, attempts: 1)
    let refusing = Sink(outcome: .failed("not now"))
    func run(_ ids: some Sequence<Int>) async throws -> SyncSummary {
      try await SyncSession(
        "test", store: store, records: records, source: Listing(changes: Self.items(ids)), sink: refusing,
        options: options
      ).run()
    }
    _ = try await run(1...4)
    try await add(101...200)
    try await store.write { try $0.database.execute(sql: "UPDATE item SET name = 'mine' WHERE id = 1") }
    // Four of four rows of the server are unlisted, although 100 local rows would stay.
    await #expect(throws: SyncError.massDeletion(table: "item", unnamed: 4, of: 4)) { try await run([]) }
    #expect(try await run(1...3).counts.removed == 1)
    #expect(try await ids() == Array(1...3) + Array(101...200))
    // The new rows and the changed row are still pending.
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_changes_item") == 101)
  }

  /// A quarantined row counts as listed.
  @Test func quarantinedRowsCountAsListed() async throws {
    try await add(1...30)
    var changes = Self.items(1...30)
    for place in 0..<30 { changes[place].content = .row(["name": .null]) }
    let summary = try await session(Listing(changes: changes)).run()
    #expect(summary.counts.quarantined == 30 && summary.counts.removed == 0)
    #expect(try await ids() == Array(1...30))
  }

  /// After an interruption, a listing is judged by the rows that existed when the listing began.
  @Test func interruptedListingIsJudgedByTheRowsAtItsStart() async throws {
    try await add(1...20)
    var batches = [SyncBatch(Self.items(101...120), restarts: true), SyncBatch(Self.items(1...9))]
    await #expect(throws: BatchSource.Failure.self) { try await session(BatchSource(batches, failsBefore: 1)).run() }
    await #expect(throws: SyncError.massDeletion(table: "item", unnamed: 11, of: 20)) {
      try await session(BatchSource(batches)).run()
    }
    batches[1] = SyncBatch(Self.items(1...10))
    #expect(try await session(BatchSource(batches)).run().counts.removed == 10)
  }

  /// The rows of an interrupted first listing are not removed by the next listing, which may be a failed export.
  @Test(arguments: [[], [1], Array(101...200)] as [[Int]], [SyncOptions.Visibility.changes, .checkpoints])
  func rowsOfAnInterruptedFirstListingAreNotRemoved(next: [Int], shows: SyncOptions.Visibility) async throws {
    let first = [SyncBatch(Self.items(1...30), restarts: true), SyncBatch(Self.items(31...60))]
    await #expect(throws: BatchSource.Failure.self) { try await session(BatchSource(first, failsBefore: 1)).run() }
    #expect(try await ids() == Array(1...30))
    let error = SyncError.massDeletion(table: "item", unnamed: next == [1] ? 29 : 30, of: 30)
    // The refused listing may add rows; it is refused again.
    for _ in 1...2 { await #expect(throws: error) { try await run(next, SyncOptions(shows: shows)) } }
    #expect(try await ids().filter { $0 <= 30 } == Array(1...30))
  }

  /// A listing that an earlier release of the library began is judged by the present rows, because that release stored
  /// no number of rows.
  @Test func listingBegunByAnEarlierReleaseIsJudgedByPresentRows() async throws {
    try await add(1...20)
    let batches = [SyncBatch(Self.items(1...2), restarts: true), SyncBatch([])]
    await #expect(throws: BatchSource.Failure.self) { try await session(BatchSource(batches, failsBefore: 1)).run() }
    try await store.write { try $0.database.execute(sql: "DELETE FROM sanderling_sync_row_counts") }
    await #expect(throws: SyncError.massDeletion(table: "item", unnamed: 18, of: 20)) {
      try await session(BatchSource(batches)).run()
    }
  }

  /// Placing parked rows doesn't end an interrupted comparison. Parked rows may wait for rows of another
  /// synchronisation.
  @Test func placingParkedRowsKeepsAnInterruptedComparison() async throws {
    let store = try Store.synced()
    let known: [SyncChange] = [.folder(1, "Inbox"), .note("a", in: 1, "One"), .note("b", in: 1, "Two")]
    try await SyncSession("known", store: store, records: syncedRecords, source: BatchSource(known)).run()
    let batches = [SyncBatch([.folder(1, "Inbox"), .note("c", in: 2, "Waits")], restarts: true), SyncBatch([])]
    func session(failsBefore: Int?) async throws -> SyncSession {
      try await SyncSession(
        "test", store: store, records: syncedRecords, source: BatchSource(batches, failsBefore: failsBefore))
    }
    await #expect(throws: BatchSource.Failure.self) { try await session(failsBefore: 1).run() }
    try await store.write { try $0.insert(Folder(id: 2, name: "Late", parentID: nil)) }
    #expect(try await session(failsBefore: nil).placeWaiting() == 1)
    #expect(try await store.fetch(Note.order { $0.id }).map(\.id) == ["a", "b", "c"])
    #expect(try await store.count("SELECT restarting FROM sanderling_sync_state WHERE name = 'test'") == 1)
  }
}
