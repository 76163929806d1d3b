import Foundation
import GRDB
import Synchronization
import Testing

@testable import Sanderling

/// Live lists, counts and values of GRDB's requests.
@MainActor
@Suite struct LiveRequestTests {
  private typealias Author = Library.Author
  private typealias Book = Library.Book
  private typealias Prize = Library.Prize
  private typealias Reader = Library.Reader
  private typealias Shelf = Library.Shelf
  private typealias AuthorSummary = Library.AuthorSummary

  private let folder = TemporaryFolder()

  @Test(arguments: Library.allCases)
  func resultsFollowWritesOfTheStoreAndOfGRDB(_ library: Library) async throws {
    let store = try library.store(folder)
    let books = store.liveList(Book.order(Column("id")))
    let shelves = store.liveList(Shelf.request)
    let titles = store.liveList(SQLRequest<String>("SELECT title FROM book WHERE pages > \(300) ORDER BY title"))
    let longest = store.liveValue(Book.select(max(Column("pages")), as: Int.self))
    let count = store.liveCount(Book.filter(Column("authorID") == 1))
    let first = store.liveValue(Author.order(Column("name")))
    _ = (books.rows, shelves.rows, titles.rows, longest.value, count.value, first.value)
    await store.settled()
    #expect(books.elements.map(\.id) == [1, 2, 3])
    #expect(shelves.elements.map(\.author.name) == ["Anon", "Musil", "Woolf"])
    #expect(shelves.elements.map(\.books.count) == [0, 1, 2])
    #expect(titles.elements == ["Orlando", "The Waves"])
    #expect((longest.value, count.value, first.value?.name) == (330, 2, "Anon"))

    // Through the store: only children of one author.
    try await store.write("add") { try $0.insert(StoredBook(id: 4, authorID: 3, title: "Edda", pages: 900)) }
    await store.settled()
    #expect(books.elements.map(\.id) == [1, 2, 3, 4])
    #expect(shelves.elements.map(\.books.count) == [1, 1, 2])
    #expect(titles.elements == ["Edda", "Orlando", "The Waves"])
    #expect((longest.value, count.value) == (900, 2))

    // By GRDB, on the same connection.
    try await store.writer.write { db in
      try Author(id: 4, name: "Aa", country: nil).insert(db)
      try db.execute(sql: "DELETE FROM author WHERE id = 1 OR id = 3")
    }
    await store.settled()
    #expect(books.elements.map(\.id) == [3])
    #expect(shelves.elements.map(\.author.name) == ["Aa", "Musil"])
    #expect(titles.elements == [])
    #expect((longest.value, count.value, first.value?.name) == (217, 0, "Aa"))

    try await store.writer.write { try $0.execute(sql: "DELETE FROM book") }
    await store.settled()
    #expect(longest.value == nil)
    #expect(longest.state.isCurrent)
  }

  @Test(arguments: [Library.adoptedPool, .adoptedQueue, .ownFile])
  func resultsFollowOtherConnections(_ library: Library) async throws {
    let store = try library.store(folder)
    let shelves = store.liveList(Shelf.request)
    let count = store.liveCount(Prize.all())
    let total = store.liveValue { db in try Prize.select(sum(Column("amount")), as: Int.self).fetchOne(db) ?? 0 }
    _ = (shelves.rows, count.value, total.value)
    await store.settled()
    let other = try folder.otherConnection()
    try await other.write { db in
      try db.execute(sql: "INSERT INTO prize VALUES (9, 3, 7); UPDATE book SET title = 'Unions' WHERE id = 3")
    }
    try await store.noticeOutsideChanges()
    await store.settled()
    #expect(shelves.elements.flatMap(\.books).map(\.title) == ["Unions", "Orlando", "The Waves"])
    #expect((count.value, total.value) == (4, 177))
  }

