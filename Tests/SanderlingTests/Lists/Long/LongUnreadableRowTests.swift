import Foundation
import Testing

@testable import Sanderling

/// A long list keeps the position of an unreadable row, and gives the reason at that position.
@MainActor
@Suite struct LongUnreadableRowTests {
  private typealias Job = Staged.Job

  private let folder = TemporaryFolder()
  private static let sizes = BlockSizes(usual: 8, countedInSlice: 11)

  private func makeStore(_ count: Int) async throws -> Store {
    let store = try Store(
      path: folder.path("jobs.sqlite"), schema: Staged.schema, liveInterval: .zero,
      audit: .everyCommit { Issue.record("\($0)") })
    try await store.write { tx in
      try tx.insert(contentsOf: (0..<count).map { Job(id: $0, rank: 10 * $0) })
    }
    return store
  }

  private func run(_ sql: RawSQL, _ store: Store) async throws {
    try await store.write { _ = try $0.execute(sql) }
    await store.settled()
  }

  @Test func aPositionSaysWhyItHasNoRow() async throws {
    let store = try await makeStore(300)
    let list = store.longList(Job.order { $0.rank }, visible: 5, sizes: Self.sizes)
    list.show(100..<105)
    #expect(try await list.counted() == 300)
    list.show(100..<105)
    try await list.settled(in: store)
    #expect(list[102]?.id == 102)
    let before = list.current
    try await run("UPDATE job SET stage = 'paused' WHERE id = 102 OR id = 250", store)
    #expect(list.state.isCurrent && list.count == 300)
    #expect(list[101]?.id == 101 && list[102] == nil && list[103]?.id == 103)
    let row = try #require(list.unreadableRow(at: 102))
    #expect([row].ids == [102] && "\(row)".contains("column stage of table job"))
    #expect(list.unreadableRow(at: 101) == nil && list.current.unreadablePositions == [102])
    #expect(!list.current.loadedPositions.contains { $0.contains(102) })
    let change = LongChange(from: before, to: list.current)
    #expect(change.updated == [102..<103] && change.removed.isEmpty && change.inserted.isEmpty)
    // The position stays that of the unreadable row: a deletion before it moves it.
    try await run("DELETE FROM job WHERE id = 3", store)
    #expect(list.count == 299 && list.current.unreadablePositions == [101])
    #expect(try await list.position(of: 102) == 101)
    try await run("UPDATE job SET rank = 1035 WHERE id = 102", store)
    #expect(list.current.unreadablePositions == [102] && list[101]?.id == 103)
    try await run("UPDATE job SET stage = 'done' WHERE id = 102", store)
    #expect(list[102]?.id == 102 && list.current.unreadablePositions.isEmpty)
  }

  @Test func rowsBetweenUnreadableRowsAreReplaced() async throws {
    let store = try await makeStore(16)
    try await run("UPDATE job SET stage = 'paused' WHERE id % 2 = 1", store)
    let list = store.longList(Job.order { $0.rank }, visible: 16, sizes: Self.sizes)
    #expect(try await list.counted() == 16)
    list.show(0..<16)
    try await list.settled(in: store)
    let before = list.current
    #expect(before.unreadablePositions.count == 8)
    try await run("UPDATE job SET id = id + 100 WHERE id % 4 = 0 AND id > 0", store)
    var change = LongChange(from: before, to: list.current)
    #expect(change.updated == [4..<5, 8..<9, 12..<13] && change.removed.isEmpty && change.inserted.isEmpty)
    // Two rows less before the replaced ones, and one more.
    try await run("DELETE FROM job WHERE id = 1 OR id = 2", store)
    change = LongChange(from: before, to: list.current)
    #expect(change.updated == [2..<3, 6..<7, 10..<11] && change.removed == [1..<3] && change.inserted.isEmpty)
  }

  /// Once, such an answer made the engine reload the list without end.
  @Test func anAnswerForPositionsFailsAlone() async throws {
    let store = try await makeStore(100)
    try await run("UPDATE job SET stage = 'paused' WHERE id = 50", store)
    let list = store.longList(Job.order { $0.rank }, visible: 4, sizes: Self.sizes)
    #expect(try await list.counted() == 100)
    await #expect(throws: StoreError.self) { try await list.rows(at: 40..<60) }
    #expect(try await list.rows(at: 51..<60).rows.map(\.id) == Array(51..<60))
    #expect(list.state.isCurrent)
    #expect(try await list.show(key: 50) == 50)
    try await list.settled(in: store)
    #expect(list.unreadableRow(at: 50) != nil && list[51]?.id == 51)
    #expect(try await list.showEnd() == 96)
  }

  /// A long list equals a fresh SELECT while random rows become unreadable or readable, move, appear and disappear, and
  /// the list shows other positions.
  @Test func aListEqualsAFreshSelect() async throws {
    var generator = SeededGenerator()
    let seed = "SANDERLING_SEED=\(generator.seed)"
    print("Unreadable rows of long lists: \(seed)")
    let store = try await makeStore(90)
    try await run("UPDATE job SET stage = 'paused' WHERE id % 7 = 0", store)
    let list = store.longList(Job.order { ($0.rank, $0.id) }, visible: 6, sizes: Self.sizes)
    _ = list.current
    await store.settled()
    for step in 0..<80 {
      let id = Int.random(in: 0..<100, using: &generator)
      let rank = Int.random(in: 0..<90, using: &generator) * 10
      let stage = ["open", "paused"].randomElement(using: &generator) ?? "open"
      switch Int.random(in: 0..<7, using: &generator) {
      case 0: try await run("DELETE FROM job WHERE id = \(id)", store)
      case 1:
        try await run(Staged.replacement(id, workerID: nil, rank: rank, stage: stage), store)
      case 2: try await run("UPDATE job SET rank = \(rank) WHERE id = \(id)", store)
      case 3: try await run("UPDATE job SET stage = \(stage) WHERE id BETWEEN \(id) AND \(id + 12)", store)
      case 4: list.show(id..<id + 6)
      case 5: try await list.showEnd()
      default: try await run("UPDATE job SET stage = \(stage) WHERE id = \(id)", store)
      }
      let count = try await list.counted()
      try await list.settled(in: store)
      #expect(list.count == count)
      let rows = try await Staged.rows(store, order: "rank, id")
      let snapshot = list.current
      try #require(snapshot.count == rows.count, "step \(step), \(seed)")
      for position in snapshot.loadedPositions.joined() {
        try #require(
          rows[position].isReadable && snapshot[position]?.id == rows[position].id, "\(position) at \(step), \(seed)")
      }
      for position in snapshot.unreadablePositions {
        let row = try #require(snapshot.unreadableRow(at: position))
        try #require(!rows[position].isReadable && [row].ids == [rows[position].id], "\(position) at \(step), \(seed)")
      }
      let loaded = Set(snapshot.loadedPositions.joined()).union(snapshot.unreadablePositions)
      try #require(loaded.isSuperset(of: list.shownPositions.clamped(to: snapshot.positions)), "step \(step), \(seed)")
    }
  }
}

extension LongList {
  /// Waits until the visible rows are loaded. After a jump, a list publishes its new positions first and then requests
  /// their rows.
  fileprivate func settled(in store: Store) async throws {
    for _ in 0..<20 {
      await store.settled()
      let snapshot = current
      let visible = shownPositions.clamped(to: snapshot.positions)
      if visible.allSatisfy({ snapshot[$0] != nil || snapshot.unreadableRow(at: $0) != nil }) { return }
    }
    Issue.record("positions that are looked at aren't loaded")
  }
}
