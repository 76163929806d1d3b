import Foundation
import GRDB

@testable import SanderlingCLI

/// A store as Core Data makes it, with every construct that `sanderling records` knows.
enum CoreDataFixture {
  typealias Property = CoreDataModel.Property

  private static func attribute(
    _ name: String, _ type: CoreDataType, isOptional: Bool = true, default value: BinaryPropertyList.Value? = nil
  ) -> Property {
    Property(name: name, isOptional: isOptional, kind: .attribute(.init(type: type.rawValue, defaultValue: value)))
  }

  private static func toOne(
    _ name: String, _ destination: String, _ inverse: String?, _ rule: CoreDataModel.DeleteRule = .nullify,
    isOptional: Bool = true
  ) -> Property {
    Property(
      name: name, isOptional: isOptional,
      kind: .relationship(.init(destination: destination, inverse: inverse, deleteRule: rule, isToMany: false)))
  }

  private static func toMany(
    _ name: String, _ destination: String, _ inverse: String?, _ rule: CoreDataModel.DeleteRule = .nullify,
    isOrdered: Bool = false
  ) -> Property {
    Property(
      name: name,
      kind: .relationship(
        .init(destination: destination, inverse: inverse, deleteRule: rule, isToMany: true, isOrdered: isOrdered)))
  }

  static let model = CoreDataModel(entities: [
    .init(
      name: "Author", superentity: nil, isAbstract: false,
      properties: [
        Property(
          name: "address",
          kind: .attribute(
            .init(
              type: 2100,
              parts: [
                attribute("city", .string), attribute("zip", .integer32),
                Property(
                  name: "place",
                  kind: .attribute(
                    .init(type: 2100, parts: [attribute("latitude", .double), attribute("longitude", .double)]))),
              ]))),
        attribute("balance", .decimal),
        Property(name: "birthday", formerName: "born", kind: .attribute(.init(type: 900))), attribute("class", .string),
        attribute("homepage", .uri), attribute("id", .uuid, isOptional: false),
        attribute("init", .string, default: .text("a \"b\"")),
        attribute("isActive", .boolean, isOptional: false, default: .bool(true)),
        attribute("key", .integer16, default: .integer(7)),
        Property(name: "kind", kind: .attribute(.init(type: 2100, parts: [attribute("rawValue", .string)]))),
        attribute("name", .string, isOptional: false),
        Property(name: "nickname", isOptional: true, isTransient: true, kind: .attribute(.init(type: 700))),
        Property(name: "notes", kind: .attribute(.init(type: 1800, transformer: "NotesTransformer"))),
        Property(name: "photo", kind: .attribute(.init(type: 1000, isExternal: true))),
        Property(name: "plan", kind: .attribute(.init(type: 2200, transformer: "Plan"))),
        attribute("query", .float), attribute("rating", .double, isOptional: false, default: .real(0.5)),
        Property(name: "recent", isTransient: true, kind: .other("NSFetchedPropertyDescription")),
        attribute("snake_case", .integer64),
        Property(name: "status", kind: .attribute(.init(type: 2100, parts: [attribute("rawValue", .string)]))),
        Property(name: "strange", kind: .attribute(.init(type: 2300))),
        Property(name: "total", isValidated: true, kind: .attribute(.init(type: 300, derivation: "books"))),
        toMany("books", "Book", "author", .cascade, isOrdered: true), toMany("followers", "Author", "following"),
        toMany("following", "Author", "followers"), toMany("twins", "Author", "twins"),
      ]),
    .init(
      name: "Book", superentity: nil, isAbstract: true,
      properties: [
        attribute("title", .string), toOne("author", "Author", "books", isOptional: false),
        toOne("cover", "Cover", "book", .cascade),
        toMany("reviews", "Review", nil, .cascade, isOrdered: true), toMany("tags", "Tag", "books", isOrdered: true),
      ]),
    .init(
      name: "Comic", superentity: "Book", isAbstract: false,
      properties: [attribute("format", .string), attribute("isColor", .boolean), attribute("subtitle", .string)]),
    .init(
      name: "Cover", superentity: nil, isAbstract: false,
      properties: [attribute("image", .binary), toOne("book", "Book", "cover", .deny)]),
    .init(name: "Manga", superentity: "Comic", isAbstract: false, properties: [attribute("volume", .integer32)]),
    .init(
      name: "Novel", formerName: "Roman", superentity: "Book", isAbstract: false,
      properties: [attribute("format", .integer32), attribute("subtitle", .string)]),
    .init(
      name: "Review", superentity: nil, isAbstract: false,
      properties: [attribute("stars", .integer16, isOptional: false), attribute("text", .string)]),
    .init(
      name: "Tag", superentity: nil, isAbstract: false,
      properties: [attribute("name", .string), toMany("books", "Book", "tags", .deny)]),
    .init(
      name: "Task", superentity: nil, isAbstract: false,
      properties: [
        attribute("title", .string), toOne("parent", "Task", "table"), toMany("table", "Task", "parent", .deny),
      ]),
  ])

