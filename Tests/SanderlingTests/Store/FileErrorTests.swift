import Foundation
import GRDB
@testable import Sanderling
import Testing

/// The messages for a broken file or a lock, with their remedies.
@Suite struct FileErrorTests {
  let folder = TemporaryFolder()

  private func expect(
    _ error: StoreError, _ text: String, sourceLocation: SourceLocation = #_sourceLocation,
    from body: () async throws -> Void
  ) async {
    await #expect(throws: error, sourceLocation: sourceLocation) { try await body() }
    #expect(error.localizedDescription == text, sourceLocation: sourceLocation)
    #expect("\(error)" == text, sourceLocation: sourceLocation)
  }

  @Test func anotherConnectionHoldsTheLock() async throws {
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    let store = try folder.store(configuration: configuration)
    let path = folder.path()
    let other = try folder.otherConnection()
    try other.run("BEGIN IMMEDIATE")
    await #expect {
      try await store.write("ring") { try $0.insert(Bird(ring: "A1", species: "knot")) }
    } throws: { error in
      guard case StoreError.busy(path, let holders, let duration?) = error else { return false }
      #if os(Linux)
        #expect(holders.map(\.description) == ["this process"])
      #else
        #expect(holders.isEmpty)
      #endif
      return duration < .seconds(60)
    }
    #expect {
      try store.writeBlocking("ring") { _ in }
    } throws: {
      if case StoreError.busy(path, _, .some) = $0 { true } else { false }
    }
    #expect(try await store.birds == [])
    try other.run("ROLLBACK")
    try await store.write("ring") { try $0.insert(Bird(ring: "A2", species: "knot")) }
    #expect(try await store.birds.map(\.ring) == ["A2"])
  }

  @Test func messagesNameTheHoldersOfALock() {
    #expect(
      "\(StoreError.busy(path: "a.sqlite"))"
        == "Another connection holds a lock on a.sqlite. Set Configuration.busyMode to wait longer, or write in shorter transactions."
    )
    let holders = [LockHolder(processID: 4711, name: "sqlite3"), LockHolder(processID: 0, name: nil)]
    #expect(
      "\(StoreError.busy(path: "a.sqlite", holders: holders, duration: .milliseconds(5040)))"
        == "Process 4711 (sqlite3) and a process of another container hold a lock on a.sqlite, which was waited for 5.0 s. "
        + "Set Configuration.busyMode to wait longer, or write in shorter transactions.")
  }

  @Test func noDatabase() async throws {
    let path = folder.path("letter.txt")
    try Data(String(repeating: "Dear Sir or Madam, ", count: 100).utf8).write(to: URL(filePath: path))
    await expect(
      .notADatabase(path: path),
      "\(path) is no SQLite database, or is encrypted with another key. Check the path and the key."
    ) {
      _ = try Store(path: path, schema: birdSchema)
    }
    await #expect(throws: StoreError.notADatabase(path: path)) { try await Store.open(path: path, schema: birdSchema) }
    #expect(throws: StoreError.notADatabase(path: path)) {
      var configuration = Configuration()
      configuration.readonly = true
      _ = try Store(path: path, schema: birdSchema, configuration: configuration)
    }
    #expect(try folder.fileNames == ["letter.txt"])
  }

  @Test func noFolder() async throws {
    let path = folder.path("missing/store.sqlite")
    let reason = "unable to open database file; check its folder, and the permissions of the folder and the file"
    await expect(.cannotOpen(path: path, reason: reason), "\(path) can't be opened: \(reason).") {
      _ = try Store(path: path, schema: birdSchema)
    }
    await #expect(throws: StoreError.self) { try await Store.open(path: folder.url.path, schema: birdSchema) }
  }

  @Test func aConnectionThatOnlyReads() async throws {
    try folder.store().close()
    var configuration = Configuration()
    configuration.readonly = true
    let store = try folder.store(configuration: configuration)
    let path = folder.path()
    await expect(
      .readOnly(path: path),
      "\(path) can't be written. Check the permissions of the file and of its folder, in which SQLite creates files too."
    ) {
      _ = try await store.write("ring") { try $0.insert(Bird(ring: "A1", species: "knot")) }
    }
    await #expect(throws: StoreError.readOnly(path: path)) { try await store.erase() }
    #expect(try await store.birds == [])
  }

  /// The limit of pages replaces a full disk: SQLite reports both in the same way.
  @Test(arguments: StoreKind.allCases)
  func noSpaceLeft(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    let path = store.path
    #expect(path == (kind == .file ? folder.path() : ":memory:"))
    try await store.writer.writeWithoutTransaction { db in
      let pages = try #require(try Int.fetchOne(db, sql: "PRAGMA page_count"))
      try db.execute(sql: "PRAGMA max_page_count = \(pages + 5)")
    }
    await expect(
      .diskFull(path: path), "There is no space left for \(path). Free some space and try again; nothing was lost."
    ) {
      _ = try await store.write("import") { tx in
        try tx.insert(contentsOf: (0..<5000).lazy.map { Bird(ring: "A\($0)", species: "knot") })
      }
    }
    #expect(try await store.birds == [])
    try await store.write("ring") { try $0.insert(Bird(ring: "A1", species: "knot")) }
    #expect(try await store.birds.map(\.ring) == ["A1"])
  }

  /// A file whose table has an overwritten root page is reported as damaged.
  @Test func aDamagedFile() async throws {
    try folder.damagedStore()
    let store = try folder.store()
    let path = folder.path()
    await expect(
      .corrupt(path: path),
      "\(path) is damaged. Keep a copy, and restore a backup; integrityCheck() names the damaged parts."
    ) {
      _ = try await store.fetch(Bird.order { $0.id })
    }
    await #expect(throws: StoreError.corrupt(path: path)) {
      try await store.write("ring") { try $0.insert(Bird(ring: "new", species: "knot")) }
    }
    #expect(try await store.numbers("SELECT count(*) FROM sqlite_schema WHERE name = 'bird'") == [1])
  }

  @Test(arguments: StoreKind.allCases)
  func aClosedStore(kind: StoreKind) async throws {
    let store = try folder.store(kind)
    try await store.write("ring") { try $0.insert(Bird(ring: "A1", species: "knot")) }
    try store.close()
    await expect(.closed, "The store is closed. Open a new store for the database.") { _ = try await store.birds }
    await #expect(throws: StoreError.closed) { try await store.write("ring") { _ in } }
    #expect(throws: StoreError.closed) { try store.writeBlocking("ring") { _ in } }
    #expect(throws: StoreError.closed) { try store.readBlocking { _ in } }
    await #expect(throws: StoreError.closed) { try await store.integrityCheck() }
    await #expect(throws: StoreError.closed) { try await store.checkpoint() }
    await #expect(throws: StoreError.closed) { try await store.erase() }
    await #expect(throws: StoreError.closed) { try await store.backup(to: folder.path("copy.sqlite")) }
    #expect(try !folder.fileNames.contains { $0.hasPrefix("copy") })
    try store.close()
  }

  /// Invalid SQL throws an error with SQLite's message and the SQL.
  @Test func anErrorInTheSQL() async throws {
    let store = try folder.store(.memory)
    await expect(
      .database(code: 1, message: "no such table: brid", sql: "SELECT ring FROM brid WHERE ring = ?"),
      "SQLite error 1: no such table: brid - while executing `SELECT ring FROM brid WHERE ring = ?`"
    ) {
      _ = try await store.texts("SELECT ring FROM brid WHERE ring = \("secret")")
    }
  }

  @Test func aValueOfAnotherType() async throws {
    let store = try folder.store(.memory)
    try store.writer.run("INSERT INTO bird VALUES (1, 'A1', 'knot', 'secret')")
    let error = await #expect(throws: StoreError.self) { try await store.fetch(Bird.self, key: 1) }
    #expect(
      error?.localizedDescription
        == "A stored value in column sightings of table bird can't be read: expected a value of type Int, found text, "
        + "in the row with id 1. "
        + "Give the property the type that is stored, or choose the storage with @Stored(as:).")
  }
}

extension TemporaryFolder {
  /// Makes a store file with 2000 birds, each with a tag, and overwrites the root page of the table of birds.
  func damagedStore() throws {
    let store = try store()
    try store.writeBlocking("given") { tx in
      try tx.insert(contentsOf: (1...2000).map { Bird(ring: "A\($0)", species: "knot") })
      try tx.insert(contentsOf: (1...2000).map { BirdTag(birdID: $0, tag: "male") })
    }
    let (page, size) = try store.writer.read { db in
      try #require(
        try Row.fetchOne(
          db, sql: "SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM sqlite_schema WHERE name = 'bird'"
        ).map { ($0[0] as UInt64, $0[1] as Int) })
    }
    try store.writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    try store.close()
    let file = try FileHandle(forUpdating: URL(filePath: path()))
    try file.seek(toOffset: (page - 1) * UInt64(size))
    try file.write(contentsOf: Data(repeating: 0xFF, count: size))
    try file.close()
  }
}
