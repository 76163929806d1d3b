import Foundation
import GRDB
import Sanderling
import Testing

/// A store that adopts a database which the app created with GRDB, and still uses.
@Suite struct AdoptedWriterTests {
  enum Connections: CaseIterable, Sendable {
    case queue, pool, queueInMemory
  }

  let folder = TemporaryFolder()

  private func writer(_ connections: Connections) throws -> any DatabaseWriter {
    let writer: any DatabaseWriter =
      switch connections {
      case .queue: try DatabaseQueue(path: folder.path())
      case .pool: try DatabasePool(path: folder.path())
      case .queueInMemory: try DatabaseQueue()
      }
    try writer.run(
      """
      CREATE TABLE bird (id INTEGER PRIMARY KEY, ring TEXT NOT NULL UNIQUE, species TEXT NOT NULL,
        sightings INTEGER NOT NULL DEFAULT 0, note TEXT);
      INSERT INTO bird (ring, species) VALUES ('A1', 'knot')
      """)
    return writer
  }

  @Test(arguments: Connections.allCases)
  func storeAndAppReadAndWriteTogether(connections: Connections) async throws {
    let writer = try writer(connections)
    let store = try Store(writer, schema: [Bird.self])
    #expect(store.path == (connections == .queueInMemory ? ":memory:" : folder.path()))
    #expect(store.lastCommit.number == 0)
    try await store.write("ring") { try $0.insert(Bird(ring: "A2", species: "dunlin")) }
    try await writer.write { try $0.execute(sql: "UPDATE bird SET sightings = 3, note = 'seen'") }
    #expect(store.lastCommit.number == 2)
    #expect(
      try await store.birds == [
        Bird(id: 1, ring: "A1", species: "knot", sightings: 3),
        Bird(id: 2, ring: "A2", species: "dunlin", sightings: 3),
      ])
    // A column that the record doesn't have keeps its value.
    try await store.write("count") { try $0.update(Bird.self, key: 1) { $0.sightings = 4 } }
    #expect(try await store.texts("SELECT note FROM bird WHERE id = 1") == ["seen"])
  }

  @Test(arguments: Connections.allCases)
  func adoptingChangesNoSchema(connections: Connections) throws {
    let writer = try writer(connections)
    let before = try writer.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema ORDER BY 1") }
    _ = try Store(writer, schema: [Bird.self])
    #expect(try writer.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema ORDER BY 1") } == before)
    #expect(throws: StoreError.self) { try Store(writer, schema: birdSchema) }
    #expect(try writer.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema ORDER BY 1") } == before)
  }

  @Test(arguments: Connections.allCases)
  func writesOfBothWaitForEachOther(connections: Connections) async throws {
    let writer = try writer(connections)
    let store = try Store(writer, schema: [Bird.self])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          _ = try await store.write("count") { try $0.update(Bird.self, key: 1) { $0.sightings += 1 } }
        }
        group.addTask {
          try await writer.write { db in
            let sightings = try Int.fetchOne(db, sql: "SELECT sightings FROM bird") ?? 0
            try db.execute(sql: "UPDATE bird SET sightings = ?", arguments: [sightings + 1])
          }
        }
        if number.isMultiple(of: 10) { group.addTask { _ = try await store.birds } }
      }
      try await group.waitForAll()
    }
    #expect(try await store.birds.map(\.sightings) == [100])
    #expect(store.lastCommit.number == 100)
  }

  @Test func twoStoresOnOneWriter() async throws {
    let writer = try writer(.pool)
    let stores = [try Store(writer, schema: [Bird.self]), try Store(writer, schema: [Bird.self])]
    try await stores[0].write("count") { try $0.update(Bird.self, key: 1) { $0.sightings += 1 } }
    try await stores[1].write("count") { try $0.update(Bird.self, key: 1) { $0.sightings += 1 } }
    #expect(stores.map(\.lastCommit.number) == [2, 2])
    #expect(try await stores[0].birds.map(\.sightings) == [2])
  }

  @Test(arguments: Connections.allCases)
  func closedWriterIsRefused(connections: Connections) throws {
    let writer = try writer(connections)
    try writer.close()
    #expect(throws: StoreError.closed) { try Store(writer, schema: [Bird.self]) }
  }
}
