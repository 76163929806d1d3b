import GRDB
import Sanderling
import Testing

/// Orderings in a table that another program has made again, with another collation than the record declares.
@Suite struct OtherCollationTests {
  @Record
  struct Shelf: Hashable {
    var id: Int
    @Stored(collation: .nocase) var name: String
    static let books = hasMany(Book.self, by: \.shelfID)
  }

  @Record
  struct Book: Hashable {
    var id: Int
    @References(Shelf.self) var shelfID: Int
  }

  /// With a limit, the statement chooses the keys first, and then reads and orders the chosen rows.
  @Test(arguments: [2, 3, 9]) func aLimitKeepsTheOrder(limit: Int) async throws {
    let store = try Store(inMemory: [Shelf.self, Book.self])
    try await store.writer.write { db in
      try db.execute(
        sql: """
          DROP TABLE book;
          DROP TABLE shelf;
          CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
          CREATE TABLE book (id INTEGER PRIMARY KEY, shelfID INTEGER NOT NULL);
          CREATE INDEX bookOfShelf ON book (shelfID);
          INSERT INTO shelf VALUES (1, 'a'), (2, 'B'), (3, '['), (4, 'C');
          INSERT INTO book VALUES (1, 1), (2, 2);
          """)
    }
    let query = Shelf.order { $0.name }.select { ($0.id, $0.books.count) }
    let ids = try await store.fetch(query.limit(limit)).map(\.0)
    #expect(ids == Array([2, 4, 3, 1].prefix(limit)))
    #expect(try await store.fetch(query).map(\.0) == [2, 4, 3, 1])
  }
}
