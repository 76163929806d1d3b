import Foundation
import GRDB
import TestPrograms
import Testing

@testable import Sanderling

/// Stores of Core Data that are read where they are.
@MainActor struct CoreDataReadingTests {
  private let folder = TemporaryFolder()

  private var texts: [String: Data] {
    get throws {
      try Dictionary(
        uniqueKeysWithValues: ["", "-wal"].map { ending in
          (ending, try Data(contentsOf: URL(filePath: folder.path() + ending)))
        })
    }
  }

  private func open() throws -> Store {
    try Store(readingCoreData: folder.path(), schema: [OldEntry.self], liveInterval: .zero)
  }

  private func message(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return "no error"
    } catch {
      return "\(error)".replacing(folder.path(), with: "PATH")
    }
  }

  @Test func theFileAndItsLogStayAsTheyAre() async throws {
    try CoreDataFixture.makeWithLog(folder.path())
    let before = try texts
    #expect(before["-wal"]?.isEmpty == false)
    let store = try open()
    #expect(try await store.fetch(OldEntry.order { $0.objectID }).map(\.text) == ["one", "two", "logged"])
    let list = store.liveList(OldEntry.order { $0.objectID })
    _ = list.rows
    await store.settled()
    #expect(list.elements.count == 3)
    #expect(try texts == before)
    try store.close()
    #expect(try texts == before)
    // The last connection of all closes.
    let again = try await Store.open(readingCoreData: folder.path(), schema: [OldEntry.self])
    #expect(try await again.count(OldEntry.query) == 3)
    try again.close()
    #expect(try texts == before)
    #expect(try folder.fileNames.subtracting(["store.sqlite-shm"]) == ["store.sqlite", "store.sqlite-wal"])
  }

  @Test(arguments: [true, false])
  func listsFollowAnotherProcess(isLogged: Bool) async throws {
    try CoreDataFixture.make(folder.path(), isLogged: isLogged)
    let store = try open()
    let list = store.liveList(OldEntry.order { $0.objectID })
    _ = list.rows
    await store.settled()
    #expect(list.elements.map(\.text) == ["one", "two"])
    let sql =
      "INSERT INTO ZENTRY VALUES (9, 1, 1, 'new'); UPDATE ZENTRY SET ZTEXT = 'changed', Z_OPT = 2 WHERE Z_PK = 1"
    if let shell = Program.first(of: ["/usr/bin/sqlite3"]) {
      let (output, status) = try Program.run(shell, [folder.path(), sql], includesErrors: true)
      #expect(status == 0, "\(output)")
    } else {
      try CoreDataFixture.change(folder.path(), sql)
    }
    let deadline = ContinuousClock.now + .seconds(60)
    while list.elements.map(\.text) != ["changed", "two", "new"], ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(list.elements.map(\.text) == ["changed", "two", "new"])
  }

  @Test func eachWriteNamesTheReason() async throws {
    try CoreDataFixture.make(folder.path())
    let store = try open()
    let error = StoreError.ownedByCoreData(path: folder.path())
    await #expect(throws: error) { try await store.write { try $0.insert(OldEntry(objectID: 5, text: nil)) } }
    await #expect(throws: error) { try await store.write { _ in } }
    #expect(throws: error) { try store.writeBlocking { try $0.delete(OldEntry.self, key: 1) } }
    await #expect(throws: error) { try await store.erase() }
    await #expect(throws: error) { try await store.migrate(DatabaseMigrator()) }
    await #expect(throws: error) { try await store.checkpoint(.truncate) }
    #expect(
      error.description.replacing(folder.path(), with: "PATH")
        == "PATH belongs to Core Data, and is only read. Core Data could not follow rows that another program writes: it gives objects "
        + "their ids (Z_PK, Z_MAX) and version numbers (Z_OPT), it keeps a history, and its triggers call its own functions. "
        + "Write through Core Data, or move the rows to a new store with StoreMove.")
    // Plain GRDB can't write either.
    await #expect(throws: DatabaseError.self) {
      try await store.writer.write { try $0.execute(sql: "DELETE FROM ZENTRY") }
    }
    #expect(try await store.count(OldEntry.query) == 2)
  }

  // MARK: Stores that can't be read

  @Test func noFile() async throws {
    #expect(await message { _ = try open() } == "PATH can't be opened: there is no such file; check the path.")
    #expect(try folder.fileNames == [])
  }

  @Test func anotherDatabase() async throws {
    try CoreDataFixture.change(folder.path(), "CREATE TABLE ZENTRY (Z_PK INTEGER PRIMARY KEY, ZTEXT VARCHAR)")
    #expect(
      await message { _ = try open() }
        == "PATH can't be opened: it is no store of Core Data or SwiftData, since it has no tables Z_METADATA and Z_PRIMARYKEY; "
        + "open other databases with Store.open(path:schema:).")
  }

  @Test func anUnknownVersion() async throws {
    try CoreDataFixture.make(folder.path())
    try CoreDataFixture.change(folder.path(), "UPDATE Z_METADATA SET Z_VERSION = 2")
    #expect(
      await message { _ = try open() }
        == "PATH can't be opened: it is a store of Core Data of the unknown version 2, and version 1 can be read; update Sanderling."
    )
  }

  @Test func anEncryptedFile() async throws {
    try Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 89) }).write(to: URL(filePath: folder.path()))
    #expect(
      await message { _ = try open() }
        == "PATH is no SQLite database, or is encrypted with another key. Check the path and the key.")
  }

  @Test func anotherModel() async throws {
    try CoreDataFixture.make(folder.path())
    try CoreDataFixture.change(folder.path(), "ALTER TABLE ZENTRY RENAME COLUMN ZTEXT TO ZOTHER")
    let text = await message { _ = try open() }
    #expect(text.contains("ZTEXT"), "\(text)")
  }

  @Test func aStoreThatAProcessHasLocked() async throws {
    try CoreDataFixture.make(folder.path(), isLogged: false)
    let other = try folder.otherConnection()
    try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
    var configuration = Store.defaultConfiguration
    configuration.busyMode = .immediateError
    let text = await message {
      _ = try Store(readingCoreData: folder.path(), schema: [OldEntry.self], configuration: configuration)
    }
    #expect(text.contains("a lock on PATH"), "\(text)")
    try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(try await open().count(OldEntry.query) == 2)
  }

  /// A writer that ended in the middle of a transaction leaves a journal, which only a writer can play back.
  @Test func aJournalOfAnEndedWriter() async throws {
    let source = folder.path("source.sqlite")
    try CoreDataFixture.make(source, isLogged: false)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let queue = try DatabaseQueue(path: source, configuration: configuration)
    try await queue.writeWithoutTransaction { [path = folder.path()] db in
      try db.execute(sql: "PRAGMA cache_size = 1; BEGIN")
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
          INSERT INTO ZENTRY SELECT i, 1, 1, hex(zeroblob(500)) FROM n
          """)
      for ending in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: source + ending, toPath: path + ending)
      }
      try db.execute(sql: "ROLLBACK")
    }
    #expect(
      await message { _ = try open() }
        == "PATH can't be opened: its last writer ended within a transaction, which only a writer can undo; "
        + "open it with Core Data once, and then again for reading.")
  }

  /// A process that may write neither the folder nor the files.
  @Test(.enabled(if: BuildFolder.program("StoreKillHelper") != nil), arguments: [true, false])
  func aReadOnlyFolder(hasFiles: Bool) async throws {
    try CoreDataFixture.makeWithLog(folder.path())
    if hasFiles {
      // A reader that may write the folder makes the file.
      try open().close()
      #expect(try folder.fileNames.contains("store.sqlite-shm"))
    }
    let before = try texts
    let paths = try folder.fileNames.map { folder.path($0) }
    func permit(_ folderBits: Int, _ bits: Int) throws {
      for path in paths { try FileManager.default.setAttributes([.posixPermissions: bits], ofItemAtPath: path) }
      try FileManager.default.setAttributes([.posixPermissions: folderBits], ofItemAtPath: folder.url.path)
    }
    try permit(0o555, 0o444)
    defer { try? permit(0o755, 0o644) }
    let helper = try #require(BuildFolder.program("StoreKillHelper"))
    let output = try Program.run(helper.path, ["read-core-data", folder.path(), "0"]).output
    #expect(
      output.replacing(folder.path(), with: "PATH")
        == (hasFiles
          ? "read 3\n"
          : "PATH can't be opened: the file store.sqlite-wal or store.sqlite-shm is missing, and SQLite can't make it in this folder; "
            + "make the folder writable, or read a copy in another folder.\n"))
    #expect(try texts == before)
  }
}
