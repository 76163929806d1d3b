import Foundation
import GRDB
import Sanderling
import Testing

@Record
private struct Shelf: Hashable {
  var id: Int64
  var name: String
  static let books = hasMany(Book.self, by: \.shelfID)
  static let authors = hasMany(Author.self, through: books, using: Book.authors)
  static let longBooks = hasMany(Book.self, by: \.shelfID).filter { $0.title > "m" }
  static let authorsOfLongBooks = hasMany(Author.self, through: longBooks, using: Book.signedAuthors).filter {
    $0.name != "a"
  }
}

@Record(indexes: [.on(\.shelfID)])
private struct Book: Hashable {
  var id: Int64
  @References(Shelf.self) var shelfID: Int64?
  var title: String
  static let shelf = belongsTo(Shelf.self, by: \.shelfID)
  static let neighbors = hasMany(Book.self, through: shelf, using: Shelf.books)
  static let credits = hasMany(Credit.self, by: \.bookID)
  static let authors = hasMany(Author.self, through: credits, using: Credit.author)
  static let signatures = hasMany(Signature.self, by: \.bookID).filter { $0.isReal }
  static let signedAuthors = hasMany(Author.self, through: signatures, using: Signature.author)
}

/// A credit of an author for a book, at most one for each pair.
@Record(indexes: [.on(\.authorID)])
private struct Credit: Hashable {
  @PrimaryKey var bookID: Int64
  @PrimaryKey var authorID: Int64
  static let author = belongsTo(Author.self, by: \.authorID)
  static let book = belongsTo(Book.self, by: \.bookID)
}

/// A signature of an author in a book, possibly several for each pair.
@Record(indexes: [.on(\.bookID), .on(\.authorID)])
private struct Signature: Hashable {
  var id: Int64
  var bookID: Int64
  var authorID: Int64?
  var isReal: Bool
  static let author = belongsTo(Author.self, by: \.authorID)
}

@Record
private struct Author: Hashable {
  var id: Int64
  var name: String
  static let credits = hasMany(Credit.self, by: \.authorID)
  static let books = hasMany(Book.self, through: credits, using: Credit.book)
}

private let schema: [any StoredRecord.Type] = [Shelf.self, Book.self, Credit.self, Signature.self, Author.self]

/// A random change of rows. There are few rows, so that some associations find none.
private struct Change: Sendable {
  let sql: String

  init(using generator: inout SeededGenerator) {
    func id(_ count: Int64 = 6) -> Int64 { .random(in: 1...count, using: &generator) }
    let name = ["a", "b", "m", "n", "z"].randomElement(using: &generator) ?? ""
    let orNull = Bool.random(using: &generator) ? "\(id(3))" : "NULL"
    sql =
      switch Int.random(in: 0..<14, using: &generator) {
      case 0: "INSERT OR REPLACE INTO shelf VALUES (\(id(3)), '\(name)')"
      case 1, 2: "INSERT OR REPLACE INTO book VALUES (\(id(8)), \(orNull), '\(name)')"
      case 3, 4: "INSERT OR REPLACE INTO author VALUES (\(id()), '\(name)')"
      case 5, 6: "INSERT OR IGNORE INTO credit VALUES (\(id(8)), \(id()))"
      case 7, 8:
        "INSERT OR REPLACE INTO signature VALUES (\(id(20)), \(id(8)), \(orNull), \(Bool.random(using: &generator) ? 1 : 0))"
      case 9: "DELETE FROM credit WHERE bookID = \(id(8))"
      case 10: "DELETE FROM author WHERE id = \(id())"
      case 11: "UPDATE signature SET isReal = NOT isReal WHERE id % 3 = \(id(3) - 1)"
      case 12: "UPDATE book SET shelfID = \(orNull), title = '\(name)' WHERE id = \(id(8))"
      default: "DELETE FROM book WHERE id = \(id(8))"
      }
  }

  func run(_ tx: WriteTransaction) throws {
    try tx.execute("\(raw: sql)")
  }
}

@MainActor
@Suite("To-many associations through other associations")
struct ThroughTests {
  private let folder = TemporaryFolder()

  private func store() throws -> Store {
    var configuration = Store.defaultConfiguration
    configuration.foreignKeysEnabled = false
    return try Store(
      path: folder.path("books.sqlite"), schema: schema, configuration: configuration,
      audit: .everyCommit { Issue.record("\($0)") })
  }

  /// SELECTs of the authors' keys for each book or shelf, in plain SQL.
  private nonisolated static let reached = [
    "authors": "SELECT DISTINCT c.bookID, a.id FROM credit c JOIN author a ON a.id = c.authorID",
    "signed": "SELECT DISTINCT s.bookID, a.id FROM signature s JOIN author a ON a.id = s.authorID WHERE s.isReal",
    "shelf": """
    SELECT DISTINCT b.shelfID, a.id FROM book b JOIN credit c ON c.bookID = b.id JOIN author a ON a.id = c.authorID
    """,
    "long": """
    SELECT DISTINCT b.shelfID, a.id FROM book b JOIN signature s ON s.bookID = b.id JOIN author a ON a.id = s.authorID
    WHERE b.title > 'm' AND s.isReal AND a.name <> 'a'
    """,
    "neighbors": "SELECT b.id, n.id FROM book b JOIN shelf s ON s.id = b.shelfID JOIN book n ON n.shelfID = s.id",
  ]

