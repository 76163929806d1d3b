import Foundation
import Testing

@testable import Sanderling

@MainActor
@Suite("Long live lists")
struct LongListTests {
  private let folder = TemporaryFolder()

  @Record(indexes: [.on(\.rank, \.id)])
  struct Shelf: Equatable {
    var id: Int
    var rank: Int?
    static let books = hasMany(Book.self, by: \.shelfID)
  }

  @Record(indexes: [.on(\.title), .on(\.shelfID, \.rank)])
  struct Book: Equatable {
    var id: Int
    @References(Shelf.self, onDelete: .cascade) var shelfID: Int?
    var title: String
    var rank: Int?
    var isRead = false
    static let shelf = belongsTo(Shelf.self, by: \.shelfID)
  }

  /// A long list, and its comparison with a fresh fetch of its rows.
  @MainActor
  private struct Watched {
    let name: String
    let list: any AnyLongList
    let difference: () async throws -> String?

    init<Root, Output: Equatable>(
      _ name: String, _ store: Store, _ query: Selection<Root, Output>, visible: Int = 5,
      sizes: BlockSizes = BlockSizes(usual: 8, countedInSlice: 11)
    ) {
      let list = store.longList(query, visible: visible, sizes: sizes)
      _ = list.current
      self.name = name
      self.list = list
      difference = { list.difference(from: try await store.fetch(query)) }
    }
  }

  private func lists(_ store: Store) -> [Watched] {
    [
      Watched("by title", store, Book.order { $0.title }),
      Watched("by key", store, Book.where { !$0.isRead }.order { $0.id }),
      Watched("by rank, nulls last", store, Book.order { ($0.rank.ascending.nullsLast, $0.title.descending) }),
      Watched("by rank, descending", store, Book.where { $0.rank != 3 }.order { $0.rank.descending }),
      Watched("by the shelf's rank", store, Book.order { ($0.shelf.rank, $0.title) }),
      Watched("titles", store, Book.where { $0.shelf.rank > 2 }.order { $0.title.descending }.select { ($0.title) }),
      Watched("shelves by books", store, Shelf.order { $0.books.count.descending }),
      Watched("by hand", store, Book.where { .raw("\($0.title) <> 'b'") }.order { $0.title }),
    ]
  }

  private enum Change {
    case book(Int, shelf: Int?, title: String, rank: Int?, isRead: Bool)
    case shelf(Int, rank: Int?)
    case deleteBook(Int)
    case deleteShelf(Int)
    case deleteFrom(String)
    case readAll(rank: Int)
    case moveKey(Int, to: Int)
    case many(Int)

    static func random(using generator: inout SeededGenerator) -> Change {
      func number(_ range: Range<Int>) -> Int { .random(in: range, using: &generator) }
      let rank = number(0..<5) == 0 ? nil : number(0..<6)
      let title = ["a", "b", "c", "d", "e", "ä", "B"].randomElement(using: &generator)! + "\(number(0..<9))"
      switch number(0..<40) {
      case 0..<24:
        return .book(
          number(0..<400), shelf: number(0..<3) == 0 ? nil : number(0..<8), title: title, rank: rank,
          isRead: number(0..<3) == 0)
      case 24..<27: return .shelf(number(0..<8), rank: rank)
      case 27..<34: return .deleteBook(number(0..<400))
      case 34: return .deleteShelf(number(0..<8))
      case 35: return .deleteFrom(title)
      case 36: return .readAll(rank: number(0..<6))
      case 37: return .many(number(0..<400))
      default: return .moveKey(number(0..<400), to: number(0..<400))
      }
    }

