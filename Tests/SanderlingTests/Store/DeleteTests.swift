import Foundation
import Sanderling
import Testing

/// Deletions in a store of three birds with 1, 2 and 3 sightings, each with two tags.
@Suite struct DeleteTests {
  let folder = TemporaryFolder()

  private func store(_ kind: StoreKind) throws -> Store {
    let store = try folder.store(kind)
    try store.writeBlocking("given") { tx in
      try tx.insert(
        contentsOf: (1...3).map { Bird(ring: "A\($0)", species: $0 == 1 ? "knot" : "dunlin", sightings: $0) })
      for id in Int64(1)...3 {
        try tx.insert(contentsOf: [BirdTag(birdID: id, tag: "male"), BirdTag(birdID: id, tag: "young")])
      }
    }
    return store
  }

  @Test(arguments: StoreKind.allCases)
  func deletesOneRowByItsKey(kind: StoreKind) async throws {
    let store = try store(kind)
    try await store.write("release") { tx in
      try #expect(tx.delete(Bird.self, key: 2))
      try #expect(!tx.delete(Bird.self, key: 2))
      try #expect(tx.delete(Bird(id: 3, ring: "any", species: "any")))
      try #expect(!tx.delete(Bird.self, key: 9))
    }
    #expect(try await store.birds.map(\.id) == [1])
    #expect(try await store.fetch(BirdTag.order { $0.tag }).map(\.tag) == ["male", "young"])
  }

  @Test(arguments: StoreKind.allCases)
  func deletesTheRowsOfAQuery(kind: StoreKind) async throws {
    let store = try store(kind)
    let (written, statements) = try await store.record {
      try await store.write("release") { try $0.delete(Bird.where { $0.species == "dunlin" }) }
    }
    // Two birds were deleted, and their four tags by cascade.
    #expect(written == 2)
    #expect(statements.sql == [#"DELETE FROM "bird" WHERE "bird"."species" = ?"#])
    #expect(try await store.birds.map(\.id) == [1])
    #expect(try await store.numbers("SELECT count(*) FROM birdTag") == [2])
    #expect(try await store.write("release") { try $0.delete(Bird.where { $0.species == "dunlin" }) } == 0)
  }

  @Test(arguments: StoreKind.allCases)
  func everything(kind: StoreKind) async throws {
    let store = try store(kind)
    #expect(try await store.write("clear") { try $0.delete(BirdTag.where(.all([]))) } == 6)
    #expect(try await store.write("clear") { try $0.delete(BirdTag.where(.all([]))) } == 0)
    #expect(try await store.numbers("SELECT count(*) FROM birdTag") == [0])
  }

  @Test(arguments: StoreKind.allCases)
  func deletesByAConditionOnAnAssociation(kind: StoreKind) async throws {
    let store = try store(kind)
    let count = try await store.write("untag") { tx in
      try tx.delete(BirdTag.where { $0.bird.species == "dunlin" && $0.tag == "young" })
    }
    #expect(count == 2)
    #expect(
      try await store.texts("SELECT birdID || tag FROM birdTag ORDER BY 1") == ["1male", "1young", "2male", "3male"])
  }

  @Test(arguments: StoreKind.allCases)
  func theFirstOnlyWithALimit(kind: StoreKind) async throws {
    let store = try store(kind)
    try await store.write("untag") { tx in
      try #expect(tx.delete(BirdTag.order { ($0.bird.sightings.descending, $0.tag) }.limit(1)) == 1)
      try #expect(tx.delete(Bird.order { $0.sightings }.limit(1)) == 1)
      try #expect(tx.delete(Bird.order { $0.sightings }.limit(5, offset: 1)) == 1)
      try #expect(tx.delete(Bird.order { $0.sightings }.limit(0)) == 0)
    }
    #expect(try await store.birds.map(\.id) == [2])
    #expect(try await store.texts("SELECT birdID || tag FROM birdTag ORDER BY 1") == ["2male", "2young"])
  }

  @Test func groupsCanNotBeDeleted() async throws {
    let store = try store(.file)
    await #expect(
      throws: StoreError.invalidQuery("only rows of a table can be changed, not groups or the rows of a SELECT")
    ) {
      try await store.write("release") { _ = try $0.delete(Bird.raw("SELECT * FROM \(Bird.self)")) }
    }
    #expect(try await store.birds.count == 3)
  }

  @Test(arguments: StoreKind.allCases)
  func deletesByHandwrittenSQL(kind: StoreKind) async throws {
    let store = try store(kind)
    let ring = "A1"
    let count = try await store.write("release") { tx in
      try tx.execute("DELETE FROM \(Bird.self) WHERE ring = \(ring) OR sightings IN \(list: [3, 4])")
    }
    #expect(count == 2)
    #expect(try await store.birds.map(\.id) == [2])
  }
}
