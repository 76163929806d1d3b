import Foundation
import GRDB
import SanderlingSQL
import Testing

@testable import Sanderling

/// Migrations that ALTER TABLE can't make.
@Suite struct SchemaRebuildTests {
  @Record struct Shelf {
    var id: String
  }

  enum Old {
    @Record("book", indexes: [.on(\.title)])
    struct Book {
      var id: UUID
      var title: String
      var ratio: Double
    }
  }

  enum New {
    @Record("book", indexes: [.on(\.title)])
    struct Book {
      var id: UUID
      @Stored(collation: .nocase) var title: String?
      var ratio = 0.5
      @Stored(default: "'t' || (1 + 1)") var token: String
      @References(Shelf.self, onDelete: .setDefault) var shelfID: String = "main"
    }
  }

  /// Fills one byte up to the 16 bytes of a UUID.
  private static let zeros = String(repeating: "0", count: 30)

  /// Tables of the app's own SQL, with everything that a rebuild could lose.
  private static let app = """
    CREATE TABLE shelf (id TEXT NOT NULL PRIMARY KEY);
    INSERT INTO shelf VALUES ('main');
    CREATE TABLE "book" ( -- the app's own
      "id" BLOB NOT NULL PRIMARY KEY, 'title' TEXT NOT NULL CONSTRAINT "short, isn't it" CHECK (length("title") < 100),
      [ratio] NOT NULL, size INTEGER GENERATED ALWAYS AS (length(title)) STORED, doubled AS (size * 2),
      mood VARCHAR(10, 2) DEFAULT 'so, so' /* , */ COLLATE RTRIM UNIQUE ON CONFLICT IGNORE,
      CHECK (ratio > -1e9), CONSTRAINT two UNIQUE (title, ratio)
    );
    CREATE TABLE page (id INTEGER PRIMARY KEY AUTOINCREMENT, bookID BLOB REFERENCES book ON DELETE CASCADE);
    CREATE TABLE log (text TEXT);
    CREATE INDEX "book by ratio" ON book (ratio DESC) WHERE ratio > 0;
    CREATE VIEW "books" AS SELECT title FROM book WHERE id NOT NULL;
    CREATE TRIGGER first AFTER INSERT ON book BEGIN INSERT INTO log VALUES ('first ' || NEW.title); END;
    CREATE TRIGGER second AFTER INSERT ON book BEGIN INSERT INTO log SELECT 'second ' || title FROM books; END;
    CREATE TRIGGER paged AFTER INSERT ON page BEGIN UPDATE book SET mood = 'read ' || NEW.id WHERE id = NEW.bookID; END;
    CREATE TRIGGER seen INSTEAD OF INSERT ON books BEGIN INSERT INTO log VALUES (NEW.title); END;
    INSERT INTO book (rowid, id, title, ratio) VALUES (42, X'01\(zeros)', 'café', -0.0);
    INSERT INTO book (rowid, id, title, ratio, mood) VALUES (7, X'02\(zeros)', CAST(X'610062' AS TEXT), 1, 'dark');
    INSERT INTO book (id, title, ratio, mood) VALUES (X'03\(zeros)', 'Tea', 'text', NULL);
    INSERT INTO page (id, bookID) VALUES (10, X'01\(zeros)'), (20, X'02\(zeros)');
    DELETE FROM page WHERE id = 20;
    DELETE FROM log;
    """

  private static let rows = "SELECT rowid, id, hex(title), typeof(ratio), ratio, size, doubled, mood FROM book"

