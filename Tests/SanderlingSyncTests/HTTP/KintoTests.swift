import Foundation
import Sanderling
import Testing

@testable import SanderlingSync

// The tests run one after the other, because they share a server.
@Suite(.serialized, .enabled(if: TestServers.kinto != nil, TestServers.missing)) struct KintoTests {
  private let scenarios = ServerScenarios(backend: .kinto)

  @Test func pulls() async throws { try await scenarios.pulls() }
  @Test func exchanges() async throws { try await scenarios.exchanges() }
  @Test func merges() async throws { try await scenarios.merges() }
  @Test func refuses() async throws { try await scenarios.refuses() }
  @Test func reinserts() async throws { try await scenarios.reinserts() }
  @Test(.timeLimit(.minutes(10))) func follows() async throws { try await scenarios.follows() }
  @Test(.timeLimit(.minutes(10))) func comparesWhileItFollows() async throws {
    try await scenarios.comparesWhileItFollows()
  }

  private func other() throws -> HTTPConnection {
    try HTTPConnection(
      try #require(TestServers.kinto), authorization: .basic(user: "tester", password: "secret"),
      options: TestServers.kintoOptions)
  }

  /// After a collection was deleted and made again, its tombstones are gone. The device's rows are compared with the
  /// collection's new rows.
  @Test func recreatedCollectionIsCompared() async throws {
    let records = TestRecords()
    let collections = try await Backend.kinto.make(records)
    let row: @Sendable (Int) -> [String: ForeignValue] = {
      ["id": .text("\($0)"), "name": .text("f"), "parentID": .null]
    }
    try await collections.fill(records.folder, (1...5).map(row))
    let device = try await TestDevice(collections)
    try await device.session.run()
    let collection = "buckets/\(records.prefix)/collections/\(records.folder)"
    _ = try await other().read(HTTPRequest("DELETE", collection)) { $0 }
    _ = try await other().read(HTTPRequest("PUT", collection)) { $0 }
    try await collections.fill(records.folder, (4...7).map(row))
    let summary = try await device.session.run()
    #expect(summary.counts.removed == 3)
    #expect(try await device.store.fetch(Folder.query).map(\.id).sorted() == [4, 5, 6, 7])
    #expect(try await device.session.run().isUnchanged)
  }

  /// A mutation that is based on an older version than the server's is in conflict.
  @Test func anOldVersionIsInConflict() async throws {
    let records = TestRecords()
    let adapter = try await Backend.kinto.make(records).adapter
    func send(_ content: Mutation.Content, _ version: String?) async throws -> MutationOutcome? {
      try await adapter.send([
        Mutation(records.folder, key: [.integer(1)], content, baseVersion: version, client: "c", sequence: 1)
      ]).first
    }
    guard case .acknowledged(let version?)? = try await send(.insertion(["name": .text("a")]), nil) else {
      Issue.record("the insertion isn't acknowledged")
      return
    }
    #expect(try await send(.insertion(["name": .text("b")]), nil)?.isConflict == true)
    guard case .acknowledged(let next?)? = try await send(.update(["name": .text("b")]), version) else {
      Issue.record("the update isn't acknowledged")
      return
    }
    #expect(try await send(.update(["name": .text("c")]), version)?.isConflict == true)
    #expect(try await send(.deletion, version)?.isConflict == true)
    guard case .acknowledged? = try await send(.deletion, next) else {
      Issue.record("the deletion isn't acknowledged")
      return
    }
    #expect(try await send(.update(["name": .text("c")]), next)?.isConflict == true)
    #expect(try await send(.deletion, next) == .acknowledged())
  }
}
