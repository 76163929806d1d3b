import Foundation
import Sanderling
import Testing

/// Two birds, and a log of every row that is inserted or updated.
@Suite struct UpsertTests {
  let folder = TemporaryFolder()

  private func store(_ kind: StoreKind) throws -> Store {
    let store = try folder.store(kind)
    try store.writeBlocking("given") { tx in
      try tx.insert(contentsOf: [
        Bird(ring: "A1", species: "knot", sightings: 1), Bird(ring: "A2", species: "knot", sightings: 2),
      ])
    }
    try store.writer.run(
      """
      CREATE TABLE log (entry TEXT);
      CREATE TRIGGER inserted AFTER INSERT ON bird BEGIN INSERT INTO log VALUES ('inserted ' || new.ring); END;
      CREATE TRIGGER updated AFTER UPDATE ON bird BEGIN INSERT INTO log VALUES ('updated ' || new.ring); END;
      """)
    return store
  }

  @Test(arguments: StoreKind.allCases)
  func insertsOrUpdatesByTheKey(kind: StoreKind) async throws {
    let store = try store(kind)
    let (_, statements) = try await store.record {
      try await store.write("sync") { tx in
        try #expect(tx.upsert(Bird(id: 2, ring: "A2", species: "dunlin", sightings: 5)))
        try #expect(tx.upsert(Bird(id: 3, ring: "A3", species: "dunlin")))
        try #expect(tx.upsert(Bird(ring: "A4", species: "dunlin")))
      }
    }
    #expect(
      statements.sql.first == """
        INSERT INTO "bird" ("id", "ring", "species", "sightings") VALUES (?, ?, ?, ?) ON CONFLICT ("id") \
        DO UPDATE SET "ring" = excluded."ring", "species" = excluded."species", "sightings" = excluded."sightings" \
        WHERE "bird"."ring" IS NOT excluded."ring" OR "bird"."species" IS NOT excluded."species" \
        OR "bird"."sightings" IS NOT excluded."sightings"
        """)
    #expect(
      try await store.birds == [
        Bird(id: 1, ring: "A1", species: "knot", sightings: 1),
        Bird(id: 2, ring: "A2", species: "dunlin", sightings: 5),
        Bird(id: 3, ring: "A3", species: "dunlin"), Bird(id: 4, ring: "A4", species: "dunlin"),
      ])
    #expect(try await store.texts("SELECT entry FROM log") == ["updated A2", "inserted A3", "inserted A4"])
  }

  @Test(arguments: StoreKind.allCases)
  func leavesUnchangedRowsUntouched(kind: StoreKind) async throws {
    let store = try store(kind)
    let birds = try await store.birds + [Bird(id: 3, ring: "A3", species: "knot")]
    try await store.write("sync") { tx in
      try #expect(tx.upsert(contentsOf: birds) == 1)
      try #expect(tx.upsert(contentsOf: birds) == 0)
      try #expect(!tx.upsert(birds[0]))
    }
    #expect(try await store.texts("SELECT entry FROM log") == ["inserted A3"])
  }

  @Test(arguments: StoreKind.allCases)
  func writesUnchangedRowsWhereItIsAskedTo(kind: StoreKind) async throws {
    let store = try store(kind)
    let birds = try await store.birds
    let count = try await store.write("sync") { tx in
      try tx.upsert(contentsOf: birds, leavingUnchangedRows: false)
    }
    #expect(count == 2)
    #expect(try await store.texts("SELECT entry FROM log") == ["updated A1", "updated A2"])
  }

  /// The row that is found by its ring keeps its key.
  @Test(arguments: StoreKind.allCases)
  func findsTheRowByOtherColumns(kind: StoreKind) async throws {
    let store = try store(kind)
    try await store.write("sync") { tx in
      try #expect(tx.upsert(Bird(ring: "A2", species: "dunlin"), onConflict: \.ring))
      try #expect(tx.upsert(Bird(id: 77, ring: "A1", species: "dunlin"), onConflict: \.ring))
      try #expect(tx.upsert(contentsOf: [Bird(ring: "A3", species: "dunlin")], onConflict: \.ring) == 1)
    }
    #expect(
      try await store.birds == [
        Bird(id: 1, ring: "A1", species: "dunlin"), Bird(id: 2, ring: "A2", species: "dunlin"),
        Bird(id: 3, ring: "A3", species: "dunlin"),
      ])
  }

  /// A new value that is NULL, and an old one, differ from one that isn't.
  @Test func comparesNULLs() async throws {
    let store = try folder.store(schema: todoSchema)
    let project = Project(id: UUID(1), name: "home", parentID: nil)
    let child = Project(id: UUID(1), name: "home", parentID: UUID(2))
    try await store.write("sync") { tx in
      for (record, isChange) in [(project, true), (project, false), (child, true), (child, false), (project, true)] {
        try #expect(tx.upsert(record) == isChange)
      }
    }
  }

  /// Another unique column than the target's is a violation; the rows before it are undone.
  @Test(arguments: StoreKind.allCases)
  func violatesOtherConstraints(kind: StoreKind) async throws {
    let store = try store(kind)
    let error = await #expect(throws: StoreError.self) {
      try await store.write("sync") { tx in
        do {
          try tx.upsert(contentsOf: [
            Bird(id: 8, ring: "A8", species: "knot"), Bird(id: 9, ring: "A1", species: "knot"),
          ])
        } catch {
          #expect(try tx.count(Bird.where { $0.ring == "A8" }) == 0)
          throw error
        }
      }
    }
    #expect(
      error?.localizedDescription
        == "There is a row with these values already: UNIQUE constraint on ring of table bird.")
    #expect(try await store.birds.map(\.ring) == ["A1", "A2"])
  }

  @Test func aTargetThatIsNotUniqueIsAnError() async throws {
    let store = try store(.file)
    let error = await #expect(throws: StoreError.self) {
      try await store.write("sync") { try $0.upsert(Bird(ring: "A1", species: "knot"), onConflict: \.species) }
    }
    guard case .database(_, let message, let sql) = error else { throw try #require(error) }
    #expect(message == "ON CONFLICT clause does not match any PRIMARY KEY or UNIQUE constraint")
    #expect(sql?.contains(#"ON CONFLICT ("species")"#) == true)
  }

  @Test func byAKeyOfTwoColumns() async throws {
    let store = try folder.store()
    try await store.write("sync") { tx in
      try tx.insert(Bird(ring: "A1", species: "knot"))
      try #expect(tx.upsert(BirdTag(birdID: 1, tag: "male", weight: 2)))
      try #expect(tx.upsert(BirdTag(birdID: 1, tag: "male", weight: 3)))
      try #expect(!tx.upsert(BirdTag(birdID: 1, tag: "male", weight: 3)))
    }
    #expect(try await store.fetch(BirdTag.order { $0.tag }) == [BirdTag(birdID: 1, tag: "male", weight: 3)])
  }

  @Record
  struct Pair: Hashable {
    @PrimaryKey var first: Int
    @PrimaryKey var second: Int
  }

  /// A row that is there already has nothing to update.
  @Test func aRecordThatIsAllKey() async throws {
    let store = try folder.store(schema: [Pair.self])
    try await store.write("sync") { tx in
      try #expect(tx.upsert(Pair(first: 1, second: 2)))
      try #expect(!tx.upsert(Pair(first: 1, second: 2), leavingUnchangedRows: false))
    }
    #expect(try await store.fetch(Pair.order { $0.first }) == [Pair(first: 1, second: 2)])
  }
}
