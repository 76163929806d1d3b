import Foundation
import GRDB
import SanderlingTesting
import Synchronization
import Testing

@testable import Sanderling

/// Live results that follow the commits of other connections row by row, where a history has their changes.
@MainActor
@Suite(.serialized) struct HistoryLiveTests {
  @Record
  struct Task: Hashable {
    var id: Int64
    var project: Int
    @Stored(as: CountedCoding.self) var rank: Int
    static let changeHistory = ChangeHistory<Task>.allColumns
  }

  @Record
  struct Other: Hashable {
    var id: Int64
    @Stored(as: CountedCoding.self) var rank: Int
  }

  /// Counts the rows that are read.
  enum CountedCoding: ColumnCoding {
    static let count = Atomic(0)

    static var columnType: ColumnType { .integer }
    static func encode(_ value: Int) throws -> StorageValue { .integer(Int64(value)) }

    static func decode(_ stored: StorageValue) throws -> Int {
      guard case .integer(let value) = stored else { throw ValueError("not an integer") }
      count.add(1, ordering: .relaxed)
      return Int(value)
    }

    /// The rows that were read since the last call.
    static func take() -> Int { count.exchange(0, ordering: .relaxed) }
  }

  private let folder = TemporaryFolder()

  private func opened() async throws -> (Store, DatabaseQueue) {
    let path = folder.path("live.sqlite")
    let store = try Store(path: path, schema: [Task.self, Other.self], liveInterval: .zero, audit: .off)
    try await store.write("fill") { tx in
      try tx.insert(contentsOf: (1...100).map { Task(id: $0, project: Int($0 % 10), rank: Int($0)) })
      try tx.insert(contentsOf: (1...100).map { Other(id: $0, rank: Int($0)) })
    }
    return (store, try DatabaseQueue(beside: path))
  }

  private func notice(_ store: Store) async throws {
    _ = try await store.noticeOutsideChanges()
    await store.settled()
  }

  @Test func aCommitOfAnotherConnectionIsAppliedRowByRow() async throws {
    let (store, other) = try await opened()
    let lists = (0..<10).map { project in
      store.liveList(Task.where { $0.project == project }.order { $0.rank }, window: 50)
    }
    let count = store.liveCount(Task.where { $0.project == 3 })
    let sum = store.liveValue(Task.where { $0.project == 3 }.select { $0.rank.sum() })
    _ = (lists.map { $0.rows }, count.value, sum.value)
    await store.settled()
    _ = CountedCoding.take()
    try await other.write { db in
      try db.execute(sql: "UPDATE task SET rank = 1000 WHERE id = 3")
      try db.execute(sql: "INSERT INTO task VALUES (200, 3, 0)")
      try db.execute(sql: "DELETE FROM task WHERE id = 13")
    }
    try await notice(store)
    #expect(lists[3].elements.map(\.id) == [200, 23, 33, 43, 53, 63, 73, 83, 93, 3])
    #expect(count.value == 10)
    #expect(sum.value == 1000 + 0 + 23 + 33 + 43 + 53 + 63 + 73 + 83 + 93)
    // Two rows of one list, and no list again.
    #expect(CountedCoding.take() <= 4)
  }

