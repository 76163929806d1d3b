import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// Rows that the app wrote before the first synchronisation with a sink are sent if the options say so.
@Suite struct EarlierRowsTests {
  @Record("folders") struct Folder: Equatable {
    @PrimaryKey var id: String
    var title: String
  }
  @Record("notes") struct Note: Equatable {
    @PrimaryKey var id: String
    @References(Folder.self, onDelete: .cascade) var folder: String?
    var title: String
  }

  private let store: Store

  init() throws {
    store = try Store(inMemory: [Folder.self, Note.self])
  }

  private func session(
    _ server: MemoryServer, earlier: Bool = true, _ policy: ConflictPolicy = .merge
  ) async throws -> SyncSession {
    let connection = MemoryServerConnection(server: server)
    return try await SyncSession(
      "test", store: store,
      // Children are declared first, so that nothing depends on the order of the declarations.
      records: [SyncedRecord(Note.self, conflicts: policy), SyncedRecord(Folder.self, conflicts: policy)],
      source: connection, sink: connection, options: SyncOptions(sendsEarlierRows: earlier))
  }

  private func server(_ rule: MemoryServer.Rule = .ifMatch) -> MemoryServer {
    MemoryServer(rule, parents: ["notes": ("folder", "folders")])
  }

  private func write(_ sql: String) async throws {
    try await store.write { try $0.database.execute(sql: sql) }
  }

  private func expectEqual(_ server: MemoryServer, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let here = try await store.read { tx in
      var here: [MemoryServer.Key: [String: StorageValue]] = [:]
      for record in ["folders", "notes"] {
        for row in try Row.fetchAll(tx.database, sql: "SELECT * FROM \(record)") {
          let values = row.map { ($0, String.fromDatabaseValue($1).map(StorageValue.text) ?? .null) }
          here[.init(record: record, values: [values[0].1])] = Dictionary(uniqueKeysWithValues: values)
        }
      }
      return here
    }
    #expect(here == (await server.rows), sourceLocation: sourceLocation)
    for table in ["changes_notes", "changes_folders", "unnoted"] {
      #expect(
        try await store.count("SELECT count(*) FROM sanderling_sync_\(table)") == 0, sourceLocation: sourceLocation)
    }
  }

  private static let rows = """
    INSERT INTO folders VALUES ('f', 'mine'), ('both', 'mine');
    INSERT INTO notes VALUES ('a', 'f', 'mine'), ('b', NULL, 'mine'), ('same', NULL, 'equal'), ('c', 'both', 'mine');
    """

  private func fill(_ server: MemoryServer) async {
    await server.edit("folders", [.text("both")], ["id": .text("both"), "title": .text("theirs")])
    await server.edit(
      "notes", [.text("same")], ["id": .text("same"), "folder": .null, "title": .text("equal")])
    await server.edit("notes", [.text("their")], ["id": .text("their"), "folder": .null, "title": .text("theirs")])
  }

  @Test(arguments: MemoryServer.Rule.allCases)
  func earlierRowsAreSent(_ rule: MemoryServer.Rule) async throws {
    let server = server(rule)
    await fill(server)
    try await write(Self.rows)
    let summary = try await session(server).run()
    #expect(summary.sent?.acknowledged == 4)
    try await expectEqual(server)
    #expect(await server.rows.count == 7)
    // The source's title won, and the log has the title of this device.
    #expect(try await store.count("SELECT count(*) FROM folders WHERE title = 'theirs'") == 1)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_conflicts WHERE lost = 'mine'") == 1)
    // A second run and a second session send nothing again.
    #expect(try await session(server).run().sent?.acknowledged == 0)
    #expect(await server.repeated.isEmpty)
    try await expectEqual(server)
  }

  @Test func thePolicyDecidesAboutRowsOfBoth() async throws {
    let server = server()
    await fill(server)
    try await write(Self.rows)
    try await session(server, .clientWins).run()
    #expect(try await store.count("SELECT count(*) FROM folders WHERE title = 'mine'") == 2)
    try await expectEqual(server)
  }

  /// Rows that are edited, added and deleted between the opening of the session and its first run.
  @Test func rowsAreWrittenBeforeTheFirstRun() async throws {
    let server = server()
    await fill(server)
    try await write(Self.rows)
    let session = try await session(server)
    try await write(
      """
      UPDATE notes SET title = 'later' WHERE id = 'a'; DELETE FROM notes WHERE id = 'b';
      INSERT INTO notes VALUES ('d', 'f', 'mine'); DELETE FROM notes WHERE id = 'same';
      """)
    try await session.run()
    try await session.run()
    try await expectEqual(server)
    let titles = await server.rows.values.compactMap { $0["title"] }
    #expect(titles.contains(.text("later")))
  }

  /// Without the option, earlier rows stay on the device.
  @Test func earlierRowsStayOnTheDeviceByDefault() async throws {
    let server = server()
    try await write(Self.rows)
    let session = try await session(server, earlier: false)
    try await session.run()
    #expect(await server.rows.isEmpty)
    #expect(try await store.count("SELECT count(*) FROM notes") == 4)
  }

  /// Rows that are written between an erasure and the next run are sent, too.
  @Test func rowsAfterAnErasureAreSent() async throws {
    let server = server()
    let session = try await session(server)
    try await session.run()
    try await store.erase()
    try await write(Self.rows)
    try await session.run()
    try await expectEqual(server)
    #expect(await server.rows.count == 6)
  }
}
