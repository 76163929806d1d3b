import Foundation
import GRDB
import Sanderling
import Synchronization
import Testing

@Suite struct OpeningTests {
  let folder = TemporaryFolder()

  private func pragma(_ name: String, _ store: Store) throws -> Int? {
    try store.writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA \(name)") }
  }

  /// The store's durability sets the writer's pragmas. NORMAL is 1 and FULL is 2:
  /// <https://www.sqlite.org/pragma.html#pragma_synchronous>.
  @Test(arguments: [(.normal, 1, 0), (.full, 2, 1)] as [(Durability, Int, Int)])
  func durabilityIsThatOfTheWriter(durability: Durability, synchronous: Int, fullfsync: Int) async throws {
    for _ in 1...2 {
      let store = try Store(path: folder.path(), schema: birdSchema, durability: durability)
      #expect(try pragma("synchronous", store) == synchronous)
      #expect(try pragma("fullfsync", store) == fullfsync)
      #expect(try pragma("checkpoint_fullfsync", store) == fullfsync)
      try await store.erase()
      #expect(try pragma("synchronous", store) == synchronous)
      try store.close()
    }
  }

  @Test func aFileHasAWriteAheadLog() async throws {
    #expect(try await folder.store().texts("SELECT journal_mode FROM pragma_journal_mode") == ["wal"])
  }

  @Test func theDefaultWaitsForLocks() throws {
    let store = try folder.store()
    #expect(try pragma("busy_timeout", store) == 5000)
    #expect(store.writer.configuration.label == "Sanderling")
    #expect(try pragma("busy_timeout", folder.store(.memory)) == 5000)
  }

  /// The app's busy mode applies after opening. Opening itself waits for other processes in any case.
  @Test(arguments: [(.immediateError, 0), (.timeout(0.25), 250)] as [(Database.BusyMode, Int)])
  func aBusyModeIsRespected(mode: Database.BusyMode, milliseconds: Int) throws {
    var configuration = Configuration()
    configuration.busyMode = mode
    #expect(try pragma("busy_timeout", folder.store(configuration: configuration)) == milliseconds)
  }

  /// A function of the app exists in every connection, even before the schema is created.
  @Test(arguments: StoreKind.allCases, [Durability.normal, .full])
  func connectionsArePreparedAsTheAppSays(kind: StoreKind, durability: Durability) async throws {
    var configuration = Configuration()
    configuration.label = "Birds"
    configuration.prepareDatabase { db in
      db.add(
        function: DatabaseFunction("twice", argumentCount: 1, pure: true) { (Int.fromDatabaseValue($0[0]) ?? 0) * 2 })
    }
    let store =
      switch kind {
      case .file:
        try Store(path: folder.path(), schema: birdSchema, durability: durability, configuration: configuration)
      case .memory: try Store(inMemory: birdSchema, configuration: configuration)
      }
    #expect(store.writer.configuration.label == "Birds")
    #expect(try await store.numbers("SELECT twice(4)") == [8])
    #expect(try await store.write("twice") { try $0.fetch(RawQuery("SELECT twice(5)", as: Int.self)) } == [10])
  }

  @Test func openingAsynchronouslyIsTheSame() async throws {
    let store = try await Store.open(path: folder.path(), schema: birdSchema, durability: .full)
    try await store.write("ring") { try $0.insert(Bird(ring: "A1", species: "knot")) }
    #expect(try pragma("synchronous", store) == 2)
    #expect(try folder.fileNames.contains("store.sqlite"))
  }

  @Test func readOnlyStoreChangesNoFile() async throws {
    let writing = try folder.store()
    try await writing.write("ring") { try $0.insert(Bird(ring: "A1", species: "knot")) }
    try writing.close()
    let before = try Data(contentsOf: URL(filePath: folder.path()))
    var configuration = Configuration()
    configuration.readonly = true
    let store = try folder.store(configuration: configuration)
    #expect(try await store.birds.map(\.ring) == ["A1"])
    #expect(try await store.integrityCheck() == [])
    try store.close()
    #expect(try Data(contentsOf: URL(filePath: folder.path())) == before)
  }

  @Test func readOnlyStoreCreatesNoFile() throws {
    var configuration = Configuration()
    configuration.readonly = true
    let reason = "unable to open database file; check its folder, and the permissions of the folder and the file"
    #expect(throws: StoreError.cannotOpen(path: folder.path(), reason: reason)) {
      try folder.store(configuration: configuration)
    }
    #expect(try folder.fileNames == [])
  }

  /// Two stores of one file, as in two processes, each see the other's commits.
  @Test func twoStoresShareAFile() async throws {
    let (first, second) = (try folder.store(), try folder.store())
    for number in 1...5 {
      try await first.write("ring") { try $0.insert(Bird(ring: "first \(number)", species: "knot")) }
      try await second.write("ring") { try $0.insert(Bird(ring: "second \(number)", species: "knot")) }
    }
    #expect(try await first.birds.count == 10)
    #expect(try await second.birds.map(\.id) == Array(1...10))
    #expect(second.lastCommit.number == 5)
  }

  /// Closing a store waits for the write under way.
  @Test(.timeLimit(.minutes(10))) func closingWaitsForAWrite() async throws {
    let store = try folder.store()
    let gate = Gate()
    async let write = store.write("ring") { tx in
      gate.pass()
      return try tx.insert(Bird(ring: "A1", species: "knot"))
    }
    await gate.waitUntilReached()
    async let closing: Void = withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        gate.open()
        continuation.resume(with: Result { try store.close() })
      }
    }
    #expect(try await write == 1)
    try await closing
    #expect(try await folder.store().birds.map(\.ring) == ["A1"])
  }
}