  /// The store's own commits and commits of other connections alternate, and some are noticed late.
  @Test func ownCommitsBetweenAreNotAppliedTwice() async throws {
    let (store, other) = try await opened()
    let list = store.liveList(Task.where { $0.project == 3 }.order { $0.id }, window: 50)
    let sum = store.liveValue(Task.where { $0.project == 3 }.select { $0.rank.sum() })
    _ = (list.rows, sum.value)
    await store.settled()
    var random = SeededGenerator()
    for step in 0..<60 {
      let id = Int.random(in: 0..<10, using: &random) * 10 + 3
      let sql =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: "INSERT OR REPLACE INTO task VALUES (\(id), 3, \(step))"
        case 1: "DELETE FROM task WHERE id = \(id)"
        case 2: "UPDATE task SET project = 7 - project WHERE id = \(id)"
        default: "UPDATE task SET rank = rank + 1 WHERE id >= \(id)"
        }
      if Bool.random(using: &random) {
        try await other.write { try $0.execute(sql: sql) }
        if Bool.random(using: &random) { try await notice(store) }
      } else {
        try await store.write("own") { try $0.execute("\(raw: sql)") }
        await store.settled()
      }
      if Bool.random(using: &random) {
        try await notice(store)
        let expected = try await store.fetch(Task.where { $0.project == 3 }.order { $0.id })
        #expect(list.elements == expected, "step \(step) of \(random)")
        #expect(sum.value == expected.map(\.rank).reduce(0, +), "step \(step) of \(random)")
      }
    }
  }

  /// Only results that read a table without a history are read again.
  @Test func resultsOfATableWithoutHistoryAreReloaded() async throws {
    let (store, other) = try await opened()
    let tasks = store.liveList(Task.order { $0.id }, window: 10)
    let others = store.liveList(Other.order { $0.id }, window: 10)
    _ = (tasks.rows, others.rows)
    await store.settled()
    _ = CountedCoding.take()
    try await other.write { db in
      try db.execute(sql: "UPDATE other SET rank = 7 WHERE id = 1; UPDATE task SET rank = 7 WHERE id = 1")
    }
    try await notice(store)
    #expect(tasks.elements.first?.rank == 7 && others.elements.first?.rank == 7)
    let read = CountedCoding.take()
    #expect(read >= 11 && read < 40, "\(read)")
    #expect(store.outsideReloadCounts.withoutHistory == 1)
    #expect(store.outsideReloadCounts.prunedHistory == 0)
  }

  /// An outside change of a table that the query doesn't read doesn't run the query again.
  @Test func rerunQueryIsRunAgainAfterAnOutsideChange() async throws {
    let (store, other) = try await opened()
    let list = store.liveList(RawQuery("SELECT count(*) FROM task WHERE rank > 50", as: Int.self))
    let tasks = store.liveList(RawQuery("SELECT * FROM task WHERE id <= 3", as: Task.self))
    _ = (list.rows, tasks.rows)
    await store.settled()
    try await other.write { try $0.execute(sql: "UPDATE task SET rank = 0") }
    try await notice(store)
    #expect(list.elements == [0])
    #expect(tasks.elements.map(\.rank) == [0, 0, 0])
    _ = CountedCoding.take()
    try await other.write { try $0.execute(sql: "UPDATE other SET rank = 0") }
    try await notice(store)
    #expect(CountedCoding.take() == 0)
  }

  /// Notes that were pruned before this store took them can't be replaced by guesses.
  @Test func resultsAreReloadedAfterPrunedChanges() async throws {
    let (store, other) = try await opened()
    let list = store.liveList(Task.order { $0.id }, window: 3)
    _ = list.rows
    await store.settled()
    try await other.write { db in
      try db.execute(sql: "DELETE FROM task WHERE id = 1; DELETE FROM task WHERE id = 2")
      try db.execute(
        sql: """
          UPDATE sanderling_history_state SET pruned = (SELECT max(id) - 1 FROM sanderling_history);
          DELETE FROM sanderling_history WHERE id < (SELECT max(id) FROM sanderling_history)
          """)
    }
    try await notice(store)
    #expect(list.elements.map(\.id) == [3, 4, 5])
    #expect(store.outsideReloadCounts.prunedHistory == 1)
  }

  @Test func erasedStoreFollowsLaterOutsideChanges() async throws {
    let (store, other) = try await opened()
    let list = store.liveList(Task.order { $0.id }, window: 3)
    _ = list.rows
    await store.settled()
    try await store.erase()
    await store.settled()
    #expect(list.elements.isEmpty)
    for id in 1...3 {
      try await other.write { try $0.execute(sql: "INSERT INTO task VALUES (\(id), 1, 1)") }
      try await notice(store)
      #expect(list.elements.count == id)
    }
  }
}
