import Foundation
import Sanderling
import Testing

@Suite struct KeyTests {
  @Record
  struct Tagging: Hashable {
    @PrimaryKey var projectID: UUID
    @PrimaryKey var tag: String
    var weight = 1
  }

  @Record
  struct Country: Hashable {
    @PrimaryKey @Stored("iso_code") var code: String
    var name: String
  }

  @Record
  struct Entry: Hashable {
    var id: Int64?
    var text: String
  }

  let store: Store

  init() throws {
    store = try Store(inMemory: [Tagging.self, Country.self, Entry.self])
  }

  @Test func composite() async throws {
    let records = [
      Tagging(projectID: UUID(1), tag: "a"), Tagging(projectID: UUID(1), tag: "b"),
      Tagging(projectID: UUID(2), tag: "a"),
    ]
    try await store.write("add") { try $0.insert(contentsOf: records) }
    let key = Tagging.Key(projectID: UUID(1), tag: "b")
    #expect(try records[1].key == key)
    #expect(key == Tagging.Key(UUID(1), "b"))
    #expect(try await store.fetch(Tagging.self, key: key) == records[1])
    #expect(try await store.fetch(Tagging.self, key: Tagging.Key(UUID(2), "b")) == nil)
    try await store.write("change") { tx in
      try tx.update(Tagging.self, key: key) { $0.weight = 5 }
      #expect(try tx.delete(Tagging.self, key: Tagging.Key(UUID(2), "a")))
      #expect(try !tx.delete(Tagging.self, key: Tagging.Key(UUID(2), "a")))
    }
    #expect(
      try await store.fetch(Tagging.order { $0.tag }.select { ($0.tag, $0.weight) }).map(line) == ["a | 1", "b | 5"])
    await #expect(throws: StoreError.self) { try await store.write("add again") { try $0.insert(records[0]) } }
  }

  @Test func ofAnotherName() async throws {
    let records = [Country(code: "NZ", name: "Aotearoa"), Country(code: "IS", name: "Ísland")]
    try await store.write("add") { try $0.insert(contentsOf: records) }
    #expect(try await store.fetch(Country.self, key: "IS") == records[1])
    #expect(try await store.fetch(Country.self, key: "is") == nil)
    try await store.expect(
      Country.where { $0.code == "NZ" },
      sql: """
        SELECT "country"."iso_code", "country"."name"
        FROM "country"
        WHERE ("country"."iso_code" = ?)
        -- 'NZ'
        """,
      rows: """
        NZ | Aotearoa
        """)
  }

  @Test func assigned() async throws {
    let first = Entry(id: nil, text: "first")
    #expect(throws: StoreError.unassignedKey(table: "entry")) { try first.key }
    let keys = try await store.write("add") { tx in
      try [tx.insert(first), tx.insert(Entry(id: 10, text: "tenth")), tx.insert(first)]
        + tx.insert(contentsOf: [first, first]).assignedKeys
    }
    #expect(keys == [1, 10, 11, 12, 13])
    #expect(try await store.fetch(Entry.self, key: 10) == Entry(id: 10, text: "tenth"))
    #expect(try await store.fetch(Entry.order { $0.id }.select { $0.id }) == [1, 10, 11, 12, 13])
    await #expect(throws: StoreError.unassignedKey(table: "entry")) {
      try await store.write("delete") { try $0.delete(first) }
    }
  }

  @Test func identifiable() {
    #expect(Entry(id: 7, text: "").id == 7)
    func id<Value: Identifiable>(_ value: Value) -> Value.ID { value.id }
    #expect(id(Project(id: UUID(1), name: "", parentID: nil)) == UUID(1))
  }

  @Test func texts() async throws {
    let keys = ["é", "e\u{301}", "", "a\u{0}", "a"]
    try await store.write("add") { tx in
      for (index, key) in keys.enumerated() { try tx.insert(Country(code: key, name: "\(index)")) }
    }
    for (index, key) in keys.enumerated() {
      #expect(try await store.fetch(Country.self, key: key)?.name == "\(index)")
    }
  }
}
