import Foundation
import GRDB
import SanderlingSQL
import Testing

@testable import Sanderling

/// The triggers of touched columns are created, compared and migrated.
@Suite struct TouchSchemaTests {
  let folder = TemporaryFolder()

  enum Plain {
    @Record("memo", indexes: [.unique(on: \.slug)])
    struct Memo {
      var id: Int64?
      var slug: String
      var text = ""
    }
  }

  enum Longer {
    @Record("memo", indexes: [.unique(on: \.slug)])
    struct Memo {
      var id: Int64?
      var slug: String
      @Stored(collation: .nocase) var text = ""
      var stars = 0
      @Stored(touch: .onInsert) var createdAt: Date?
      @Stored("changed", as: .unixMilliseconds, touch: .onUpdate) var changedAt: Date = .distantPast
      @Stored(touch: .version) var version = 1
    }
  }

  enum Renamed {
    @Record("note", indexes: [.unique(on: \.slug)])
    struct Memo {
      var id: Int64?
      var slug: String
      var text = ""
      @Stored(touch: .onInsert) var createdAt: Date?
      @Stored("changed", as: .unixMilliseconds, touch: .onUpdate) var changedAt: Date = .distantPast
      @Stored(touch: .version) var version = 1
    }
  }

  private func open(_ record: any StoredRecord.Type, _ migrator: DatabaseMigrator? = nil) throws -> Store {
    try Store(path: folder.path(), schema: [record], migrator: migrator)
  }

  private func triggers(_ store: Store) throws -> [String] {
    try store.writer.read { db in
      try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
    }
  }

  private static let names = [
    "sanderling_touch_insert_memo", "sanderling_touch_keep_memo.changed", "sanderling_touch_keep_memo.version",
    "sanderling_touch_update_memo",
  ]

