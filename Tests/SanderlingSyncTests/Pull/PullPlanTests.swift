import GRDB
import Sanderling
import SanderlingSQLite
import Testing

@testable import SanderlingSync

/// Each statement of a pull finds its rows by an index. Exception: statements that go through all rows page by page.
@Suite struct PullPlanTests {
  @Test func eachStatementFindsItsRowsByAnIndex() async throws {
    let store = try Store(inMemory: recordTypes, tracing: .ownStatements)
    let statements = SeenStatements()
    store.add(statements)
    var versioned = SyncChange.folder(1, "Inbox")
    versioned.version = "1"
    let unknown = SyncChange("folder", key: [.integer(1)], .row(["color": .text("red"), "name": .text("Other")]))
    let batches = [
      SyncBatch([.tagging("a", "red"), .note("a", in: 1, "One"), .folder(2, "Two", in: 3)]), SyncBatch([versioned]),
      SyncBatch(
        [.folder(3, "Three", in: 2), unknown, SyncChange("folder", key: [.null], .deletion)], isCheckpoint: true),
      SyncBatch([.deletion("folder", .integer(1))]),
      SyncBatch([.deletion("note", .text("a")), .deletion("tagging", .text("a"), .text("red"))]),
      SyncBatch([.deletion("folder", .integer(1)), .folder(1, "New"), unknown]),
      SyncBatch([.folder(2, "Two")], restarts: true), SyncBatch([.note("b", in: 9, "Waits")]),
    ]
    let synchronization = try await SyncSession(
      "test", store: store, records: syncedRecords, source: BatchSource(batches))
    let summary = try await synchronization.run()
    #expect(summary.waiting == 1)
    _ = try await store.pull(SyncChange("folder", key: [.integer(5)], .row(["name": .null])))
    for refused in try await synchronization.quarantine() { _ = try await synchronization.retry(refused.id) }

    // These statements go through all rows in the order of a key, one page at a time, or read SQLite's schema, which
    // has no index. A comparison counts all rows before it begins.
    let counts = syncedRecords.map { "SELECT count(*) FROM main.\($0.synced.quotedName) AS present" }
    let pages =
      counts + ["sanderling_sync_seen_", "SELECT coalesce(max(id), 0)", "main.sqlite_schema WHERE type = 'trigger'"]
    var count = 0
    for sql in statements.all.withLock({ $0 }).sorted() where !sql.hasPrefix("PRAGMA") {
      let plan = try await store.read { tx in
        try Row.fetchAll(
          tx.database, sql: "EXPLAIN QUERY PLAN \(sql)",
          arguments: StatementArguments(
            repeatElement(
              1, count: Int(sqlite3_bind_parameter_count(tx.database.makeStatement(sql: sql).sqliteStatement))))
        ).map { $0["detail"] as String }
      }
      count += 1
      #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(sql)\n\(plan)")
      let isPage = pages.contains { sql.contains($0) }
      let hasScan = plan.contains { $0.hasPrefix("SCAN") && $0 != "SCAN CONSTANT ROW" }
      #expect(!hasScan || isPage, "\(sql)\n\(plan)")
    }
    #expect(count > 30)
  }
}
