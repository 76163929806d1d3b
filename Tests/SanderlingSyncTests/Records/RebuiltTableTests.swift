import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// No edit is lost if a migration of the app recreates a synchronised table, which drops the outbox's triggers.
@Suite struct RebuiltTableTests {
  @Record("notes") struct Note: Equatable {
    @PrimaryKey var id: String
    var title: String
    var body: String?
  }

  private static let rebuild = """
    CREATE TABLE other (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL, body TEXT); INSERT INTO other SELECT * FROM notes;
    DROP TABLE notes; ALTER TABLE other RENAME TO notes;
    """
  private static let edits = """
    UPDATE notes SET title = 'mine' WHERE id = 'a'; DELETE FROM notes WHERE id = 'b';
    INSERT INTO notes VALUES ('new', 'mine', NULL);
    """

  private let store: Store
  private let records: [SyncedRecord]

  init() throws {
    store = try Store(inMemory: [Note.self])
    records = [SyncedRecord(Note.self)]
  }

  private func session(
    _ server: MemoryServer, _ policy: ConflictPolicy = .merge, _ store: Store? = nil
  ) async throws -> SyncSession {
    let connection = MemoryServerConnection(server: server)
    return try await SyncSession(
      "test", store: store ?? self.store, records: [SyncedRecord(Note.self, conflicts: policy)], source: connection,
      sink: connection)
  }

  private func server(_ rule: MemoryServer.Rule = .ifMatch) async -> MemoryServer {
    let server = MemoryServer(rule)
    for id in ["a", "b", "c"] { await edit(id, "theirs", at: server) }
    return server
  }

  private func edit(_ id: String, _ title: String?, body: String? = nil, at server: MemoryServer) async {
    await server.edit(
      "notes", [.text(id)],
      title.map { ["title": .text($0), "body": body.map { .text($0) } ?? .null] })
  }

  private func titles(_ server: MemoryServer) async -> [String] {
    await server.rows.map { key, row in "\(key.values[0])=\(row["title"] ?? .null)" }.sorted()
  }

  private func texts(_ titles: KeyValuePairs<String, String>) -> [String] {
    titles.map { "\(StorageValue.text($0.key))=\(StorageValue.text($0.value))" }.sorted()
  }

