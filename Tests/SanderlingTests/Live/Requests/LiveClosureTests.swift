import Foundation
import GRDB
import Synchronization
import Testing

@testable import Sanderling

/// Live values of closures, which replace `ValueObservation.tracking`.
@MainActor
@Suite struct LiveClosureTests {
  private typealias Author = Library.Author
  private typealias Book = Library.Book
  private typealias Prize = Library.Prize
  private typealias Reader = Library.Reader
  private typealias Shelf = Library.Shelf

  private let folder = TemporaryFolder()

  /// Counts the runs of a closure.
  private final class Runs: Sendable {
    let count = Atomic(0)
    func add() { count.add(1, ordering: .relaxed) }
    var number: Int { count.load(ordering: .relaxed) }
  }

  @Test func aClosureIsRerunOnlyForItsTables() async throws {
    let store = try Library.adoptedPool.store(folder)
    let runs = Runs()
    let count = store.liveValue { db in
      runs.add()
      return try Author.including(all: Author.books).asRequest(of: Shelf.self).fetchAll(db).map(\.books.count)
    }
    _ = count.value
    await store.settled()
    #expect(count.value == [2, 1, 0])
    // One run finds the tables, and the other reads the value.
    #expect(runs.number == 2)
    try await store.writer.write {
      try $0.execute(sql: "INSERT INTO prize VALUES (8, 1, 1); INSERT INTO other VALUES (1, '')")
    }
    await store.settled()
    #expect(runs.number == 2)
    try await store.writer.write { try $0.execute(sql: "DELETE FROM book WHERE id = 1") }
    await store.settled()
    #expect(count.value == [1, 1, 0])
    #expect(runs.number == 3)
  }

  /// The tables depend on the data, as in GRDB's documentation of `tracking`.
  @Test(arguments: Library.allCases)
  func aClosureMayReadOtherTablesLater(_ library: Library) async throws {
    let store = try library.store(folder)
    let value = store.liveValue { db in
      switch try Int.fetchOne(db, sql: "SELECT count(*) FROM other") ?? 0 {
      case 0: try Book.fetchCount(db)
      case 1: try Prize.fetchCount(db) * 10
      default: try Reader.fetchCount(db) * 100
      }
    }
    _ = value.value
    await store.settled()
    #expect(value.value == 3)
    for (sql, expected) in [
      ("DELETE FROM book WHERE id = 1", 2),
      ("INSERT INTO other VALUES (1, '')", 30),
      ("DELETE FROM prize WHERE id = 1", 20),
      ("INSERT INTO other VALUES (2, '')", 100),
      ("DELETE FROM reader", 0),
      ("DELETE FROM other; INSERT INTO book VALUES (7, 1, 'New', 1)", 3),
      ("DELETE FROM book", 0),
    ] {
      try await store.writer.write { try $0.execute(sql: sql) }
      await store.settled()
      #expect(value.value == expected, "\(sql)")
    }
  }

  @Test(arguments: Library.allCases)
  func anErrorIsAStateAndNotTheEnd(_ library: Library) async throws {
    let store = try library.store(folder)
    let author = store.liveValue { db in
      // A table that was not read before the error.
      if try Book.fetchCount(db) > 5 { return try Author.find(db, key: 55).name }
      return try Author.find(db, key: 50).name
    }
    _ = author.value
    await store.settled()
    #expect(author.value == nil)
    #expect(author.state.error is RecordError)
    try await store.writer.write { try Author(id: 50, name: "Zola").insert($0) }
    await store.settled()
    #expect(author.value == "Zola")
    #expect(author.state.isCurrent)
    try await store.writer.write { try $0.execute(sql: "DELETE FROM author WHERE id = 50") }
    await store.settled()
    #expect(author.value == "Zola")
    #expect(author.state.error is RecordError)
    try await store.writer.write { try Author(id: 50, name: "Zweig").insert($0) }
    await store.settled()
    #expect(author.value == "Zweig")
  }

