import Foundation
import GRDB
import SanderlingSQL
import Testing

@testable import Sanderling

/// The check of databases that the app migrates itself.
@Suite struct SchemaAdoptionTests {
  @Record struct Author {
    var id: Int64?
    var name: String
    @Stored(as: .dateText) var bornAt: Date?
    var isActive: Bool
    var rating: Double
    var picture: Data?
    var token: UUID
  }

  @Record(indexes: [.on(\.title)]) struct Book {
    var id: UUID
    @References(Author.self, onDelete: .cascade) var authorID: Int64
    var title: String
  }

  private func plan(_ sql: String, _ records: [any StoredRecord.Type]) throws -> SchemaPlan {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: sql) }
    let objects = try queue.read { try SchemaReader($0).objects }
    let plan = try queue.read { try SchemaMigration.check($0, schema: StoreSchema(records)) }
    #expect(try queue.read { try SchemaReader($0).objects } == objects)
    return plan
  }

  /// Tables that GRDB's `create(table:)` makes are accepted.
  @Test func tablesOfGRDB() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.create(table: "author") { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("name", .text).notNull().indexed()
        table.column("bornAt", .datetime)
        table.column("isActive", .boolean).notNull().defaults(to: true)
        table.column("rating", .double).notNull()
        table.column("picture", .blob)
        table.column("token", .blob).notNull().unique()
      }
      try db.create(table: "book") { table in
        table.primaryKey("id", .blob)
        table.belongsTo("author", onDelete: .cascade).notNull()
        table.column("title", .text).notNull().indexed()
      }
    }
    #expect(
      try queue.read { try SchemaMigration.check($0, schema: StoreSchema([Author.self, Book.self])) }.differences == [])
  }

  @Test func tablesOfOtherTools() throws {
    let plan = try plan(
      """
      CREATE TABLE AUTHOR (ID INTEGER PRIMARY KEY, Name VARCHAR(255), bornat TIMESTAMP, isActive TINYINT NOT NULL,
        rating DECIMAL(5, 2) NOT NULL, picture, token NOT NULL, note TEXT, Z_OPT INTEGER NOT NULL DEFAULT 1,
        initial AS (substr(Name, 1, 1)));
      CREATE TABLE book (id BLOB, authorID INT NOT NULL, title CLOB NOT NULL COLLATE NOCASE, isbn TEXT NOT NULL, UNIQUE (id));
      """, [Author.self, Book.self])
    #expect(
      plan.description == ##"""
        The schema differs from the records in ways that need a decision.

        Refused:
        - book: change the collation of column "title" from NOCASE to BINARY
          Different values would become equal, or equal values different. Keep the collation with @Stored(collation: \##
        .nocase), or convert the table.
          To recreate the table, check the effects on values, on rows that refer to them, on columns that the record \##
        lacks, and on the table's triggers. Then register:

              migrator.registerMigration("recreate book") { db in
                if try db.tableExists("book") {
                  try db.execute(sql: """
                    CREATE TABLE "new_book" (
                      "id" BLOB NOT NULL,
                      "authorID" INTEGER NOT NULL,
                      "title" TEXT NOT NULL,
                      PRIMARY KEY ("id"),
                      FOREIGN KEY ("authorID") REFERENCES "author" ("id") ON DELETE CASCADE
                    );
                    INSERT INTO "new_book" ("id", "authorID", "title")
                    SELECT coalesce("book"."id", X''), "book"."authorID", "book"."title" FROM "book";
                    DROP TABLE "book";
                    PRAGMA legacy_alter_table = ON;
                    ALTER TABLE "new_book" RENAME TO "book";
                    PRAGMA legacy_alter_table = OFF;
                    """)
                }
              }

        - book: column "isbn" is NOT NULL, without default, and not in the record
          Insertions would fail. Add a property for the column, or give the column a default.

        Harmless:
        - author: column "name" may hold NULL
          The property is not optional, so rows with NULL can't be read.
        - author: column "note" is not in the record
          It keeps its values, and new rows get its default.
        - author: column "Z_OPT" is not in the record
          It keeps its values, and new rows get its default.
        - book: FOREIGN KEY ("authorID") REFERENCES "author" ("id") ON DELETE CASCADE is missing
          SQLite doesn't enforce the reference.
        - book: there is no index like CREATE INDEX "book_on_title" ON "book" ("title")
          Queries that would use it are slower.
        - book: there is no index like CREATE INDEX "book_on_authorID" ON "book" ("authorID")
          Queries that would use it are slower.

        """##)
  }

  /// The refusal names all mismatched columns of all tables at once, each with its remedy.
  @Test func eachMismatchedColumnIsNamed() throws {
    let plan = try plan(
      """
      CREATE TABLE author (id INTEGER PRIMARY KEY, name INTEGER NOT NULL, bornAt INTEGER, isActive TEXT NOT NULL,
        rating TEXT NOT NULL, picture BLOB, token TEXT NOT NULL);
      INSERT INTO author VALUES (1, 2, 1700000000, 'yes', 'high', NULL, 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F');
      CREATE TABLE book (id TEXT NOT NULL PRIMARY KEY, authorID INTEGER NOT NULL, title TEXT NOT NULL);
      INSERT INTO book VALUES ('e621e1f8-c36c-495a-93fc-0c247a3e6e5f', 1, 'a');
      """, [Author.self, Book.self])
    let found = plan.refusals.map { difference in
      guard case .refused(let reason) = difference.effect else { return "" }
      return
        "\(difference.table ?? "") \(difference.summary): \(reason.split(separator: ". ", maxSplits: 1).last ?? "")"
    }
    #expect(
      found == [
        #"author column "name" holds integers, and the record stores texts: Give the property the type Int64, or a ColumnCoding of your own with @Stored(as:)."#,
        #"author column "bornAt" holds integers, and the record stores texts: For the values as they are, write @Stored(as: .unixSeconds) at the property."#,
        #"author column "isActive" holds texts, and the record stores integers: Give the property the type String, or a ColumnCoding of your own with @Stored(as:)."#,
        #"author column "rating" holds texts, and the record stores reals: Give the property the type String, or a ColumnCoding of your own with @Stored(as:)."#,
        #"author column "token" holds texts, and the record stores UUIDs of 16 bytes: For the values as they are, write @Stored(as: .uuidText) at the property."#,
        #"book column "id" holds texts, and the record stores UUIDs of 16 bytes: For the values as they are, write @Stored(as: .lowercaseUUIDText) at the property."#,
      ])
  }

  /// In an empty table only the declared types show the mismatch, and are reported.
  @Test func mismatchedColumnsOfEmptyTablesAreNamed() throws {
    let plan = try plan(
      """
      CREATE TABLE author (id INTEGER PRIMARY KEY, name INTEGER NOT NULL, bornAt INTEGER, isActive TEXT NOT NULL,
        rating TEXT NOT NULL, picture BLOB, token TEXT NOT NULL);
      CREATE TABLE book (id TEXT NOT NULL PRIMARY KEY, authorID INTEGER NOT NULL, title TEXT NOT NULL);
      """, [Author.self, Book.self])
    let text = plan.description
    for (column, remedy) in [
      ("name", "Give the property a type that fits the column, such as Int,"), ("bornAt", "such as Int,"),
      ("isActive", "such as String,"),
      ("rating", "such as String,"), ("token", "Write @Stored(as: .uuidText)"),
    ] {
      let difference = plan.refusals.first { $0.table == "author" && $0.summary.contains("column \"\(column)\"") }
      #expect(difference?.description.contains(remedy) == true, "\(column): \(difference?.description ?? text)")
    }
    #expect(plan.refusals.contains { $0.table == "book" && $0.summary.contains("column \"id\"") })
  }

  @Test func incompatibleTablesAreRefused() throws {
    let plan = try plan(
      """
      CREATE TABLE author (id BIGINT PRIMARY KEY, name TEXT NOT NULL, bornAt NUMERIC NOT NULL, isActive TEXT NOT NULL,
        rating TEXT NOT NULL, picture BLOB, token_id BLOB NOT NULL DEFAULT X'');
      """, [Author.self, Book.self])
    #expect(
      plan.refusals.map(\.summary) == [
        "SQLite doesn't assign the key",
        "the type of column \"bornAt\" changes from NUMERIC to TEXT",
        "the type of column \"isActive\" changes from TEXT to INTEGER",
        "the type of column \"rating\" changes from TEXT to REAL",
        "there is no column \"token\"",
        "there is no such table",
      ])
    #expect(
      plan.refusals[4].effect
        == .refused(
          "The app's own migrations must create it. If the property belongs to an existing column (\"token_id\"), "
            + "name that column with @Stored(\"…\")."))
  }
}
