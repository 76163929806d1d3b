import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// Pulls into tables whose triggers write to other tables. Rows of such tables are written with `OR FAIL`, which keeps
/// a statement's completed writes after a violated constraint.
@Suite struct TriggeredPullTests {
  @Record("memo", indexes: [.unique(on: \.title)]) struct Memo: Equatable {
    @PrimaryKey var id: String
    var title: String
    var body: String?
  }

  private func makeStore(_ triggers: String...) async throws -> Store {
    let store = try Store(inMemory: [Memo.self], tracing: .ownStatements)
    try await store.write { tx in
      try tx.database.execute(sql: "CREATE TABLE audit (memo TEXT); CREATE TABLE word (word TEXT PRIMARY KEY)")
      for trigger in triggers { try tx.database.execute(sql: trigger) }
    }
    return store
  }

  private func memo(_ id: String, _ title: String) -> SyncChange {
    SyncChange("memo", key: [.text(id)], .row(["title": .text(title), "body": .null]))
  }

  private func pull(_ store: Store, _ changes: SyncChange...) async throws -> SyncSummary {
    try await SyncSession(
      "test", store: store, records: [SyncedRecord(Memo.self)], source: BatchSource(changes)
    ).run()
  }

  private func rows(_ store: Store, _ sql: String) async throws -> [String] {
    try await store.read { try String.fetchAll($0.database, sql: sql) }
  }

  private static let audit = "CREATE TRIGGER audit AFTER INSERT ON memo BEGIN INSERT INTO audit VALUES (NEW.id); END"

  @Test(arguments: ["ABORT", "FAIL"])
  func rowRefusedByATriggerLeavesNoWrites(action: String) async throws {
    let store = try await makeStore(
      Self.audit,
      "CREATE TRIGGER refuse AFTER INSERT ON memo WHEN NEW.title = 'bad' BEGIN SELECT RAISE(\(action), 'no'); END")
    let statements = SeenStatements()
    store.add(statements)
    let summary = try await pull(store, memo("a", "one"), memo("b", "bad"), memo("c", "two"))
    #expect(statements.all.withLock { $0.contains { $0.hasPrefix("INSERT OR FAIL INTO main.\"memo\"") } })
    #expect(summary.counts.written == 2 && summary.counts.quarantined == 1)
    #expect(try await rows(store, "SELECT id FROM memo ORDER BY id") == ["a", "c"])
    #expect(try await rows(store, "SELECT memo FROM audit ORDER BY memo") == ["a", "c"])
  }

  /// Statements in triggers keep the effect of their own conflict clauses, which a clause of the outer statement
  /// overrides.
  @Test func triggersKeepTheirConflictClauses() async throws {
    let store = try await makeStore(
      Self.audit,
      "CREATE TRIGGER ignore AFTER INSERT ON memo BEGIN INSERT OR IGNORE INTO word VALUES (substr(NEW.title, 1, 1)); END",
      "CREATE TRIGGER replace AFTER UPDATE ON memo BEGIN INSERT OR REPLACE INTO word VALUES (substr(NEW.title, 1, 1)); END"
    )
    let first = try await pull(store, memo("a", "one"), memo("b", "other"), memo("c", "two"))
    #expect(first.counts.written == 3 && first.counts.quarantined == 0)
    #expect(try await rows(store, "SELECT word FROM word ORDER BY word") == ["o", "t"])
    #expect(try await rows(store, "SELECT memo FROM audit ORDER BY memo") == ["a", "b", "c"])
    let second = try await SyncSession(
      "again", store: store, records: [SyncedRecord(Memo.self)],
      source: BatchSource([memo("a", "once"), memo("c", "two")])
    ).run()
    #expect(second.counts.written == 1 && second.counts.unchanged == 1)
    #expect(try await rows(store, "SELECT title FROM memo ORDER BY id") == ["once", "other", "two"])
  }

  @Test func rowsSwapUniqueValues() async throws {
    let store = try await makeStore(Self.audit)
    _ = try await pull(store, memo("a", "one"), memo("b", "two"))
    let summary = try await SyncSession(
      "again", store: store, records: [SyncedRecord(Memo.self)],
      source: BatchSource([memo("a", "two"), memo("b", "one")])
    ).run()
    #expect(summary.counts.quarantined == 0)
    #expect(try await rows(store, "SELECT title FROM memo ORDER BY id") == ["two", "one"])
  }
}
