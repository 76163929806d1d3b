import Foundation
import GRDB
import Synchronization
import TestPrograms
import Testing

@testable import Sanderling

/// Live results of requests equal fresh fetches of the same requests, after random writes of all writers.
@MainActor
@Suite struct LiveRequestRandomTests {
  private typealias Author = Library.Author
  private typealias Book = Library.Book
  private typealias Prize = Library.Prize
  private typealias Shelf = Library.Shelf
  private typealias AuthorSummary = Library.AuthorSummary

  private let folder = TemporaryFolder()

  @Test(arguments: [Library.adoptedPool, .adoptedQueue, .ownFile, .ownMemory], 0..<3 as Range<UInt64>)
  func resultsEqualFreshFetches(_ library: Library, _ round: UInt64) async throws {
    var generator = SeededGenerator(seed: SeededGenerator.defaultSeed &+ round)
    let seed = Testing.Comment(rawValue: "SANDERLING_SEED=\(SeededGenerator.defaultSeed), round \(round)")
    let differences = Mutex<[String]>([])
    let store = try library.store(
      folder, audit: .everyCommit { difference in differences.withLock { $0.append("\(difference)") } })
    let other = [.ownMemory, .adoptedQueueInMemory].contains(library) ? nil : try folder.otherConnection()

    let books = Book.filter(Column("pages") > 40).order(Column("title"), Column("id"))
    let window = generator.element([1, 3, 100])
    let byAuthor = Book.including(optional: Book.author.including(all: Author.prizes.order(Column("id"))))
      .order(Column("id"))
    let summaries = Author.annotated(withSubqueries: Author.books.count, Author.prizes.sum(Column("amount")))
      .order(Column("id")).asRequest(of: AuthorSummary.self)
    let titles = SQLRequest<String?>("SELECT max(title) FROM book GROUP BY authorID ORDER BY authorID")
    let longest = Book.select(max(Column("pages")), as: Int.self)
    @Sendable func board(_ db: Database) throws -> [Int] {
      try Author.order(Column("id")).fetchAll(db).map { author in
        try author.id % 2 == 0
          ? author.request(for: Author.books).fetchCount(db) : author.request(for: Author.prizes).fetchCount(db)
      }
    }
    struct Listed: Decodable, Hashable, Sendable, FetchableRecord {
      struct Writer: Decodable, Hashable, Sendable {
        var author: Author
        var prizes: [Prize]
      }
      var book: Book
      var author: Writer?
    }
    let list = store.liveList(books, window: window)
    let shelves = store.liveList(Shelf.request, window: 2)
    let listed = store.liveList(byAuthor.asRequest(of: Listed.self))
    let summarized = store.liveList(summaries)
    let titled = store.liveList(titles)
    let maximum = store.liveValue(longest)
    let count = store.liveCount(books)
    let closure = store.liveValue(reading: board)
    _ = (list.rows, shelves.rows, listed.rows, summarized.rows, titled.rows, maximum.value, count.value, closure.value)
    await store.settled()

    for step in 0..<40 {
      for _ in 0..<generator.next(3) + 1 {
        let sql = Self.write(&generator)
        switch generator.next(other == nil ? 2 : 3) {
        case 0: _ = try? await store.write("random") { try $0.database.execute(sql: sql) }
        case 1: _ = try? await store.writer.write { try $0.execute(sql: sql) }
        default: _ = try? await other?.write { try $0.execute(sql: sql) }
        }
      }
      if other != nil { try await store.noticeOutsideChanges() }
      if generator.chance(0.2) { list.loadMore(1) }
      await store.settled()
      let fresh = try await store.read { tx in
        let db = tx.database
        return (
          try books.fetchAll(db), try Shelf.request.fetchAll(db), try byAuthor.asRequest(of: Listed.self).fetchAll(db),
          try summaries.fetchAll(db), try titles.fetchAll(db), try longest.fetchOne(db), try board(db)
        )
      }
      #expect(list.elements == Array(fresh.0.prefix(list.window)), seed)
      #expect(list.hasMore == (fresh.0.count > list.window), seed)
      #expect(shelves.elements == Array(fresh.1.prefix(2)), seed)
      #expect(listed.elements == fresh.2, seed)
      #expect(summarized.elements == fresh.3, seed)
      #expect(titled.elements == fresh.4, seed)
      #expect(maximum.value == fresh.5, seed)
      #expect(count.value == fresh.0.count, seed)
      #expect(closure.value == fresh.6, "\(seed) step \(step)")
    }
    #expect(differences.withLock { $0 } == [], seed)
    #expect(store.liveAuditCounts.compared > 0)
  }

  /// A random statement. It may violate a constraint, or write no row.
  private static func write(_ generator: inout SeededGenerator) -> String {
    let (id, other) = (generator.next(8), generator.next(8))
    let text = generator.element(["'a'", "'B'", "'é'", "''", "'zz'"])
    return switch generator.next(10) {
    case 0: "INSERT INTO author VALUES (\(id), \(text), NULL, NULL)"
    case 1: "INSERT OR REPLACE INTO book VALUES (\(id), \(other), \(text), \(generator.next(100)))"
    case 2: "INSERT INTO book SELECT id + 8, authorID, title || \(text), pages + 1 FROM book WHERE id = \(id)"
    case 3: "UPDATE book SET pages = pages + \(other), title = \(text) WHERE id % 3 = \(id % 3)"
    case 4: "UPDATE author SET name = \(text) WHERE id = \(id)"
    case 5: "UPDATE OR REPLACE author SET id = \(other + 8) WHERE id = \(id)"
    case 6: "DELETE FROM author WHERE id = \(id)"
    case 7: "INSERT OR IGNORE INTO prize VALUES (\(id), \(other), \(generator.next(9)))"
    case 8: "DELETE FROM book WHERE id % 8 = \(id); DELETE FROM prize WHERE id = \(other)"
    default: "UPDATE prize SET amount = amount + 1; UPDATE book SET title = title"
    }
  }
}
