import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Records whose table is a view.
@Suite struct ViewRecordTests {
  @Record struct List {
    var id: Int64
    var name: String
    static let items = hasMany(Item.self, by: \.listID)
    static let openItems = hasMany(OpenItem.self, by: \.listID)
    static let count = hasMany(ListCount.self, by: \.listID)
  }

  @Record struct Item {
    var id: Int64?
    @References(List.self, onDelete: .cascade) var listID: Int64
    var title: String
    var isDone = false
  }

  @Record(view: "openItem") struct OpenItem: Equatable {
    var id: Int64
    var listID: Int64
    @Stored("heading") var title: String
    static let list = belongsTo(List.self, by: \.listID)
  }

  @Record(view: "listCount") struct ListCount: Equatable {
    @PrimaryKey var listID: Int64
    var open: Int
  }

  private static let views = """
    CREATE VIEW openItem AS SELECT id, listID, title AS heading, 1 AS more FROM item WHERE NOT isDone;
    CREATE VIEW listCount AS SELECT listID, COUNT(*) AS open FROM openItem GROUP BY listID;
    """

  private static var extras: DatabaseMigrator {
    var extras = DatabaseMigrator()
    extras.registerMigration("views") { try $0.execute(sql: views) }
    return extras
  }

  private static let schema: [any StoredRecord.Type] = [List.self, Item.self, OpenItem.self, ListCount.self]

  private func store() throws -> Store {
    try Store(inMemory: Self.schema, extras: Self.extras, liveInterval: .zero, audit: .everyCommit()) { tx in
      for list in 1...3 as ClosedRange<Int64> {
        try tx.insert(List(id: list, name: "List \(list)"))
        for number in 0..<list * 2 {
          try tx.insert(Item(id: nil, listID: list, title: "\(number)", isDone: number % 2 == 0))
        }
      }
    }
  }

  @Test func readingIsThatOfSQL() async throws {
    let store = try store()
    let rows = try await store.fetch(OpenItem.where { $0.list.name > "List 1" }.order { ($0.title.descending, $0.id) })
    let expected = try await store.writer.read { db in
      try Row.fetchAll(
        db, sql: "SELECT id, listID, title FROM item WHERE NOT isDone AND listID > 1 ORDER BY title DESC, id"
      ).map { OpenItem(id: $0[0], listID: $0[1], title: $0[2]) }
    }
    #expect(rows == expected && rows.count == 5)
    let first = try #require(rows.first)
    #expect(try await store.fetch(OpenItem.self, key: first.id) == first)
    #expect(try await store.count(OpenItem.query) == 6)
    let counts = try await store.fetch(
      List.select { ($0.id, $0.openItems.count, $0.count.sum(\.open)) }.order { $0.id })
    #expect(counts.map(\.1) == [1, 2, 3] && counts.map(\.2) == [1, 2, 3])
    let lists = try await store.fetch(List.order { $0.id }.with(List.openItems.prefetch()))
    #expect(lists.map { $0.1.count } == [1, 2, 3])
    #expect(try await store.fetch(ListCount.order { $0.listID }).map(\.open) == [1, 2, 3])
  }

  @Test func writingSaysThatItIsAView() async throws {
    let store = try store()
    var first = try #require(try await store.fetchFirst(OpenItem.query))
    first.title = "x"
    let row = first
    let writes: [@Sendable (WriteTransaction) throws -> Void] = [
      { try $0.insert(row) }, { try $0.update(row) }, { try $0.delete(row) },
      { try $0.insert(contentsOf: [row, row]) },
      { try $0.upsert(row) }, { try $0.delete(OpenItem.query) },
      { try $0.update(OpenItem.query, .set(\.title, to: "y")) },
      { try $0.execute("DELETE FROM \(OpenItem.self)") },
    ]
    for (number, write) in writes.enumerated() {
      let error = await #expect(throws: StoreError.self, "\(number)") { try await store.write("write", write) }
      guard case .invalidQuery(let reason) = error else {
        Issue.record("\(number): \(String(describing: error))")
        continue
      }
      #expect(reason.contains("view"), "\(number): \(reason)")
    }
  }

  @Test func triggersMayWrite() async throws {
    let store = try store()
    try await store.write("trigger") { tx in
      try tx.execute(
        """
        CREATE TRIGGER openItemInsert INSTEAD OF INSERT ON openItem BEGIN
          INSERT INTO item (id, listID, title, isDone) VALUES (NEW.id, NEW.listID, NEW.heading, 0);
        END
        """)
      try tx.insert(OpenItem(id: 100, listID: 1, title: "by trigger"))
    }
    #expect(try await store.fetch(OpenItem.self, key: 100)?.title == "by trigger")
  }

