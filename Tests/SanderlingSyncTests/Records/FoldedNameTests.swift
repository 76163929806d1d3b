import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// Tables and columns whose names differ only in the case of a letter outside ASCII are different, as in SQLite.
@Suite struct FoldedNameTests {
  private func store(_ schema: String) async throws -> Store {
    let queue = try DatabaseQueue()
    try await queue.write { try $0.execute(sql: schema) }
    return try Store(queue, schema: [])
  }

  private func records(_ names: String..., in store: Store) async throws -> [SyncedRecord] {
    try await store.read { tx in try names.compactMap { try SyncedRecord(found: $0, tx.database) } }
  }

  @Test func columnsOfAKeyThatDifferInTheCaseOfAnAccent() async throws {
    let store = try await store(
      """
      CREATE TABLE odd ("É" TEXT NOT NULL, "é" TEXT NOT NULL, value TEXT, PRIMARY KEY ("É", "é"));
      CREATE TABLE part (id INTEGER PRIMARY KEY, a TEXT, b TEXT, FOREIGN KEY (a, b) REFERENCES ODD ("É", "é"));
      """)
    let records = try await records("odd", "part", in: store)
    let source = BatchSource([
      SyncBatch([SyncChange("part", key: [.integer(1)], .row(["a": .text("x"), "b": .text("y")]))]),
      SyncBatch([SyncChange("odd", key: [.text("y"), .text("x")], .row(["value": .text("other")]))]),
      SyncBatch([SyncChange("odd", key: [.text("x"), .text("y")], .row(["value": .text("parent")]))]),
    ])
    var options = SyncOptions()
    options.misfits = .stop
    let summary = try await SyncSession(
      "test", store: store, records: records, source: source, options: options
    ).run()
    #expect(summary.waiting == 0)
    #expect(try await store.count("SELECT count(*) FROM part JOIN odd ON a = \"É\" AND b = \"é\"") == 1)
  }

  @Test func tablesThatDifferInTheCaseOfAnAccent() async throws {
    let store = try await store(
      "CREATE TABLE \"É\" (id INTEGER PRIMARY KEY); CREATE TABLE \"é\" (id INTEGER PRIMARY KEY);")
    let records = try await records("É", "é", in: store)
    let source = BatchSource([SyncChange("É", key: [.integer(1)], .row([:]))])
    try await SyncSession("test", store: store, records: records, source: source).run()
    #expect(try await store.count("SELECT count(*) FROM \"É\"") == 1)
    #expect(try await store.count("SELECT count(*) FROM \"é\"") == 0)
  }

  /// A record is refused if Swift takes the names of two of its columns as equal, because a source can't tell them
  /// apart.
  @Test func columnsOfOneNameToSwiftAreRefused() async throws {
    let store = try await store("CREATE TABLE odd (id INTEGER PRIMARY KEY, \"\u{e9}\" TEXT, \"e\u{301}\" TEXT)")
    let records = try await records("odd", in: store)
    await #expect(throws: SyncError.self) {
      try await SyncSession("test", store: store, records: records, source: BatchSource([SyncBatch]()))
    }
  }
}
