import Foundation
import Testing

@testable import Sanderling

/// Parts of JSON in conditions, orderings and projections.
@Suite struct JSONPartTests {
  struct Address: Codable, Hashable {
    var city: String
    var floor: Int?
    var isMain = true
    var since = Date(timeIntervalSinceReferenceDate: 5)
  }

  enum Level: String, ColumnValue { case low, high }

  @Record
  struct Contact: Hashable {
    var id: Int
    @Stored(as: .json) var address: Address
    @Stored(as: .json) var former: Address?
    @Stored(as: .json) var tags: [String] = []
    @Stored(as: .json) var scores: [Double] = []
    var remark: String?
    var age = 0
  }

  let store: Store
  let contacts: [Contact] = [
    Contact(id: 1, address: Address(city: "Bern", floor: 3), tags: ["a", "ü\"", "low"], scores: [1, 2.5]),
    Contact(id: 2, address: Address(city: "Ulm", floor: nil, isMain: false), former: Address(city: "Bern")),
    Contact(id: 3, address: Address(city: "Aachen", floor: -1), tags: ["b"], remark: #"{"a .b": [7, {"x": "low"}]}"#),
    Contact(id: 4, address: Address(city: "", floor: 10), scores: [2.5], remark: "no JSON"),
  ]

  init() async throws {
    store = try Store(inMemory: [Contact.self])
    try await store.write { [contacts] tx in try tx.insert(contentsOf: contacts) }
  }

  private func ids(_ condition: @Sendable (Contact.Fields) -> Field<Bool>) async throws -> [Int] {
    try await store.fetch(Contact.where(condition).order { $0.id }).map(\.id)
  }

  @Test func partsAreCompared() async throws {
    #expect(try await ids { $0.address.json("city", as: String.self) == "Bern" } == [1])
    #expect(try await ids { $0.address.json("city", as: String.self) == "" } == [4])
    #expect(try await ids { $0.address.json("floor", as: Int.self) > 2 } == [1, 4])
    #expect(try await ids { $0.address.json("floor", as: Int.self) == nil } == [2])
    #expect(try await ids { $0.address.json("isMain", as: Bool.self) == false } == [2])
    #expect(try await ids { $0.former.json("city", as: String.self) == "Bern" } == [2])
    let date = Date(timeIntervalSinceReferenceDate: 5)
    #expect(try await ids { $0.address.json("since", as: Date.self) == date } == [1, 2, 3, 4])
    #expect(try await ids { $0.scores.json(-1, as: Double.self) == 2.5 } == [1, 4])
    #expect(try await ids { $0.scores.json(0, as: Double.self) == 1 } == [1])
    #expect(try await ids { $0.tags.json(2, as: Level.self) == .low } == [1])
  }

  @Test func textsMayBeJSON() async throws {
    #expect(try await ids { $0.remark.json("a .b", 0, as: Int.self) == 7 } == [3])
    #expect(try await ids { $0.remark.json("a .b", 1, "x", as: Level.self) == .low } == [3])
    #expect(try await ids { $0.remark.json("x", as: Int.self) == nil } == [1, 2, 3, 4])
    #expect(try await ids { !$0.remark.jsonContains(7, at: "a .b") }.isEmpty)
  }

  @Test func elementsAreFound() async throws {
    #expect(try await ids { $0.tags.jsonContains("ü\"") } == [1])
    #expect(try await ids { $0.tags.jsonContains(Level.low) } == [1])
    #expect(try await ids { !$0.tags.jsonContains("a") } == [2, 3, 4])
    #expect(try await ids { $0.scores.jsonContains(2.5) } == [1, 4])
    #expect(try await ids { $0.remark.jsonContains(7, at: "a .b") } == [3])
  }

  @Test func partsAreSelectedAndSorted() async throws {
    let floors = Contact.order { $0.address.json("city", as: String.self).descending }
      .select { ($0.address.json("city", as: String.self), $0.address.json("floor", as: Int.self)) }
    let rows = try await store.fetch(floors)
    #expect(rows.map(\.0) == ["Ulm", "Bern", "Aachen", ""] && rows.map(\.1) == [nil, 3, -1, 10])
  }

  @MainActor
  @Test func liveResultsFollowParts() async throws {
    let query = Contact.where { $0.address.json("city", as: String.self) == "Bern" || $0.tags.jsonContains("b") }
      .order { $0.address.json("floor", as: Int.self) }
    let list = store.liveList(query)
    let count = store.liveCount(query)
    #expect(try await query.explainLive(store).isMaintained)
    _ = (list.rows, count.value)
    await store.settled()
    #expect(list.rows.map(\.id) == [3, 1] && count.value == 2)
    try await store.write { tx in
      try tx.update(Contact.where { $0.id == 2 }, .set(\.tags, to: ["b"]))
      try tx.update(Contact.where { $0.id == 3 }, .set(\.address, to: Address(city: "Bern", floor: 4)))
    }
    await store.settled()
    let fresh = try await store.fetch(query)
    #expect(list.rows.map(\.id) == fresh.map(\.id) && fresh.map(\.id) == [2, 1, 3] && count.value == 3)
  }

  @Test func otherFieldsAreRefused() async throws {
    await #expect(throws: StoreError.self) { _ = try await ids { $0.age.json("x", as: Int.self) == 1 } }
    await #expect(throws: StoreError.self) { _ = try await ids { $0.address.json("x", as: UUID.self) == nil } }
    for name in ["a\"b", "a\\b", "a\nb"] {
      await #expect(throws: StoreError.self) {
        _ = try await ids { $0.address.json(.member(name), as: Int.self) == nil }
      }
    }
    await #expect(throws: StoreError.self) { _ = try await ids { $0.tags.jsonContains(Double.nan) } }
  }
}
