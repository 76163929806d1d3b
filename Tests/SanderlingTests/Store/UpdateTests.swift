import Foundation
import Sanderling
import Testing

@Suite struct UpdateTests {
  let folder = TemporaryFolder()

  private func store(_ kind: StoreKind, tracing: StatementTracing = .allStatements) throws -> Store {
    let store = try folder.store(kind, tracing: tracing)
    try store.writeBlocking("given") { tx in
      try tx.insert(Bird(ring: "A1", species: "knot", sightings: 3))
      try tx.insert(Bird(ring: "A2", species: "dunlin"))
    }
    return store
  }

  @Test(arguments: StoreKind.allCases, [StatementTracing.allStatements, .ownStatements])
  func writesChangedColumnsOnly(kind: StoreKind, tracing: StatementTracing) async throws {
    let store = try store(kind, tracing: tracing)
    let (written, statements) = try await store.record {
      try await store.write("count") { try $0.update(Bird(id: 1, ring: "A1", species: "knot", sightings: 4)) }
    }
    #expect(written)
    #expect(
      statements.sql == [
        #"SELECT "bird"."id", "bird"."ring", "bird"."species", "bird"."sightings" FROM "bird" WHERE "bird"."id" = ?"#,
        #"UPDATE "bird" SET "sightings" = ? WHERE "bird"."id" = ?"#,
      ])
    #expect(try await store.birds.map(\.sightings) == [4, 0])
  }

  @Test(arguments: StoreKind.allCases)
  func writesNothingIfNoValueChanged(kind: StoreKind) async throws {
    let store = try store(kind)
    let (written, statements) = try await store.record {
      try await store.write("count") { try $0.update(Bird(id: 1, ring: "A1", species: "knot", sightings: 3)) }
    }
    #expect(!written)
    #expect(
      statements.sql == [
        #"SELECT "bird"."id", "bird"."ring", "bird"."species", "bird"."sightings" FROM "bird" WHERE "bird"."id" = ?"#
      ])
  }

  /// Values are compared by their bytes: the composed and the decomposed é are different values.
  @Test func equivalentTextWithOtherBytesIsWritten() async throws {
    let store = try folder.store()
    try await store.write("given") { try $0.insert(Bird(ring: "\u{E9}", species: "knot")) }
    let hasChanged = try await store.write("respell") {
      try $0.update(Bird(id: 1, ring: "e\u{301}", species: "knot"))
    }
    #expect(hasChanged)
    #expect(try await store.birds[0].ring.unicodeScalars.count == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func byAClosure(kind: StoreKind) async throws {
    let store = try store(kind)
    let (written, statements) = try await store.record {
      try await store.write("count") { tx in
        try tx.update(Bird.self, key: 2) { bird in
          bird.sightings += 5
          bird.species = "sanderling"
        }
      }
    }
    #expect(written == Bird(id: 2, ring: "A2", species: "sanderling", sightings: 5))
    #expect(statements.sql.last == #"UPDATE "bird" SET "species" = ?, "sightings" = ? WHERE "bird"."id" = ?"#)
    #expect(try await store.fetch(Bird.self, key: 2) == written)
  }

  @Test func closureThatThrowsWritesNothing() async throws {
    struct ChangeOfMind: Error {}
    let store = try store(.file)
    try await store.write("count") { tx in
      #expect(throws: ChangeOfMind.self) {
        try tx.update(Bird.self, key: 2) { bird in
          bird.sightings = 9
          throw ChangeOfMind()
        }
      }
    }
    #expect(try await store.birds.map(\.sightings) == [3, 0])
  }

  @Test func updateCannotChangeTheKey() async throws {
    let store = try store(.file)
    let error = await #expect(throws: StoreError.self) {
      try await store.write("rename") { try $0.update(Bird.self, key: 2) { $0.id = 5 } }
    }
    #expect(
      error
        == .invalidQuery(
          "an update can't change the key of a record: delete the record, and insert it with the new key"))
    #expect(try await store.birds.map(\.id) == [1, 2])
  }

  @Test(arguments: StoreKind.allCases)
  func missingRowCannotBeUpdated(kind: StoreKind) async throws {
    let store = try store(kind)
    let missing = StoreError.notFound(table: "bird")
    await #expect(throws: missing) {
      try await store.write("count") { try $0.update(Bird(id: 9, ring: "A9", species: "knot")) }
    }
    await #expect(throws: missing) { try await store.write("count") { try $0.update(Bird.self, key: 9) { _ in } } }
    await #expect(throws: missing) { try await store.read { try $0.find(Bird.self, key: 9) } }
    #expect(missing.localizedDescription == "There is no row with this key in table bird.")
  }

  @Test func byAKeyOfTwoColumns() async throws {
    let store = try store(.file)
    let (_, statements) = try await store.record {
      try await store.write("tag") { tx in
        try tx.insert(contentsOf: [BirdTag(birdID: 1, tag: "old"), BirdTag(birdID: 2, tag: "old")])
        try tx.update(BirdTag(birdID: 2, tag: "old", weight: 8))
      }
    }
    #expect(
      statements.sql.last == #"UPDATE "birdTag" SET "weight" = ? WHERE "birdTag"."birdID" = ? AND "birdTag"."tag" = ?"#)
    #expect(try await store.fetch(BirdTag.order { $0.birdID }).map(\.weight) == [1, 8])
  }
}
