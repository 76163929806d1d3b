import Dispatch
import GRDB
import SanderlingTesting
import Synchronization
import Testing

@testable import Sanderling

/// Changes that are committed while lists are being reloaded.
@MainActor
@Suite(.serialized) struct LiveReloadTests {
  @Record
  struct Entry: Hashable {
    var id: Int64
    @Stored(as: HeldCoding.self) var rank: Int
  }

  /// An integer column whose next read can be held up, and can then fail.
  enum HeldCoding: ColumnCoding {
    static let isHeld = Atomic(false)
    static let fails = Atomic(false)
    static let reading = DispatchSemaphore(value: 0)
    static let gate = DispatchSemaphore(value: 0)

    static var columnType: ColumnType { .integer }
    static func encode(_ value: Int) throws -> StorageValue { .integer(Int64(value)) }

    static func decode(_ stored: StorageValue) throws -> Int {
      guard case .integer(let value) = stored else { throw ValueError("not an integer") }
      if isHeld.exchange(false, ordering: .sequentiallyConsistent) {
        reading.signal()
        gate.wait()
        if fails.exchange(false, ordering: .sequentiallyConsistent) { throw DatabaseError(resultCode: .SQLITE_IOERR) }
      }
      return Int(value)
    }
  }

  private let folder = TemporaryFolder()

  /// The extent that a list will keep is known only after its read. Until then any changed row may concern the list.
  @Test func rowInsertedDuringALoadIsNotMissed() async throws {
    let path = folder.path("reload.sqlite")
    let store = try Store(path: path, schema: [Entry.self], liveInterval: .zero)
    try await fill(store)
    let list = store.liveList(Entry.order { $0.id }, window: 3)
    _ = list.rows
    await store.settled()
    #expect(list.elements.map(\.id) == [1, 2, 3])

    let other = try DatabaseQueue(beside: path)
    // The read is held from here on. The check for outside changes after the first load may come late, and find the
    // deletion.
    HeldCoding.isHeld.store(true, ordering: .sequentiallyConsistent)
    try await other.write { try $0.execute(sql: "DELETE FROM entry WHERE id <= 100") }
    // The store notices the deletion with its own commit, after which one load is enough.
    try await store.write("notice") { try $0.execute("UPDATE entry SET rank = rank WHERE id = 200") }
    try await offThread { HeldCoding.reading.wait() }
    let commit = try await store.writeWithCommit("come") { try $0.insert(Entry(id: 60, rank: 60)) }.commit
    await turnsAreOver(store)
    HeldCoding.gate.signal()
    try await list.reached(commit)
    #expect(list.elements.map(\.id) == [60, 101, 102])
  }

  /// A rerun query must determine its tables again after a schema change during its load. Otherwise it misses later
  /// writes to them.
  @Test func schemaChangeDuringALoadIsNotMissed() async throws {
    let store = try Store(path: folder.path("schema.sqlite"), schema: [Entry.self], liveInterval: .zero)
    let add = { (id: Int64) in
      try await store.write("add") { try $0.insert(Entry(id: id, rank: 1)) }
    }
    let rerun = Entry.order { $0.id }.filter { .raw("\($0.rank) >= 0") }
    #expect(try await !rerun.explainLive(store).isMaintained)
    let list = store.liveList(rerun, window: 10)
    // The count makes the store capture the table again. Until then every commit is treated as a schema change.
    let count = store.liveCount(Entry.where { $0.id > 0 })
    _ = (list.rows, count.value)
    _ = try await add(3)
    await store.settled()
    #expect(list.elements.map(\.id) == [3])

    HeldCoding.isHeld.store(true, ordering: .sequentiallyConsistent)
    _ = try await add(2)
    // A query that a task waits for is rerun at once.
    async let settled: Void = store.settled()
    try await offThread { HeldCoding.reading.wait() }
    try await store.writer.writeWithoutTransaction { try $0.execute(sql: "CREATE TABLE other (id INTEGER)") }
    await turnsAreOver(store)
    // The explanation is returned once the table is captured again.
    #expect(try await Entry.order { $0.id }.explainLive(store).isMaintained)
    HeldCoding.gate.signal()
    await settled
    _ = try await add(1)
    await store.settled()
    #expect(list.elements.map(\.id) == [1, 2, 3])
  }

  /// A load that fails after a requested retry is tried again: the cause of the failure may have ended after the
  /// request.
  @Test func loadThatFailsAfterARetryRequestIsRetried() async throws {
    let path = folder.path("retry.sqlite")
    let store = try Store(path: path, schema: [Entry.self], liveInterval: .zero)
    try await fill(store)
    HeldCoding.fails.store(true, ordering: .sequentiallyConsistent)
    HeldCoding.isHeld.store(true, ordering: .sequentiallyConsistent)
    let list = store.liveList(Entry.order { $0.id }, window: 3)
    _ = list.rows
    try await offThread { HeldCoding.reading.wait() }
    list.retry()
    // The count is returned in a turn after the retry command.
    _ = await store.live.followedQueryCount()
    HeldCoding.gate.signal()
    await store.settled()
    #expect(list.state.isCurrent)
    #expect(list.elements.map(\.id) == [1, 2, 3])
  }

  /// A task that waits for a commit also gets an outside change that was noticed before. The turn under way has the
  /// commit without that change.
  @Test func waitingTaskGetsAnEarlierOutsideChange() async throws {
    let path = folder.path("noticed.sqlite")
    // The manual clock stands still, so that the second turn doesn't run on the writer's queue. There it would delay
    // the check for outside changes.
    let clock = ManualClock()
    let store = try Store(path: path, schema: [Entry.self], clock: clock, liveInterval: .seconds(1))
    try await fill(store)
    let list = store.liveList(Entry.order { $0.id }, window: 3)
    _ = list.rows
    await store.settled()

    HeldCoding.isHeld.store(true, ordering: .sequentiallyConsistent)
    let commit = try await store.writeWithCommit("change") { try $0.execute("UPDATE entry SET rank = 0 WHERE id = 1") }
      .commit
    while HeldCoding.isHeld.load(ordering: .sequentiallyConsistent) {
      clock.advance(by: .seconds(1))
      try await Task.sleep(for: .milliseconds(1))
    }
    try await offThread { HeldCoding.reading.wait() }
    let other = try DatabaseQueue(beside: path)
    try await other.write { try $0.execute(sql: "DELETE FROM entry WHERE id <= 100") }
    #expect(try await store.noticeOutsideChanges())
    let waiting = Task { try await list.reached(commit) }
    try await Task.sleep(for: .milliseconds(50))
    HeldCoding.gate.signal()
    try await waiting.value
    #expect(list.elements.map(\.id) == [101, 102, 103])
  }

  private func fill(_ store: Store) async throws {
    try await store.write("fill") { tx in
      try tx.insert(contentsOf: (1...200).map { Entry(id: $0, rank: Int($0)) })
    }
  }

  /// Waits for the end of the turn that processes the last commit.
  private func turnsAreOver(_ store: Store) async {
    while store.live.hasPending { await Task.yield() }
    // A command is carried out in a turn after the current one.
    #expect(await store.live.followedQueryCount() > 0)
  }
}
