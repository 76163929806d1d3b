import Foundation
import Sanderling
import Testing

/// Updates in a store of three birds with 1, 2 and 3 sightings. The second and third have tags of weight 10 and 20.
@Suite struct UpdateWhereTests {
  let folder = TemporaryFolder()

  private func store(_ kind: StoreKind) throws -> Store {
    let store = try folder.store(kind)
    try store.writeBlocking("given") { tx in
      try tx.insert(
        contentsOf: (1...3).map { Bird(ring: "A\($0)", species: $0 == 1 ? "knot" : "dunlin", sightings: $0) })
      try tx.insert(BirdTag(birdID: 2, tag: "male", weight: 10))
      try tx.insert(BirdTag(birdID: 3, tag: "male", weight: 20))
    }
    return store
  }

  @Test(arguments: StoreKind.allCases)
  func setsValuesAndExpressions(kind: StoreKind) async throws {
    let store = try store(kind)
    let (written, statements) = try await store.record {
      try await store.write("recount") { tx in
        try tx.update(
          Bird.where { $0.species == "dunlin" }, .set(\.species, to: "knot"), .set(\.sightings) { $0.sightings * 10 })
      }
    }
    #expect(written == 2)
    #expect(
      statements.sql == [
        #"UPDATE "bird" SET "species" = ?, "sightings" = "bird"."sightings" * ? WHERE "bird"."species" = ?"#
      ])
    #expect(
      try await store.birds == [
        Bird(id: 1, ring: "A1", species: "knot", sightings: 1), Bird(id: 2, ring: "A2", species: "knot", sightings: 20),
        Bird(id: 3, ring: "A3", species: "knot", sightings: 30),
      ])
  }

  @Test(arguments: StoreKind.allCases)
  func countsTheRowsThatItConcerns(kind: StoreKind) async throws {
    let store = try store(kind)
    try await store.write("recount") { tx in
      try #expect(tx.update(Bird.where { $0.sightings > 99 }, .set(\.sightings, to: 0)) == 0)
      try #expect(tx.update(Bird.where { $0.id == 1 }, .set(\.species, to: "knot")) == 1)
      try #expect(tx.update(Bird.order { $0.id }, .set(\.sightings) { $0.sightings + 1 }) == 3)
      try #expect(tx.update(Bird.where { $0.id == 1 }) == 0)
    }
    #expect(try await store.birds.map(\.sightings) == [2, 3, 4])
  }

  /// Each expression sees the row as it was before the update, whatever is set before it.
  @Test func expressionsSeeTheRowBeforeTheUpdate() async throws {
    let store = try store(.file)
    try await store.write("swap") { tx in
      _ = try tx.update(
        BirdTag.where { $0.birdID == 2 }, .set(\.weight) { $0.weight + 1 },
        .set(\.tag) { _ in .raw("'was ' || weight") })
    }
    #expect(try await store.fetch(BirdTag.where { $0.birdID == 2 }) == [BirdTag(birdID: 2, tag: "was 10", weight: 11)])
  }

  @Test(arguments: StoreKind.allCases)
  func followsAssociationsInTheConditionAndInTheValue(kind: StoreKind) async throws {
    let store = try store(kind)
    let count = try await store.write("weigh") { tx in
      try tx.update(
        BirdTag.where { $0.bird.sightings > 2 && $0.bird.species == "dunlin" },
        .set(\.weight) { $0.bird.sightings + $0.weight })
    }
    #expect(count == 1)
    #expect(try await store.fetch(BirdTag.order { $0.birdID }).map(\.weight) == [10, 23])
  }

  @Test(arguments: StoreKind.allCases)
  func updatesTheFirstOnlyWithALimit(kind: StoreKind) async throws {
    let store = try store(kind)
    let count = try await store.write("recount") { tx in
      try tx.update(Bird.order { $0.sightings.descending }.limit(1, offset: 1), .set(\.sightings, to: 77))
    }
    #expect(count == 1)
    #expect(try await store.birds.map(\.sightings) == [1, 77, 3])
  }

  @Test func updatesTheFirstByAKeyOfTwoColumns() async throws {
    let store = try store(.file)
    let count = try await store.write("weigh") { tx in
      try tx.update(BirdTag.order { $0.weight.descending }.limit(1), .set(\.weight) { $0.bird.sightings })
    }
    #expect(count == 1)
    #expect(try await store.fetch(BirdTag.order { $0.birdID }).map(\.weight) == [10, 3])
  }

  @Test func groupsCanNotBeUpdated() async throws {
    let store = try store(.file)
    await #expect(
      throws: StoreError.invalidQuery("only rows of a table can be changed, not groups or the rows of a SELECT")
    ) {
      try await store.write("recount") { try $0.update(Bird.group { $0.species }, .set(\.sightings, to: 0)) }
    }
  }

  /// The rows that a trigger inserts are not counted.
  @Test func rowsOfTriggersAreNotCounted() async throws {
    let store = try store(.file)
    try store.writer.run(
      """
      CREATE TABLE log (id INTEGER PRIMARY KEY);
      CREATE TRIGGER logging AFTER UPDATE ON bird BEGIN INSERT INTO log VALUES (NULL), (NULL), (NULL); END
      """)
    let count = try await store.write("recount") { try $0.update(Bird.where { $0.id <= 2 }, .set(\.sightings, to: 0)) }

    #expect(count == 2)
    #expect(try await store.numbers("SELECT count(*) FROM log") == [6])
  }
}