  /// The tables without the model. Names and types of columns are those of Core Data's stores.
  static func makeTables(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        INSERT INTO Z_METADATA VALUES (1, '4B0F5331-DE87-4D61-9947-8A976CCEB627', NULL);
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Author', 0, 3), (2, 'Book', 0, 6), (3, 'Comic', 2, 0), (4, 'Manga', 3, 0), (5, 'Roman', 2, 0),
          (6, 'Cover', 0, 2), (7, 'Review', 0, 4), (8, 'Tag', 0, 2), (9, 'Task', 0, 3), (16001, 'CHANGE', 0, 0);
        CREATE TABLE ZAUTHOR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZZIP INTEGER, ZISACTIVE INTEGER, ZKEY INTEGER,
          ZSNAKE_CASE INTEGER, ZTOTAL INTEGER, ZLATITUDE FLOAT, ZLONGITUDE FLOAT, ZQUERY FLOAT, ZRATING FLOAT, ZBORN TIMESTAMP, ZCITY VARCHAR,
          ZCLASS VARCHAR, ZHOMEPAGE VARCHAR, ZINIT VARCHAR, ZRAWVALUE VARCHAR, ZNAME VARCHAR, ZRAWVALUE1 VARCHAR, ZSTRANGE VARCHAR, ZBALANCE DECIMAL, ZID BLOB, ZNOTES BLOB,
          ZPHOTO BLOB, ZPLAN BLOB );
        CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHOR INTEGER, Z_FOK_AUTHOR INTEGER, ZCOVER INTEGER,
          ZISCOLOR INTEGER, ZVOLUME INTEGER, ZFORMAT1 INTEGER, ZTITLE VARCHAR, ZFORMAT VARCHAR, ZSUBTITLE VARCHAR, ZSUBTITLE1 VARCHAR );
        CREATE TABLE ZCOVER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZBOOK INTEGER, Z2_BOOK INTEGER, ZIMAGE BLOB );
        CREATE TABLE ZREVIEW ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSTARS INTEGER, Z2REVIEWS INTEGER, Z2_2REVIEWS INTEGER,
          Z_FOK_2REVIEWS INTEGER, ZTEXT VARCHAR );
        CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
        CREATE TABLE ZTASK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPARENT INTEGER, ZTITLE VARCHAR );
        CREATE TABLE Z_1FOLLOWERS ( Z_1FOLLOWERS INTEGER, Z_1FOLLOWING INTEGER, PRIMARY KEY (Z_1FOLLOWERS, Z_1FOLLOWING) );
        CREATE TABLE Z_1TWINS ( Z_1TWINS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_1TWINS, REFLEXIVE) );
        CREATE TABLE Z_2TAGS ( Z_2BOOKS1 INTEGER, Z_8TAGS INTEGER, Z_FOK_8TAGS INTEGER, PRIMARY KEY (Z_2BOOKS1, Z_8TAGS) );
        CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER );
        CREATE TABLE own (id INTEGER PRIMARY KEY);
        CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR);
        CREATE INDEX ZBOOK_Z_ENT_INDEX ON ZBOOK (Z_ENT);
        CREATE INDEX Z_Book_byTitle ON ZBOOK (ZTITLE COLLATE BINARY DESC, ZAUTHOR COLLATE BINARY ASC);
        CREATE UNIQUE INDEX Z_Novel_UNIQUE_subtitle ON ZBOOK (ZSUBTITLE1 COLLATE BINARY ASC);
        CREATE UNIQUE INDEX Z_Author_UNIQUE_id ON ZAUTHOR (ZID COLLATE BINARY ASC);
        INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME, ZID, ZISACTIVE, ZKEY, ZSNAKE_CASE, ZTOTAL, ZQUERY, ZRATING, ZBORN, ZCITY, ZZIP, ZLATITUDE, ZLONGITUDE,
          ZCLASS, ZINIT, ZHOMEPAGE, ZBALANCE, ZNOTES, ZPHOTO, ZPLAN)
        VALUES (1, 1, 1, 'Ann', x'00112233445566778899AABBCCDDEEFF', 1, 12, -9e15, 2, 1.5, 4, 639503569.638733, 'Köln', 50667, 50.9, 6.9,
          'first', 'x', 'https://example.org/a', '10.11', x'01', x'01FF', x'02'),
          (2, 1, 3, 'Bo', x'00112233445566778899AABBCCDDEE00', 0, NULL, NULL, 0, NULL, 0.25, 700000000, NULL, NULL, NULL, NULL,
          NULL, NULL, NULL, 100, NULL, x'0235', NULL),
          (3, 1, 1, 'Cy', x'00112233445566778899AABBCCDDEE01', 1, -3, 5, NULL, 5.8, -1, NULL, 'Rom', 1, 0, 0, '', '', NULL, '0.3333333333', NULL, NULL, NULL);
        UPDATE ZAUTHOR SET ZRAWVALUE = 'poet', ZRAWVALUE1 = 'dead', ZSTRANGE = 's' WHERE Z_PK = 1;
        INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZAUTHOR, Z_FOK_AUTHOR, ZCOVER, ZTITLE, ZISCOLOR, ZVOLUME, ZFORMAT, ZSUBTITLE, ZFORMAT1, ZSUBTITLE1) VALUES
          (1, 3, 1, 1, 2048, 1, 'one', 1, NULL, 'A5', 's', NULL, NULL), (2, 4, 1, 1, 1024, NULL, 'two', 0, 3, 'A4', NULL, NULL, NULL),
          (3, 5, 1, 2, 1024, 2, 'three', NULL, NULL, NULL, NULL, 12, 'n'), (4, 5, 1, 3, 1024, NULL, NULL, NULL, NULL, NULL, NULL, 13, 'm'),
          (5, 4, 1, 1, 512, NULL, 'five', NULL, 1, NULL, 'z', NULL, NULL);
        INSERT INTO ZCOVER VALUES (1, 6, 1, 1, 3, x'AA'), (2, 6, 1, 3, 5, NULL);
        INSERT INTO ZREVIEW VALUES (1, 7, 1, 5, 1, 3, 2, 'good'), (2, 7, 1, 4, 1, 3, 1, NULL), (3, 7, 1, 1, 3, 5, 1, 'bad'), (4, 7, 1, 2, NULL, NULL, NULL, '');
        INSERT INTO ZTAG VALUES (1, 8, 1, 'art'), (2, 8, 1, 'war');
        INSERT INTO ZTASK VALUES (1, 9, 1, NULL, 'top'), (2, 9, 1, 1, 'sub'), (3, 9, 1, 1, 'other');
        INSERT INTO Z_1FOLLOWERS VALUES (1, 2), (3, 2), (2, 1);
        INSERT INTO Z_1TWINS VALUES (1, 3);
        INSERT INTO Z_2TAGS VALUES (1, 1, 2048), (1, 2, 1024), (3, 2, 1024), (5, 1, 1024);
        """)
  }

  static func make(_ db: Database, model: [UInt8]? = nil) throws {
    try makeTables(db)
    try addModel(ModelArchiveWriter.deflated(model ?? ModelArchiveWriter.archive(Self.model)), db)
  }

  static func addModel(_ content: [UInt8], _ db: Database) throws {
    try db.execute(sql: "CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB)")
    try db.execute(sql: "DELETE FROM Z_MODELCACHE")
    try db.execute(sql: "INSERT INTO Z_MODELCACHE VALUES (?)", arguments: [Data(content)])
  }
}
