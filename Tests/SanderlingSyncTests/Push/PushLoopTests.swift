import Foundation
import GRDB
import Sanderling
import SanderlingTesting
import Testing

@testable import SanderlingSync

@Suite struct PushLoopTests {
  @Record("notes") struct Note {
    @PrimaryKey var id: String
    var title: String
  }

  private static let records = [SyncedRecord(Note.self)]

  /// A sink that answers from a list, one entry for each batch, and records the received mutations.
  private actor ScriptedSink: SyncSink {
    struct Down: Error {}

    private var script: [[MutationOutcome]?]
    private(set) var sent: [[Mutation]] = []

    init(_ script: [[MutationOutcome]?]) {
      self.script = script
    }

    func send(_ mutations: [Mutation]) throws -> [MutationOutcome] {
      sent.append(mutations)
      if script.isEmpty { return mutations.map { _ in .acknowledged() } }
      guard let outcomes = script.removeFirst() else { throw Down() }
      return outcomes
    }
  }

  private func makeStore(_ titles: String...) async throws -> Store {
    let store = try Store(inMemory: [Note.self])
    try await store.write { try OutboxSchema.install(Self.records, on: $0.database) }
    try await store.write { tx in for title in titles { try tx.insert(Note(id: title, title: title)) } }
    return store
  }

  private func loop(_ store: Store, _ sink: ScriptedSink) -> PushLoop {
    var loop = PushLoop(store: store, outbox: Outbox(name: "test", records: Self.records), sink: sink)
    loop.generator = SeededGenerator(seed: 1)
    return loop
  }

  @Test func everythingIsSentInBatches() async throws {
    let store = try await makeStore("a", "b", "c")
    let sink = ScriptedSink([])
    var loop = loop(store, sink)
    loop.batchSize = 2
    #expect(try await loop.run() == PushLoop.Summary(acknowledged: 3, lastSequence: 6))
    #expect(await sink.sent.map { $0.map(\.key) } == [[[.text("a")], [.text("b")]], [[.text("c")]]])
    #expect(try await loop.run() == PushLoop.Summary(lastSequence: 6))
    #expect(await sink.sent.count == 2)
  }