  @Test func schemaPrintsTheTriggers() throws {
    let sql = try StoreSchema([Stamp.self]).sql
    #expect(
      sql.contains(
        """
        CREATE TRIGGER "sanderling_touch_keep_stamp.version" AFTER UPDATE OF "version" ON "stamp" WHEN NEW."version" IS \
        OLD."version" BEGIN UPDATE "stamp" SET "version" = NEW."version" WHERE "album" = NEW."album" AND "page" = NEW."page" \
        AND "version" IS NOT NEW."version"; END;
        """))
    #expect(try !StoreSchema([Bird.self]).sql.contains("TRIGGER"))
  }

  @Test func triggersAreCreatedChangedAndDroppedWithTheRecord() throws {
    var store = try open(Plain.Memo.self)
    #expect(try triggers(store) == [])
    try store.writer.run("INSERT INTO memo (slug) VALUES ('a')")
    try store.close()
    store = try open(Memo.self)
    #expect(try triggers(store) == Self.names)
    let objects = try store.writer.read { try SchemaReader($0).objects }
    try store.close()
    // Opening again changes nothing.
    store = try open(Memo.self)
    #expect(try store.writer.read { try SchemaReader($0).objects } == objects)
    try store.close()
    // The next version has another column, for which the table is rebuilt.
    store = try open(Longer.Memo.self)
    #expect(try triggers(store) == Self.names)
    try store.setBack()
    try store.writer.run("UPDATE memo SET stars = 3")
    #expect(try store.touched() == "changed 11")
    try store.writer.run("CREATE TRIGGER own AFTER INSERT ON memo BEGIN SELECT 1; END")
    try store.close()
    #expect(throws: StoreError.self) { try open(Plain.Memo.self) }
    var migrator = DatabaseMigrator()
    migrator.registerMigration("plain") { db in
      try db.execute(sql: "UPDATE memo SET text = 'converted'")
      #expect(try Int.fetchOne(db, sql: "SELECT version FROM memo") == 11)
      for column in ["stars", "createdAt", "changed", "version"] {
        try db.execute(sql: "ALTER TABLE memo DROP COLUMN \(column)")
      }
    }
    store = try open(Plain.Memo.self, migrator)
    #expect(try triggers(store) == ["own"])
  }

  /// Triggers that another program dropped are created again, in the original order. SQLite's order of running them
  /// depends on the order of their creation.
  @Test(arguments: [
    "DROP TRIGGER sanderling_touch_update_memo",
    """
    CREATE TABLE kept AS SELECT sql FROM sqlite_schema WHERE name = 'sanderling_touch_insert_memo';
    DROP TRIGGER sanderling_touch_insert_memo;
    """,
  ])
  func droppedTriggersAreCreatedAgain(sql: String) throws {
    var store = try open(Memo.self)
    try store.writer.run(sql)
    try store.close()
    store = try open(Memo.self)
    #expect(try triggers(store) == Self.names)
    let found = try store.writer.read { db in
      try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name LIKE '%keep%version'")
    }
    let keeping = try #require(found)
    // The same triggers, created in another order, are created again.
    try store.writer.run("DROP TRIGGER \"sanderling_touch_keep_memo.version\"; \(keeping)")
    #expect(try triggers(store) != Self.names)
    try store.close()
    store = try open(Memo.self)
    #expect(try triggers(store) == Self.names)
  }

  @Test func renamedTableGetsItsOwnTriggers() throws {
    try open(Memo.self).close()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("rename") { try $0.execute(sql: "ALTER TABLE memo RENAME TO note") }
    let store = try open(Renamed.Memo.self, migrator)
    #expect(try triggers(store) == Self.names.map { $0.replacing("memo", with: "note") })
  }

  @Test func erasedStoreHasTheTriggers() async throws {
    let store = try open(Memo.self)
    try await store.erase()
    #expect(try triggers(store) == Self.names)
    #expect(try await store.write("add") { try $0.insertAndFetch(Memo(slug: "a")) }.createdAt != nil)
  }

  /// The plan for a database that the app migrates names the missing triggers.
  @Test func missingTriggersOfAnAdoptedDatabaseAreNamed() throws {
    let schema = try StoreSchema([Memo.self])
    let queue = try DatabaseQueue()
    try queue.run(schema.sql.components(separatedBy: "CREATE TRIGGER")[0])
    let plan = try queue.read { try SchemaMigration.check($0, schema: schema) }
    #expect(!plan.isRefused)
    #expect(plan.remarks.count == 4 && plan.remarks[0].summary.hasPrefix("there is no trigger like CREATE TRIGGER "))
    let triggers = schema.tables[0].triggers.map(\.sql)
    try queue.run(triggers.joined(separator: ";\n"))
    #expect(try queue.read { try SchemaMigration.check($0, schema: schema) }.differences == [])
  }

  // MARK: Invalid declarations

  enum Swatch: ColumnCoding {
    static var columnType: ColumnType { .integer }
    static func encode(_ value: Date) -> StorageValue { .integer(Int64(value.timeIntervalSince1970)) }
    static func decode(_ stored: StorageValue) throws -> Date {
      Date(timeIntervalSince1970: Double(try Int.decode(stored)))
    }
  }

  @Record struct Odd {
    @Stored(touch: .version) var id: Int64?
    @Stored(as: Swatch.self, touch: .onUpdate) var changedAt: Date?
    @Stored(touch: .onUpdate) var number: Int?
    @Stored(touch: .version) var name: String
    @Stored(touch: .onInsert) var createdAt: Date
  }

  @Test func declarationsThatCantBeKept() throws {
    let error = #expect(throws: SchemaError.self) { try StoreSchema([Odd.self]) }
    #expect(
      error?.problems == [
        """
        Odd.changedAt is set to the current time, for which its coding has no SQL: make it a Date with a coding of the library, \
        or conform your coding to TimestampCoding
        """,
        """
        Odd.number is set to the current time, for which its coding has no SQL: make it a Date with a coding of the library, \
        or conform your coding to TimestampCoding
        """,
        "Odd.name counts versions, and is stored as TEXT: make it an Int",
        """
        Odd.createdAt has a value in each insertion, so that touch: never sets it: make it optional, or give it a constant \
        initial value, such as Date.distantPast
        """,
        "Odd.id belongs to the key, which an update doesn't touch: leave touch: out",
      ])
  }
}
