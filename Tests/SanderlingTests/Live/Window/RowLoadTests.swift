import Foundation
import GRDB
import Testing

@testable import Sanderling

/// The rows that lists read when keys and sort values are unusual.
@MainActor
@Suite struct RowLoadTests {
  @Record
  struct Entry: Hashable {
    var id: Int64
    var name: String
    var number: Double?
  }

  private let folder = TemporaryFolder()

  private func makeStore() throws -> Store {
    let pool = try DatabasePool(path: folder.path("rows.sqlite"))
    try pool.write {
      try $0.execute(sql: "CREATE TABLE entry (id INTEGER PRIMARY KEY, name TEXT NOT NULL, number)")
    }
    return try Store(pool, schema: [Entry.self], liveInterval: .zero)
  }

  private func execute(_ sql: String, _ store: Store) async throws {
    try await store.writer.writeWithoutTransaction { try $0.execute(sql: sql) }
    await store.settled()
  }

  /// SQLite sorts texts that are not UTF-8 by their bytes, and Swift reads other bytes. A list sorted by such texts is
  /// rerun after each change, and stays right.
  @Test func textsThatAreNotUTF8AreSortedBySQLite() async throws {
    let store = try makeStore()
    try await execute("INSERT INTO entry VALUES (1, CAST(X'61FF' AS TEXT), 1), (2, 'é', 2), (3, 'b', 3)", store)
    let list = store.liveList(Entry.order { $0.name }, window: 10)
    let other = store.liveList(Entry.order { $0.number }, window: 10)
    _ = (list.rows, other.rows)
    await store.settled()
    #expect(list.elements.map(\.id) == [1, 3, 2])
    try await execute("INSERT INTO entry VALUES (4, CAST(X'61FE' AS TEXT), 4), (5, 'a\u{FFFE}', 5)", store)
    #expect(list.elements.map(\.id) == [5, 4, 1, 3, 2])
    #expect(other.elements.map(\.id) == [1, 2, 3, 4, 5])
    try await execute("UPDATE entry SET name = 'z' WHERE id = 4", store)
    #expect(list.elements.map(\.id) == [5, 1, 3, 4, 2])
    #expect(list.state.isCurrent)
  }

  /// A zero that changes its sign is an update at the same position.
  @Test func signsOfZeroDiffer() async throws {
    let store = try makeStore()
    try await execute("INSERT INTO entry VALUES (1, 'a', 0.0), (2, 'b', 0.0)", store)
    let list = store.liveList(Entry.order { $0.number }, window: 10)
    _ = list.rows
    await store.settled()
    let before = list.rows
    try await store.write("sign") { try $0.update(Entry(id: 2, name: "b", number: -0.0)) }
    await store.settled()
    #expect(Array(RowDifference(from: before, to: list.rows)) == [.update(at: 1)])
    #expect(list.elements[1].number?.sign == .minus)
  }

  /// A list has all rows, wherever the chunks in which they are read end.
  @Test(arguments: [0, 1, 63, 64, 65, 128, 129, 300]) func aListHasAllRows(count: Int) async throws {
    let store = try makeStore()
    try await store.write("fill") { tx in
      try tx.insert(contentsOf: (0..<count).map { Entry(id: Int64($0), name: "\($0 % 7)", number: Double($0)) })
    }
    let queries = [
      (Entry.order { $0.name }, Entry.order { ($0.name, $0.id) }), (Entry.order { $0.id }, Entry.order { $0.id }),
    ]
    for (query, sorted) in queries {
      let list = store.liveList(query, window: 1_000)
      _ = list.rows
      await store.settled()
      #expect(list.elements == (try await store.fetch(sorted)))
      #expect(Array(list.rows) == list.elements)
      #expect(list.rows.identified.map(\.id.number) == list.elements.map { Int($0.id) })
      #expect(!list.hasMore)
    }
  }
}