  /// A view record with a key that a table assigns. Schemas refuse it (see
  /// ``viewRecordsCannotDeclareTableFeatures()``), but a transaction writes any record.
  @Record(view: "numberedItem") struct NumberedItem: Equatable {
    var id: Int64?
    var listID: Int64
    var title: String
  }

  private func writableStore() throws -> Store {
    var extras = Self.extras
    extras.registerMigration("writing") { db in
      try db.execute(
        sql: """
          CREATE VIEW numberedItem AS SELECT id, listID, title FROM item WHERE NOT isDone;
          CREATE TRIGGER openItemInsert INSTEAD OF INSERT ON openItem BEGIN
            SELECT RAISE(IGNORE) WHERE NEW.heading = 'ignored';
            INSERT INTO item (id, listID, title, isDone) VALUES (NEW.id, NEW.listID, NEW.heading, 0);
          END;
          CREATE TRIGGER openItemUpdate INSTEAD OF UPDATE ON openItem BEGIN
            SELECT RAISE(IGNORE) WHERE OLD.heading = 'kept';
            UPDATE item SET title = NEW.heading WHERE id = OLD.id;
          END;
          CREATE TRIGGER openItemDelete INSTEAD OF DELETE ON openItem BEGIN
            SELECT RAISE(IGNORE) WHERE OLD.heading = 'kept';
            DELETE FROM item WHERE id = OLD.id;
          END;
          CREATE TRIGGER numberedItemInsert INSTEAD OF INSERT ON numberedItem BEGIN
            INSERT INTO item (id, listID, title, isDone) VALUES (NEW.id, NEW.listID, NEW.title, 0);
          END;
          """)
    }
    return try Store(inMemory: Self.schema, extras: extras) { tx in
      try tx.insert(List(id: 1, name: "List 1"))
    }
  }

  /// The library counts the rows that a view's triggers write. SQLite itself counts no rows of a view.
  @Test func rowsThatTriggersWriteAreCounted() async throws {
    let store = try writableStore()
    // These rows need more than one full insert statement, and a rest.
    let items = (1...70 as ClosedRange<Int64>).map {
      OpenItem(id: $0, listID: 1, title: $0 % 10 == 0 ? "ignored" : $0 % 9 == 0 ? "kept" : "new")
    }
    let counts = try await store.write("write") { tx in
      let inserted = try tx.insert(contentsOf: items)
      let updated = try tx.update(OpenItem.where { $0.id < 20 }, .set(\.title, to: "other"))
      let none = try tx.update(OpenItem.where { $0.id > 1000 }, .set(\.title, to: "other"))
      let isDeleted = try tx.delete(items[0])
      let isDeletedAgain = try tx.delete(OpenItem.self, key: 1)
      let isKept = try tx.delete(OpenItem.self, key: 9)
      let deleted = try tx.delete(OpenItem.query)
      return ([inserted.rowCount, inserted.ignoredCount, updated, none, deleted], [isDeleted, isDeletedAgain, isKept])
    }
    #expect(counts.0 == [63, 7, 16, 0, 55] && counts.1 == [true, false, false])
    #expect(try await store.count(Item.query) == 7)
  }