  @Test func aStoreThatOnlyReadsFollows() async throws {
    try DatabasePool(path: folder.path()).run(Library.sql)
    var configuration = Configuration()
    configuration.readonly = true
    let store = try Store(
      try DatabasePool(path: folder.path(), configuration: configuration), schema: Library.schema, liveInterval: .zero)
    let books = store.liveList(Book.order(Column("id")))
    let count = store.liveValue { try Book.fetchCount($0) }
    _ = (books.rows, count.value)
    await store.settled()
    #expect((books.elements.count, count.value) == (3, 3))
    try await folder.otherConnection().write { try $0.execute(sql: "DELETE FROM book WHERE id = 1") }
    try await store.noticeOutsideChanges()
    await store.settled()
    #expect((books.elements.count, count.value) == (2, 2))
  }

  // MARK: Identity

  @Test func rowsKeepTheirIdentity() async throws {
    let store = try Library.adoptedPool.store(folder)
    for request in [
      // The primary key, although the columns are in another order, and joined columns have the same name.
      AnyFetchRequest(Book.including(required: Book.author).order(Column("title"))),
      AnyFetchRequest(SQLRequest<Book>("SELECT title, pages, authorID, id FROM book ORDER BY title")),
    ] {
      try await store.writer.write { try $0.execute(sql: "UPDATE book SET title = 'Orlando' WHERE id = 1") }
      let list = store.liveList(request)
      _ = list.rows
      await store.settled()
      let before = list.rows
      #expect(before.map(\.title) == ["Orlando", "The Waves", "Törless"])
      try await store.writer.write { try $0.execute(sql: "UPDATE book SET title = 'Zorlando' WHERE id = 1") }
      await store.settled()
      let difference = RowDifference(from: before, to: list.rows)
      #expect(
        Array(difference) == [.move(from: 2, to: 0), .update(at: 2)]
          || Array(difference) == [.move(from: 0, to: 2), .update(at: 2)])
      #expect(before.identified.map(\.id) == [1, 2, 3].map { RowID(key: RowKey(.integer($0))) })
      #expect(list.position(of: 1) == list.elements.firstIndex { $0.id == 1 })
    }
  }

  /// Elements without a table are identified by their `id`. Others are identified by all values, like equal texts.
  @Test func rowsWithoutATableHaveAnIdentity() async throws {
    let store = try Library.adoptedPool.store(folder)
    let summaries = store.liveList(
      Author.annotated(with: Author.books.count, Author.prizes.sum(Column("amount"))).order(Column("id"))
        .asRequest(of: AuthorSummary.self))
    let names = store.liveList(Reader.order(Column("name")).select(Column("name"), as: String.self))
    _ = (summaries.rows, names.rows)
    await store.settled()
    let before = (summaries.rows, names.rows)
    #expect(names.elements == ["Ann", "Ann", "Ben"])
    #expect(Set(names.rows.identified.map(\.id)).count == 3)
    try await store.writer.write { db in
      try db.execute(sql: "INSERT INTO book VALUES (5, 2, 'Unions', 1); DELETE FROM reader WHERE id = 1")
    }
    await store.settled()
    #expect(summaries.elements.map(\.bookCount) == [2, 2, 0])
    #expect(Array(RowDifference(from: before.0, to: summaries.rows)) == [.update(at: 1)].map { $0 })
    #expect(names.elements == ["Ann"] || names.elements == ["Ann", "Ben"])
    #expect(RowDifference(from: before.1, to: names.rows).count == before.1.count - names.rows.count)
  }

  /// A row counts as changed with its prefetched rows, also those of joined rows, and with nothing else.
  @Test func prefetchedRowsBelongToTheirRow() async throws {
    struct Page: Decodable, Hashable, Sendable, FetchableRecord {
      struct Writer: Decodable, Hashable, Sendable {
        var author: Author
        var prizes: [Prize]
      }
      var book: Book
      var author: Writer
    }
    let store = try Library.adoptedPool.store(folder)
    let request = Book.including(required: Book.author.including(all: Author.prizes.order(Column("id"))))
      .order(Column("id"))
    let list = store.liveList(request.asRequest(of: Page.self))
    _ = list.rows
    await store.settled()
    let before = list.rows
    #expect(list.state.error == nil)
    try await store.writer.write { try $0.execute(sql: "UPDATE prize SET amount = 21 WHERE id = 3") }
    await store.settled()
    #expect(Array(RowDifference(from: before, to: list.rows)) == [.update(at: 2)])
    #expect(list.elements.last?.author.prizes.map(\.amount) == [21])
    let (commit, rows) = (list.commit, list.rows)
    try await store.writer.write { try $0.execute(sql: "UPDATE prize SET amount = amount; DELETE FROM reader") }
    await store.settled()
    #expect(list.commit != commit)
    #expect(Array(RowDifference(from: rows, to: list.rows)) == [])
  }

  // MARK: Windows

  @Test func listsReadOnlyTheirWindow() async throws {
    let store = try Library.adoptedPool.store(folder)
    try await store.writer.write { db in
      for number in 10..<500 as Range<Int64> { try Prize(id: number, authorID: 1, amount: Int(number)).insert(db) }
    }
    let decoded = Mutex(0)
    struct Counted: FetchableRecord, Sendable {
      static nonisolated(unsafe) var decoded: Mutex<Int>?
      let id: Int64
      init(row: Row) { id = row["id"] }
    }
    _ = decoded
    let list = store.liveList(Prize.order(Column("id")).asRequest(of: Counted.self), window: 3)
    _ = list.rows
    await store.settled()
    #expect(list.elements.map(\.id) == [1, 2, 3])
    #expect(list.hasMore)
    list.loadMore(2)
    await store.settled()
    #expect(list.elements.map(\.id) == [1, 2, 3, 10, 11])
    // The added limit is in the SQL, so that SQLite sorts no more.
    try await store.read { tx in
      let db = tx.database
      let limited = try LimitedRequest(Prize.order(Column("amount")), limit: 4)
        .makePreparedRequest(db, forSingleResult: false)
      #expect(limited.statement.sql.hasSuffix("\nLIMIT 4"))
      #expect(try Row.fetchAll(limited.statement).count == 4)
    }
  }

  @Test(arguments: [
    ("SELECT id FROM book ORDER BY id LIMIT 2", [1, 2], false),
    ("SELECT id FROM book ORDER BY id DESC -- all of them", [3, 2], true),
    ("SELECT id FROM book ORDER BY id;", [1, 2], true),
    ("VALUES (7), (8), (9)", [7, 8], true),
    ("SELECT 5 UNION ALL VALUES (6), (7)", [5, 6], true),
    ("WITH b AS (SELECT id FROM book LIMIT 1) SELECT id FROM b", [1], false),
    ("SELECT (SELECT max(id) FROM book LIMIT 1) FROM author", [3, 3], true),
    ("/* books */ SELECT id AS \"limit\" FROM book WHERE id > 1 ORDER BY \"limit\"", [2, 3], false),
    ("PRAGMA user_version", [0], false),
    // SQLite fails at the third row, which is not in the window.
    (
      "SELECT CASE id WHEN 3 THEN abs(-9223372036854775807 - 1) ELSE id END FROM book ORDER BY id LIMIT 2", [1, 2],
      false
    ),
  ])
  func anySQLHasAWindow(_ sql: String, _ numbers: [Int], _ hasMore: Bool) async throws {
    let store = try Library.adoptedPool.store(folder)
    let list = store.liveList(SQLRequest<Int>(sql: sql), window: 2)
    _ = list.rows
    await store.settled()
    #expect(list.state.error == nil)
    #expect(list.elements == numbers)
    #expect(list.hasMore == hasMore)
  }

  @Test func requestsThatReturnNothing() async throws {
    let store = try Library.adoptedPool.store(folder)
    let none = store.liveList(Author.none())
    let empty = store.liveValue(Author.filter(key: 99))
    _ = (none.rows, empty.value)
    await store.settled()
    #expect(none.state.isCurrent && empty.state.isCurrent)
    #expect(none.elements == [] && empty.value == nil)
    try await store.writer.write { try Author(id: 99, name: "Zola").insert($0) }
    await store.settled()
    #expect(none.elements == [])
    #expect(empty.value?.name == "Zola")
  }

  // MARK: Errors and life

  @Test func errorsAreStates() async throws {
    let store = try Library.adoptedPool.store(folder)
    let missing = store.liveList(SQLRequest<String>("SELECT title FROM film"))
    let count = store.liveCount(SQLRequest<String>("SELECT title FROM film"))
    let strange = store.liveList(Author.all().asRequest(of: Int??.self).asRequest(of: Void.self))
    let narrow = store.liveList(Author.all(), window: 0)
    _ = (missing.rows, count.value, strange.rows, narrow.rows)
    await store.settled()
    let texts = [missing.state.error, count.state.error, strange.state.error, narrow.state.error].map { "\($0!)" }
    #expect(texts[0] == "SQLite error 1: no such table: film - while executing `SELECT title FROM film`")
    #expect(texts[1].contains("no such table: film"))
    #expect(
      texts[2]
        == "The query makes no sense in SQL: () is neither a FetchableRecord nor a DatabaseValueConvertible of GRDB: give the request another type by asRequest(of:)."
    )
    #expect(texts[3].contains("a window of 0 rows is too small for a live result: pass a window from 1 on"))
    try await store.writer.write { try $0.execute(sql: "CREATE TABLE film (title); INSERT INTO film VALUES ('M')") }
    await store.settled()
    #expect(missing.elements == ["M"])
    #expect(count.value == 1)
  }

  @Test func unreadableRowsHaveAPlace() async throws {
    let store = try Library.adoptedPool.store(folder)
    try await store.writer.write { db in
      try db.execute(
        sql:
          "CREATE TABLE film (id INTEGER PRIMARY KEY, name, year); INSERT INTO film VALUES (1, 'M', 1931), (2, NULL, 'secret'), (3, 'Ran', 1985)"
      )
    }
    struct Film: Codable, Sendable, FetchableRecord, TableRecord { var id: Int64; var name: String; var year: Int? }
    let films = store.liveList(Film.order(Column("id")))
    let years = store.liveList(SQLRequest<Int>("SELECT year FROM film ORDER BY id"))
    let second = store.liveValue(Film.filter(key: 2))
    _ = (films.rows, years.rows, second.value)
    await store.settled()
    #expect(films.elements.map(\.name) == ["M", "Ran"])
    #expect(films.unreadableRows.map(\.key) == [[.integer(2)]])
    #expect(
      films.unreadableRows.map(\.description) == [
        "The row with the key 2 of table film can't be shown. A stored value in column name of table film can't be read: GRDB can't make a value of Film of it. Give the property the type that is stored, or choose the storage with @Stored(as:)."
      ])
    #expect(years.elements == [1931, 1985])
    #expect(years.unreadableRows.count == 1)
    struct Dated: Codable, Sendable, FetchableRecord, TableRecord {
      static let databaseTableName = "film"
      var id: Int64
      var premiere: Date
    }
    let dated = store.liveValue(Dated.all(), start: .immediate)
    #expect(
      "\(dated.state.error!)".hasPrefix(
        "A stored value in column premiere of table film can't be read: the row has no such column."))
    #expect("\(years.unreadableRows)".contains("secret") == false)
    #expect("\(second.state.error!)".contains("column name of table film"))
    try await store.writer.write { try $0.execute(sql: "UPDATE film SET name = 'Dodes', year = NULL WHERE id = 2") }
    await store.settled()
    #expect(films.elements.map(\.name) == ["M", "Dodes", "Ran"])
    #expect(films.unreadableRows.isEmpty)
    #expect(second.value?.name == "Dodes")
  }

  @Test func resultsAreSuspendedReplacedAndClosed() async throws {
    let store = try Library.adoptedPool.store(folder)
    let list = store.liveList(Author.order(Column("id")), start: .immediate)
    let value = store.liveValue(Author.select(Column("name"), as: String.self).order(Column("id")), start: .immediate)
    let count = store.liveCount(Author.all(), start: .immediate)
    let failing = store.liveValue(start: .immediate) { try Author.find($0, key: 77) }
    #expect((list.elements.count, value.value, count.value) == (3, "Woolf", 3))
    #expect(failing.state.error != nil)
    await store.settled()
    list.suspend()
    try await store.writer.write { try $0.execute(sql: "DELETE FROM author WHERE id = 1") }
    await store.settled()
    #expect((list.elements.count, value.value, count.value) == (3, "Musil", 2))
    list.resume()
    list.replace(Author.filter(Column("id") > 2))
    value.replace(Book.select(Column("title"), as: String.self))
    count.replace(counting: Book.all())
    await store.settled()
    #expect((list.elements.map(\.id), value.value, count.value) == ([3], "Törless", 1))
    value.replace { db in try String.fetchOne(db, sql: "SELECT 'closure'") ?? "" }
    await store.settled()
    #expect(value.value == "closure")
    try store.close()
    await store.settled()
    #expect(list.state.error as? StoreError == .closed)
    #expect(count.state.error as? StoreError == .closed)
  }

  @Test func sequencesGiveEachState() async throws {
    let store = try Library.adoptedPool.store(folder)
    var snapshots = store.snapshots(of: Author.order(Column("id").desc)).makeAsyncIterator()
    var changes = store.changes(of: Author.order(Column("id").desc)).makeAsyncIterator()
    var counts = store.counts(of: Author.all()).makeAsyncIterator()
    var values = store.values(of: Author.order(Column("id").desc).select(Column("name"), as: String.self))
      .makeAsyncIterator()
    var read = store.values { try Author.fetchCount($0) }.makeAsyncIterator()
    #expect(await snapshots.next()?.elements.count == 3)
    #expect(await changes.next()?.difference.count == 3)
    #expect(await counts.next()?.value == 3)
    #expect(await values.next()?.value == "Anon")
    #expect(await read.next()?.value == 3)
    try await store.writer.write { try $0.execute(sql: "DELETE FROM author WHERE id = 3") }
    #expect(await snapshots.next()?.elements.count == 2)
    #expect(await changes.next().map { Array($0.difference) } == [.remove(at: 0)])
    #expect(await counts.next()?.value == 2)
    #expect(await values.next()?.value == "Musil")
    #expect(await read.next()?.value == 2)
  }

  @Test func migrationsAndViewsAndSearches() async throws {
    let store = try Library.adoptedPool.store(folder)
    try await store.writer.write { db in
      try db.execute(sql: "CREATE VIEW thick AS SELECT * FROM book WHERE pages > 300")
      try db.create(virtualTable: "text", using: FTS5()) { $0.column("content") }
    }
    struct Thick: Codable, Hashable, Sendable, FetchableRecord, TableRecord { var id: Int64; var title: String }
    let thick = store.liveList(Thick.order(Column("id")))
    let found = store.liveList(SQLRequest<String>("SELECT content FROM text WHERE text MATCH \("sea*")"))
    let books = store.liveList(Book.order(Column("id")))
    let columns = store.liveValue { try $0.columns(in: "book").count }
    _ = (thick.rows, found.rows, books.rows, columns.value)
    await store.settled()
    #expect(thick.elements.map(\.id) == [1, 2])
    try await store.writer.write { db in
      try db.execute(sql: "UPDATE book SET pages = 1 WHERE id = 1; INSERT INTO text VALUES ('seagulls'), ('birds')")
    }
    await store.settled()
    #expect(thick.elements.map(\.id) == [2])
    #expect(found.elements == ["seagulls"])
    var migrator = DatabaseMigrator()
    migrator.registerMigration("genre") { db in
      try db.alter(table: "book") { $0.add(column: "genre", .text) }
      try db.execute(sql: "UPDATE book SET genre = 'novel', title = 'The Sea' WHERE id = 2")
    }
    try migrator.migrate(store.writer)
    await store.settled()
    #expect(books.elements.map(\.title) == ["Orlando", "The Sea", "Törless"])
    #expect(thick.elements.map(\.title) == ["The Sea"])
  }

  @Test func explanationsNameTheCost() async throws {
    let store = try Library.adoptedPool.store(folder)
    let explanation = try await Shelf.request.explainLive(store)
    #expect(!explanation.isMaintained)
    #expect(explanation.tables == ["author", "book"])
    let text = explanation.description.replacing(#/takes \d+ steps/#, with: "takes N steps")
    #expect(
      text
        == "Run again after changes of author, book, at most five times a second, because it is a request of GRDB, which tells the tables that it reads and no more: each run takes N steps of SQLite for 3 rows, and more for prefetched rows. A query of Sanderling reads only the changed rows if it is maintained."
    )
    await #expect(throws: StoreError.self) { try await SQLRequest<Int>("SELECT x FROM film").explainLive(store) }
  }
}