    func run(_ tx: WriteTransaction) throws {
      switch self {
      case .book(let id, let shelf, let title, let rank, let isRead):
        let shelf = try shelf.flatMap { try tx.fetch(Shelf.self, key: $0)?.id }
        try tx.upsert(Book(id: id, shelfID: shelf, title: title, rank: rank, isRead: isRead))
      case .shelf(let id, let rank): try tx.upsert(Shelf(id: id, rank: rank))
      case .deleteBook(let id): try tx.delete(Book.self, key: id)
      case .deleteShelf(let id): try tx.delete(Shelf.self, key: id)
      case .deleteFrom(let title): try tx.delete(Book.where { $0.title >= title && $0.title < title + "~" })
      case .readAll(let rank): try tx.update(Book.where { $0.rank == rank }, .set(\.isRead, to: true))
      case .moveKey(let from, let to):
        guard try tx.fetch(Book.self, key: to) == nil else { return }
        try tx.execute("UPDATE book SET id = \(to) WHERE id = \(from)")
      case .many(let first):
        for id in first..<first + 40 { try tx.upsert(Book(id: id, shelfID: nil, title: "m\(id % 7)", rank: id % 5)) }
      }
    }
  }

  /// Waits twice: rows that have become visible are loaded one frame later.
  private func settle(_ store: Store) async {
    await store.settled()
    await store.settled()
  }

  @Test(arguments: 0..<3) func listsEqualAFreshFetchWhereverTheyAreLoaded(_ kind: Int) async throws {
    var generator = SeededGenerator(seed: SeededGenerator.defaultSeed &+ UInt64(kind))
    let seed = "SANDERLING_SEED=\(SeededGenerator.defaultSeed)"
    let schema: [any StoredRecord.Type] = [Shelf.self, Book.self]
    let report: LiveAudit.Handler = { Issue.record("\($0), \(seed)") }
    let store =
      kind == 0
      ? try Store(inMemory: schema, liveInterval: .zero, audit: .everyCommit(handler: report))
      : try Store(
        path: folder.path("random-\(kind).sqlite"), schema: schema, liveInterval: .zero,
        audit: .everyCommit(handler: report))
    let filling = (0..<Int.random(in: 0..<300, using: &generator)).map { _ in Change.random(using: &generator) }
    try await store.write { tx in for change in filling { try change.run(tx) } }
    let lists = lists(store)
    for step in 0..<60 {
      if Int.random(in: 0..<4, using: &generator) > 0 {
        let changes = (0..<Int.random(in: 1...5, using: &generator)).map { _ in Change.random(using: &generator) }
        try await store.write { tx in for change in changes { try change.run(tx) } }
      }
      for watched in lists where Int.random(in: 0..<3, using: &generator) == 0 {
        let start = Int.random(in: 0..<max(1, watched.list.extent + 3), using: &generator)
        watched.list.look(start..<start + Int.random(in: 1..<9, using: &generator))
      }
      // In half of the steps, counting goes on during the next step.
      if Bool.random(using: &generator) { continue }
      await settle(store)
      for watched in lists {
        let difference = try await watched.difference()
        try #require(difference == nil, "\(watched.name), step \(step), \(seed)")
        if case .failed(let error) = watched.list.listState { Issue.record("\(watched.name): \(error), \(seed)") }
      }
    }
    for watched in lists {
      let count = try await watched.list.countAll()
      await settle(store)
      let difference = try await watched.difference()
      try #require(difference == nil && watched.list.extent == count, "\(watched.name), at the end, \(seed)")
    }
  }
}

