import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Stores in suspended apps. GRDB's notifications suspend all observing databases of the process, so that the tests run
/// one at a time.
@Suite(.serialized) struct SuspensionTests {
  let folder = TemporaryFolder()

  private func store(function: DatabaseFunction? = nil) throws -> Store {
    var configuration = Configuration()
    configuration.observesSuspensionNotifications = true
    if let function { configuration.prepareDatabase { $0.add(function: function) } }
    return try folder.store(configuration: configuration)
  }

  private func post(_ name: Notification.Name) {
    NotificationCenter.default.post(name: name, object: nil)
  }

  @Test func writesFailWhileSuspendedAndReadsContinue() async throws {
    let store = try store()
    post(Database.suspendNotification)
    defer { post(Database.resumeNotification) }
    let error = await #expect(throws: StoreError.self) {
      try await store.write("ring") { try $0.insert(Bird(ring: "A1", species: "knot")) }
    }
    #expect(error == .suspended)
    #expect(
      error?.localizedDescription == "The database is suspended with its app. Try again when the app is active.")
    #expect(try await store.birds == [])
    post(Database.resumeNotification)
    try await store.write("ring") { try $0.insert(Bird(ring: "A2", species: "knot")) }
    #expect(try await store.birds.map(\.ring) == ["A2"])
  }

  /// Suspension interrupts the statement under way, and the transaction is rolled back.
  @Test func runningWriteIsRolledBack() async throws {
    let suspend = DatabaseFunction("suspend", argumentCount: 0) { _ in
      NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
      return 1
    }
    let store = try store(function: suspend)
    defer { post(Database.resumeNotification) }
    await #expect(throws: StoreError.suspended) {
      try await store.write("ring") { tx in
        try tx.insert(Bird(ring: "A1", species: "knot"))
        try tx.execute("UPDATE bird SET sightings = suspend()")
      }
    }
    post(Database.resumeNotification)
    #expect(try await store.birds == [])
    try await store.write("ring") { try $0.insert(Bird(ring: "A2", species: "knot")) }
    #expect(try await store.birds.map(\.ring) == ["A2"])
  }

  // MARK: A store that ends while the app is suspended

  enum Ending: CaseIterable, Sendable {
    case closing, lettingGo
  }

  enum Connections: CaseIterable, Sendable {
    case pool, queue
  }

  private func appWriter(_ connections: Connections) throws -> any DatabaseWriter {
    var configuration = Configuration()
    configuration.observesSuspensionNotifications = true
    let writer: any DatabaseWriter =
      switch connections {
      case .pool: try DatabasePool(path: folder.path(), configuration: configuration)
      case .queue: try DatabaseQueue(path: folder.path(), configuration: configuration)
      }
    try writer.run(
      """
      CREATE TABLE bird (id INTEGER PRIMARY KEY, ring TEXT NOT NULL UNIQUE, species TEXT NOT NULL,
        sightings INTEGER NOT NULL DEFAULT 0, note TEXT);
      INSERT INTO bird (ring, species) VALUES ('A1', 'knot')
      """)
    return writer
  }

  /// Returns the names of triggers and functions that stores left on a connection.
  private func remains(_ writer: any DatabaseWriter) throws -> [String] {
    try writer.writeWithoutTransaction { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT name FROM temp.sqlite_schema WHERE name LIKE 'sanderling%'
          UNION ALL SELECT name FROM pragma_function_list WHERE name LIKE 'sanderling_capture%'
          """)
    }
  }

  /// Opens a store with a live list, and ends the store while the app is suspended. The app is active again afterwards.
  @MainActor
  private func endSuspendedStore(_ ending: Ending, on writer: any DatabaseWriter) async throws {
    var store: Store? = try Store(writer, schema: [Bird.self], liveInterval: .zero)
    weak let connection = store?.connection
    var list = store?.liveList(Bird.order { $0.id })
    _ = list?.rows
    await store?.settled()
    #expect(list?.rows.count == 1)
    try #require(try !remains(writer).isEmpty)
    post(Database.suspendNotification)
    if ending == .closing { try store?.close() }
    (store, list) = (nil, nil)
    // A turn under way releases the connection at its end.
    while ending == .lettingGo, connection != nil { await Task.yield() }
    // The store's work on the writer's queue is finished after this access.
    try await writer.writeWithoutTransaction { _ in }
    post(Database.resumeNotification)
  }

  @Test(arguments: Ending.allCases, Connections.allCases)
  func appsWriterWorksAfterASuspendedStoreEnds(_ ending: Ending, _ connections: Connections) async throws {
    let writer = try appWriter(connections)
    try await endSuspendedStore(ending, on: writer)
    try writer.run("INSERT INTO bird (ring, species) VALUES ('A2', 'knot')")
    try await writer.write { try $0.execute(sql: "UPDATE bird SET sightings = 1; DELETE FROM bird WHERE id = 1") }
    #expect(try remains(writer) == [])
    #expect(try await writer.read { try String.fetchAll($0, sql: "SELECT ring FROM bird") } == ["A2"])
  }

  @Test(arguments: Connections.allCases)
  func theAppsMigrationDropsAColumn(_ connections: Connections) async throws {
    let writer = try appWriter(connections)
    try await endSuspendedStore(.closing, on: writer)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("drop") { db in try db.execute(sql: "ALTER TABLE bird DROP COLUMN sightings") }
    try migrator.migrate(writer)
    #expect(try remains(writer) == [])
    try writer.run("INSERT INTO bird (ring, species) VALUES ('A2', 'knot')")
  }

  @Test(arguments: Connections.allCases)
  func anotherStoreErasesTheDatabase(_ connections: Connections) async throws {
    let writer = try appWriter(connections)
    try await endSuspendedStore(.closing, on: writer)
    let store = try Store(writer, schema: [Bird.self])
    try await store.erase()
    try await store.write("ring") { try $0.insert(Bird(ring: "A2", species: "knot")) }
    #expect(try await store.birds.map(\.ring) == ["A2"])
    #expect(try remains(writer) == [])
  }

  @Test func theAppClosesItsWriter() async throws {
    let writer = try appWriter(.pool)
    try await endSuspendedStore(.closing, on: writer)
    try writer.close()
    let other = try DatabaseQueue(beside: folder.path())
    try other.run("INSERT INTO bird (ring, species) VALUES ('A2', 'knot')")
    #expect(try await other.read { try String.fetchAll($0, sql: "SELECT ring FROM bird ORDER BY id") } == ["A1", "A2"])
  }

  /// GRDB reads nothing from a file without a write-ahead log while the app is suspended. A checkpoint then fails
  /// instead of reporting success.
  @Test func aCheckpointThatCantBeMadeIsAnError() async throws {
    let store = try Store(try appWriter(.queue), schema: [Bird.self])
    post(Database.suspendNotification)
    defer { post(Database.resumeNotification) }
    await #expect(throws: StoreError.suspended) { try await store.checkpoint() }
  }
}