  @Test func insertingIntoAViewReturnsTheKeyOfTheRecord() async throws {
    let store = try writableStore()
    let row = OpenItem(id: 100, listID: 1, title: "by trigger")
    let (key, numbered, fetched) = try await store.write("insert") { tx in
      // The last rowid that SQLite assigned is not the key of the view's row.
      try tx.insert(Item(id: 5, listID: 1, title: "before"))
      return (
        try tx.insert(row), try tx.insert(NumberedItem(id: 7, listID: 1, title: "t")),
        try tx.insertAndFetch(NumberedItem(id: 8, listID: 1, title: "u"))
      )
    }
    #expect(key == 100 && numbered == 7 && fetched == NumberedItem(id: 8, listID: 1, title: "u"))
    let unnumbered = NumberedItem(id: nil, listID: 1, title: "v")
    let error = await #expect(throws: StoreError.self) { try await store.write { try $0.insert(unnumbered) } }
    guard case .invalidQuery(let reason) = error else { throw try #require(error) }
    #expect(reason.contains("view numberedItem") && reason.hasSuffix("which returns no keys"))
    let insertion = try await store.write { try $0.insert(contentsOf: [unnumbered, unnumbered]) }
    #expect(insertion == Insertion(rowCount: 2, ignoredCount: 0, assignedKeys: []))
    #expect(try await store.count(NumberedItem.query) == 6)
  }

  @Test @MainActor func liveQueriesFollowTheTables() async throws {
    let store = try store()
    let list = store.liveList(OpenItem.order { $0.id })
    let count = store.liveCount(OpenItem.where { $0.listID == 1 })
    let lists = store.liveList(List.where { $0.openItems.count > 1 }.order { $0.id })
    let names = store.liveList(OpenItem.where { $0.list.name == "List 1" }.order { $0.id })
    _ = (list.rows, count.value, lists.rows, names.rows)
    var random = SeededGenerator()
    for step in 0..<40 {
      let (choice, target) = (Int.random(in: 0..<4, using: &random), Int64.random(in: 1...8, using: &random))
      try await store.write("step") { tx in
        switch choice {
        case 0: try tx.insert(Item(id: nil, listID: (target % 3) + 1, title: "new \(step)"))
        case 1: try tx.update(Item.where { $0.id == target }, .set(\.isDone) { !$0.isDone })
        case 2: try tx.delete(Item.where { $0.id == target })
        default: try tx.update(List.where { $0.id == target }, .set(\.name, to: step % 2 == 0 ? "List 1" : "Other"))
        }
      }
      await store.settled()
      let seed = "seed \(random.seed), step \(step)"
      #expect(list.elements == (try await store.fetch(OpenItem.order { $0.id })), "\(seed)")
      #expect(count.value == (try await store.count(OpenItem.where { $0.listID == 1 })), "\(seed)")
      #expect(
        lists.elements.map(\.id)
          == (try await store.fetch(List.where { $0.openItems.count > 1 }.order { $0.id })).map(\.id), "\(seed)")
      #expect(
        names.elements == (try await store.fetch(OpenItem.where { $0.list.name == "List 1" }.order { $0.id })),
        "\(seed)")
    }
  }

  // MARK: Schema

  @Test func aStoreMakesNoTableForIt() throws {
    let schema = try StoreSchema(Self.schema)
    #expect(schema.tables.map(\.name) == ["list", "item"] && !schema.sql.contains("openItem"))
    #expect(try StoreSchema([List.self, Item.self]).fingerprint != schema.fingerprint)
  }

  @Test func aMissingViewIsNamed() throws {
    let error = #expect(throws: StoreError.self) { try Store(inMemory: Self.schema) }
    guard case .schemaMismatch(let plan) = error else { throw try #require(error) }
    #expect(plan.refusals.map(\.table) == ["openItem", "listCount"])
    #expect(plan.refusals.allSatisfy { $0.summary == "there is no such view" })
  }

  /// A missing view is named at each opening, even if an earlier opening recorded the schema.
  @Test func aMissingViewIsNamedEachTime() throws {
    let queue = try DatabaseQueue()
    for _ in 0..<2 {
      #expect(throws: StoreError.self) {
        try SchemaMigration.open(queue, schema: StoreSchema(Self.schema), migrator: nil)
      }
    }
    let contents = StoreContents(extras: Self.extras)
    for _ in 0..<2 { try SchemaMigration.open(queue, schema: StoreSchema(Self.schema), contents: contents) }
    try queue.write { try $0.execute(sql: "DROP VIEW listCount; CREATE VIEW listCount AS SELECT listID FROM item") }
    let error = #expect(throws: StoreError.self) {
      try SchemaMigration.open(queue, schema: StoreSchema(Self.schema), contents: contents)
    }
    guard case .schemaMismatch(let plan) = error else { throw try #require(error) }
    #expect(plan.refusals.map(\.summary) == [#"the view has no column "open""#])
  }

  @Test func anAdoptedDatabaseHasTheViews() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { try $0.execute(sql: StoreSchema([List.self, Item.self]).sql) }
    await #expect(throws: StoreError.self) { try await Store.open(queue, schema: Self.schema) }
    try await queue.write { try $0.execute(sql: Self.views) }
    let store = try await Store.open(queue, schema: Self.schema)
    #expect(try await store.count(OpenItem.query) == 0)
  }

  @Record(view: "wrong") struct Wrong {
    var id: Int64?
    @References(List.self) var listID: Int64
    static let indexes: [Index<Wrong>] = [.on(.ascending(\.listID))]
  }

  @Record struct Referring {
    var id: Int64?
    @References(OpenItem.self) var itemID: Int64
  }

  @Test func viewRecordsCannotDeclareTableFeatures() {
    let error = #expect(throws: SchemaError.self) {
      try StoreSchema([List.self, Item.self, OpenItem.self, Wrong.self, Referring.self])
    }
    #expect(
      error?.problems == [
        "Wrong reads a view, whose key SQLite doesn't assign: give the key the type Int64",
        "Wrong reads a view, which has no foreign keys: leave @References out",
        "Wrong reads a view, which has no indexes: declare indexes for the tables that the view reads",
        "Referring.itemID references OpenItem, which reads a view: a foreign key leads to a table",
      ])
  }

  // MARK: Rows of one kind in a table

  @Record(view: "item") struct DoneItem: Equatable {
    var id: Int64
    var listID: Int64
    var isDone: Bool
    static let defaultScope = Condition<DoneItem> { $0.isDone }
    static let list = belongsTo(List.self, by: \.listID)
  }

  @Record(view: "item") struct ItemTitle: Equatable {
    var id: Int64
    var title: String
  }

  /// One record stores a table, and others read it: each with its own columns and rows.
  @Test @MainActor func severalRecordsReadATable() async throws {
    // The record that stores the table may come first or last.
    for schema: [any StoredRecord.Type] in [
      [List.self, Item.self, DoneItem.self, ItemTitle.self], [DoneItem.self, ItemTitle.self, Item.self, List.self],
    ] {
      let store = try Store(inMemory: schema, liveInterval: .zero, audit: .everyCommit()) { tx in
        try tx.insert(List(id: 1, name: "a"))
        for number in 0..<6 { try tx.insert(Item(id: nil, listID: 1, title: "\(number)", isDone: number < 2)) }
      }
      #expect(try await store.fetch(DoneItem.order { $0.id }).map(\.id) == [1, 2])
      #expect(try await store.fetch(DoneItem.where { $0.list.name == "a" }.with(DoneItem.list.prefetch())).count == 2)
      #expect(try await store.count(ItemTitle.query) == 6)
      let (list, count) = (store.liveList(DoneItem.order { $0.id }), store.liveCount(DoneItem.query))
      _ = (list.rows, count.value)
      try await store.write("done") { try $0.update(Item.where { $0.title == "5" }, .set(\.isDone, to: true)) }
      await store.settled()
      #expect(list.elements.map(\.id) == [1, 2, 6] && count.value == 3)
      var changed = try #require(try await store.fetchFirst(DoneItem.query))
      changed.isDone = false
      let row = changed
      let refusal = StoreError.invalidQuery(
        "the record only reads the table \"item\": write it by the record that stores the table")
      let writes: [@Sendable (WriteTransaction) throws -> Void] = [
        { try $0.insert(row) }, { try $0.update(row) }, { try $0.delete(row) }, { try $0.upsert(row) },
        { try $0.delete(DoneItem.query) }, { try $0.update(DoneItem.query, .set(\.isDone, to: false)) },
      ]
      for write in writes {
        await #expect(throws: refusal) { try await store.write("write", write) }
      }
    }
  }

  // MARK: Full-text tables

  @Record(view: "itemText") struct ItemText {
    @PrimaryKey @Stored("id") var itemID: Int64
    var title: String
    static let item = belongsTo(Item.self, by: \.itemID)
  }

  /// A record can be read from a virtual table as from a view.
  @Test func aFullTextTable() async throws {
    var extras = Self.extras
    extras.registerMigration("text") { db in
      try db.execute(
        sql:
          "CREATE VIRTUAL TABLE itemText USING fts5 (id UNINDEXED, title); INSERT INTO itemText SELECT id, title || ' thing' FROM item"
      )
    }
    let store = try Store(inMemory: Self.schema + [ItemText.self], extras: extras) { tx in
      try tx.insert(List(id: 1, name: "List"))
      for title in ["red", "green"] { try tx.insert(Item(id: nil, listID: 1, title: title)) }
    }
    let query = ItemText.where { _ in .raw("itemText MATCH \("green")") }
    #expect(try await store.fetch(query).map(\.itemID) == [2])
    #expect(try await store.fetch(ItemText.where { $0.item.title == "red" }).map(\.title) == ["red thing"])
  }
}
