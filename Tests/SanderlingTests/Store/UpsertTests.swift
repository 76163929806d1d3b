import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Upserts into a store of two birds, with a log of all inserted and updated rows.
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
        try #expect(tx.upsert(Bird(id: 2, ring: "A2", species: "dunlin", sightings: 5)) == .updated)
        try #expect(tx.upsert(Bird(id: 3, ring: "A3", species: "dunlin")) == .inserted)
        try #expect(tx.upsert(Bird(ring: "A4", species: "dunlin")) == .inserted)
      }
    }
    #expect(
      statements.sql.prefix(2) == [
        #"SELECT 1 FROM "bird" WHERE "bird"."id" = ?"#,
        """
        INSERT INTO "bird" ("id", "ring", "species", "sightings") VALUES (?, ?, ?, ?) ON CONFLICT ("id") \
        DO UPDATE SET "ring" = excluded."ring", "species" = excluded."species", "sightings" = excluded."sightings" \
        WHERE "bird"."ring" IS NOT excluded."ring" OR "bird"."species" IS NOT excluded."species" \
        OR "bird"."sightings" IS NOT excluded."sightings"
        """,
      ])
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
      try #expect(tx.upsert(contentsOf: birds).counts == [1, 0, 2])
      try #expect(tx.upsert(contentsOf: birds).counts == [0, 0, 3])
      try #expect(tx.upsert(birds[0]) == .unchanged)
    }
    #expect(try await store.texts("SELECT entry FROM log") == ["inserted A3"])
  }

  @Test(arguments: StoreKind.allCases)
  func writesUnchangedRowsOnRequest(kind: StoreKind) async throws {
    let store = try store(kind)
    let birds = try await store.birds
    let outcomes = try await store.write("sync") { tx in
      try tx.upsert(contentsOf: birds, leavingUnchangedRows: false)
    }
    #expect(outcomes.counts == [0, 2, 0])
    #expect(try await store.texts("SELECT entry FROM log") == ["updated A1", "updated A2"])
  }

  /// A row that is found by its ring keeps its key.
  @Test(arguments: StoreKind.allCases)
  func findsTheRowByOtherColumns(kind: StoreKind) async throws {
    let store = try store(kind)
    try await store.write("sync") { tx in
      try #expect(tx.upsert(Bird(ring: "A2", species: "dunlin"), onConflict: \.ring) == .updated)
      try #expect(tx.upsert(Bird(id: 77, ring: "A1", species: "dunlin"), onConflict: \.ring) == .updated)
      try #expect(tx.upsert(contentsOf: [Bird(ring: "A3", species: "dunlin")], onConflict: \.ring).counts == [1, 0, 0])
    }
    #expect(
      try await store.birds == [
        Bird(id: 1, ring: "A1", species: "dunlin"), Bird(id: 2, ring: "A2", species: "dunlin"),
        Bird(id: 3, ring: "A3", species: "dunlin"),
      ])
  }

  /// NULL and another value differ, whichever is the old and the new value.
  @Test func comparesNULLs() async throws {
    let store = try folder.store(schema: todoSchema)
    let project = Project(id: UUID(1), name: "home", parentID: nil)
    let child = Project(id: UUID(1), name: "home", parentID: UUID(2))
    try await store.write("sync") { tx in
      let steps: [(Project, RowOutcome)] = [
        (project, .inserted), (project, .unchanged), (child, .updated), (child, .unchanged), (project, .updated),
      ]
      for (record, outcome) in steps { try #expect(tx.upsert(record) == outcome) }
    }
  }

  /// A record that violates another unique column fails, and undoes the records before it.
  @Test(arguments: StoreKind.allCases)
  func violationOfAnotherConstraintIsAnError(kind: StoreKind) async throws {
    let store = try store(kind)
    let error = await #expect(throws: StoreError.self) {
      try await store.write("sync") { tx in
        do {
          try tx.upsert(contentsOf: [
            Bird(id: 8, ring: "A8", species: "knot"), Bird(id: 9, ring: "A1", species: "knot"),
          ])
        } catch {
          try #expect(tx.count(Bird.where { $0.ring == "A8" }) == 0)
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
      try #expect(tx.upsert(BirdTag(birdID: 1, tag: "male", weight: 2)) == .inserted)
      try #expect(tx.upsert(BirdTag(birdID: 1, tag: "male", weight: 3)) == .updated)
      try #expect(tx.upsert(BirdTag(birdID: 1, tag: "male", weight: 3)) == .unchanged)
    }
    #expect(try await store.fetch(BirdTag.order { $0.tag }) == [BirdTag(birdID: 1, tag: "male", weight: 3)])
  }

  @Record
  struct Pair: Hashable {
    @PrimaryKey var first: Int
    @PrimaryKey var second: Int
  }

  /// A record that consists of its key leaves an existing row unchanged.
  @Test func recordOfOnlyItsKeyIsLeftUnchanged() async throws {
    let store = try folder.store(schema: [Pair.self])
    try await store.write("sync") { tx in
      try #expect(tx.upsert(Pair(first: 1, second: 2)) == .inserted)
      try #expect(tx.upsert(Pair(first: 1, second: 2), leavingUnchangedRows: false) == .unchanged)
    }
    #expect(try await store.fetch(Pair.order { $0.first }) == [Pair(first: 1, second: 2)])
  }

  // MARK: Some columns only

  @Test(arguments: StoreKind.allCases)
  func updatesTheNamedColumnsOnly(kind: StoreKind) async throws {
    let store = try store(kind)
    try await store.write("sync") { tx in
      let second = Bird(id: 2, ring: "B2", species: "dunlin", sightings: 9)
      try #expect(tx.upsert(second, updating: \.species) == .updated)
      try #expect(tx.upsert(second, updating: \.species) == .unchanged)
      try #expect(tx.upsert(second, updating: \.species, leavingUnchangedRows: false) == .updated)
      let birds = [
        Bird(ring: "A1", species: "plover", sightings: 8), Bird(ring: "A3", species: "plover", sightings: 7),
        Bird(ring: "A2", species: "dunlin", sightings: 2),
      ]
      let outcomes = try tx.upsert(contentsOf: birds, onConflict: \.ring, updating: \.species, \.sightings)
      #expect(outcomes.counts == [1, 1, 1])
    }
    #expect(
      try await store.birds == [
        Bird(id: 1, ring: "A1", species: "plover", sightings: 8),
        Bird(id: 2, ring: "A2", species: "dunlin", sightings: 2),
        Bird(id: 3, ring: "A3", species: "plover", sightings: 7),
      ])
  }

  @Test(arguments: StoreKind.allCases)
  func fetchesTheRowThatItWrote(kind: StoreKind) async throws {
    let store = try store(kind)
    try await store.write("sync") { tx in
      let known = Bird(id: 2, ring: "A2", species: "dunlin", sightings: 2)
      let bird = Bird(ring: "A2", species: "dunlin", sightings: 9)
      for _ in 1...2 {
        try #expect(tx.upsertAndFetch(bird, onConflict: \.ring, updating: \.species) == known)
      }
      try #expect(tx.upsertAndFetch(Bird(ring: "A9", species: "knot")) == Bird(id: 3, ring: "A9", species: "knot"))
      let new = Bird(ring: "A8", species: "knot")
      try #expect(tx.upsertAndFetch(new, onConflict: \.ring) == Bird(id: 4, ring: "A8", species: "knot"))
    }
  }

  @Test func theKeyCantBeUpdated() async throws {
    let store = try store(.memory)
    let error = await #expect(throws: StoreError.self) {
      try await store.write("sync") { tx in
        try tx.upsert(Bird(id: 9, ring: "A1", species: "knot"), onConflict: \.ring, updating: \.id)
      }
    }
    #expect(
      error?.localizedDescription == """
        The query makes no sense in SQL: an upsert can't change the key of a row: leave id of table bird out of updating:.
        """)
  }

  /// Outcomes are right in a table without rowids, where SQLite reports no last rowid.
  @Test func reportsOutcomesInATableWithoutRowids() async throws {
    let writer = try DatabaseQueue()
    try writer.run("CREATE TABLE pair (first INTEGER, second INTEGER, PRIMARY KEY (first, second)) WITHOUT ROWID")
    let store = try Store(writer, schema: [Pair.self])
    let pairs = [Pair(first: 1, second: 1), Pair(first: 1, second: 2), Pair(first: 1, second: 1)]
    let outcomes = try await store.write("sync") { try $0.upsert(contentsOf: pairs) }
    #expect(outcomes.counts == [2, 0, 1])
  }

  @Test func rowIsFoundByTheTargetsIndex() async throws {
    let store = try store(.file)
    let bird = Bird(ring: "A1", species: "dunlin")
    let (_, statements) = try await store.record {
      try await store.write("sync") { tx in
        try tx.upsert(bird, onConflict: \.ring)
        _ = try tx.upsertAndFetch(bird, onConflict: \.ring)
      }
    }
    let selects = Set(statements.sql.filter { $0.hasPrefix("SELECT") })
    // One looks for the row, and the other one reads it back.
    #expect(selects.count == 2)
    for sql in selects {
      let plan = try await store.plan(SQLStatement(sql: sql, arguments: [.text("A1")]))
      #expect(plan.map { $0.replacing("COVERING ", with: "") } == ["SEARCH bird USING INDEX bird_on_ring (ring=?)"])
    }
  }

  // MARK: Live results

  @Test @MainActor func liveListsShowUpsertedRows() async throws {
    let store = try store(.file)
    let list = store.liveList(Bird.order { ($0.species, $0.id) })
    let count = store.liveCount(Bird.where { $0.species == "dunlin" })
    _ = (list.rows, count.value)
    for step in 0..<4 {
      try await store.write("sync") { tx in
        let birds = (1...3).map { Bird(ring: "A\($0 + step)", species: $0 == step ? "dunlin" : "stint") }
        try tx.upsert(contentsOf: birds, onConflict: \.ring, updating: \.species)
        try tx.insert(contentsOf: birds, onConflict: .ignore)
      }
      await store.settled()
      #expect(try await list.elements == store.fetch(Bird.order { ($0.species, $0.id) }))
      #expect(try await count.value == store.count(Bird.where { $0.species == "dunlin" }))
    }
  }
}

extension RowOutcomes {
  fileprivate var counts: [Int] { [insertedCount, updatedCount, unchangedCount] }
}
