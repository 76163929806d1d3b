import Foundation
import GRDB
import SanderlingSQL
import Testing

@testable import Sanderling

/// Opening a database that already has the schema.
@Suite struct SchemaUnchangedTests {
  @Record struct List {
    var id: Int64?
    var name: String
  }

  @Record(indexes: [.on(\.dueAt)]) struct Item {
    var id: Int64?
    @References(List.self) var listID: Int64
    var dueAt: Date?
  }

  private func schema() throws -> StoreSchema { try StoreSchema([List.self, Item.self]) }

  private func withFile(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appending(path: "test.sqlite").path)
  }

  @Test func onlyReads() throws {
    let statements = Lock<[String]>([])
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.trace { event in statements.withLock { $0.append("\(event)") } }
    }
    var migrator = DatabaseMigrator()
    migrator.registerMigration("step") { _ in }
    try withFile { path in
      try SchemaMigration.open(DatabaseQueue(path: path), schema: schema(), migrator: migrator)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let version = try queue.read { try $0.schemaVersion() }
      statements.withLock { $0 = [] }
      try SchemaMigration.open(queue, schema: schema(), migrator: migrator)
      #expect(
        statements.withLock { $0 } == [
          "BEGIN DEFERRED TRANSACTION",
          "SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY type, rowid",
          #"SELECT "name", "sql" FROM "sanderling_schema""#,
          "SELECT identifier FROM grdb_migrations",
          "COMMIT TRANSACTION",
        ])
      #expect(try queue.read { try $0.schemaVersion() } == version)
    }
  }

  /// GRDB's pools change `schema_version` when a file has no write-ahead log. This is no schema change.
  @Test func pools() throws {
    try withFile { path in
      for isFirst in [true, false] {
        let pool = try DatabasePool(path: path)
        #expect(
          try pool.read { try SchemaRecord($0, SchemaReader($0)).isCurrent(schema(), SchemaReader($0)) } == !isFirst)
        try SchemaMigration.open(pool, schema: schema(), migrator: nil)
        try pool.close()
      }
    }
  }

  @Test func poolsAtOnce() throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let waiting = configuration
    let schema = try schema()
    for _ in 1...5 {
      try withFile { path in
        let errors = Lock<[any Error]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
          do {
            let pool = try DatabasePool.opening(path: path, configuration: waiting)
            try SchemaMigration.open(pool, schema: schema, migrator: nil)
            try pool.close()
          } catch {
            errors.withLock { $0.append(error) }
          }
        }
        let messages = errors.withLock { $0.map(String.init(describing:)) }
        #expect(messages == [])
      }
    }
  }

  /// Objects that the app or another tool made cost one comparison and cause no change.
  @Test func otherObjects() throws {
    let queue = try DatabaseQueue()
    try SchemaMigration.open(queue, schema: schema(), migrator: nil)
    try queue.write { try $0.execute(sql: "CREATE TABLE other (a); CREATE INDEX mine ON item (listID, dueAt)") }
    let objects = try queue.read { try SchemaReader($0).objects }
    for _ in 1...2 { try SchemaMigration.open(queue, schema: schema(), migrator: nil) }
    #expect(try queue.read { try SchemaReader($0).objects } == objects)
    #expect(try queue.read { try SchemaRecord($0, SchemaReader($0)).isCurrent(schema(), SchemaReader($0)) })
  }

  @Test func readOnly() throws {
    var configuration = Configuration()
    configuration.readonly = true
    try withFile { path in
      try SchemaMigration.open(DatabaseQueue(path: path), schema: StoreSchema([List.self]), migrator: nil)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try SchemaMigration.open(queue, schema: StoreSchema([List.self]), migrator: nil)
      let error = #expect(throws: StoreError.self) {
        try SchemaMigration.open(queue, schema: schema(), migrator: nil)
      }
      guard case .schemaMismatch(let plan) = error else { throw try #require(error) }
      #expect(plan.refusals.map(\.summary) == ["there is no such table"])
      #expect(
        plan.refusals[0].steps.map(\.description) == [
          ##"""
          migrator.registerMigration("create item") { db in
            if try !db.tableExists("item") {
              try db.execute(sql: """
                CREATE TABLE "item" (
                  "id" INTEGER PRIMARY KEY,
                  "listID" INTEGER NOT NULL,
                  "dueAt",
                  FOREIGN KEY ("listID") REFERENCES "list" ("id")
                );
                CREATE INDEX "item_on_dueAt" ON "item" ("dueAt");
                CREATE INDEX "item_on_listID" ON "item" ("listID");
                """)
            }
          }
          """##
        ])
    }
  }

  /// Several stores open one file at the same time, each with GRDB's default of failing at once while another has the
  /// lock.
  @Test(arguments: [true, false]) func openersAtOnce(isFresh: Bool) throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("first") { db in
      if !isFresh { try db.execute(sql: "ALTER TABLE old RENAME TO list") }
    }
    migrator.registerMigration("second") { db in
      if !isFresh { try db.execute(sql: "ALTER TABLE list RENAME COLUMN title TO name") }
    }
    for _ in 1...20 {
      try withFile { path in
        if !isFresh {
          try DatabaseQueue(path: path).write { db in
            try db.execute(sql: "CREATE TABLE old (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
          }
        }
        let queues = try (1...4).map { _ in try DatabaseQueue(path: path) }
        let schema = try schema()
        let steps = migrator
        let errors = Lock<[any Error]>([])
        DispatchQueue.concurrentPerform(iterations: queues.count) { index in
          do {
            try SchemaMigration.open(queues[index], schema: schema, migrator: steps)
          } catch {
            errors.withLock { $0.append(error) }
          }
        }
        let messages = errors.withLock { $0.map(String.init(describing:)) }
        #expect(messages == [])
        for queue in queues {
          #expect(try queue.read { try SchemaMigration.check($0, schema: schema) }.differences == [])
        }
      }
    }
  }

  enum Indexed {
    @Record("item", indexes: [.unique(on: \.dueAt), .on(\.listID, \.dueAt)]) struct Item {
      var id: Int64?
      @References(List.self) var listID: Int64
      var dueAt: Date?
    }
  }

  @Test func indexesChange() throws {
    let queue = try DatabaseQueue()
    try SchemaMigration.open(queue, schema: schema(), migrator: nil)
    try queue.write { try $0.execute(sql: "CREATE INDEX mine ON item (id, dueAt)") }
    try SchemaMigration.open(queue, schema: StoreSchema([List.self, Indexed.Item.self]), migrator: nil)
    let indexes = "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL ORDER BY name"
    #expect(
      try queue.read { try String.fetchAll($0, sql: indexes) } == [
        #"CREATE UNIQUE INDEX "item_on_dueAt" ON "item" ("dueAt")"#,
        #"CREATE INDEX "item_on_listID_dueAt" ON "item" ("listID", "dueAt")"#,
        "CREATE INDEX mine ON item (id, dueAt)",
      ])
  }

  /// An index of the app that serves the same purpose makes the store's own index unnecessary.
  @Test func indexesOfTheApp() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, listID INTEGER NOT NULL REFERENCES list, dueAt REAL UNIQUE);
          CREATE INDEX "by list" ON item ( [listID] collate binary asc , `dueAt`);
          """)
    }
    try SchemaMigration.open(queue, schema: StoreSchema([List.self, Indexed.Item.self]), migrator: nil)
    #expect(
      try queue.read {
        try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'item'")
      }
        == ["sqlite_autoindex_item_1", "by list"])
  }
}
