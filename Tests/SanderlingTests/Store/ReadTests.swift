import Foundation
import GRDB
import Sanderling
import Testing

@Suite struct ReadTests {
  let folder = TemporaryFolder()

  private func store(_ kind: StoreKind) throws -> Store {
    let store = try folder.store(kind)
    try store.writeBlocking("given") { tx in
      try tx.insert(contentsOf: (1...3).map { Bird(ring: "A\($0)", species: "knot", sightings: $0) })
    }
    return store
  }

  /// A read sees nothing of a write that begins and commits during the read.
  @Test func aReadSeesOneStateOfTheDatabase() async throws {
    let store = try store(.file)
    let counts = try await store.read { tx in
      let before = try tx.count(Bird.order { $0.id })
      try store.writeBlocking("ring a bird") { _ = try $0.insert(Bird(ring: "A4", species: "knot")) }
      let after = try tx.fetch(Bird.order { $0.id }).count
      return [before, after]
    }
    #expect(counts == [3, 3])
    #expect(try await store.birds.count == 4)
  }

  /// A store in memory has one connection: a write that begins during a read waits for the read's end.
  @Test func aReadInMemorySeesOneStateToo() async throws {
    let store = try store(.memory)
    let (counts, write) = try await store.read { tx in
      let before = try tx.count(Bird.order { $0.id })
      let write = Task { try await store.write("ring a bird") { try $0.insert(Bird(ring: "A4", species: "knot")) } }
      return ([before, try tx.fetch(Bird.order { $0.id }).count], write)
    }
    #expect(counts == [3, 3])
    #expect(try await write.value == 4)
    #expect(try await store.birds.count == 4)
  }

  @Test(arguments: StoreKind.allCases)
  func readSeesEarlierWrites(kind: StoreKind) async throws {
    let store = try store(kind)
    for number in 4...50 {
      try await store.write("ring a bird") { try $0.insert(Bird(ring: "A\(number)", species: "knot")) }
      #expect(try await store.count(Bird.order { $0.id }) == number)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func theShorthandsReadTheSame(kind: StoreKind) async throws {
    let store = try store(kind)
    let query = Bird.where { $0.sightings >= 2 }.order { $0.sightings.descending }
    let expected = [
      Bird(id: 3, ring: "A3", species: "knot", sightings: 3), Bird(id: 2, ring: "A2", species: "knot", sightings: 2),
    ]
    #expect(try await store.fetch(query) == expected)
    #expect(try await store.fetchFirst(query) == expected[0])
    #expect(try await store.fetchFirst(query.limit(1, offset: 1)) == expected[1])
    #expect(try await store.fetchFirst(query.limit(0)) == nil)
    #expect(try await store.count(query) == 2)
    #expect(try await store.count(query.limit(1)) == 1)
    #expect(try await store.exists(query))
    #expect(try await !store.exists(Bird.where { $0.sightings > 3 }))
    #expect(try await store.fetch(Bird.self, key: 3) == expected[0])
    #expect(try await store.fetch(Bird.self, key: 4) == nil)
    #expect(try await store.texts("SELECT ring FROM bird WHERE sightings >= \(2) ORDER BY ring DESC") == ["A3", "A2"])
    let blocking = try store.readBlocking { tx in try tx.fetch(query) }
    #expect(blocking == expected)
  }

  @Test(arguments: StoreKind.allCases)
  func recordsByTheirKeys(kind: StoreKind) async throws {
    let store = try store(kind)
    let found = try await store.fetch(Bird.where { $0.id.in([3, 9, 1]) })
    #expect(Set(found.map(\.ring)) == ["A1", "A3"])
  }

  /// The same query may be iterated inside an iteration over its rows.
  @Test(arguments: StoreKind.allCases)
  func aWalkThroughRowsMayRunTheSameQuery(kind: StoreKind) async throws {
    let store = try store(kind)
    let pairs = try await store.read { tx in
      var pairs: [String] = []
      let query = Bird.order { $0.id }
      try tx.forEach(query) { outer in
        try tx.forEach(query) { pairs.append(outer.ring + $0.ring) }
      }
      return pairs
    }
    #expect(pairs == ["A1A1", "A1A2", "A1A3", "A2A1", "A2A2", "A2A3", "A3A1", "A3A2", "A3A3"])
  }

  @Test(arguments: StoreKind.allCases)
  func aWalkThroughRowsEndsWhereItsClosureThrows(kind: StoreKind) async throws {
    struct Enough: Error {}
    let store = try store(kind)
    let seen = try await store.read { tx in
      var seen: [Int] = []
      let query = Bird.order { $0.id }
      #expect(throws: Enough.self) {
        try tx.forEach(query) { bird in
          seen.append(bird.sightings)
          if seen.count == 2 { throw Enough() }
        }
      }
      try tx.forEach(query) { seen.append($0.sightings) }
      return seen
    }
    #expect(seen == [1, 2, 1, 2, 3])
  }

  @Test(arguments: StoreKind.allCases)
  func aTransactionReadsItsOwnWrites(kind: StoreKind) async throws {
    let store = try store(kind)
    try await store.write("ring a bird") { tx in
      try tx.insert(Bird(ring: "A4", species: "knot"))
      try #expect(tx.count(Bird.order { $0.id }) == 4)
      try tx.delete(Bird.where { $0.sightings > 0 })
      try #expect(tx.fetch(Bird.order { $0.id }).map(\.ring) == ["A4"])
    }
  }

  /// A query that would write fails in a read.
  @Test(arguments: StoreKind.allCases)
  func aReadCanNotWrite(kind: StoreKind) async throws {
    let store = try store(kind)
    await #expect(throws: StoreError.self) {
      try await store.read { try $0.fetch(RawQuery("DELETE FROM bird RETURNING ring", as: String.self)) }
    }
    #expect(try await store.birds.count == 3)
  }

  /// A connection that accepts texts in double quotes reads a missing column's name as a text. A renamed column must be
  /// an error: it must not be read as its own name, and a renamed key must not silently match nothing.
  @Test(arguments: ["sightings", "id"])
  func missingColumnIsAnErrorAndNoText(column: String) async throws {
    var configuration = Configuration()
    configuration.acceptsDoubleQuotedStringLiterals = true
    let store = try Store(inMemory: birdSchema, configuration: configuration)
    try await store.write("given") { try $0.insert(Bird(id: 1, ring: "A1", species: "knot")) }
    _ = try await store.fetch(Bird.self, key: 1)
    try await store.writer.write { db in
      try db.execute(sql: "ALTER TABLE bird RENAME COLUMN \"\(column)\" TO away")
    }
    for key in [1, 2] as [Int64] {
      await #expect(throws: StoreError.self) { try await store.fetch(Bird.self, key: key) }
      await #expect(throws: StoreError.self) {
        try await store.write("update") { try $0.update(Bird(id: key, ring: "A1", species: "dunlin", sightings: 1)) }
      }
    }
    if column == "id" {
      await #expect(throws: StoreError.self) { try await store.write("delete") { try $0.delete(Bird.self, key: 2) } }
    }
  }
}
