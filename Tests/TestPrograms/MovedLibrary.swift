import Foundation
import Sanderling

/// A store of Core Data with books, and its move to a new database, for tests and for the process that they kill.
package enum MovedLibrary {
  @Record
  package struct Author {
    package var id: Int64
    package var name: String
    package var born: Date?
    package var photo: Data?
    package var rating: Int16?
  }

  @Record(indexes: [.on(\.title), .unique(on: \.uuid)])
  package struct Book {
    package var id: Int64
    package var kind: String
    package var title: String
    package var isRead: Bool
    package var uuid: UUID?
    @Stored(as: .decimalNumber) package var price: Decimal?
    @References(Author.self, onDelete: .cascade) package var authorID: Int64
    package var authorOrder: Int?
    @References(Book.self, onDelete: .setNull) package var sequelID: Int64?
    package var pages: Int32?
  }

  @Record
  package struct Tag {
    package var id: Int64
    package var name: String?
    package static let new = Tag(id: 100, name: "new")
  }

  @Record(indexes: [.on(\.tagID)])
  package struct BookTag {
    @PrimaryKey @References(Book.self, onDelete: .cascade) package var bookID: Int64
    @PrimaryKey @References(Tag.self, onDelete: .cascade) package var tagID: Int64
    package var tagsOrder: Int?
  }

  package static let schema: [any StoredRecord.Type] = [Author.self, Book.self, Tag.self, BookTag.self]

  package static let tables = [
    // The books refer to authors, which come later.
    StoreMove.Table(
      Book.self, from: "ZBOOK", entity: "kind",
      [
        "id": "Z_PK", "kind": "CASE Z_ENT WHEN 2 THEN 'Book' WHEN 3 THEN 'Novel' END", "title": "ZTITLE",
        "isRead": "ZISREAD", "uuid": "ZUUID", "price": "ZPRICE", "authorID": "ZAUTHOR", "authorOrder": "Z_FOK_AUTHOR",
        "sequelID": "ZSEQUEL", "pages": "ZPAGES",
      ]),
    StoreMove.Table(
      Author.self, from: "ZAUTHOR",
      ["id": "Z_PK", "name": "ZNAME", "born": "ZBORN", "photo": "external_data(ZPHOTO)", "rating": "ZRATING"]),
    StoreMove.Table(Tag.self, from: "ZTAG", ["id": "Z_PK", "name": "ZNAME"]),
    StoreMove.Table(
      BookTag.self, from: "Z_2TAGS", ["bookID": "Z_2BOOKS", "tagID": "Z_4TAGS", "tagsOrder": "Z_FOK_4TAGS"]),
  ]

  package static let entities = ["Author": 1, "Book": 2, "Novel": 3, "Tag": 4]

  package static func move(from old: String, to new: String) -> StoreMove {
    StoreMove(from: old, to: new, schema: schema, entities: entities, tables: tables)
  }

  /// The statements that make the old store.
  package static let tablesSQL = """
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    INSERT INTO Z_METADATA VALUES (1, '4B0F5331-DE87-4D61-9947-8A976CCEB627', NULL);
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Author', 0, 0), (2, 'Book', 0, 0), (3, 'Novel', 2, 0), (4, 'Tag', 0, 0);
    CREATE TABLE ZAUTHOR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZRATING INTEGER, ZBORN TIMESTAMP, ZNAME VARCHAR,
      ZPHOTO BLOB );
    CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISREAD INTEGER, ZPAGES INTEGER, ZAUTHOR INTEGER,
      Z_FOK_AUTHOR INTEGER, ZSEQUEL INTEGER, ZTITLE VARCHAR, ZPRICE DECIMAL, ZUUID BLOB );
    CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
    CREATE TABLE Z_2TAGS ( Z_2BOOKS INTEGER, Z_4TAGS INTEGER, Z_FOK_4TAGS INTEGER, PRIMARY KEY (Z_2BOOKS, Z_4TAGS) );
    CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR);
    CREATE INDEX ZBOOK_Z_ENT_INDEX ON ZBOOK (Z_ENT);

    """

  /// The statements that fill the old store. Every third key is not used.
  package static func rowsSQL(books: Int) -> String {
    """
    INSERT INTO ZAUTHOR WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(max(1, books / 10)))
      SELECT i, 1, 1, i % 7 - 3, CASE WHEN i % 5 THEN i * 1000.25 END, 'author ' || i, CASE i % 3 WHEN 1 THEN CAST(x'01' || randomblob(9) AS BLOB) END FROM n;
    INSERT INTO ZBOOK WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(books))
      SELECT i * 3 / 2, 2 + i % 2, 1 + i % 3, i % 2, i % 900, 1 + i % \(max(1, books / 10)), i * 1024 % 4099,
        CASE WHEN i % 4 = 0 THEN (i + 1) / 2 * 3 / 2 END, 'title ' || i, CASE WHEN i % 3 THEN i / 4.0 END, randomblob(16) FROM n;
    INSERT INTO ZTAG VALUES (1, 4, 1, 'art'), (2, 4, 1, NULL), (7, 4, 1, 'Ñandú');
    INSERT INTO Z_2TAGS SELECT ZBOOK.Z_PK, ZTAG.Z_PK, ZBOOK.Z_PK % 5 FROM ZBOOK JOIN ZTAG ON ZBOOK.Z_PK % 3 = ZTAG.Z_PK % 2;

    """
  }
}
