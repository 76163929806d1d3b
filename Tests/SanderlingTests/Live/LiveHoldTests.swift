import GRDB
import SanderlingTesting
import Testing

@testable import Sanderling

/// Holds: live results publish nothing while an app writes in several transactions.
@MainActor
@Suite struct LiveHoldTests {
  @Record
  struct Item: Hashable {
    var id: Int
    var group: Int
  }

  let store: Store

  init() throws {
    store = try Store(inMemory: [Item.self])
  }

  private func insert(_ ids: ClosedRange<Int>, group: Int = 0) async throws {
    try await store.write { tx in try tx.insert(contentsOf: ids.map { Item(id: $0, group: group) }) }
  }

  @Test func heldResultsStayAndChangeTogether() async throws {
    try await insert(1...2)
    let list = store.liveList(Item.order { $0.id })
    let count = store.liveCount(Item.query)
    let long = store.longList(Item.order { $0.id }, visible: 10)
    let sections = store.liveSections(Item.query.sectioned { $0.group })
    _ = (list.rows, count.value, long.count, sections.sections)
    await store.settled()

    let hold = await store.holdLiveResults()
    try await insert(3...5, group: 1)
    let late = store.liveCount(Item.query)
    try await late.caughtUp()
    #expect(late.value == 5)
    try await insert(6...6, group: 1)
    try await late.caughtUp()
    #expect(late.value == 6)
    #expect(list.rows.map(\.id) == [1, 2] && count.value == 2 && long.count == 2 && sections.sections.count == 1)

    let waiting = Task { try await list.caughtUp() }
    hold.end()
    try await waiting.value
    await store.settled()
    #expect(list.rows.map(\.id) == Array(1...6) && count.value == 6 && long.count == 6 && sections.sections.count == 2)
    try await insert(7...7)
    await store.settled()
    #expect(list.rows.map(\.id) == Array(1...7) && count.value == 7 && late.value == 7 && long.count == 7)
  }

  @Test func sequencesAreHeld() async throws {
    let recorder = LiveRecorder(of: store.counts(of: Item.query), in: store)
    #expect(try await recorder.next().value == 0)
    for round in 1...5 {
      let hold = await store.holdLiveResults()
      for part in 1...3 {
        try await insert(round * 100 + part...round * 100 + part)
        try await Task.sleep(for: .milliseconds(20))
      }
      // The last write is processed in the next frame at the earliest, after the hold has ended.
      try await insert(round * 100 + 4...round * 100 + 4)
      hold.end()
      _ = await recorder.allValues()
    }
    #expect(recorder.values.map(\.value) == [0, 4, 8, 12, 16, 20])
  }

  @Test func anotherQueryIsShownAtOnce() async throws {
    try await insert(1...3)
    let list = store.liveList(Item.order { $0.id })
    _ = list.rows
    await store.settled()
    let hold = await store.holdLiveResults()
    try await insert(4...4)
    list.replace(Item.where { $0.id > 1 }.order { $0.id })
    try await list.caughtUp()
    #expect(list.rows.map(\.id) == [2, 3, 4])
    hold.end()
  }

  @Test func releasedHoldDoesNotHoldResults() async throws {
    let count = store.liveCount(Item.query)
    _ = count.value
    await store.settled()
    do {
      let first = await store.holdLiveResults()
      try await insert(1...1)
      first.end()
    }
    try await count.caughtUp()
    #expect(count.value == 1)
    _ = await store.holdLiveResults()
    try await insert(2...2)
    try await count.caughtUp()
    #expect(count.value == 2)
  }

  @Test func secondHoldBeginsAfterTheFirst() async throws {
    let count = store.liveCount(Item.query)
    _ = count.value
    await store.settled()
    let first = await store.holdLiveResults()
    let second = Task { await store.holdLiveResults() }
    try await insert(1...1)
    first.end()
    let hold = await second.value
    #expect(count.value == 1)
    try await insert(2...2)
    hold.end()
    try await count.caughtUp()
    #expect(count.value == 2)
  }

  @Test func holdOfAClosedStoreEndsAtOnce() async throws {
    let count = store.liveCount(Item.query)
    _ = count.value
    await store.settled()
    let hold = await store.holdLiveResults()
    try store.close()
    while count.state.isCurrent { await Task.yield() }
    #expect(count.state.error as? StoreError == .closed)
    hold.end()
    _ = await store.holdLiveResults()
  }
}
