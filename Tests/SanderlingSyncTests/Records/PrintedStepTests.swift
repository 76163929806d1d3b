import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// Migration steps run on synchronised tables: the steps that a schema error prints, and the steps that an app writes
/// itself.
@Suite struct PrintedStepTests {
  @Record("notes") struct Note: Equatable {
    @PrimaryKey var id: String
    var title: String
    var note: String?
    var count: Int
  }

  @Record("notes") struct WithoutNote: Equatable {
    @PrimaryKey var id: String
    var title: String
    var count: Int
  }

  @Record("notes") struct WithRealCount: Equatable {
    @PrimaryKey var id: String
    var title: String
    var note: String?
    var count: Double
  }

  @Record("notes") struct WithName: Equatable {
    @PrimaryKey var id: String
    var name: String
    var note: String?
    var count: Int
  }

  @Record("notes") struct Numbered: Equatable {
    @PrimaryKey var id: String
    var title: String
    var note: String?
    var count: Int
    var number: Int
  }

  @Record("memos") struct Memo: Equatable {
    @PrimaryKey var id: String
    var title: String
    var note: String?
    var count: Int
  }

  private let folder: TemporaryFolder
  private var path: String { folder.path("notes.db") }
  private let server = MemoryServer(.ifMatch)
  private var connection: MemoryServerConnection { MemoryServerConnection(server: server) }

  init() throws { folder = try TemporaryFolder() }

  /// Makes a synchronised table with three rows. One row has a pending change.
  private func makeStore() async throws {
    for id in ["a", "b", "c"] {
      await server.edit(
        "notes", [.text(id)],
        ["title": .text("theirs"), "note": .text("note"), "count": .integer(7)])
    }
    let store = try Store(path: path, schema: [Note.self])
    try await SyncSession(
      "test", store: store, records: [SyncedRecord(Note.self)], source: connection, sink: connection
    ).run()
    try await store.write { try $0.database.execute(sql: "UPDATE notes SET title = 'before' WHERE id = 'a'") }
    try store.close()
  }

  /// Returns the step that opening the store with other records prints.
  private func step(_ prefix: String, _ schema: [any StoredRecord.Type]) throws -> ExplicitStep {
    do {
      try Store(path: path, schema: schema).close()
    } catch StoreError.schemaMismatch(let plan) {
      return try #require(plan.refusals.flatMap(\.steps).first { $0.name.hasPrefix(prefix) }, "\(plan)")
    }
    throw NoStep()
  }
  private struct NoStep: Error {}

  private func migrator(_ statements: [String]) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    let sql = statements.joined(separator: ";\n")
    migrator.registerMigration("step") { try $0.execute(sql: sql) }
    return migrator
  }

  /// Runs statements as a migration of the store, edits a row without a session, and synchronises. The server must
  /// receive this edit and the edit from before the migration.
  private func expectEdits<R: StoredRecord>(
    of record: R.Type, after statements: [String], ranBefore: Bool = false
  ) async throws {
    if ranBefore {
      // The app migrates its own connection first.
      let queue = try DatabaseQueue(path: path)
      try migrator(statements).migrate(queue)
      try queue.close()
    }
    let store = try Store(path: path, schema: [record], migrator: migrator(ranBefore ? ["SELECT 1"] : statements))
    try await store.write { try $0.database.execute(sql: "UPDATE notes SET title = 'after' WHERE id = 'b'") }
    try await SyncSession(
      "test", store: store, records: [SyncedRecord(record)], source: connection, sink: connection
    ).run()
    #expect(await title("a") == .text("before"))
    #expect(await title("b") == .text("after"))
    #expect(await title("c") == .text("theirs"))
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_changes_notes") == 0)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_unnoted") == 0)
    try store.close()
  }

  private func title(_ id: String) async -> StorageValue? {
    await server.rows[MemoryServer.Key(record: "notes", values: [.text(id)])]?["title"]
  }

  @Test(arguments: [false, true]) func aColumnIsDropped(ranBefore: Bool) async throws {
    try await makeStore()
    let step = try step("drop notes.note", [WithoutNote.self])
    try await expectEdits(of: WithoutNote.self, after: step.statements, ranBefore: ranBefore)
  }

  /// The app's own step drops a column of a synchronised table. Unlike a printed step, it doesn't drop the triggers of
  /// the synchronisation first. The store drops them.
  @Test func anAppsOwnStepDropsAColumn() async throws {
    try await makeStore()
    try await expectEdits(of: WithoutNote.self, after: ["ALTER TABLE notes DROP COLUMN note"])
  }

  /// `Store.migrate` drops a column of a synchronised table while a session is open.
  @Test func aMigrationOfAnOpenStoreDropsAColumn() async throws {
    try await makeStore()
    let store = try Store(path: path, schema: [Note.self])
    let session = try await SyncSession(
      "test", store: store, records: [SyncedRecord(Note.self)], source: connection, sink: connection)
    await #expect(throws: (any Error).self) {
      try await store.migrate(migrator(["ALTER TABLE nosuch DROP COLUMN note"]))
    }
    try await store.migrate(migrator(["ALTER TABLE notes DROP COLUMN note"]))
    #expect(try await store.count("SELECT count(*) FROM pragma_table_info('notes') WHERE name = 'note'") == 0)
    // The session's record still has the column: its next run fails, and the app can still write.
    try await store.write { try $0.database.execute(sql: "UPDATE notes SET title = 'after' WHERE id = 'b'") }
    await #expect(throws: (any Error).self) { try await session.run() }
    try store.close()
    try await expectEdits(of: WithoutNote.self, after: ["SELECT 1"])
  }

  @Test func aColumnIsConverted() async throws {
    try await makeStore()
    let step = try step("convert notes.count", [WithRealCount.self])
    try await expectEdits(of: WithRealCount.self, after: step.statements)
  }

  @Test func aColumnIsRenamed() async throws {
    try await makeStore()
    let step = try step("rename notes.title to name", [WithName.self])
    let store = try Store(path: path, schema: [WithName.self], migrator: migrator(step.statements))
    try await store.write { try $0.database.execute(sql: "UPDATE notes SET name = 'after' WHERE id = 'b'") }
    _ = try await SyncSession(
      "test", store: store, records: [SyncedRecord(WithName.self)], source: connection, sink: connection)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_changes_notes") == 2)
    try store.close()
  }

  @Test func aColumnIsAdded() async throws {
    try await makeStore()
    let step = try step("add notes.number", [Numbered.self])
    try await expectEdits(of: Numbered.self, after: step.statements)
  }

  @Test func aTableIsDropped() async throws {
    try await makeStore()
    let step = try step("drop notes", [])
    let store = try Store(path: path, schema: [], migrator: migrator(step.statements))
    #expect(try await store.count("SELECT count(*) FROM sqlite_schema WHERE name = 'notes'") == 0)
    try store.close()
  }

  @Test func aTableIsRenamed() async throws {
    try await makeStore()
    let step = try step("rename notes to memos", [Memo.self])
    let store = try Store(path: path, schema: [Memo.self], migrator: migrator(step.statements))
    _ = try await SyncSession(
      "test", store: store, records: [SyncedRecord(Memo.self)], source: connection, sink: connection)
    let former = "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'sanderling_sync_notes_%'"
    #expect(try await store.count(former) == 0)
    try await store.write { try $0.database.execute(sql: "UPDATE memos SET title = 'after' WHERE id = 'b'") }
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_changes_memos") == 1)
    try store.close()
  }
}
