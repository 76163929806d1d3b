import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// A pulled deletion of a row with many dependent rows is applied in several transactions, so that the app can write in
/// between.
@Suite struct CascadePaceTests {
  @Record("shelves") struct Shelf {
    var id: Int
    var name: String
  }

  @Record("books") struct Book {
    var id: Int
    @References(Shelf.self, onDelete: .cascade) var shelf: Int
    var title: String
  }

  @Record("sheets") struct Sheet {
    var id: Int
    @References(Book.self, onDelete: .cascade) var book: Int
  }

  @Record("labels") struct Label {
    var id: Int
    @References(Shelf.self, onDelete: .setNull) var shelf: Int?
  }

  /// Counts the rows of the app's tables that each transaction deletes or updates.
  private final class RowCounter: TransactionObserver {
    private var count = 0
    private let counts = Lock<[Int]>([])
    var all: [Int] { counts.withLock { $0 } }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
      switch eventKind {
      case .delete(let table), .update(let table, _): ["shelves", "books", "sheets", "labels"].contains(table)
      case .insert: false
      }
    }
    func databaseDidChange(with event: DatabaseEvent) { count += 1 }
    func databaseDidCommit(_ db: Database) { counts.withLock { $0.append(count) }; count = 0 }
    func databaseDidRollback(_ db: Database) { count = 0 }
  }

  private struct Sink: SyncSink {
    func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] { mutations.map { _ in .failed("not now") } }
  }

  private static let records = [
    SyncedRecord(Shelf.self), SyncedRecord(Book.self), SyncedRecord(Sheet.self), SyncedRecord(Label.self),
  ]

  private static func shelf(_ id: Int64) -> SyncChange {
    SyncChange("shelves", key: [.integer(id)], .row(["name": .text("shelf")]))
  }
  private static let books = (Int64(1)...2000).map {
    SyncChange("books", key: [.integer($0)], .row(["shelf": .integer(1), "title": .text("book")]), version: "1")
  }
  private static let dependents =
    (Int64(1)...600).map { SyncChange("sheets", key: [.integer($0)], .row(["book": .integer($0 % 2 + 1)])) }
    + (Int64(1)...600).map { SyncChange("labels", key: [.integer($0)], .row(["shelf": .integer(1)])) }

  private enum Way: CaseIterable {
    case named, atACheckpoint, leftOut
  }

  @Test(arguments: [Way.named, .atACheckpoint, .leftOut], [false, true])
  private func noTransactionChangesThousandsOfRows(_ way: Way, hasPendingChanges: Bool) async throws {
    let store = try Store(inMemory: [Shelf.self, Book.self, Sheet.self, Label.self])
    var options = SyncOptions(
      shows: way == .atACheckpoint ? .checkpoints : .changes, allowsMassDeletion: way == .leftOut)
    options.backoff = PushBackoff(first: .zero, attempts: 1)
    func run(_ batches: [SyncBatch]) async throws {
      try await SyncSession(
        "test", store: store, records: Self.records, source: BatchSource(batches), sink: Sink(), options: options
      ).run()
    }
    let first = SyncBatch([Self.shelf(1), Self.shelf(2)] + Self.books + Self.dependents, isCheckpoint: true)
    try await run([first])
    if hasPendingChanges {
      try await store.write { try $0.database.execute(sql: "UPDATE books SET title = 'mine' WHERE id = 7") }
    }
    let counter = RowCounter()
    store.writer.add(transactionObserver: counter)
    let second =
      way == .leftOut
      ? SyncBatch([Self.shelf(2)] + Self.books + Self.dependents, isCheckpoint: true, restarts: true)
      : SyncBatch([.deletion("shelves", .integer(1))], isCheckpoint: true)
    try await run([first, second])

    #expect(try await store.count("SELECT count(*) FROM shelves") == 1)
    #expect(try await store.count("SELECT count(*) FROM books") == 0)
    #expect(try await store.count("SELECT count(*) FROM sheets") == 0)
    #expect(try await store.count("SELECT count(*) FROM labels WHERE shelf IS NULL") == 600)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_versions_books") == 0)
    #expect(
      try await store.count("SELECT count(*) FROM sanderling_sync_conflicts") == (hasPendingChanges ? 1 : 0))
    #expect(counter.all.reduce(0, +) >= 3201)
    // The deleted row itself, and a row with a pending change, are not counted in the limit.
    let most = try #require(counter.all.max())
    #expect(most <= PullTransaction.cascadeLimit + 2)
  }

  /// No dependent row is deleted if a reference without an action keeps the parent row.
  @Test func childrenStayWhileAnotherReferenceKeepsTheirParent() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE shelves (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
          CREATE TABLE books (id INTEGER PRIMARY KEY, shelf INTEGER NOT NULL REFERENCES shelves (id) ON DELETE CASCADE,
            title TEXT NOT NULL);
          CREATE TABLE keepers (id INTEGER PRIMARY KEY, shelf INTEGER REFERENCES shelves (id));
          CREATE INDEX booksOfShelf ON books (shelf); CREATE INDEX keepersOfShelf ON keepers (shelf);
          """)
    }
    let store = try Store(queue, schema: [])
    let records = try await queue.read { db in
      try ["shelves", "books", "keepers"].compactMap { try SyncedRecord(found: $0, db) }
    }
    let first = SyncBatch(
      [Self.shelf(1)] + Self.books + [SyncChange("keepers", key: [.integer(1)], .row(["shelf": .integer(1)]))])
    let second = SyncBatch([.deletion("shelves", .integer(1))])
    try await SyncSession("test", store: store, records: records, source: BatchSource([first, second])).run()
    #expect(try await store.count("SELECT count(*) FROM books") == 2000)
    let third = SyncBatch([.deletion("keepers", .integer(1))])
    try await SyncSession("test", store: store, records: records, source: BatchSource([first, second, third])).run()
    #expect(try await store.count("SELECT count(*) FROM books") == 0)
  }
}
