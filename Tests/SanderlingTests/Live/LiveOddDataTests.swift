import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Live results over data that no record would write: in adopted tables, from other connections, and after failed
/// statements.
@MainActor
@Suite struct LiveOddDataTests {
  @Record
  struct Entry: Hashable {
    var id: Int64
    var name: String
    var number: Int
  }

  private let folder = TemporaryFolder()

  /// Makes a store for a table that another program created.
  private func makeStore(_ definition: String) throws -> Store {
    let pool = try DatabasePool(path: folder.path("odd.sqlite"))
    try pool.write { try $0.execute(sql: "CREATE TABLE entry (\(definition))") }
    return try Store(pool, schema: [Entry.self], liveInterval: .zero)
  }

  private func execute(_ sql: String, _ store: Store) async throws {
    try await store.writer.writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  /// A column declared DATETIME converts the text that it is compared with to a number, and every text is greater than
  /// a number.
  @Test func comparisonsFollowTheTypeThatTheDatabaseDeclares() async throws {
    let store = try makeStore("id INTEGER PRIMARY KEY, name DATETIME NOT NULL, number INTEGER NOT NULL")
    let converted = Entry.where { $0.name >= "1" }
    let other = Entry.where { $0.name >= "2024-01-01" }
    let count = store.liveCount(converted)
    _ = count.value
    await store.settled()
    try await execute("INSERT INTO entry VALUES (1, ' ', 1), (2, 'a', 2)", store)
    await store.settled()
    #expect(count.value == 2)
    let explanation = try await converted.explainLive(store)
    #expect(!explanation.isMaintained)
    #expect(explanation.reason?.contains("another type for entry.name") == true)
    #expect(try await other.explainLive(store).isMaintained)
    #expect(try await Entry.where { $0.number == 1 }.explainLive(store).isMaintained)
  }

  @Test func aRowBeyondTheWindowNeedNotBeReadable() async throws {
    let store = try makeStore("id INTEGER PRIMARY KEY, name TEXT, number INTEGER")
    let maintained = store.liveList(Entry.order { $0.id }, window: 1)
    let rerun = store.liveList(Entry.order { $0.id }.filter { .raw("\($0.number) >= 0") }, window: 1)
    _ = (maintained.rows, rerun.rows)
    try await execute("INSERT INTO entry VALUES (1, 'a', 1), (2, NULL, 2)", store)
    await store.settled()
    for list in [maintained, rerun] {
      #expect(list.elements.map(\.id) == [1])
      #expect(list.hasMore)
      #expect(list.state.isCurrent)
    }
    try await execute("DELETE FROM entry WHERE id = 1", store)
    await store.settled()
    for list in [maintained, rerun] {
      #expect(list.elements.isEmpty && !list.hasMore && list.state.isCurrent)
      #expect(list.unreadableRows.map(\.key) == [[.integer(2)]])
    }
    try await execute("UPDATE entry SET name = 'b'", store)
    await store.settled()
    for list in [maintained, rerun] { #expect(list.elements.map(\.name) == ["b"]) }
  }

  /// `abs` of the least integer is an error in SQLite. A list fails only when it must read as far as such a row.
  @Test func aRowBeyondTheWindowNeedNotBeComparable() async throws {
    let store = try makeStore("id INTEGER PRIMARY KEY, name TEXT, number INTEGER")
    let query = Entry.where { $0.number.magnitude < 10 }.order { $0.id }
    let list = store.liveList(query, window: 1)
    _ = list.rows
    try await execute("INSERT INTO entry VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', -9223372036854775807 - 1)", store)
    await store.settled()
    #expect(list.elements.map(\.id) == [1])
    #expect(list.hasMore)
    try await execute("DELETE FROM entry WHERE id = 1", store)
    await store.settled()
    #expect(list.state.error != nil)
    try await execute("DELETE FROM entry WHERE id = 3", store)
    await store.settled()
    #expect(list.elements.map(\.id) == [2])
  }

  /// For the first two rows SQLite sorts all rows, and fails at one of them. For the first 40 it uses the index.
  @Test func aPlanForFewerRowsThanTheQuerysMayFail() async throws {
    let store = try makeStore("id INTEGER PRIMARY KEY, name TEXT NOT NULL, number INTEGER NOT NULL")
    try await execute("CREATE INDEX byName ON entry (name, id)", store)
    let rows = (1...60).map { "(\($0), '\($0 + 10)', \($0 == 1 ? "-9223372036854775807 - 1" : "1"))" }
    try await execute("INSERT INTO entry VALUES " + rows.joined(separator: ", "), store)
    let query = Entry.where { $0.number.magnitude < 10 }.order { ($0.name.descending, $0.id) }.limit(40)
    #expect(try await store.fetch(query).count == 40)
    let list = store.liveList(query, window: 1)
    _ = list.rows
    await store.settled()
    #expect(list.state.isCurrent)
    #expect(list.elements.map(\.id) == [60])
    #expect(list.hasMore)
  }

  /// A statement rolls back a transaction whose end GRDB doesn't report. The value captured in it for row 2 must not be
  /// used for the next commit.
  @Test func transactionRolledBackByAStatementLeavesNoOldImage() async throws {
    let store = try makeStore("id INTEGER PRIMARY KEY, name TEXT, number INTEGER")
    try await execute("INSERT INTO entry VALUES (1, 'a', 1), (2, 'b', 2)", store)
    let count = store.liveCount(Entry.where { $0.number == 2 })
    _ = count.value
    await store.settled()
    await #expect(throws: (any Error).self) {
      try await execute(
        "BEGIN; DELETE FROM entry WHERE id = 2; INSERT OR ROLLBACK INTO entry VALUES (1, 'c', 3)", store)
    }
    let other = try DatabaseQueue(beside: store.path)
    try await other.write { try $0.execute(sql: "UPDATE entry SET number = 5 WHERE id = 2") }
    #expect(try await store.noticeOutsideChanges())
    await store.settled()
    #expect(count.value == 0)
    try await execute("BEGIN IMMEDIATE; COMMIT", store)
    await store.settled()
    #expect(count.value == 0)
  }
}
