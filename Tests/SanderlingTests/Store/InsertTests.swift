import Foundation
import Sanderling
import Testing

@Suite struct InsertTests {
  let folder = TemporaryFolder()

  @Test(arguments: StoreKind.allCases)
  func returnsTheAssignedKey(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    let keys = try await store.write("ring two birds") { tx in
      [
        try tx.insert(Bird(ring: "A1", species: "dunlin")),
        try tx.insert(Bird(ring: "A2", species: "knot", sightings: 3)),
      ]
    }
    #expect(keys == [1, 2])
    #expect(
      try await store.birds == [
        Bird(id: 1, ring: "A1", species: "dunlin"), Bird(id: 2, ring: "A2", species: "knot", sightings: 3),
      ])
  }

  @Test(arguments: StoreKind.allCases)
  func returnsTheKeyThatTheRecordBrings(kind: StoreKind) async throws {
    let store = try folder.store(kind, schema: todoSchema)
    let project = Project(id: UUID(7), name: "home")
    #expect(try await store.write("add project") { try $0.insert(project) } == UUID(7))
    #expect(try await store.fetch(Project.self, key: UUID(7)) == project)

    let birds = try folder.store(.memory)
    let key = try await birds.write("ring a bird") { try $0.insert(Bird(id: 40, ring: "A1", species: "dunlin")) }
    #expect(key == 40)
  }

  /// The returned key is the record's, even if a trigger inserts another row.
  @Test func returnsTheRecordsKeyWhereATriggerInsertsToo() async throws {
    let store = try folder.store()
    try store.writer.run(
      """
      CREATE TABLE log (id INTEGER PRIMARY KEY, ring TEXT);
      INSERT INTO log VALUES (900, '');
      CREATE TRIGGER logging AFTER INSERT ON bird BEGIN INSERT INTO log (ring) VALUES (new.ring); END
      """)
    let key = try await store.write("ring a bird") { try $0.insert(Bird(ring: "A1", species: "dunlin")) }
    #expect(key == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func insertsManyWithTheirKeysInOrder(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    let birds = (1...1000).map { Bird(ring: "R\($0)", species: "knot", sightings: $0) }
    let insertion = try await store.write("import") { try $0.insert(contentsOf: birds) }
    #expect(insertion.rowCount == 1000)
    #expect(insertion.assignedKeys == Array(1...1000))
    #expect(try await store.birds.map(\.sightings) == Array(1...1000))

    let tags = [BirdTag(birdID: 1, tag: "male"), BirdTag(birdID: 1, tag: "young")]
    let second = try await store.write("tag") { try $0.insert(contentsOf: tags) }
    #expect(second.rowCount == 2)
    #expect(second.assignedKeys == [])

    let nothing = try await store.write("import") { try $0.insert(contentsOf: [Bird]()) }
    #expect(nothing.rowCount == 0)
  }

  /// The third record has the ring of the first record. The insertion is undone as a whole, and the transaction
  /// continues.
  @Test(arguments: StoreKind.allCases)
  func insertsAllOfManyOrNone(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    try await store.write("import") { tx in
      try tx.insert(Bird(ring: "A0", species: "knot"))
      #expect(throws: StoreError.self) {
        try tx.insert(contentsOf: ["A1", "A2", "A1", "A3"].map { Bird(ring: $0, species: "knot") })
      }
      try tx.insert(Bird(ring: "A9", species: "knot"))
    }
    #expect(try await store.birds.map(\.ring) == ["A0", "A9"])
  }

  /// A sequence of records that is read during its insertion may query the same transaction.
  @Test func insertsLazyRecordsThatQueryTheTransaction() async throws {
    let store = try folder.store()
    try await store.write("import") { tx in
      try tx.insert(contentsOf: (1...3).map { Bird(ring: "R\($0)", species: "knot") })
      let copies = (1...3).lazy.map { number in
        let count = try! tx.count(Bird.where { $0.ring.hasPrefix("R") })
        return Bird(ring: "R\(number + 3)", species: "knot", sightings: count)
      }
      try tx.insert(contentsOf: copies)
    }
    #expect(try await store.birds.map(\.sightings) == [0, 0, 0, 3, 4, 5])
  }

  /// Two nested insertions use the same statement, the inner one while the outer one is under way.
  @Test func nestedInsertionsOfTheSameRecord() async throws {
    let store = try folder.store()
    try await store.write("import") { tx in
      let birds = (1...2).lazy.map { number in
        try! tx.insert(Bird(ring: "inner \(number)", species: "knot"))
        return Bird(ring: "outer \(number)", species: "knot")
      }
      try #expect(tx.insert(contentsOf: birds).assignedKeys == [2, 4])
    }
    #expect(try await store.birds.map(\.ring) == ["inner 1", "outer 1", "inner 2", "outer 2"])
  }

  @Test(arguments: StoreKind.allCases)
  func insertsNothingWhenTheClosureThrows(kind: StoreKind) async throws {
    struct ChangeOfMind: Error {}
    let store = try folder.store(kind)
    await #expect(throws: ChangeOfMind.self) {
      try await store.write("import") { tx in
        try tx.insert(Bird(ring: "A1", species: "knot"))
        throw ChangeOfMind()
      }
    }
    #expect(try await store.birds == [])
  }

  @Test func recordWithoutAKeyCannotBeUpdated() async throws {
    let store = try folder.store()
    let error = await #expect(throws: StoreError.self) {
      try await store.write("update") { try $0.update(Bird(ring: "A1", species: "knot")) }
    }
    #expect(error == .unassignedKey(table: "bird"))
    #expect(
      error?.localizedDescription
        == "This record of table bird has no key yet: SQLite assigns it on insertion. Use the key that insert(_:) returns."
    )
  }
}
