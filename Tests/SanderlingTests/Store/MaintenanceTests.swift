import Foundation
import GRDB
import Sanderling
import Testing

@Suite struct MaintenanceTests {
  let folder = TemporaryFolder()

  private func store(_ kind: StoreKind) throws -> Store {
    let store = try folder.store(kind)
    try store.writeBlocking("given") { tx in
      try tx.insert(contentsOf: (1...100).map { Bird(ring: "A\($0)", species: "knot") })
    }
    return store
  }

  @Test(arguments: StoreKind.allCases)
  func erasingLeavesAnEmptySchema(kind: StoreKind) async throws {
    let store = try store(kind)
    try store.writer.run("CREATE TABLE other (id)")
    let before = store.lastCommit
    try await store.erase()
    #expect(try await store.birds == [])
    #expect(try await store.texts("SELECT name FROM sqlite_schema WHERE name IN ('bird', 'other')") == ["bird"])
    #expect(store.lastCommit > before)
    let key = try await store.write("ring") { try $0.insert(Bird(ring: "A1", species: "knot")) }
    #expect(key == 1)
    #expect(try await store.integrityCheck() == [])
    if kind == .file {
      try store.close()
      #expect(try await folder.store().birds.map(\.ring) == ["A1"])
    }
  }

  /// A write that waits while the store is erased comes before or after it, never in between.
  @Test(arguments: StoreKind.allCases)
  func erasingIsOneOfTheWrites(kind: StoreKind) async throws {
    let store = try store(kind)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          try await store.write("ring") {
            _ = try $0.upsert(Bird(ring: "\(number)", species: "knot"), onConflict: \.ring)
          }
        }
        if number.isMultiple(of: 20) { group.addTask { try await store.erase() } }
      }
      try await group.waitForAll()
    }
    #expect(try await store.integrityCheck() == [])
  }

  @Test(arguments: StoreKind.allCases)
  func checkpointsEmptyTheLog(kind: StoreKind) async throws {
    let store = try store(kind)
    try await store.checkpoint()
    if kind == .file {
      #expect(try FileManager.default.attributesOfItem(atPath: folder.path() + "-wal")[.size] as? Int != 0)
    }
    try await store.checkpoint(.truncate)
    if kind == .file {
      #expect(try FileManager.default.attributesOfItem(atPath: folder.path() + "-wal")[.size] as? Int == 0)
    }
    #expect(try await store.birds.count == 100)
  }

  @Test func aReaderInTheWayOfACheckpoint() async throws {
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    let store = try folder.store(configuration: configuration)
    try await store.write("ring") { try $0.insert(Bird(ring: "A1", species: "knot")) }
    let other = try folder.otherConnection()
    try other.run("BEGIN; SELECT * FROM bird")
    try await store.write("ring") { try $0.insert(Bird(ring: "A2", species: "knot")) }
    try await store.checkpoint(.passive)
    await #expect(throws: StoreError.busy(path: folder.path())) { try await store.checkpoint(.truncate) }
    try other.run("COMMIT")
    try await store.checkpoint(.truncate)
  }

  @Test(arguments: StoreKind.allCases)
  func aWholeDatabaseHasNoDamage(kind: StoreKind) async throws {
    #expect(try await store(kind).integrityCheck() == [])
  }

  /// The references are broken by a connection that doesn't check them.
  @Test func referencesThatLeadNowhere() async throws {
    let store = try store(.file)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    try DatabaseQueue(path: folder.path(), configuration: configuration).run(
      "INSERT INTO birdTag VALUES (100, 'male', 1), (101, 'male', 1)")
    #expect(try await store.integrityCheck() == ["row 2 of table birdTag refers to no row of table bird"])
  }

  @Test func damage() async throws {
    try folder.damagedStore()
    let damages = try await folder.store().integrityCheck()
    #expect(damages.count > 0 && damages.allSatisfy { $0 != "ok" && !$0.isEmpty })
    #expect(damages[0].contains("btreeInitPage() returns error code 11"), "\(damages)")
  }
}