  @Test func failedMutationsAreSentAgainUnchanged() async throws {
    let store = try await makeStore("a", "b")
    let sink = ScriptedSink([nil, [.acknowledged()], []])
    let clock = ManualClock()
    var loop = loop(store, sink)
    loop.clock = clock
    let run = Task { [loop] in try await loop.run() }
    try await clock.sleepers(1)
    // A change that is made meanwhile becomes another mutation.
    try await store.write { try $0.execute("UPDATE notes SET title = 'later' WHERE id = 'a'") }
    clock.advance(by: .seconds(1))
    // After the connection broke, each mutation is sent alone. The server has answered only to the first.
    try await clock.sleepers(1)
    clock.advance(by: .seconds(2))
    #expect(
      try await run.value == PushLoop.Summary(acknowledged: 3, failure: "the server gave no answer", lastSequence: 6))
    let sent = await sink.sent
    #expect(
      sent.map { $0.map(\.key) } == [
        [[.text("a")], [.text("b")]], [[.text("a")]], [[.text("b")]], [[.text("b")]],
        [[.text("a")]],
      ])
    #expect(sent[0] == sent[1] + sent[2] && sent[2] == sent[3])
    #expect(sent[4][0].content == .update(["title": .text("later")]))
  }

  @Test func loopWaitsForTheServersRetryDelay() async throws {
    let store = try await makeStore("a")
    let sink = ScriptedSink([[.failed("busy", retryAfter: .seconds(60))]])
    let clock = ManualClock()
    var loop = loop(store, sink)
    loop.clock = clock
    let run = Task { [loop] in try await loop.run() }
    try await clock.sleepers(1)
    clock.advance(by: .seconds(59))
    #expect(await sink.sent.count == 1)
    clock.advance(by: .seconds(1))
    #expect(try await run.value.acknowledged == 1)
  }

  @Test func loopEndsAfterItsLastAttempt() async throws {
    let store = try await makeStore("a", "b")
    let sink = ScriptedSink([[.acknowledged(), .failed("down")], nil])
    var loop = loop(store, sink)
    loop.backoff = PushBackoff(first: .zero, attempts: 2)
    #expect(try await loop.run() == PushLoop.Summary(acknowledged: 1, failed: 1, failure: "Down()", lastSequence: 4))
    // The next run sends the mutation with its old number.
    #expect(try await loop.run() == PushLoop.Summary(acknowledged: 1, lastSequence: 4))
    let sent = await sink.sent
    #expect(sent[0][1] == sent[2][0])
  }

  private static func isOf(_ id: String) -> @Sendable (Mutation) -> Bool { { $0.key == [.text(id)] } }

  /// A mutation to which the server never answers, or always with an error, holds back no other mutation. The arguments
  /// are the size of a request and the mutation's place among 100.
  @Test(arguments: [1, 7, Int.max], [0, 50, 99])
  func failingMutationHoldsBackNoOtherMutation(batchLimit: Int, place: Int) async throws {
    for isCut in [true, false] {
      let ids = (0..<100).map { String(100 + $0) }
      let poison = Self.isOf(ids[place])
      let store = try Store(inMemory: [Note.self])
      try await store.write { try OutboxSchema.install(Self.records, on: $0.database) }
      try await store.write { tx in for id in ids { try tx.insert(Note(id: id, title: id)) } }
      let server = ExchangeServer(batchLimit: batchLimit)
      server.answer { poison($0) ? (isCut ? nil : .failed("the server answered 500")) : .acknowledged() }
      var loop = PushLoop(store: store, outbox: Outbox(name: "test", records: Self.records), sink: server)
      loop.backoff = PushBackoff(first: .zero, attempts: 3)
      let summary = try await loop.run()
      #expect(summary.acknowledged == 99 && summary.failed == 1, "\(summary)")
      #expect(try await store.count("SELECT count(*) FROM sanderling_sync_changes_notes") == 1)
      #expect(server.sent.filter(poison).count <= 12)
      // The next run sends only this mutation again.
      let before = server.sent.count
      #expect(try await loop.run().failed == 1)
      let again = server.sent.dropFirst(before)
      #expect(!again.isEmpty && again.allSatisfy(poison))
    }
  }

  /// A loop ends if the server accepts no mutation. Only the first mutation is tried with all attempts, because trying
  /// all 100 mutations that often would take hours.
  @Test(arguments: [true, false]) func loopEndsIfTheServerAcceptsNoMutation(isCut: Bool) async throws {
    let store = try Store(inMemory: [Note.self])
    try await store.write { try OutboxSchema.install(Self.records, on: $0.database) }
    try await store.write { tx in for id in 100..<200 { try tx.insert(Note(id: "\(id)", title: "")) } }
    let server = ExchangeServer(batchLimit: 1)
    server.answer { _ in isCut ? nil : .failed("the server answered 503") }
    var loop = PushLoop(store: store, outbox: Outbox(name: "test", records: Self.records), sink: server)
    loop.backoff = PushBackoff(first: .zero, attempts: 8)
    #expect(try await loop.run().acknowledged == 0)
    #expect(server.sent.count == (isCut ? 9 : 16))
  }

  @Test func conflictsAndRefusalsHoldBackNoOtherMutation() async throws {
    let store = try await makeStore("a", "b", "c")
    let sink = ScriptedSink([[.conflict, .refused("no"), .acknowledged()]])
    let loop = loop(store, sink)
    let summary = try await loop.run()
    #expect(summary.acknowledged == 1 && summary.conflicts == 1 && summary.refused == 1 && summary.failed == 0)
    #expect(try await store.pendingChange(of: Note.self, key: "a") == PendingChange(state: .unsent, kind: .insertion))
    #expect(
      try await store.pendingChange(of: Note.self, key: "b")
        == PendingChange(state: .refused, kind: .insertion, reason: "no"))
    #expect(try await store.pendingChange(of: Note.self, key: "c") == nil)
  }

  @Test func cancelledMutationIsSentAgainByTheNextRun() async throws {
    let store = try await makeStore("a")
    let sink = ScriptedSink([nil])
    let clock = ManualClock()
    var loop = loop(store, sink)
    loop.clock = clock
    let run = Task { [loop] in try await loop.run() }
    try await clock.sleepers(1)
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(try await store.pendingChange(of: Note.self, key: "a")?.state == .sending)
    #expect(try await loop.run().acknowledged == 1)
  }

  @Test func backoffGrowsAndVaries() {
    var generator = SeededGenerator(seed: 7)
    let backoff = PushBackoff(first: .seconds(1), greatest: .seconds(60))
    for failures in 1...100 {
      let most = min(Duration.seconds(1) * (1 << min(failures - 1, 10)), .seconds(60))
      let delay = backoff.delay(after: failures, retryAfter: nil, using: &generator)
      #expect(delay >= most * 0.5 && delay <= most)
    }
    let delays = Set((0..<10).map { _ in backoff.delay(after: 5, retryAfter: nil, using: &generator) })
    #expect(delays.count > 5)
  }

  @MainActor @Test func pendingChangesAreCounted() async throws {
    let store = try await makeStore("a", "b")
    let count = store.livePendingCount(of: Self.records)
    func shown() async -> [Int] {
      _ = count.rows
      await store.settled()
      return Array(count.rows)
    }
    #expect(await shown() == [2])
    #expect(try await loop(store, ScriptedSink([])).run().acknowledged == 2)
    #expect(await shown() == [0])
    try await store.write { try $0.execute("UPDATE notes SET title = 'x' WHERE id = 'a'") }
    #expect(await shown() == [1])
    // The title is changed back to the server's value.
    try await store.write { try $0.execute("UPDATE notes SET title = 'a' WHERE id = 'a'") }
    #expect(await shown() == [0])
    #expect(try await store.pendingChange(of: Note.self, key: "a") == nil)
  }
}