extension LongListTests {
  @Test func rowsComeWithTheirChildren() async throws {
    let store = try Store(inMemory: [Shelf.self, Book.self], audit: .everyCommit { Issue.record("\($0)") })
    try await store.write { tx in
      for shelf in 0..<50 { try tx.insert(Shelf(id: shelf, rank: 50 - shelf)) }
      for book in 0..<200 { try tx.insert(Book(id: book, shelfID: book % 50, title: "t\(book)")) }
    }
    let query = Shelf.order { $0.rank }.with(Shelf.books.prefetch { $0.filter { !$0.isRead }.order { $0.id }.limit(2) })
    let list = store.longList(query, visible: 5, sizes: BlockSizes(usual: 8))
    try await list.counted()
    list.show(30..<35)
    try await list.caughtUp()
    #expect(list[30]?.0.id == 19 && list[30]?.1.map(\.id) == [19, 69])
    try await store.write { try $0.update(Book.self, key: 19) { $0.isRead = true } }
    try await list.caughtUp()
    #expect(list[30]?.1.map(\.id) == [69, 119])
    try await store.write { try $0.update(Book.self, key: 119) { $0.shelfID = 18 } }
    try await list.caughtUp()
    #expect(list[30]?.1.map(\.id) == [69, 169] && list[31]?.1.map(\.id) == [18, 68])
    let fresh = try await store.fetch(query)
    for position in list.current.loadedPositions.joined() {
      #expect(list.current[position]?.1 == fresh[position].1)
    }
  }

  /// After `settled()`, all rows are counted: when the list opens, and after a change of most rows.
  @Test func settledListsAreCounted() async throws {
    let store = try Store(inMemory: [Shelf.self, Book.self])
    try await store.write { tx in
      try tx.insert(contentsOf: (0..<20_000).map { Book(id: $0, title: "t\($0 % 500)") })
    }
    let list = store.longList(Book.where { !$0.isRead }.order { $0.title })
    _ = list.current
    await store.settled()
    #expect(list.count == 20_000)
    try await store.write { try $0.update(Book.where { $0.id < 15_000 }, .set(\.isRead, to: true)) }
    await store.settled()
    #expect(list.count == 5_000)
  }

  /// Lists whose queries differ only in compared values share one plan, which makes their statements once.
  @Test func listsOfOneShapeShareTheirPlan() async throws {
    let store = try Store(inMemory: [Shelf.self, Book.self])
    let definitions = ["a", "b"].map { title in RowsDefinition(Book.where { $0.title > title }.order { $0.rank }) }
    let plans = try definitions.map { definition in
      let (form, values) = definition.separated
      let key = LiveForms.Key(kind: .long, source: form.source, output: ObjectIdentifier(Book.self))
      #expect(values.count == 1)
      return try store.live.forms.form(key) { LongShape(form) }.plan()
    }
    #expect(plans[0] === plans[1])
  }
}

/// The operations that tests need of a list of any rows.
@MainActor
protocol AnyLongList {
  var extent: Int { get }
  var listState: LiveState { get }
  func look(_ positions: Range<Int>)
  func countAll() async throws -> Int
}

extension LongList: AnyLongList {
  var extent: Int { positions.count }
  var listState: LiveState { state }
  func look(_ positions: Range<Int>) { show(positions) }
  func countAll() async throws -> Int { try await counted() }

  /// Returns a description of the difference from all rows in order; nil if there is none.
  func difference(from fresh: [Element]) -> String? where Element: Equatable {
    let snapshot = current
    if let count = snapshot.count, count != fresh.count { return "it counts \(count) of \(fresh.count)" }
    if snapshot.leastCount > fresh.count { return "it counts at least \(snapshot.leastCount) of \(fresh.count)" }
    var searched = 0
    for range in snapshot.loadedPositions {
      let rows = range.map { snapshot[$0] }
      if snapshot.count != nil {
        if range.upperBound > fresh.count || rows != fresh[range].map(Optional.some) {
          return "rows at \(range) differ"
        }
        continue
      }
      // Where gaps are before the rows, they are searched in order.
      let place = (searched..<max(searched, fresh.count - rows.count + 1)).first { start in
        rows == fresh[start..<start + rows.count].map(Optional.some)
      }
      guard let place else { return "rows at about \(range) aren't there" }
      searched = place + rows.count
    }
    if snapshot.count != nil {
      let visible = snapshot.positions.clamped(to: shownPositions)
      for position in visible where snapshot[position] == nil { return "\(position) isn't loaded" }
    }
    return nil
  }
}
