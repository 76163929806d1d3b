import Foundation
import GRDB
import TestPrograms
import Testing

@testable import Sanderling

/// Values that can't be moved: each is reported, and nothing is lost in silence.
struct MoveProblemTests {
  @Test func eachValueIsReportedWithItsRow() async throws {
    let fixture = try MoveFixture(
      books: 0,
      """
      INSERT INTO ZAUTHOR VALUES (1, 1, 1, 5, 1.5, 'Ann', x'023233343500'), (2, 1, 1, 40000, NULL, 'Bo', x'0239'), (3, 1, 1, 'x', NULL, 'Cy', x'07'),
        (4, 1, 1, 1, NULL, NULL, NULL), (5, 1, 1, NULL, 'soon', 'Di', x'022E2E'), (6, 1, 1, NULL, NULL, 'Ed', 'text');
      INSERT INTO ZBOOK VALUES (1, 2, 1, 1, NULL, 1, 1, 3, 'fine', 1.5, NULL), (2, 3, 1, 2, NULL, 1, 2, NULL, 'neither', NULL, NULL),
        (3, 9, 1, 1, NULL, 1, 3, NULL, 'no entity', NULL, NULL), (4, 2, 1, 1, NULL, 4, 1, NULL, 'of a left out author', NULL, NULL),
        (5, 2, 1, 1, NULL, 77, 1, NULL, 'of nobody', NULL, NULL), (6, 2, 1, 0, NULL, 2, 1, 4, 'before a left out', NULL, x'00'),
        (7, 2, 1, 0, 3000000000, 2, 1, 88, 'before none', 'dear', NULL);
      INSERT INTO ZTAG VALUES (1, 4, 1, 'art'), (2, 4, 1, x'00');
      INSERT INTO Z_2TAGS VALUES (1, 1, 1024), (1, 2, 512), (4, 1, 1), (7, 9, 1);
      """)
    try fixture.addExternalFile("2345", Data("picture".utf8))
    let before = try fixture.oldFiles
    let report = try await fixture.move.run()
    #expect(
      report.problems.map(\.description) == [
        "book, id 2, isRead: the stored integer is no Bool; row left out",
        "book, id 3, kind: the value is NULL, and the property is not optional; row left out",
        "book, id 6, uuid: the stored blob is no UUID; set to NULL",
        "book, id 7, price: the stored text is no Decimal; set to NULL",
        "book, id 7, pages: the stored integer is no Int32; set to NULL",
        "author, id 2, photo: its external file is missing; set to NULL",
        "author, id 2, rating: the stored integer is no Int16; set to NULL",
        "author, id 3, photo: it begins with an unknown marker, and neither contains bytes nor names an external file; set to NULL",
        "author, id 3, rating: the stored text is no Int16; set to NULL",
        "author, id 4, name: the value is NULL, and the property is not optional; row left out",
        "author, id 5, born: the stored text is no Date; set to NULL",
        "author, id 5, photo: the name of its external file is no name of a file; set to NULL",
        "author, id 6, photo: the stored text is no Data; set to NULL",
        "tag, id 2, name: the stored blob is no String; set to NULL",
        "book, id 4, authorID: there is no row of author that it refers to; row left out",
        "book, id 5, authorID: there is no row of author that it refers to; row left out",
        "book, id 1, sequelID: there is no row of book that it refers to; set to NULL",
        "book, id 6, sequelID: there is no row of book that it refers to; set to NULL",
        "book, id 7, sequelID: there is no row of book that it refers to; set to NULL",
        "bookTag, bookID 4, tagID 1, bookID: there is no row of book that it refers to; row left out",
        "bookTag, bookID 7, tagID 9, tagID: there is no row of tag that it refers to; row left out",
      ])
    #expect(report.problemCount == 21 && report.leftOutCount == 7 && report.externalFileCount == 1)
    #expect(try await fixture.move.problems() == report.problems)
    #expect(try await fixture.move.problems(limit: 2).count == 2)
    #expect(try fixture.oldFiles == before)

