import Foundation
import GRDB
import Sanderling
import Testing

// The records of an app that uses GRDB. Sanderling knows nothing of them.

extension Library {
  struct Author: Codable, Hashable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
    var id: Int64
    var name: String
    var country: String?
    static let books = hasMany(Book.self)
    static let prizes = hasMany(Prize.self)
    static let readers = hasMany(Reader.self, through: books, using: Book.readers)
    static let pupils = hasMany(Author.self, key: "pupils", using: ForeignKey(["teacherID"]))
    static let teacher = belongsTo(Author.self, key: "teacher", using: ForeignKey(["teacherID"]))
    var teacherID: Int64?
  }

  struct Book: Codable, Hashable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
    var id: Int64
    var authorID: Int64
    var title: String
    var pages: Int
    static let author = belongsTo(Author.self)
    static let readers = hasMany(Reader.self)
  }

  struct Prize: Codable, Hashable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
    var id: Int64
    var authorID: Int64
    var amount: Int
  }

  struct Reader: Codable, Hashable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
    var id: Int64
    var bookID: Int64
    var name: String
  }

  /// An author with books, by `including(all:)`.
  struct Shelf: Decodable, Hashable, Sendable, FetchableRecord {
    var author: Author
    var books: [Book]

    static let request = Author.including(all: Author.books.order(Column("title"), Column("id")))
      .order(Column("name"), Column("id")).asRequest(of: Shelf.self)
  }

  /// An author with aggregates.
  struct AuthorSummary: Decodable, Hashable, Sendable, Identifiable, FetchableRecord {
    var id: Int64
    var name: String
    var bookCount: Int
    var prizeAmountSum: Int?
  }
}

/// The same table as a record of Sanderling.
@Record("book")
struct StoredBook: Hashable {
  var id: Int64
  @References(StoredAuthor.self, onDelete: .cascade) var authorID: Int64
  var title: String
  var pages: Int
}

@Record("author")
struct StoredAuthor: Hashable {
  var id: Int64
  var name: String
  var country: String?
  var teacherID: Int64?
}

/// The kinds of stores that requests are followed on.
enum Library: CaseIterable, Sendable {
  case adoptedPool, adoptedQueue, adoptedQueueInMemory, ownFile, ownMemory

  static let schema: [any StoredRecord.Type] = [StoredAuthor.self, StoredBook.self]
  static let sql = """
    CREATE TABLE IF NOT EXISTS author (
      id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, country TEXT, teacherID INTEGER REFERENCES author(id) ON DELETE SET NULL);
    CREATE TABLE IF NOT EXISTS book (
      id INTEGER PRIMARY KEY NOT NULL, authorID INTEGER NOT NULL REFERENCES author(id) ON DELETE CASCADE,
      title TEXT NOT NULL, pages INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS book_authorID ON book(authorID);
    CREATE TABLE IF NOT EXISTS prize (
      id INTEGER PRIMARY KEY NOT NULL, authorID INTEGER NOT NULL REFERENCES author(id) ON DELETE CASCADE,
      amount INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS prize_authorID ON prize(authorID);
    CREATE TABLE IF NOT EXISTS reader (
      id INTEGER PRIMARY KEY NOT NULL, bookID INTEGER NOT NULL REFERENCES book(id) ON DELETE CASCADE, name TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS reader_bookID ON reader(bookID);
    CREATE TABLE IF NOT EXISTS other (id INTEGER PRIMARY KEY, note TEXT);
    INSERT INTO author VALUES (1, 'Woolf', 'GB', NULL), (2, 'Musil', 'AT', 1), (3, 'Anon', NULL, 1);
    INSERT INTO book VALUES (1, 1, 'Orlando', 330), (2, 1, 'The Waves', 324), (3, 2, 'Törless', 217);
    INSERT INTO prize VALUES (1, 1, 100), (2, 1, 50), (3, 2, 20);
    INSERT INTO reader VALUES (1, 1, 'Ann'), (2, 1, 'Ben'), (3, 3, 'Ann')
    """

  /// Makes a store with rows.
  func store(_ folder: TemporaryFolder, audit: LiveAudit = .automatic) throws -> Store {
    let store: Store
    switch self {
    case .adoptedPool, .adoptedQueue, .adoptedQueueInMemory:
      let writer: any DatabaseWriter =
        switch self {
        case .adoptedPool: try DatabasePool(path: folder.path())
        case .adoptedQueue: try DatabaseQueue(path: folder.path())
        default: try DatabaseQueue()
        }
      try writer.run(Self.sql)
      return try Store(writer, schema: Self.schema, liveInterval: .zero, audit: audit)
    case .ownFile: store = try Store(path: folder.path(), schema: Self.schema, liveInterval: .zero, audit: audit)
    case .ownMemory: store = try Store(inMemory: Self.schema, liveInterval: .zero, audit: audit)
    }
    try store.writer.run(Self.sql)
    return store
  }
}
