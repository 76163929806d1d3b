import Foundation
import GRDB
import SanderlingSQL
import Testing

@testable import Sanderling

/// The initial rows and other objects of a new database.
@Suite struct SeedTests {
  @Record struct List {
    var id: Int64
    var name: String
  }

  @Record struct Item {
    var id: Int64?
    @References(List.self) var listID: Int64
    var title: String
  }

  private struct Failure: Error {}

  private static let schema: [any StoredRecord.Type] = [List.self, Item.self]

  /// Steps for objects that records can't declare: a view, and a full-text table that triggers maintain.
  private static func extras() -> DatabaseMigrator {
    var extras = DatabaseMigrator()
    extras.registerMigration("search of items") { db in
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE itemText USING fts5 (title, content = 'item', content_rowid = 'id');
          INSERT INTO itemText (itemText) VALUES ('rebuild');
          CREATE TRIGGER itemTextInsert AFTER INSERT ON item BEGIN
            INSERT INTO itemText (rowid, title) VALUES (NEW.id, NEW.title);
          END;
          """)
    }
    extras.registerMigration("view of counts") { db in
      try db.execute(sql: "CREATE VIEW listCount AS SELECT listID, COUNT(*) AS n FROM item GROUP BY 1")
    }
    return extras
  }

  private func withFile(
    isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.appending(path: "test.sqlite").path)
  }

  private func found(_ store: Store, _ text: String) async throws -> [Int64] {
    try await store.fetch(RawQuery("SELECT rowid FROM itemText WHERE itemText MATCH \(text)", as: Int64.self))
  }

  @Test func aNewFileIsSeededOnce() async throws {
    try await withFile { path in
      let runs = Lock(0)
      for expected in [1, 1] {
        let store = try Store(path: path, schema: Self.schema) { tx in
          runs.withLock { $0 += 1 }
          try tx.insert(List(id: 1, name: "Inbox"))
        }
        #expect(runs.withLock { $0 } == expected)
        #expect(try await store.fetch(List.query).map(\.name) == ["Inbox"])
        try store.close()
      }
    }
  }

  @Test func aFileWithTablesIsNotSeeded() async throws {
    try await withFile { path in
      try Store(path: path, schema: Self.schema).close()
      let store = try Store(path: path, schema: Self.schema) { try $0.insert(List(id: 1, name: "Inbox")) }
      #expect(try await store.count(List.query) == 0)
    }
  }

  /// A seed that throws leaves not even the tables, so that the next opening begins again.
  @Test func aSeedThatThrowsLeavesNothing() async throws {
    try await withFile { path in
      #expect(throws: Failure.self) {
        try Store(path: path, schema: Self.schema) { tx in
          try tx.insert(List(id: 1, name: "Inbox"))
          throw Failure()
        }
      }
      #expect(try await DatabaseQueue(path: path).read { try SchemaReader($0).objects } == [])
      let store = try Store(path: path, schema: Self.schema) { try $0.insert(List(id: 2, name: "Second")) }
      #expect(try await store.fetch(List.query).map(\.id) == [2])
    }
  }

  @Test func referencesAreEnforcedInASeed() throws {
    let error = #expect(throws: StoreError.self) {
      try Store(inMemory: Self.schema) { try $0.insert(Item(id: nil, listID: 7, title: "of no list")) }
    }
    guard case .constraint(let violation) = error else { throw try #require(error) }
    #expect(violation.kind == .foreignKey)
  }

  @Test(arguments: [true, false])
  @MainActor func erasingSeedsAgain(isInMemory: Bool) async throws {
    try await withFile { path in
      let store = try await Store.open(isInMemory ? .memory : .path(path), schema: Self.schema, extras: Self.extras()) {
        try $0.insert(List(id: 1, name: "Inbox"))
        try $0.insert(Item(id: 5, listID: 1, title: "first steps"))
      }
      #expect(try await found(store, "steps") == [5])
      try await store.write { try $0.insert(List(id: 2, name: "Other")) }
      let list = store.liveList(List.order { $0.id })
      _ = list.rows
      await store.settled()
      #expect(list.elements.map(\.id) == [1, 2])
      try await store.erase()
      await store.settled()
      #expect(list.elements.map(\.id) == [1])
      #expect(try await found(store, "steps") == [5])
      try store.close()
    }
  }

  @Test func extrasRunOnNewAndOnExistingFiles() async throws {
    try await withFile { path in
      var migrator = DatabaseMigrator()
      migrator.registerMigration("for existing files") { try $0.execute(sql: "CREATE TABLE never (a)") }
      for round in 0..<3 {
        let store = try Store(path: path, schema: Self.schema, migrator: migrator, extras: Self.extras()) { tx in
          try tx.insert(List(id: 1, name: "Inbox"))
          try tx.insert(Item(id: 1, listID: 1, title: "first steps"))
        }
        if round == 1 { try await store.write { try $0.insert(Item(id: 2, listID: 1, title: "next steps")) } }
        #expect(try await found(store, "steps") == (round == 0 ? [1] : [1, 2]))
        #expect(try await store.fetch(RawQuery("SELECT n FROM listCount", as: Int.self)) == [round == 0 ? 1 : 2])
        #expect(try await store.writer.read { try $0.tableExists("never") } == false)
        try store.close()
      }
    }
    try await withFile { path in
      let old = try Store(path: path, schema: Self.schema)
      try await old.write { tx in
        try tx.insert(List(id: 1, name: "Inbox"))
        try tx.insert(Item(id: 8, listID: 1, title: "old steps"))
      }
      try old.close()
      let store = try Store(path: path, schema: Self.schema, extras: Self.extras())
      #expect(try await found(store, "steps") == [8])
    }
  }

  /// An extra step that throws is run again at the next opening, with all other missing steps.
  @Test func anExtraThatThrowsIsRunAgain() async throws {
    try await withFile { path in
      let fails = Lock(true)
      var extras = Self.extras()
      extras.registerMigration("third") { db in
        try db.execute(sql: "CREATE TABLE third (a)")
        if fails.withLock({ $0 }) { throw Failure() }
      }
      let seed: @Sendable (WriteTransaction) throws -> Void = { try $0.insert(List(id: 1, name: "Inbox")) }
      #expect(throws: Failure.self) { try Store(path: path, schema: Self.schema, extras: extras, seed: seed) }
      fails.withLock { $0 = false }
      let store = try Store(path: path, schema: Self.schema, extras: extras, seed: seed)
      #expect(try await store.fetch(List.query).map(\.id) == [1])
      #expect(try await store.writer.read { try $0.tableExists("third") && $0.viewExists("listCount") })
      try store.close()
    }
  }

  /// Opening a database that has everything only reads it.
  @Test func openingAgainChangesNothing() throws {
    let queue = try DatabaseQueue()
    let contents = StoreContents(migrator: DatabaseMigrator(), extras: Self.extras())
    try SchemaMigration.open(queue, schema: StoreSchema(Self.schema), contents: contents)
    let changes = try queue.read { $0.totalChangesCount }
    try SchemaMigration.open(queue, schema: StoreSchema(Self.schema), contents: contents)
    #expect(try queue.read { $0.totalChangesCount } == changes)
  }

  @Test func extrasOfANewerVersion() async throws {
    try await withFile { path in
      var newer = Self.extras()
      newer.registerMigration("of version 2") { _ in }
      try Store(path: path, schema: Self.schema, migrator: DatabaseMigrator(), extras: newer).close()
      #expect(throws: StoreError.newerSchema(migrations: ["of version 2"])) {
        try Store(path: path, schema: Self.schema, migrator: DatabaseMigrator(), extras: Self.extras())
      }
    }
  }

  @Test func aStepOfTheSameNameInBoth() {
    let error = #expect(throws: SchemaError.self) {
      try SchemaMigration.open(
        DatabaseQueue(), schema: StoreSchema(Self.schema),
        contents: StoreContents(migrator: Self.extras(), extras: Self.extras()))
    }
    #expect(
      error?.problems == [
        #"the step "search of items" is in the migrator and in the extras: give one of them another name"#,
        #"the step "view of counts" is in the migrator and in the extras: give one of them another name"#,
      ])
  }

  @Test func anErasedFileOfAnotherSchemaIsSeeded() async throws {
    try await withFile { path in
      try await DatabaseQueue(path: path).write {
        try $0.execute(sql: "CREATE TABLE list (id TEXT PRIMARY KEY, name BLOB)")
      }
      var migrator = DatabaseMigrator()
      migrator.eraseDatabaseOnSchemaChange = true
      let store = try Store(path: path, schema: Self.schema, migrator: migrator) {
        try $0.insert(List(id: 1, name: "Inbox"))
      }
      #expect(try await store.fetch(List.query).map(\.name) == ["Inbox"])
    }
  }
}