    let store = try await Store.open(path: fixture.new, schema: MovedLibrary.schema)
    #expect(try await store.integrityCheck() == [])
    let authors = try await store.fetch(MovedLibrary.Author.order { $0.id })
    #expect(authors.map(\.id) == [1, 2, 3, 5, 6] && authors.map(\.rating) == [5, nil, nil, nil, nil])
    #expect(authors[0].photo == Data("picture".utf8) && authors.dropFirst().allSatisfy { $0.photo == nil })
    #expect(try await store.fetch(MovedLibrary.Book.order { $0.id }).map(\.id) == [1, 6, 7])
    #expect(try await store.count(MovedLibrary.BookTag.query) == 2)
  }

  /// Random values of all kinds, compared with plain decoding of the same rows.
  @Test func randomRows() async throws {
    var random = SeededGenerator()
    let seed = random.seed
    for _ in 0..<5 {
      let fixture = try MoveFixture(books: 0)
      let values = [
        "NULL", "0", "1", "-7", "70000", "5000000000", "1.5", "'x'", "''", "x'01'", "x'01AABB'", "zeroblob(16)", "'12'",
      ]
      var sql = ""
      for key in 1...40 {
        func value(_ usual: String) -> String { random.chance(0.85) ? usual : random.element(values) }
        sql += """
          INSERT INTO ZAUTHOR VALUES (\(key), 1, 1, \(value("3")), \(value("1.25")), \(value("'name'")), \(value("x'01FF'")));
          INSERT INTO ZBOOK VALUES (\(key), \(value("2")), 1, \(value("1")), \(value("10")), \(value("\(random.next(44))")), 7,
            \(value(random.chance(0.5) ? "NULL" : "\(random.next(44))")), \(value("'title'")), \(value("2.5")), \(value("NULL")));
          INSERT INTO ZTAG VALUES (\(key), 4, 1, \(value("'tag'")));
          INSERT OR IGNORE INTO Z_2TAGS VALUES (\(random.next(44)), \(random.next(44)), \(value("5")));

          """
      }
      // The record allows each UUID once.
      sql += "UPDATE ZBOOK SET ZUUID = NULL WHERE typeof(ZUUID) = 'blob' AND length(ZUUID) = 16;"
      try CoreDataFixture.change(fixture.old, sql)
      let report = try await fixture.move.run()
      let expected = try plainRows(fixture)
      let store = try await Store.open(path: fixture.new, schema: MovedLibrary.schema)
      for (name, rows) in expected {
        let found = try await store.writer.read { db in
          try Row.fetchAll(db, sql: "SELECT * FROM \(name) ORDER BY 1, 2").map {
            $0.databaseValues.map { StorageValue($0) }
          }
        }
        #expect(found == rows, "seed \(seed), \(name)")
      }
      let kept = expected.map(\.rows.count).reduce(0, +)
      let all = try await store.writer.read { db in
        try db.execute(sql: "ATTACH ? AS old", arguments: [fixture.old])
        return try Int.fetchOne(
          db,
          sql: "SELECT sum(n) FROM (SELECT count(*) n FROM old.ZBOOK UNION ALL SELECT count(*) FROM old.ZAUTHOR "
            + "UNION ALL SELECT count(*) FROM old.ZTAG UNION ALL SELECT count(*) FROM old.Z_2TAGS)")
      }
      #expect(report.leftOutCount == (all ?? 0) - kept, "seed \(seed)")
      #expect(report.entities.map(\.rowCount).reduce(0, +) == kept, "seed \(seed)")
      try store.close()
    }
  }

  /// Decodes each value of the old store by its property, and follows references in Swift.
  private func plainRows(_ fixture: MoveFixture) throws -> [(name: String, rows: [[StorageValue]])] {
    var tables: [(name: String, record: any StoredRecord.Type, rows: [[StorageValue]])] = []
    let queue = try DatabaseQueue(path: fixture.old)
    let sources: [(String, any StoredRecord.Type, String)] = [
      ("author", MovedLibrary.Author.self, "SELECT Z_PK, ZNAME, ZBORN, ZPHOTO, ZRATING FROM ZAUTHOR ORDER BY 1"),
      (
        "book", MovedLibrary.Book.self,
        """
        SELECT Z_PK, CASE Z_ENT WHEN 2 THEN 'Book' WHEN 3 THEN 'Novel' END, ZTITLE, ZISREAD, ZUUID, ZPRICE, ZAUTHOR, Z_FOK_AUTHOR, ZSEQUEL,
          ZPAGES FROM ZBOOK ORDER BY 1
        """
      ),
      ("tag", MovedLibrary.Tag.self, "SELECT Z_PK, ZNAME FROM ZTAG ORDER BY 1"),
      ("bookTag", MovedLibrary.BookTag.self, "SELECT Z_2BOOKS, Z_4TAGS, Z_FOK_4TAGS FROM Z_2TAGS ORDER BY 1, 2"),
    ]
    for (name, record, sql) in sources {
      let columns = record.table.columns
      let rows = try queue.read { db in
        try Row.fetchAll(db, sql: sql).map { $0.databaseValues.map { StorageValue($0) } }
      }
      tables.append(
        (
          name, record,
          rows.compactMap { row in
            var row = Array(row)
            for (index, column) in columns.enumerated() where !row[index].isNull || !column.acceptsNull {
              if column.name == "photo" {
                row[index] = Self.photo(row[index])
                continue
              }
              if !row[index].isNull, (try? column.form.coding.decode(row[index])) != nil { continue }
              if !column.acceptsNull { return nil }
              row[index] = .null
            }
            return row
          }
        ))
    }
    var isChanged = true
    while isChanged {
      isChanged = false
      let keys = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, Set($0.rows.map { $0[0] })) })
      for (number, table) in tables.enumerated() {
        for (index, column) in table.record.table.columns.enumerated() {
          guard
            let reference = table.record.table.references.first(where: { $0.property == column.property }),
            let parents = keys[reference.destination.table.name]
          else { continue }
          for (place, row) in table.rows.enumerated().reversed()
          where !row[index].isNull && !parents.contains(row[index]) {
            isChanged = true
            guard place < tables[number].rows.count,
              let now = tables[number].rows.firstIndex(where: { $0[0] == row[0] && $0[1] == row[1] })
            else { continue }
            if column.acceptsNull {
              tables[number].rows[now][index] = .null
            } else {
              tables[number].rows.remove(at: now)
            }
          }
        }
      }
    }
    return tables.map { ($0.name, $0.rows) }
  }

  /// The bytes of an attribute that allows external storage.
  private static func photo(_ stored: StorageValue) -> StorageValue {
    guard case .blob(let data) = stored, !data.isEmpty else {
      if case .blob = stored { return stored }
      return .null
    }
    return data.first == 1 ? .blob(data.dropFirst()) : .null
  }
}
