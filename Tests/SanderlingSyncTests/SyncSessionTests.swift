import Foundation
import GRDB
import Sanderling
import SanderlingTesting
import Testing

@testable import SanderlingSync

/// Sessions in both directions: the app's changes go to the server, and other clients' changes arrive.
@Suite struct SyncSessionTests {
  @Record("notes") struct Note: Hashable {
    @PrimaryKey var id: String
    var title: String
    var body: String?
  }

  /// A server in memory as a source and a sink, with small batches.
  private struct Connection: SyncSource, SyncSink {
    let server: MemoryServer

    var knowsNumbers: Bool { server.rule != .ifMatch }

    func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
      AsyncThrowingStream { continuation in
        let task = Task {
          let (changes, next) = await server.changes(after: cursor.flatMap { Int($0) } ?? 0)
          for start in stride(from: 0, to: changes.count, by: 7) {
            continuation.yield(SyncBatch(Array(changes[start..<min(changes.count, start + 7)])))
          }
          continuation.yield(SyncBatch([], cursor: "\(next)"))
          continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
      }
    }

    func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] {
      var outcomes: [MutationOutcome] = []
      for mutation in mutations { outcomes.append(await server.take(mutation)) }
      return outcomes
    }
  }

  private func device(_ server: MemoryServer) async throws -> (store: Store, synchronization: SyncSession) {
    let store = try Store(inMemory: [Note.self])
    let connection = Connection(server: server)
    let synchronization = try await SyncSession(
      "notes", store: store, records: [SyncedRecord(Note.self)], source: connection, sink: connection)
    return (store, synchronization)
  }

  @Test(arguments: MemoryServer.Rule.allCases)
  func devicesBecomeEqual(rule: MemoryServer.Rule) async throws {
    var generator = SeededGenerator()
    let comment: Testing.Comment = "SANDERLING_SEED=\(generator.seed)"
    let server = MemoryServer(rule)
    let devices = [try await device(server), try await device(server)]
    for _ in 0..<30 {
      let (store, synchronization) = generator.element(devices)
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        let id = "n\(Int.random(in: 0..<12, using: &generator))"
        let text = "t\(Int.random(in: 0..<1_000, using: &generator))"
        let choice = Int.random(in: 0..<4, using: &generator)
        try await store.write { tx in
          switch choice {
          case 0: _ = try tx.delete(Note.where { $0.id == id })
          case 1: _ = try tx.update(Note.where { $0.id == id }, .set(\.title, to: text))
          default: try tx.upsert(Note(id: id, title: text, body: choice == 2 ? text : nil))
          }
        }
      }
      if generator.chance(0.5) { try await synchronization.run() }
    }
    for _ in 0..<2 { for device in devices { try await device.synchronization.run() } }
    let notes = try await devices[0].store.fetch(Note.order { $0.id })
    #expect(try await devices[1].store.fetch(Note.order { $0.id }) == notes, comment)
    let rows = await server.rows
    #expect(rows.count == notes.count, comment)
    for note in notes {
      let row = rows[.init(record: "notes", values: [.text(note.id)])]
      #expect(row?["title"] == .text(note.title) && row?["body"] == note.body.map { .text($0) } ?? .null, comment)
    }
    for device in devices {
      let summary = try await device.synchronization.run()
      #expect(summary.isUnchanged && summary.sent == SentCounts(), comment)
    }
    #expect(await server.repeated.isEmpty, comment)
  }

  /// A pulled change is not sent back, and a sent change is not written again when it is pulled.
  @Test func changesDoNotEcho() async throws {
    let server = MemoryServer(.ifMatchOnce)
    let (first, second) = (try await device(server), try await device(server))
    try await first.store.write { try $0.insert(Note(id: "a", title: "one")) }
    #expect(try await first.synchronization.run().sent?.acknowledged == 1)
    let summary = try await second.synchronization.run()
    #expect(summary.sent == SentCounts() && summary.counts.written == 1)
    #expect(try await first.synchronization.run().counts.written == 0)
    // Changes of different columns are merged.
    try await first.store.write { _ = try $0.update(Note.query, .set(\.title, to: "two")) }
    try await second.store.write { _ = try $0.update(Note.query, .set(\.body, to: "text")) }
    try await first.synchronization.run()
    try await second.synchronization.run()
    try await first.synchronization.run()
    for store in [first.store, second.store] {
      #expect(try await store.fetch(Note.query) == [Note(id: "a", title: "two", body: "text")])
    }
  }

  /// A server that refuses deletions.
  private struct Refusing: SyncSource, SyncSink {
    func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
      AsyncThrowingStream { $0.finish() }
    }

    func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] {
      mutations.map { if case .deletion = $0.content { .refused("nothing is deleted here") } else { .acknowledged() } }
    }
  }

  @Test func aRefusedDeletionIsPutAside() async throws {
    let store = try Store(inMemory: [Note.self])
    let session = try await SyncSession(
      "notes", store: store, records: [SyncedRecord(Note.self)], source: Refusing(), sink: Refusing())
    try await store.write { try $0.insert(Note(id: "a", title: "one")) }
    #expect(try await session.run().sent?.acknowledged == 1)
    try await store.write { tx in
      _ = try tx.delete(Note.query)
      try tx.insert(Note(id: "b", title: "two"))
    }
    let sent = try await session.run().sent
    #expect(sent?.refused == 1 && sent?.acknowledged == 1)
    let reasons = try await store.read { tx in
      try String.fetchAll(tx.database, sql: "SELECT reason FROM sanderling_sync_quarantine WHERE direction = 'push'")
    }
    #expect(reasons == ["nothing is deleted here"])
  }

  /// A server that refuses the title `bad`.
  private struct Strict: SyncSource, SyncSink {
    let sent = NotedMutations()

    func batches(after cursor: String?) -> any AsyncSequence<SyncBatch, any Error> & Sendable {
      BatchSource([
        SyncBatch([
          SyncChange("notes", key: [.text("a")], .row(["title": .text("A")])),
          SyncChange("notes", key: [.text("wrong")], .row(["title": .null])),
        ])
      ]).batches(after: cursor)
    }

    func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] {
      sent.note(mutations)
      return mutations.map { mutation in
        switch mutation.content {
        case .insertion(let row), .update(let row): row["title"] == .text("bad") ? .refused("bad") : .acknowledged()
        case .deletion: .acknowledged()
        }
      }
    }
  }

  @Test func refusedChangesAreListedCorrectedAndDiscarded() async throws {
    let store = try Store(inMemory: [Note.self])
    let server = Strict()
    let session = try await SyncSession(
      "notes", store: store, records: [SyncedRecord(Note.self)], source: server, sink: server)
    try await session.run()
    try await store.write {
      try $0.database.execute(
        sql: "UPDATE notes SET title = 'bad'; INSERT INTO notes VALUES ('b', 'bad', 'mine'), ('c', 'bad', NULL)")
    }
    try await session.run()
    let all = try await session.quarantine()
    #expect(all.map(\.direction) == [.pulled, .sent, .sent, .sent])
    let refused = all.filter { $0.direction == .sent }
    #expect(refused.map(\.change.key) == [[.text("a")], [.text("b")], [.text("c")]])
    #expect(refused.allSatisfy { $0.reason == "bad" })
    try await session.discard(refused[0].id)
    #expect(try await session.retry(refused[1].id, with: ["title": .text("good"), "id": .text("other")]))
    try await session.discard(refused[2].id)
    await #expect(throws: SyncError.notInQuarantine(id: refused[0].id)) { try await session.discard(refused[0].id) }
    let sent = server.sent.all.count
    try await session.run()
    #expect(
      server.sent.all.dropFirst(sent).map(\.content)
        == [.insertion(["id": .text("b"), "title": .text("good"), "body": .text("mine")])])
    #expect(try await session.quarantine().map(\.direction) == [.pulled])
    #expect(
      try await store.fetch(Note.order { $0.id })
        == [Note(id: "a", title: "A", body: nil), Note(id: "b", title: "good", body: "mine")])
    #expect(try await store.count(Store.countPendingChanges(of: [SyncedRecord(Note.self)])) == 0)
  }
}
