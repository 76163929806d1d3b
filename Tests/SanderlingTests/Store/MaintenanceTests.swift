import Foundation
import GRDB
import Testing

@testable import Sanderling

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

  /// A write that waits while the store is erased runs before or after the erasure, never during it.
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

  // MARK: Erasing that fails

  enum Obstacle: CaseIterable, Sendable {
    case seed, extras, disk
  }

  struct SeedFailure: Error {}

  /// Makes a store whose seed or extras fail when they run while `fails` is set.
  private func fragileStore(_ kind: StoreKind, _ obstacle: Obstacle, fails: Flag) throws -> Store {
    var extras = DatabaseMigrator()
    extras.registerMigration("view") { db in
      if fails.value, obstacle == .extras { throw SeedFailure() }
      try db.execute(sql: "CREATE VIEW ringed AS SELECT ring FROM bird")
    }
    let seed: @Sendable (WriteTransaction) throws -> Void = { tx in
      let count = fails.value ? 20_000 : 100
      try tx.insert(contentsOf: (1...count).map { Bird(ring: "A\($0)", species: "knot") })
      if fails.value, obstacle == .seed { throw SeedFailure() }
    }
    return switch kind {
    case .file: try Store(path: folder.path(), schema: birdSchema, extras: extras, seed: seed)
    case .memory: try Store(inMemory: birdSchema, extras: extras, seed: seed)
    }
  }

  /// A failed erasure leaves the database unchanged, for this store and for the next.
  @Test(arguments: StoreKind.allCases, Obstacle.allCases)
  func failedErasureChangesNothing(kind: StoreKind, obstacle: Obstacle) async throws {
    let fails = Flag()
    let store = try fragileStore(kind, obstacle, fails: fails)
    let list = await store.liveList(Bird.order { $0.id }, window: 200, start: .immediate)
    // A list follows the database once its rows are read.
    let firstCount = await list.rows.count
    #expect(firstCount == 100)
    await store.settled()
    fails.set()
    let before = try await store.birds
    if obstacle == .disk { try store.writer.run("PRAGMA max_page_count = 40") }
    let error = await #expect(throws: (any Error).self) { try await store.erase() }
    if obstacle == .disk {
      #expect(error as? StoreError == .diskFull(path: store.path))
    } else {
      #expect(error is SeedFailure)
    }
    #expect(try await store.birds == before)
    #expect(try await store.integrityCheck() == [])
    try store.writer.run("PRAGMA max_page_count = 1000000")
    try await store.write("ring") { try $0.insert(Bird(ring: "new", species: "knot")) }
    await store.settled()
    let (count, isCurrent) = await (list.rows.count, list.state.isCurrent)
    #expect(count == 101 && isCurrent)
    #expect(try await store.texts("SELECT ring FROM ringed WHERE ring = 'new'") == ["new"])
    if kind == .file {
      try store.close()
      #expect(try await folder.store().birds.count == 101)
    }
  }

  /// Readers see the old rows while the new database is made.
  @Test func readersSeeTheOldRowsDuringAnErasure() async throws {
    let isErasing = Flag()
    let counted = Lock<[Int]>([])
    let path = folder.path()
    let store = try Store(path: path, schema: birdSchema) { tx in
      if isErasing.value {
        let other = try DatabaseQueue(beside: path)
        let count = try other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM bird") }
        counted.withLock { $0.append(count ?? -1) }
      }
      try tx.insert(Bird(ring: "A1", species: isErasing.value ? "new" : "old"))
    }
    isErasing.set()
    try await store.erase()
    #expect(counted.withLock { $0 } == [1])
    #expect(try await store.birds.map(\.species) == ["new"])
  }

  /// Observations of GRDB get the new rows after an erasure. An observation of a pool may deliver its first value
  /// twice.
  @Test(.timeLimit(.minutes(10)), arguments: StoreKind.allCases)
  func observationsOfGRDBSeeTheNewRows(kind: StoreKind) async throws {
    let store = try store(kind)
    let before = store.lastCommit
    var counts = ValueObservation.tracking { try Int.fetchOne($0, sql: "SELECT count(*) FROM bird") ?? -1 }
      .removeDuplicates().values(in: store.writer).makeAsyncIterator()
    #expect(try await counts.next() == 100)
    try await store.erase()
    #expect(store.lastCommit > before)
    #expect(try await counts.next() == 0)
  }

  /// An erasure keeps the page size and vacuum mode of the file. SQLite copies no pages of another size into a file
  /// with a write-ahead log.
  @Test(arguments: ["page_size = 1024", "page_size = 16384", "auto_vacuum = FULL"])
  func erasingKeepsTheFormOfTheFile(_ setting: String) async throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      if !db.configuration.readonly { try db.execute(sql: "PRAGMA \(setting)") }
    }
    let store = try folder.store(configuration: configuration)
    try await store.write("given") { try $0.insert(Bird(ring: "A1", species: "knot")) }
    let name = setting.prefix { $0 != " " }
    let before = try await store.numbers("PRAGMA \(raw: String(name))")
    try await store.erase()
    #expect(try await store.birds == [])
    #expect(try await store.numbers("PRAGMA \(raw: String(name))") == before)
    #expect(try await store.integrityCheck() == [])
  }

  @Test func aCancelledTaskErasesNothing() async throws {
    let store = try store(.file)
    await #expect(throws: CancellationError.self) {
      try await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await store.erase()
      }.value
    }
    #expect(try await store.birds.count == 100)
  }

  // MARK: Checkpoints and damage

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
    let path = folder.path()
    await #expect {
      try await store.checkpoint(.truncate)
    } throws: { error in
      if case StoreError.busy(path, _, _) = error { true } else { false }
    }
    try other.run("COMMIT")
    try await store.checkpoint(.truncate)
  }

  @Test(arguments: StoreKind.allCases)
  func aWholeDatabaseHasNoDamage(kind: StoreKind) async throws {
    #expect(try await store(kind).integrityCheck() == [])
  }

  /// Foreign keys without a parent row are reported. A connection without checks of foreign keys writes them.
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