  @Test func everythingIsPreserved() throws {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: Self.app) }
    try SchemaMigration.open(queue, schema: StoreSchema([Shelf.self, Old.Book.self]), migrator: nil)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: "CREATE TEMP TRIGGER watch AFTER DELETE ON main.book BEGIN INSERT INTO log VALUES ('gone'); END; ANALYZE")
    }
    let before = try queue.read { try Row.fetchAll($0, sql: Self.rows) }
    let others = try queue.read { try Self.objects($0, except: "book") }

    try SchemaMigration.open(queue, schema: StoreSchema([Shelf.self, New.Book.self]), migrator: nil)

    try queue.writeWithoutTransaction { db in
      #expect(try Row.fetchAll(db, sql: Self.rows) == before)
      #expect(try Self.objects(db, except: "book") == others)
      #expect(
        try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'book'") == """
          CREATE TABLE "book" (
            "id" BLOB NOT NULL PRIMARY KEY,
            'title' TEXT CONSTRAINT "short, isn't it" CHECK (length("title") < 100) COLLATE NOCASE,
            [ratio] NOT NULL DEFAULT 0.5,
            size INTEGER GENERATED ALWAYS AS (length(title)) STORED,
            doubled AS (size * 2),
            mood VARCHAR(10, 2) DEFAULT 'so, so' COLLATE RTRIM UNIQUE ON CONFLICT IGNORE,
            "token" TEXT NOT NULL DEFAULT ('t' || (1 + 1)),
            "shelfID" TEXT NOT NULL DEFAULT 'main',
            CHECK (ratio > -1e9),
            CONSTRAINT two UNIQUE (title, ratio),
            FOREIGN KEY ("shelfID") REFERENCES "shelf" ("id") ON DELETE SET DEFAULT
          )
          """)
      #expect(
        try Row.fetchAll(db, sql: "SELECT DISTINCT token, shelfID FROM book").map { [$0[0], $0[1]] } == [
          ["t2", "main"]
        ])
      #expect(try Int.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'page'") == 20)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'book'") != 0)
      // Triggers of all kinds still fire, in the same order as before.
      try db.execute(sql: "INSERT INTO book (id, title, mood) VALUES (X'04\(Self.zeros)', 'TEA', 'light')")
      try db.execute(sql: "INSERT INTO page (bookID) VALUES (X'03\(Self.zeros)'); INSERT INTO books VALUES ('by view')")
      try db.execute(sql: "DELETE FROM book WHERE id = X'01\(Self.zeros)'")
      let log = try String.fetchAll(db, sql: "SELECT text FROM log")
      #expect(log.contains("first TEA") && log.contains("second café") && log.contains("by view"))
      #expect(log.last == "gone")
      #expect(try String.fetchOne(db, sql: "SELECT mood FROM book WHERE id = X'03\(Self.zeros)'") == "read 21")
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM page") == [21], "the page of the deleted book is gone")
      #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
      #expect(try Bool.fetchOne(db, sql: "PRAGMA legacy_alter_table") == false)
    }
  }

  /// Returns the schema's objects that must stay the same: all except the rebuilt table, its changed index, and the
  /// store's record of the schema.
  private static func objects(_ db: Database, except table: String) throws -> Set<SchemaObject> {
    try Set(SchemaReader(db).objects).filter {
      $0.name != table && $0.name != "book_on_shelfID" && !$0.name.hasPrefix("sqlite_") && $0.name != SchemaRecord.table
    }
  }

  @Record("entry") struct OldEntry {
    var id: Int64?
    var text: String
    var parentID: Int64?
  }

  @Record("entry") struct NewEntry {
    var id: Int64?
    var text: String?
    @References(NewEntry.self, onDelete: .cascade) var parentID: Int64?
  }

  @Test func keysAreNotAssignedAgain() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE entry (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL, parentID INTEGER);
          INSERT INTO entry VALUES (1, 'a', NULL), (9, 'b', 1);
          DELETE FROM entry WHERE id = 9;
          """)
    }
    try SchemaMigration.open(queue, schema: StoreSchema([NewEntry.self]), migrator: nil)
    try queue.write { db in
      try db.execute(sql: "INSERT INTO entry (parentID) VALUES (1)")
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM entry") == [1, 10])
      try db.execute(sql: "DELETE FROM entry WHERE id = 1")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM entry") == 0, "the reference to the own table holds")
    }
  }

  @Test func aNewReferenceThatRowsViolate() throws {
    let queue = try DatabaseQueue()
    try SchemaMigration.open(queue, schema: StoreSchema([OldEntry.self]), migrator: nil)
    try queue.write { try $0.execute(sql: "INSERT INTO entry VALUES (1, 'a', 5), (2, 'b', 1), (3, 'c', 7)") }
    let before = try queue.read { try SchemaReader($0).objects }
    let error = #expect(throws: StoreError.self) {
      try SchemaMigration.open(queue, schema: StoreSchema([NewEntry.self]), migrator: nil)
    }
    #expect(
      error?.plan == """
        The schema differs from the records in ways that need a decision.

        Refused:
        - entry: 2 rows refer to no row of "entry"
          The reference is new. Delete or correct these rows in an explicit step.

        """)
    #expect(try queue.read { try SchemaReader($0).objects } == before)
    #expect(try queue.read { try Bool.fetchOne($0, sql: "PRAGMA foreign_keys") } == true)
    try queue.write {
      try $0.execute(sql: "DELETE FROM entry WHERE parentID IN (5, 7); INSERT INTO entry VALUES (1, 'a', NULL)")
    }
    try SchemaMigration.open(queue, schema: StoreSchema([NewEntry.self]), migrator: nil)
  }

  enum SetNull {
    @Record("entry") struct Entry {
      var id: Int64?
      var text: String?
      @References(Entry.self, onDelete: .setNull) var parentID: Int64?
    }
  }

  enum Unreferenced {
    @Record("entry") struct Entry {
      var id: Int64?
      var text: String? = "new"
      var parentID: Int64?
    }
  }

  @Test func referencesAndDefaultsChange() throws {
    let queue = try DatabaseQueue()
    try SchemaMigration.open(queue, schema: StoreSchema([NewEntry.self]), migrator: nil)
    try queue.write { try $0.execute(sql: "INSERT INTO entry VALUES (1, NULL, NULL), (2, 'b', 1)") }
    func onDelete() throws -> [String] {
      try queue.read { try String.fetchAll($0, sql: "SELECT on_delete FROM pragma_foreign_key_list('entry')") }
    }
    #expect(try onDelete() == ["CASCADE"])
    try SchemaMigration.open(queue, schema: StoreSchema([SetNull.Entry.self]), migrator: nil)
    #expect(try onDelete() == ["SET NULL"])
    try SchemaMigration.open(queue, schema: StoreSchema([Unreferenced.Entry.self]), migrator: nil)
    #expect(try onDelete() == [])
    try queue.write { db in
      #expect(try db.indexes(on: "entry").isEmpty)
      try db.execute(sql: "INSERT INTO entry (id) VALUES (3)")
      let texts = try Row.fetchAll(db, sql: "SELECT text FROM entry").map { $0[0] as String? }
      #expect(texts == [nil, "b", "new"])
    }
  }

  @Record("strict") struct InStrictTable {
    @PrimaryKey var key: String
    var ratio = 1.0
    var more: Double?
    @Stored(default: "1.5 + 1") var sum: Double
  }

  @Test(arguments: ["STRICT", "WITHOUT ROWID, STRICT", "WITHOUT ROWID"])
  func tableOptions(options: String) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE strict (key TEXT PRIMARY KEY) \(options); INSERT INTO strict VALUES ('a')")
    }
    try SchemaMigration.open(queue, schema: StoreSchema([InStrictTable.self]), migrator: nil)
    try queue.write { db in
      #expect(try Double.fetchAll(db, sql: "SELECT sum FROM strict") == [2.5])
      #expect(try String.fetchAll(db, sql: "SELECT typeof(ratio) FROM strict") == ["real"])
      let sql = try #require(try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'strict'"))
      #expect(sql.hasSuffix(") \(options)"))
    }
  }

  @Record("number") struct Number { var id: Int64? }

  @Record("number") struct NumberWithDefaults {
    var id: Int64?
    var one = 1.0
    var negativeZero = -0.0
    var large = 1e300
    var infinity: Double = .infinity
    var smallest: Int64 = Int64.min
    var text = "a'\u{0}b"
  }

  /// Old rows have the exact default of a new column. SQLite's ALTER TABLE would give them the integer 1 in place of
  /// 1.0.
  @Test func defaultsAreExactInOldRows() throws {
    let queue = try DatabaseQueue()
    try SchemaMigration.open(queue, schema: StoreSchema([Number.self]), migrator: nil)
    try queue.write { try $0.execute(sql: "INSERT INTO number DEFAULT VALUES") }
    try SchemaMigration.open(queue, schema: StoreSchema([NumberWithDefaults.self]), migrator: nil)
    try queue.write { db in
      try db.execute(sql: "INSERT INTO number DEFAULT VALUES")
      for row in try Row.fetchAll(db, sql: "SELECT *, hex(text) AS bytes FROM number") {
        #expect(row["one"] as DatabaseValue == 1.0.databaseValue)
        #expect((row["negativeZero"] as Double).sign == .minus)
        #expect(row["large"] == 1e300)
        #expect(row["infinity"] == Double.infinity)
        #expect(row["smallest"] == Int64.min)
        #expect(row["bytes"] == "61270062")
      }
      #expect(try String.fetchAll(db, sql: "SELECT DISTINCT typeof(one) FROM number") == ["real"])
    }
    let version = try queue.read { try $0.schemaVersion() }
    try SchemaMigration.open(queue, schema: StoreSchema([NumberWithDefaults.self]), migrator: nil)
    #expect(try queue.read { try $0.schemaVersion() } == version)
  }
}

extension StoreError {
  /// The printed plan of a refusal.
  var plan: String? {
    if case .schemaMismatch(let plan) = self { plan.description } else { nil }
  }
}
