import Foundation
import Sanderling
import SanderlingSQLite

/// The move of a store of Core Data to a new database, beside one INSERT … SELECT by hand for each table.
///
/// Both make the same tables and indexes in a database with a write-ahead log, and end with all rows in the file. The
/// statement by hand checks nothing.
struct MoveSuite: CaseSuite {
  static let name = "move"

  /// A book of the new database.
  @Record(indexes: [.on(\.title)])
  struct Book {
    var id: Int64?
    var kind: String
    var title: String
    var note: String?
    var isRead: Bool
    var pages: Int32?
    var uuid: UUID?
    var published: Date?
    @References(Author.self, onDelete: .cascade) var authorID: Int64
  }

  @Record
  struct Author {
    var id: Int64?
    var name: String
  }

  /// The same rows without an index, as the hardest comparison.
  @Record
  struct PlainBook {
    var id: Int64?
    var kind: String
    var title: String
    var note: String?
    var isRead: Bool
    var pages: Int32?
    var uuid: UUID?
    var published: Date?
    var authorID: Int64
  }

  private let folder: String
  private let old: String
  private let count: Int

  init(folder: String, isShort: Bool) async throws {
    self.folder = folder
    old = "\(folder)/Old.sqlite"
    count = isShort ? 1000 : 1_000_000
    let connection = try CConnection(old)
    try connection.execute(
      """
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      INSERT INTO Z_METADATA VALUES (1, 'x', NULL);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Author', 0, 0), (2, 'Book', 0, 0), (3, 'Novel', 2, 0);
      CREATE TABLE ZAUTHOR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
      CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISREAD INTEGER, ZPAGES INTEGER, ZAUTHOR INTEGER,
        ZPUBLISHED TIMESTAMP, ZNOTE VARCHAR, ZTITLE VARCHAR, ZUUID BLOB );
      BEGIN;
      INSERT INTO ZAUTHOR WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count / 100))
        SELECT i, 1, 1, 'author ' || i FROM n;
      INSERT INTO ZBOOK WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        SELECT i, 2 + i % 2, 1, i % 2, i % 900, 1 + i * 7919 % \(count / 100), i * 31.25,
          'a note on the book of some length, number ' || i, 'title ' || i * 7919 % 1000003, randomblob(16) FROM n;
      COMMIT;
      CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR);
      CREATE INDEX ZBOOK_Z_ENT_INDEX ON ZBOOK (Z_ENT);
      """)
  }

  var cases: [BenchmarkCase] {
    [
      benchmark(
        "move of \(count) rows with two indexes", [Author.self, Book.self],
        [StoreMove.Table(Author.self, from: "ZAUTHOR", ["id": "Z_PK", "name": "ZNAME"]), table(Book.self)]),
      benchmark("move of \(count) rows without an index", [PlainBook.self], [table(PlainBook.self)]),
    ]
  }

  private func table(_ record: any StoredRecord.Type) -> StoreMove.Table {
    StoreMove.Table(
      record, from: "ZBOOK", entity: "kind",
      [
        "id": "Z_PK", "kind": Self.kind, "title": "ZTITLE", "note": "ZNOTE", "isRead": "ZISREAD", "pages": "ZPAGES",
        "uuid": "ZUUID", "published": "ZPUBLISHED", "authorID": "ZAUTHOR",
      ])
  }

  private static let kind = "CASE Z_ENT WHEN 2 THEN 'Book' WHEN 3 THEN 'Novel' END"

  private func benchmark(
    _ name: String, _ schema: [any StoredRecord.Type], _ tables: [StoreMove.Table]
  ) -> BenchmarkCase {
    BenchmarkCase(
      name: name, unit: .milliseconds,
      sanderling: {
        let path = path("sanderling")
        defer { remove(path) }
        let move = StoreMove(
          from: old, to: path, schema: schema, entities: ["Author": 1, "Book": 2, "Novel": 3], tables: tables)
        return try await seconds { _ = try await move.run() }
      },
      limit: {
        let path = path("limit")
        defer { remove(path) }
        let sql = try StoreSchema(schema).sql
        return try seconds {
          let connection = try CConnection(path)
          try connection.execute(sql)
          try connection.execute("PRAGMA foreign_keys = OFF; ATTACH '\(old)' AS old; BEGIN")
          if schema.count > 1 {
            try connection.execute("INSERT INTO author (id, name) SELECT Z_PK, ZNAME FROM old.ZAUTHOR")
          }
          try connection.execute(
            """
            INSERT INTO \(schema.count > 1 ? "book" : "plainBook") (id, kind, title, note, isRead, pages, uuid, published, authorID)
            SELECT Z_PK, \(Self.kind), ZTITLE, ZNOTE, ZISREAD, ZPAGES, ZUUID, ZPUBLISHED, ZAUTHOR FROM old.ZBOOK;
            COMMIT; PRAGMA main.wal_checkpoint(TRUNCATE)
            """)
        }
      },
      peers: [])
  }

  private func path(_ name: String) -> String { "\(folder)/\(name)-\(UUID().uuidString).sqlite" }

  private func remove(_ path: String) {
    for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
  }
}
