import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

// The tests run one after the other, because PocketBase loses collections that are made at the same time.
@Suite(.serialized, .enabled(if: TestServers.pocketBase != nil, TestServers.missing)) struct PocketBaseTests {
  private let scenarios = ServerScenarios(backend: .pocketBase)

  @Test func pulls() async throws { try await scenarios.pulls() }
  @Test func exchanges() async throws { try await scenarios.exchanges() }
  @Test func merges() async throws { try await scenarios.merges() }
  @Test func refuses() async throws { try await scenarios.refuses() }
  @Test func reinserts() async throws { try await scenarios.reinserts() }
  @Test(.timeLimit(.minutes(10))) func follows() async throws { try await scenarios.follows() }
  @Test(.timeLimit(.minutes(10))) func comparesWhileItFollows() async throws {
    try await scenarios.comparesWhileItFollows()
  }

  /// A mutation that is sent again after a lost answer gets the same answer, and is applied once.
  @Test func aMutationIsDoneOnce() async throws {
    let records = TestRecords()
    let adapter = try await Backend.pocketBase.make(records).adapter
    func send(_ content: Mutation.Content, _ version: String?, _ sequence: Int64) async throws -> MutationOutcome? {
      try await adapter.send([
        Mutation(
          records.folder, key: [.integer(1)], content, baseVersion: version, client: records.prefix, sequence: sequence)
      ]).first
    }
    let insertion = try await send(.insertion(["name": .text("a")]), nil, 1)
    guard case .acknowledged(let version?)? = insertion else {
      Issue.record("the insertion isn't acknowledged: \(String(describing: insertion))")
      return
    }
    #expect(try await send(.insertion(["name": .text("a")]), nil, 1) == insertion)
    #expect(try await send(.insertion(["name": .text("a")]), nil, 2)?.isConflict == true)
    let update = try await send(.update(["name": .text("b")]), version, 3)
    guard case .acknowledged(let next?)? = update else {
      Issue.record("the update isn't acknowledged")
      return
    }
    #expect(next != version)
    #expect(try await send(.update(["name": .text("b")]), version, 3) == update)
    #expect(try await send(.update(["name": .text("c")]), version, 4)?.isConflict == true)
    #expect(try await send(.deletion, next, 5) == send(.deletion, next, 5))
    // After the row was deleted and inserted again, earlier mutations are not applied again.
    guard case .acknowledged? = try await send(.insertion(["name": .text("d")]), nil, 6) else {
      Issue.record("the second insertion isn't acknowledged")
      return
    }
    #expect(try await send(.update(["name": .text("b")]), version, 3) == update)
    let device = try await TestDevice(
      TestCollections(adapter: adapter) { _, _, _ in
      } fill: { _, _ in
      })
    try await device.session.run()
    #expect(try await device.store.fetch(Folder.query).map(\.name) == ["d"])
  }

  /// A token that the server refuses gets status 401 and is renewed. PocketBase alone would treat the caller as a
  /// guest, and list nothing.
  @Test func anExpiredTokenIsRenewed() async throws {
    let url = try #require(TestServers.pocketBase)
    let records = TestRecords()
    let collections = try await Backend.pocketBase.make(records)
    try await collections.fill(records.folder, [["id": .text("1"), "name": .text("f"), "parentID": .null]])
    let good = PocketBaseAdapter.password(
      url: url, collection: "_superusers", identity: "admin@example.com", password: TestServers.secret)
    let asked = Lock([Bool]())
    let authorization = HTTPAuthorization { wasRefused in
      asked.withLock { $0.append(wasRefused) }
      return wasRefused ? try await good.value(true) : "eyJhbGciOiJIUzI1NiJ9.e30.expired"
    }
    let adapter = try PocketBaseAdapter(url: url, records: records.all, authorization: authorization)
    let device = try await TestDevice(
      TestCollections(adapter: adapter.adapter) { _, _, _ in
      } fill: { _, _ in
      })
    #expect(try await device.session.run().counts.written == 1)
    #expect(asked.withLock { $0 } == [false, true])
  }

  /// A deletion that a rule of the server forbids is not taken as done, although the server answers that the record
  /// doesn't exist.
  @Test func forbiddenDeletionIsRefused() async throws {
    let url = try #require(TestServers.pocketBase)
    let records = TestRecords()
    let collections = try await Backend.pocketBase.make(records)
    let rules = "{\"listRule\":\"\",\"viewRule\":\"\",\"createRule\":\"\",\"updateRule\":\"name = 'mine'\"}"
    let path = "api/collections/\(records.folder)"
    _ = try await collections.adapter.connection.read(HTTPRequest("PATCH", path, body: Data(rules.utf8))) { $0 }
    for (id, name) in [("1", "mine"), ("2", "another's")] {
      try await collections.fill(records.folder, [["id": .text(id), "name": .text(name), "parentID": .null]])
    }
    let guest = try PocketBaseAdapter(
      url: url, records: [SyncedRecord(Folder.self, named: records.folder)], authorization: nil)
    let store = try Store.synced()
    let session = try await SyncSession(
      "guest", store: store, records: guest.adapter.syncedRecords, source: guest, sink: guest)
    #expect(try await session.run().counts.written == 2)
    try await store.write { _ = try $0.delete(Folder.query) }
    let sent = try #require(try await session.run().sent)
    #expect(sent.acknowledged == 1 && sent.refused == 1)
    let waiting = try await session.quarantine()
    #expect(waiting.map(\.change.key) == [[.integer(2)]])
    try await session.discard(try #require(waiting.first).id)
    #expect(try await store.fetch(Folder.query).map(\.name) == ["another's"])
  }

  /// A source that follows the server's events delivers the changes of other clients as they happen.
  @Test(.timeLimit(.minutes(10))) func eventsBringChanges() async throws {
    let url = try #require(TestServers.pocketBase)
    let records = TestRecords()
    let collections = try await Backend.pocketBase.make(records)
    let authorization = PocketBaseAdapter.password(
      url: url, collection: "_superusers", identity: "admin@example.com", password: TestServers.secret)
    let adapter = try PocketBaseAdapter(
      url: url, records: records.all, authorization: authorization, followsEvents: true)
    var names: [String] = []
    var isFirst = true
    loop: for try await batch in adapter.batches(after: nil) {
      for change in batch.changes {
        if case .row(let values) = change.content, case .text(let name)? = values["name"] { names.append(name) }
      }
      if batch.isCheckpoint, isFirst {
        isFirst = false
        try await collections.fill(
          records.folder, [["id": .text("1"), "name": .text("first"), "parentID": .null]])
      }
      if names.last == "first" {
        try await collections.edit(records.folder, "1", ["name": .text("second")])
      }
      if names.last == "second" { break loop }
    }
    #expect(names.contains("first") && names.last == "second")
  }
}
