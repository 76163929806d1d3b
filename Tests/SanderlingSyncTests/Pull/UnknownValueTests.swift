import Sanderling
import Testing

@testable import SanderlingSync

/// Values of a newer server that a type of the app doesn't know yet: lists stay readable.
@Suite struct UnknownValueTests {
  enum Priority: String, ColumnValue {
    case low, high
  }

  enum Level: String, OpenColumnValue {
    case low, high, unknown
    static let unknownValue = Level.unknown
  }

  struct Place: Codable, Hashable {
    var city: String
  }

  @Record("errands") struct Errand: Equatable {
    @PrimaryKey var id: String
    var priority: Priority
    var level: Level
    var former: Level?
    @Stored(as: JSONCoding<Place>.self) var place: Place
  }

  private let store: Store

  init() throws { store = try Store(inMemory: [Errand.self]) }

  private func change(
    _ id: String, priority: String = "low", level: String = "low", former: String? = nil,
    place: String = #"{"city":"Oslo"}"#
  ) -> SyncChange {
    SyncChange(
      "errands", key: [.text(id)],
      .row([
        "priority": .text(priority), "level": .text(level), "former": former.map { .text($0) } ?? .null,
        "place": .text(place),
      ]))
  }

  private func session(_ changes: SyncChange...) async throws -> SyncSession {
    try await SyncSession(
      "test", store: store, records: [SyncedRecord(Errand.self)], source: BatchSource(changes))
  }

  @Test func unreadableValuesAreQuarantined() async throws {
    let list = await store.liveList(Errand.query.order { $0.id }, window: 10)
    let session = try await session(
      change("a"), change("b", priority: "urgent"), change("c", place: #"{"town":"Oslo"}"#), change("d"))
    let counts = try await session.run().counts
    #expect(counts.written == 2 && counts.quarantined == 2)
    let quarantine = try await session.quarantine()
    #expect(quarantine.map(\.column) == ["priority", "place"])
    #expect(quarantine.allSatisfy { !$0.reason.contains("urgent") && !$0.reason.contains("Oslo") })
    #expect(quarantine[0].reason.contains("Priority") && quarantine[0].reason.contains("OpenColumnValue"))
    #expect(try await store.fetch(Errand.query).map(\.id).sorted() == ["a", "d"])
    try await list.reached(store.lastCommit)
    #expect(await list.elements.map(\.id) == ["a", "d"])
    // A later change of the row replaces the quarantined change.
    _ = try await SyncSession(
      "other", store: store, records: [SyncedRecord(Errand.self)], source: BatchSource([change("b")])
    ).run()
    try await list.reached(store.lastCommit)
    #expect(await list.elements.map(\.id) == ["a", "b", "d"])
  }

  @Test func openEnumerationsReadUnknownValues() async throws {
    let list = await store.liveList(Errand.query.order { $0.id }, window: 10)
    let counts = try await session(
      change("a", level: "high"), change("b", level: "urgent", former: "dire")
    ).run().counts
    #expect(counts.written == 2 && counts.quarantined == 0)
    let errands = try await store.fetch(Errand.query.order { $0.id })
    #expect(errands.map(\.level) == [.high, .unknown])
    #expect(errands.map(\.former) == [nil, .unknown])
    try await list.reached(store.lastCommit)
    #expect(await list.elements.map(\.level) == [.high, .unknown])
    // The raw value stays, also after another column is edited.
    _ = try await store.write { try $0.update(Errand.where { $0.id == "b" }, .set(\.priority, to: .high)) }
    #expect(try await store.count("SELECT count(*) FROM errands WHERE level = 'urgent' AND former = 'dire'") == 1)
  }
}
