import Foundation
import Testing

@testable import Sanderling

/// Counts and sums over nested associations are maintained by the amounts that single rows add.
@Suite struct NestedCountTests {
  @Record
  struct Library: Hashable {
    var id: Int
    var name: String
    static let shelves = hasMany(Shelf.self, by: \.libraryID)
  }

  @Record
  struct Shelf: Hashable {
    var id: Int
    var libraryID: Int?
    var isOpen: Bool
    static let books = hasMany(Book.self, by: \.shelfID)
  }

  @Record
  struct Book: Hashable {
    var id: Int
    var shelfID: Int?
    var pages: Int?
    var isLent: Bool
    static let chapters = hasMany(Chapter.self, by: \.bookID)
  }

  @Record
  struct Chapter: Hashable {
    var id: Int
    var bookID: Int
  }

  @Projection(of: Library.self)
  struct Summary: Hashable {
    var id: Int
    var shelves: Int
    var books: Int
    var pages: Int
    var chapters: Int
    var thickest: Int?
    static let shelves = aggregate { $0.shelves.count }
    static let books = aggregate { $0.shelves.filter { $0.isOpen }.sum { $0.books.filter { !$0.isLent }.count } }
    static let pages = aggregate { $0.shelves.sum { $0.books.sum { $0.pages } } }
    static let chapters = aggregate {
      $0.shelves.filter { $0.isOpen }.sum { $0.books.filter { $0.pages > 2 }.sum { $0.chapters.count } }
    }
    static let thickest = aggregate { $0.shelves.max { $0.books.max { $0.pages } } }
  }

  private static let schema: [any StoredRecord.Type] = [Library.self, Shelf.self, Book.self, Chapter.self]

  private func plan(_ query: Selection<some Selectable, some Sendable>) throws -> RoutePlan {
    try RoutePlan(
      root: query.statement.source.type, condition: query.statement.condition, orderings: query.statement.orderings,
      outputs: query.statement.columns)
  }

  @Test func intermediateRowsAreNoSeparateDependencies() throws {
    let plan = try plan(Summary.query)
    #expect(plan.counted.count == 4)
    // The maximum is reloaded, and has the other two dependencies.
    #expect(plan.dependencies.count == 6)
    let books = plan.counted[1].dependency
    #expect(books.chain.map(\.destination) == [RecordType(Shelf.self), RecordType(Book.self)])
    #expect(books.types == [RecordType(Shelf.self), RecordType(Book.self)])
    // The columns of the shelf are its key, its library and whether it is open.
    #expect(books.columnsOnTheWay == [[0, 1, 2]])
    #expect(books.columns == [1, 3])
    #expect(books.counted?.levels.count == 2)
    #expect(books.counted?.argument == nil)
    let chapters = plan.counted[3].dependency
    #expect(chapters.columnsOnTheWay == [[0, 1, 2], [0, 1, 2]])
    #expect(chapters.types.count == 3)
    let shelves = plan.counted[0].dependency
    #expect(shelves.columnsOnTheWay.isEmpty)
    #expect(shelves.types == [RecordType(Shelf.self)])
  }

  @Test func otherAggregatesOfAggregatesAreReloaded() throws {
    let queries = [
      // The inner condition reads the outer row.
      Library.select { library in library.shelves.sum { shelf in shelf.books.filter { $0.pages == shelf.id }.count } },
      // The sum adds more than the inner aggregate.
      Library.select { $0.shelves.sum { $0.books.count + 1 } },
      // The condition contains an aggregate over an association.
      Library.select { $0.shelves.filter { $0.books.count > 1 }.sum { $0.books.count } },
      Library.select { $0.shelves.sum { $0.books.countDistinct { $0.pages } } },
    ]
    for query in queries {
      let plan = try plan(query)
      #expect(plan.counted.isEmpty)
      #expect(plan.dependencies.count >= 2)
    }
  }

  /// Sums equal those of the database after random rows are inserted, deleted, changed and moved, several in a commit.
  /// Some rows refer to rows that don't exist.
  @MainActor @Test func sumsStayThoseOfTheDatabase() async throws {
    var generator = SeededGenerator()
    let store = try Store(inMemory: Self.schema, liveInterval: .zero)
    let query = Summary.order { $0.id }
    try await store.write("fill") { tx in
      try tx.insert(contentsOf: (1...4).map { Library(id: $0, name: "\($0)") })
    }
    let list = store.liveList(query, window: 10)
    _ = list.rows
    await store.settled()
    var countsAll = false
    for step in 0..<150 {
      let operations = (0..<Int.random(in: 1...6, using: &generator)).map { _ in Operation.random(using: &generator) }
      let commit = try await store.writeWithCommit("change") { tx in
        for operation in operations { try operation.run(tx) }
      }.commit
      try await list.reached(commit)
      let expected = try await store.fetch(query)
      try #require(list.elements == expected, "seed \(generator.seed), step \(step), \(operations)")
      countsAll = countsAll || expected.contains { $0.chapters > 0 && $0.books > 0 && $0.pages > 0 }
    }
    #expect(countsAll, "seed \(generator.seed)")
  }

  private enum Operation: Sendable {
    case putShelf(Shelf)
    case putBook(Book)
    case putChapter(Chapter)
    case delete(String, Int)
    case open(shelf: Int)
    case move(book: Int, to: Int?)
    case renumber(shelf: Int, to: Int)

    static func random(using generator: inout SeededGenerator) -> Operation {
      func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
      func maybe(_ range: ClosedRange<Int>) -> Int? { number(0...6) == 0 ? nil : number(range) }
      switch number(0...9) {
      case 0, 1: return .putShelf(Shelf(id: number(1...6), libraryID: maybe(1...5), isOpen: number(0...2) > 0))
      case 2, 3:
        return .putBook(
          Book(id: number(1...12), shelfID: maybe(1...6), pages: maybe(0...9), isLent: number(0...2) == 0))
      case 4, 5: return .putChapter(Chapter(id: number(1...30), bookID: number(1...12)))
      case 6: return .delete(["shelf", "book", "chapter"][number(0...2)], number(1...12))
      case 7: return .open(shelf: number(1...6))
      case 8: return .move(book: number(1...12), to: maybe(1...6))
      default: return .renumber(shelf: number(1...6), to: number(1...6))
      }
    }

    func run(_ tx: WriteTransaction) throws {
      switch self {
      case .putShelf(let shelf): try tx.upsert(shelf)
      case .putBook(let book): try tx.upsert(book)
      case .putChapter(let chapter): try tx.upsert(chapter)
      case .delete(let table, let id): try tx.execute("DELETE FROM \(raw: table) WHERE id = \(id)")
      case .open(let id): try tx.execute("UPDATE shelf SET isOpen = NOT isOpen WHERE id = \(id)")
      case .move(let id, let shelf): try tx.update(Book.where { $0.id == id }, .set(\.shelfID, to: shelf))
      case .renumber(let id, let other): try tx.execute("UPDATE OR REPLACE shelf SET id = \(other) WHERE id = \(id)")
      }
    }
  }
}
