import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingCLI

/// The records and the move that `sanderling records --move` prints for stores that the tests make.
struct CoreDataMoveTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private let temporary: TemporaryFolder
  private let path: String

  init() throws {
    temporary = try TemporaryFolder()
    path = temporary.file("CoreDataMade.sqlite")
  }

  @Test func everyRowAndRelationshipIsMoved() async throws {
    typealias Made = CoreDataMadeMove
    try await DatabaseQueue(path: path).write { try CoreDataFixture.make($0) }
    let external = temporary.file(".CoreDataMade_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: external, withIntermediateDirectories: true)
    try Data("picture".utf8).write(to: URL(filePath: "\(external)/5"))
    let source = try RecordSource(databaseAt: path, rows: 10, isMove: true)
    try PrintedRecords.check(source, name: "CoreDataMadeMove", in: Self.folder)
    #expect(source.notes.contains { $0.hasPrefix("Author.strange is left out") })

    let comparison = try await CoreDataMoveComparison(path, CoreDataMade.schema, Made.move)
    #expect(try await comparison.compare(changed: ["photo"]) == 3 + 5 + 3 + 2 + 2 + 2 + 4 + 2 + 3 + 3 + 4)
    #expect(comparison.report.problemCount == 0 && comparison.report.externalFileCount == 1)
    #expect(
      comparison.report.entities.filter { $0.table == "book" }.map { "\($0.entity ?? "") \($0.rowCount)" }
        == ["Comic 1", "Manga 2", "Novel 2"])
    let store = comparison.new
    #expect(
      try await store.fetch(Made.Author.order { $0.objectID }).map(\.photo) == [Data([255]), Data("picture".utf8), nil])

    // The order of ordered relationships, of to-many and of many-to-many ones.
    let books = try await store.fetch(
      Made.Author.query.with(Made.Author.books.prefetch { $0.order { $0.authorOrder } }))
    #expect(books.map { $0.1.map(\.id) } == [[5, 2, 1], [3], [4]])
    let reviews = try await store.fetch(
      Made.Book.where { $0.id == 1 }.with(Made.Book.reviews.prefetch { $0.order { $0.bookOrder } }))
    #expect(reviews.map { $0.1.map(\.id) } == [[2, 1]])
    let links = try await store.fetch(Made.BookTagsLink.where { $0.bookID == 1 }.order { $0.tagsOrder })
    #expect(links.map(\.tagID) == [2, 1])
    let followers = try await store.fetch(Made.Author.query.with(Made.Author.followers.prefetch()))
    #expect(followers.map { Set($0.1.map(\.objectID)) } == [[2], [1, 3], []])

    // The new database is an app's own: rows of sub-entities are written by the root.
    let key = try await store.write { tx in
      try tx.insert(Made.Book(kind: "Novel", title: "new", authorID: 1, novelFormat: 3))
    }
    #expect(try await store.fetch(Made.Novel.self, key: key)?.format == 3)
  }

  @Test func aStoreWithoutAModel() async throws {
    typealias Bare = CoreDataBareMove
    let path = temporary.file("CoreDataBare.sqlite")
    try await DatabaseQueue(path: path).write { try CoreDataFixture.makeTables($0) }
    let source = try RecordSource(databaseAt: path, rows: 10, isMove: true)
    try PrintedRecords.check(source, name: "CoreDataBareMove", in: Self.folder)
    let comparison = try await CoreDataMoveComparison(path, CoreDataBare.schema, Bare.move)
    #expect(try await comparison.compare() == 3 + 5 + 3 + 2 + 2 + 2 + 4 + 2 + 3)
  }

  @Test func otherDatabasesAreRefused() async throws {
    try await DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE a (id INTEGER PRIMARY KEY)") }
    let error = #expect(throws: RecordsError.self) { try RecordSource(databaseAt: path, rows: 1, isMove: true) }
    #expect(
      error?.description
        == "\(path) is no store of Core Data or SwiftData, and --move moves only these. Leave out --move, and open the database where it is."
    )
  }
}