  @Test func aClosureThatFailsInATableOfItsOwn() async throws {
    let store = try Library.adoptedPool.store(folder)
    let value = store.liveValue { db in
      if try Book.fetchCount(db) == 3 { return 0 }
      return try Prize.find(db, key: 70).amount
    }
    _ = value.value
    await store.settled()
    try await store.writer.write { try $0.execute(sql: "DELETE FROM book WHERE id = 1") }
    await store.settled()
    #expect(value.state.error is RecordError)
    try await store.writer.write { try Prize(id: 70, authorID: 1, amount: 6).insert($0) }
    await store.settled()
    #expect(value.value == 6)
  }

  @Test func aClosureCannotWrite() async throws {
    for library in [Library.adoptedPool, .adoptedQueueInMemory] {
      let store = try library.store(folder)
      let value = store.liveValue { db in try db.execute(sql: "DELETE FROM book") }
      _ = value.value
      await store.settled()
      let request = store.liveList(SQLRequest<Int>(sql: "DELETE FROM book RETURNING id"))
      let first = store.liveValue(SQLRequest<Int>(sql: "DELETE FROM book RETURNING id"))
      _ = (request.rows, first.value)
      await store.settled()
      for error in [value.state.error, request.state.error, first.state.error] {
        #expect(
          "\(error!)"
            == "The query makes no sense in SQL: a live result only reads, and this statement writes: write by the store's write(_:)."
        )
      }
      #expect(try await store.numbers("SELECT count(*) FROM book") == [3])
    }
  }

  /// Equal values are not shown again. Values that can't be compared are shown after each run.
  @Test func equalValuesAreNotShownAgain() async throws {
    struct Opaque: Sendable { var count: Int }
    let store = try Library.adoptedPool.store(folder)
    let optional = store.values { try Int.fetchOne($0, sql: "SELECT max(pages) FROM book WHERE id > 100") }
    let list = store.values { try Book.order(Column("id")).fetchAll($0) }
    let opaque = store.values { Opaque(count: try Book.fetchCount($0)) }
    var (optionals, lists, opaques) = (
      optional.makeAsyncIterator(), list.makeAsyncIterator(), opaque.makeAsyncIterator()
    )
    #expect(await optionals.next()?.value == .some(nil))
    #expect(await lists.next()?.value?.count == 3)
    #expect(await opaques.next()?.value?.count == 3)
    try await store.writer.write { try $0.execute(sql: "UPDATE book SET title = title") }
    #expect(await opaques.next()?.value?.count == 3)
    await store.settled()
    try await store.writer.write { try $0.execute(sql: "INSERT INTO book VALUES (200, 1, 'x', 11)") }
    await store.settled()
    // The next reading is the last insertion, and not the write before it.
    #expect(await optionals.next()?.value == 11)
    #expect(await lists.next()?.value?.count == 4)
  }

  /// The app's own trace goes on on the app's connections.
  @Test func theTraceOfTheAppGoesOn() async throws {
    let traced = Mutex<[String]>([])
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.trace { event in traced.withLock { $0.append("\(event)") } }
    }
    for isPool in [true, false] {
      let path = folder.path("trace-\(isPool).sqlite")
      let writer: any DatabaseWriter =
        isPool
        ? try DatabasePool(path: path, configuration: configuration)
        : try DatabaseQueue(path: path, configuration: configuration)
      try writer.run(Library.sql)
      let store = try Store(writer, schema: Library.schema, liveInterval: .zero)
      let value = store.liveValue { try Book.fetchCount($0) }
      _ = value.value
      await store.settled()
      traced.withLock { $0 = [] }
      _ = try await writer.read { try Int.fetchOne($0, sql: "SELECT 4711") }
      try await writer.write { try $0.execute(sql: "DELETE FROM book WHERE title = '0815'") }
      let lines = traced.withLock { $0 }
      #expect(lines.contains("SELECT 4711"))
      #expect(lines.contains { $0.contains("0815") })
      try store.close()
    }
  }
}