  private nonisolated static func reached(_ tx: ReadTransaction, _ name: String) throws -> [Int64: Set<Int64>] {
    let pairs = try tx.fetch(RawQuery("\(raw: reached[name] ?? "")", as: Int64?.self, Int64.self))
    return Dictionary(grouping: pairs.filter { $0.0 != nil }) { $0.0 ?? 0 }.mapValues { Set($0.map(\.1)) }
  }

  @Test func associationsReachEachRowOnceAfterRandomWrites() async throws {
    var generator = SeededGenerator()
    let store = try store()
    let books = Book.order { ($0.title, $0.id) }.select {
      (
        $0.id, $0.authors.count, $0.signedAuthors.count, $0.neighbors.count,
        $0.authors.joined(separator: "+") { $0.name }
      )
    }
    let shelves = Shelf.order { $0.id }.select {
      ($0.id, $0.authors.count, $0.authorsOfLongBooks.count, $0.authors.max { $0.name })
    }
    let named = Book.where { $0.authors.contains { $0.name == "a" } && !$0.signedAuthors.isEmpty }.order { $0.id }
    let prefetching = Book.order { $0.id }.with(
      Book.authors.prefetch { $0.order { ($0.name, $0.id) } },
      Book.signedAuthors.prefetch { $0.where { $0.name != "z" }.order { $0.id.descending }.limit(1) })
    let nested = Shelf.order { $0.id }.with(
      Shelf.authorsOfLongBooks.prefetch { $0.order { $0.id }.with(Author.books.prefetch { $0.order { $0.id } }) })
    let lists = (store.liveList(books), store.liveList(shelves), store.liveList(named))
    let prefetched = (store.liveList(prefetching), store.liveList(nested))
    _ = (lists.0.rows, lists.1.rows, lists.2.rows, prefetched.0.rows, prefetched.1.rows)
    for step in 0..<150 {
      let changes = (0..<Int.random(in: 1...5, using: &generator)).map { _ in Change(using: &generator) }
      try await store.write { tx in for change in changes { try change.run(tx) } }
      await store.settled()
      let seed: Testing.Comment = "step \(step), SANDERLING_SEED=\(generator.seed)"
      try await store.read { tx in
        let reached = try Self.reached.keys.reduce(into: [:]) { $0[$1] = try Self.reached(tx, $1) }
        func count(_ name: String, _ id: Int64) -> Int { reached[name]?[id]?.count ?? 0 }
        for row in try tx.fetch(books) {
          try #require(row.1 == count("authors", row.0), seed)
          try #require(row.2 == count("signed", row.0), seed)
          try #require(row.3 == count("neighbors", row.0), seed)
        }
        for row in try tx.fetch(shelves) {
          try #require(row.1 == count("shelf", row.0), seed)
          try #require(row.2 == count("long", row.0), seed)
        }
        for (book, authors, signed) in try tx.fetch(prefetching) {
          try #require(Set(authors.map(\.id)) == reached["authors"]?[book.id] ?? [], seed)
          try #require(authors == authors.sorted { ($0.name, $0.id) < ($1.name, $1.id) }, seed)
          let known = Set(try tx.fetch(Author.where { $0.name != "z" }).map(\.id))
          try #require(
            signed.map(\.id) == [reached["signed"]?[book.id]?.intersection(known).max()].compactMap { $0 }, seed)
        }
      }
      let fresh = try await store.read { tx in
        (
          try tx.fetch(books), try tx.fetch(shelves), try tx.fetch(named), try tx.fetch(prefetching),
          try tx.fetch(nested)
        )
      }
      try #require(lists.0.elements.map { "\($0)" } == fresh.0.map { "\($0)" }, seed)
      try #require(lists.1.elements.map { "\($0)" } == fresh.1.map { "\($0)" }, seed)
      try #require(lists.2.elements == fresh.2, seed)
      try #require(prefetched.0.elements.map { "\($0)" } == fresh.3.map { "\($0)" }, seed)
      try #require(prefetched.1.elements.map { "\($0)" } == fresh.4.map { "\($0)" }, seed)
    }
    #expect(try await books.explainLive(store).isMaintained)
    #expect(try await shelves.explainLive(store).isMaintained)
    #expect(try await named.explainLive(store).isMaintained)
    #expect(try await prefetching.explainLive(store).isMaintained)
    #expect(try await nested.explainLive(store).isMaintained)
  }

  @Test func associationsAreJoinedIfTheKeyPreventsDuplicates() throws {
    #expect(
      try Book.select { ($0.id, $0.authors.count) }.sql.sql == """
        SELECT "book"."id", (SELECT COUNT(*) FROM "credit" JOIN "author" ON "author"."id" = "credit"."authorID" \
        WHERE "credit"."bookID" = "book"."id") FROM "book"
        """)
    let signed = try Book.select { ($0.id, $0.signedAuthors.filter { $0.name != "z" }.count) }.sql.sql
    #expect(
      signed == """
        SELECT "book"."id", (SELECT COUNT(*) FROM "author" WHERE "author"."id" IN (SELECT "signature"."authorID" \
        FROM "signature" WHERE ("signature"."bookID" = ("book"."id")) AND ("signature"."isReal" = 1)) \
        AND ("author"."name" <> ?)) FROM "book"
        """)
  }

  @Test func useIndexes() async throws {
    let store = try store()
    for plan in [
      try await store.plan(Book.select { ($0.id, $0.authors.count) }.sql),
      try await store.plan(Book.select { ($0.id, $0.signedAuthors.count) }.sql),
      try await store.plan(Shelf.select { ($0.id, $0.authors.count) }.sql),
    ] {
      #expect(plan.filter { $0.hasPrefix("SCAN") }.count == 1, "\(plan)")
    }
  }
}
