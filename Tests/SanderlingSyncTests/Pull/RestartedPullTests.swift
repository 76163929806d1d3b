import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// Pulls from a restarted source that doesn't list rows which were changed on this device.
@Suite struct RestartedPullTests {
  @Record("notes") struct Note: Equatable {
    @PrimaryKey var id: String
    var title: String
  }

  /// Runs a user's statements, then pulls from a restarted source that lists only the row `z`. Returns the final rows,
  /// the mutations that are sent later, and the number of pending changes.
  private func run(
    _ statements: String, deletions: DeletionPolicy = .changeWins, isDown: Bool
  ) async throws -> (rows: [String], sentLater: [Mutation], entries: Int) {
    let store = try Store(inMemory: [Note.self])
    let server = MemoryServer(.ifMatch)
    let records = [SyncedRecord(Note.self, conflicts: .merge.deletions(deletions))]
    await server.edit("notes", [.text("a")], ["id": .text("a"), "title": .text("old")])
    await server.edit("notes", [.text("b")], ["id": .text("b"), "title": .text("old")])
    let (changes, _) = await server.changes(after: 0)
    let first = Connection(server: server, batches: [SyncBatch(changes, cursor: "1")], isDown: false)
    try await SyncSession("test", store: store, records: records, source: first, sink: first).run()
    try await store.write { try $0.database.execute(sql: statements) }
    // Another client deletes both rows, and the server forgets that they existed.
    await server.edit("notes", [.text("a")], nil)
    await server.edit("notes", [.text("b")], nil)
    await server.edit("notes", [.text("z")], ["id": .text("z"), "title": .text("z")])
    let (all, _) = await server.changes(after: 0)
    let second = Connection(
      server: server, batches: [SyncBatch(all.filter(\.isRow), cursor: "2", restarts: true)], isDown: isDown)
    // The listing leaves out all rows.
    var options = SyncOptions(allowsMassDeletion: true)
    options.backoff = PushBackoff(first: .zero, attempts: 1)
    try await SyncSession("test", store: store, records: records, source: second, sink: second, options: options).run()
    // A mutation that was sent while it was unknown whether its row existed is sent once more.
    let (end, _) = await server.changes(after: 0)
    let third = Connection(server: server, batches: [SyncBatch(end, cursor: "3")], isDown: false)
    try await SyncSession("test", store: store, records: records, source: third, sink: third).run()
    let (rows, entries) = try await store.read { tx in
      (
        try String.fetchAll(tx.database, sql: "SELECT id || ':' || title FROM notes ORDER BY id"),
        try Int.fetchOne(tx.database, sql: "SELECT count(*) FROM sanderling_sync_changes_notes") ?? 0
      )
    }
    return (rows, third.sent.all, entries)
  }

  private struct Connection: SyncSource, SyncSink {
    let server: MemoryServer
    let batches: [SyncBatch]
    /// Whether the first mutations fail to arrive, so that the pull comes first.
    let isDown: Bool
    let sent = NotedMutations()

    func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
      BatchSource(batches).batches(after: nil)
    }

    func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] {
      defer { sent.note(mutations) }
      if isDown, sent.all.isEmpty { return mutations.map { _ in .failed("down") } }
      var outcomes: [MutationOutcome] = []
      for mutation in mutations { outcomes.append(await server.take(mutation)) }
      return outcomes
    }
  }

  /// A new local row stays, because the server never had it.
  @Test func newLocalRowSurvivesARestart() async throws {
    let (rows, _, entries) = try await run("INSERT INTO notes VALUES ('c', 'mine')", isDown: true)
    #expect(rows == ["c:mine", "z:z"])
    #expect(entries == 0)
  }

  @Test(arguments: [DeletionPolicy.changeWins, .deletionWins], [false, true])
  func changedRowOfARestartFollowsTheConflictPolicy(deletions: DeletionPolicy, isDown: Bool) async throws {
    let statement = "UPDATE notes SET title = 'mine' WHERE id = 'a'"
    let (rows, _, entries) = try await run(statement, deletions: deletions, isDown: isDown)
    #expect(rows == (deletions == .changeWins ? ["a:mine", "z:z"] : ["z:z"]))
    #expect(entries == 0)
  }

  /// A server that sends all rows without a cursor, and nothing with a cursor. It resembles a server whose log was cut.
  private struct ForgetfulServer: SyncSource, SyncSink {
    let server: MemoryServer
    let askedForAll = NotedCursors()

    func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
      AsyncThrowingStream { continuation in
        Task {
          askedForAll.note(cursor)
          let all = await server.changes(after: 0).changes.filter(\.isRow)
          continuation.yield(SyncBatch(cursor == nil ? all : [], cursor: "1", isCheckpoint: true))
          continuation.finish()
        }
      }
    }

    func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] {
      var outcomes: [MutationOutcome] = []
      for mutation in mutations { outcomes.append(await server.take(mutation)) }
      return outcomes
    }
  }

  private final class NotedCursors: Sendable {
    private let cursors = Lock<[String?]>([])
    var all: [String?] { cursors.withLock { $0 } }
    func note(_ cursor: String?) { cursors.withLock { $0.append(cursor) } }
  }

  /// A change that is in conflict again and again makes the run request all rows once.
  @Test(arguments: ["UPDATE notes SET title = 'mine' WHERE id = 'a'", "DELETE FROM notes WHERE id = 'a'"])
  func repeatedConflictRequestsAllRowsOnce(statement: String) async throws {
    let store = try Store(inMemory: [Note.self])
    let server = MemoryServer(.ifMatch)
    for id in ["a", "b"] {
      await server.edit("notes", [.text(id)], ["id": .text(id), "title": .text("old")])
    }
    let connection = ForgetfulServer(server: server)
    let session = try await SyncSession(
      "test", store: store, records: [SyncedRecord(Note.self)], source: connection, sink: connection)
    try await session.run()
    try await store.write { try $0.database.execute(sql: statement) }
    await server.edit("notes", [.text("a")], nil)
    for _ in 1...4 { try await session.run() }
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_changes_notes") == 0)
    let rows = try await store.read { try String.fetchAll($0.database, sql: "SELECT id FROM notes ORDER BY id") }
    #expect(await Set(rows.map { [StorageValue.text($0)] }) == Set(server.rows.keys.map(\.values)))
    #expect(connection.askedForAll.all.count { $0 == nil } == 2)
  }

  /// A deletion of a row that the server no longer has leaves nothing pending.
  @Test(arguments: [false, true]) func deletionOfARowThatTheServerLacksIsSettled(isDown: Bool) async throws {
    let (rows, sentLater, entries) = try await run("DELETE FROM notes WHERE id = 'a'", isDown: isDown)
    #expect(rows == ["z:z"])
    #expect(sentLater.isEmpty)
    #expect(entries == 0)
  }
}