  private func expectNothingWaits() async throws {
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_changes_notes") == 0)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_unnoted") == 0)
    #expect(try await store.count("SELECT restarting FROM sanderling_sync_state") == 0)
  }

  private static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("rebuild") { try $0.execute(sql: rebuild) }
    return migrator
  }()

  /// Edits after a migration of an open store are sent by the same session.
  @Test func editsAfterAMigrationOfTheStoreAreSent() async throws {
    let server = await server()
    let session = try await session(server)
    try await session.run()
    try await store.migrate(Self.migrator)
    // The triggers exist again before any write.
    #expect(
      try await store.count("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'notes'") == 6)
    try await store.write { try $0.database.execute(sql: Self.edits) }
    try await session.run()
    #expect(await titles(server) == texts(["a": "mine", "c": "theirs", "new": "mine"]))
    try await expectNothingWaits()
  }

  /// Edits that were made through GRDB while the triggers were missing are found and sent.
  @Test(arguments: MemoryServer.Rule.allCases)
  func editsMadeWithoutTriggersAreFoundAndSent(_ rule: MemoryServer.Rule) async throws {
    let server = await server(rule)
    let session = try await session(server)
    try await session.run()
    try await store.writer.write { try $0.execute(sql: Self.rebuild + Self.edits) }
    // Later edits of the row that was edited and of the new row.
    try await store.write { tx in
      try tx.database.execute(sql: "UPDATE notes SET body = 'later' WHERE id IN ('a', 'new')")
    }
    let isInsertion = try await store.count("SELECT count(*) FROM sanderling_sync_changes_notes WHERE existed = 0")
    #expect(isInsertion == 0, "the trigger can't know that the server never had the row")
    try await session.run()
    if rule == .lastWriteWins {
      // Without versions it is unknown which side changed a row first. The server's rows win, and the losses are
      // logged.
      #expect(await titles(server) == texts(["a": "theirs", "b": "theirs", "c": "theirs", "new": "mine"]))
      #expect(try await store.count("SELECT count(*) FROM sanderling_sync_conflicts WHERE lost = 'mine'") == 1)
    } else {
      #expect(await titles(server) == texts(["a": "mine", "c": "theirs", "new": "mine"]))
      #expect(try await store.count("SELECT count(*) FROM sanderling_sync_conflicts") == 0)
    }
    #expect(await server.repeated.isEmpty)
    #expect(try await store.count("SELECT count(*) FROM notes WHERE id = 'new' AND body = 'later'") == 1)
    try await expectNothingWaits()
  }

  /// Edits that were made while the triggers were missing and the store was closed are found when a new session opens.
  @Test func openingASessionFindsEditsMadeWithoutTriggers() async throws {
    let folder = try TemporaryFolder()
    let server = await server()
    do {
      let store = try Store(path: folder.path("notes.db"), schema: [Note.self])
      try await session(server, .merge, store).run()
      try store.close()
    }
    let queue = try DatabaseQueue(path: folder.path("notes.db"))
    try await queue.write { try $0.execute(sql: Self.rebuild + Self.edits) }
    try queue.close()
    let store = try Store(path: folder.path("notes.db"), schema: [Note.self])
    try await session(server, .merge, store).run()
    #expect(await titles(server) == texts(["a": "mine", "c": "theirs", "new": "mine"]))
    try store.close()
  }

  /// If the server has a newer version of a row that was edited without triggers, it is unknown which side changed the
  /// row. By the merge policy the server's row wins.
  @Test(arguments: [false, true]) func conflictPolicyDecidesAfterEditsWithoutTriggers(clientWins: Bool) async throws {
    let server = await server()
    let session = try await session(server, clientWins ? .clientWins.deletions(.clientWins) : .merge)
    try await session.run()
    try await store.writer.write { try $0.execute(sql: Self.rebuild + Self.edits) }
    await edit("a", "newer", at: server)
    await edit("b", "newer", at: server)
    await edit("c", nil, at: server)
    try await session.run()
    let lost = try await store.count("SELECT count(*) FROM sanderling_sync_conflicts")
    if clientWins {
      #expect(await titles(server) == texts(["a": "mine", "new": "mine"]))
    } else {
      #expect(await titles(server) == texts(["a": "newer", "b": "newer", "new": "mine"]))
      // The losses are the edit of `a`, the deletion of `b`, and `c`, which may have been edited.
      #expect(lost == 3)
    }
    #expect(
      try await store.count("SELECT count(*) FROM notes") == (clientWins ? 2 : 3))
    try await expectNothingWaits()
  }

  /// A new local row stays if no row of the server is left. A listing doesn't contain the row, because it is only here.
  @Test func aNewRowOutlivesAListingWithoutIt() async throws {
    let server = await server()
    let session = try await session(server)
    try await session.run()
    try await store.writer.write { try $0.execute(sql: Self.rebuild + Self.edits) }
    for id in ["a", "b", "c"] { await edit(id, nil, at: server) }
    try await session.run()
    #expect(await titles(server) == texts(["new": "mine"]))
    #expect(try await store.count("SELECT count(*) FROM notes") == 1)
    try await expectNothingWaits()
  }

  /// A migration that keeps the triggers doesn't request a comparison of all rows.
  @Test func migrationThatKeepsTheTriggersRequestsNoComparison() async throws {
    let session = try await session(await server())
    try await session.run()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("table") { try $0.execute(sql: "CREATE TABLE extra (id INTEGER PRIMARY KEY)") }
    try await store.migrate(migrator)
    try await store.write { try $0.database.execute(sql: "ALTER TABLE notes ADD COLUMN stars INTEGER") }
    try await store.write { try $0.database.execute(sql: "UPDATE notes SET title = 'mine' WHERE id = 'a'") }
    #expect(try await store.count("SELECT restarting FROM sanderling_sync_state") == 0)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_changes_notes") == 1)
  }

  /// The triggers are not recreated after the session has ended, until the next session opens.
  @Test func triggersAreRecreatedOnlyWhileASessionExists() async throws {
    let server = await server()
    do { _ = try await session(server) }
    try await store.migrate(Self.migrator)
    #expect(
      try await store.count("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'notes'") == 0)
    try await session(server).run()
    #expect(
      try await store.count("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'notes'") == 6)
  }
}
