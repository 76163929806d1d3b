import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingCLI

/// The records that `sanderling records` prints for stores that the tests make as Core Data makes them.
struct CoreDataRecordsTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private let temporary: TemporaryFolder
  private let path: String

  init() throws {
    temporary = try TemporaryFolder()
    path = temporary.file("CoreDataMade.sqlite")
  }

  @Test func everyRowAndRelationshipIsThatOfTheStore() async throws {
    try await DatabaseQueue(path: path).write { try CoreDataFixture.make($0) }
    let before = try Data(contentsOf: URL(filePath: path))
    let source = try RecordSource(databaseAt: path, rows: 10)
    try PrintedRecords.check(source, name: "CoreDataMade", in: Self.folder)
    #expect(
      source.notes == [
        "ACHANGE: Core Data's own tables, left out",
        "Author.strange is left out: its type has the unknown number 2300",
        "Author.twins is left out: it is its own inverse, which Core Data stores in a way that isn't certain",
        "the table Z_1TWINS belongs to no property that is certain, and is left out",
        "the table own belongs to no property that is certain, and is left out",
      ])

    typealias Made = CoreDataMade
    let comparison = try await CoreDataComparison(path: path, schema: Made.schema)
    let count = try await comparison.compareRows(
      leftOut: ["ZSTRANGE"], names: ["TaskRecord": "Task", "Novel": "Roman"])
    #expect(count == 3 + 5 + 3 + 2 + 2 + 2 + 4 + 2 + 3 + 3 + 4)

    let books = "SELECT ZAUTHOR, Z_PK FROM ZBOOK"
    #expect(try await comparison.pairs(Made.Author.books) == comparison.pairs(books))
    #expect(try await comparison.pairs(Made.Book.author) == comparison.pairs("SELECT Z_PK, ZAUTHOR FROM ZBOOK"))
    #expect(
      try await comparison.pairs(Made.Manga.author)
        == comparison.pairs("SELECT Z_PK, ZAUTHOR FROM ZBOOK WHERE Z_ENT = 4"))
    #expect(try await comparison.pairs(Made.Book.cover) == [[1, 1], [3, 2]])
    #expect(try await comparison.pairs(Made.Cover.book) == [[1, 1], [2, 3]])
    #expect(try await comparison.pairs(Made.Book.reviews) == [[1, 1], [1, 2], [3, 3]])
    #expect(try await comparison.pairs(Made.Comic.reviews) == [[1, 1], [1, 2]])
    #expect(try await comparison.pairs(Made.Book.tags) == [[1, 1], [1, 2], [3, 2], [5, 1]])
    #expect(try await comparison.pairs(Made.Novel.tags) == [[3, 2]])
    #expect(try await comparison.pairs(Made.Tag.books) == [[1, 1], [1, 5], [2, 1], [2, 3]])
    // Z_1FOLLOWING has those who are followed.
    #expect(try await comparison.pairs(Made.Author.followers) == [[1, 2], [2, 1], [2, 3]])
    #expect(try await comparison.pairs(Made.Author.following) == [[1, 2], [2, 1], [3, 2]])
    #expect(try await comparison.pairs(Made.TaskRecord.parent) == [[2, 1], [3, 1]])
    #expect(try await comparison.pairs(Made.TaskRecord.table2) == [[1, 2], [1, 3]])

    // The order of ordered relationships.
    let ordered = try await comparison.store.fetch(
      Made.Author.query.with(Made.Author.books.prefetch { $0.order { $0.authorOrder } }))
    #expect(ordered.map { $0.1.map(\.objectID) } == [[5, 2, 1], [3], [4]])
    let reviews = try await comparison.store.fetch(
      Made.Book.where { $0.objectID == 1 }.with(Made.Book.reviews.prefetch { $0.order { $0.bookOrder } }))
    #expect(reviews.map { $0.1.map(\.objectID) } == [[2, 1]])
    let links = try await comparison.store.fetch(
      Made.BookTagsLink.where { $0.bookID == 1 }.order { $0.tagsOrder })
    #expect(links.map(\.tagID) == [2, 1])

    let author = try #require(try await comparison.store.fetch(Made.Author.self, key: 1))
    #expect(
      author.balance == Decimal(string: "10.11")
        && author.birthday == Date(timeIntervalSinceReferenceDate: 639503569.638733))
    #expect(author.id == UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF") && author.isActive)
    #expect(author.kindRawValue == "poet" && author.statusRawValue == "dead")
    #expect(author.addressPlaceLatitude == 50.9 && author.homepage == URL(string: "https://example.org/a"))
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  /// A store of an old version of Core Data has no model.
  @Test func namesOfAStoreWithoutAModelComeFromItsColumns() async throws {
    let path = temporary.file("CoreDataBare.sqlite")
    try await DatabaseQueue(path: path).write { try CoreDataFixture.makeTables($0) }
    let source = try RecordSource(databaseAt: path, rows: 10)
    try PrintedRecords.check(source, name: "CoreDataBare", in: Self.folder)
    #expect(
      source.notes.contains(
        "the store has no model: names come from columns in capitals, and relationships are missing"))
    let comparison = try await CoreDataComparison(path: path, schema: CoreDataBare.schema)
    let count = try await comparison.compareRows(
      leftOut: ["Z_FOK_AUTHOR", "Z_FOK_2REVIEWS", "Z2REVIEWS"], names: ["TaskRecord": "Task"])
    #expect(count == 3 + 5 + 3 + 2 + 2 + 2 + 4 + 2 + 3)
  }

  /// Values that contradict the model are read as they are, and columns that contradict it are refused.
  @Test func contradictionsBetweenModelAndTablesAreNamed() async throws {
    try await DatabaseQueue(path: path).write { db in
      try CoreDataFixture.make(db)
      try db.execute(
        sql: """
          UPDATE ZAUTHOR SET ZNAME = NULL, ZISACTIVE = 2, ZRATING = 'much' WHERE Z_PK = 2;
          UPDATE ZBOOK SET ZSUBTITLE1 = 'x', ZAUTHOR = NULL WHERE Z_PK = 1;
          ALTER TABLE ZAUTHOR DROP COLUMN ZRAWVALUE;
          ALTER TABLE ZAUTHOR ADD COLUMN ZRAWVALUE VARCHAR;
          ALTER TABLE ZBOOK RENAME COLUMN ZFORMAT1 TO ZOTHER;
          ALTER TABLE ZTAG RENAME COLUMN ZNAME TO ZLABEL;
          ALTER TABLE ZTASK DROP COLUMN ZTITLE;
          ALTER TABLE ZTASK ADD COLUMN ZTITLE BLOB;
          DROP TABLE Z_2TAGS;
          """)
    }
    let source = try RecordSource(databaseAt: path, rows: 10)
    for note in [
      "Author.isActive: holds values of another type than Bool: give the property a type and a ColumnCoding of your own",
      "Author.rating: holds values of another type than Double: give the property a type and a ColumnCoding of your own",
      "Author.kind.rawValue is left out: ZRAWVALUE in ZAUTHOR could be its column or that of status.rawValue",
      "Author.status.rawValue is left out: ZRAWVALUE1 in ZAUTHOR could be its column or that of kind.rawValue",
      "Novel.format is left out: there is no column ZFORMAT1 in ZBOOK",
      "Novel.subtitle is left out: ZSUBTITLE1 in ZBOOK has values in rows of other entities",
      "Book.tags is left out: no table or column is certain to hold it",
      "Tag.books is left out: no table or column is certain to hold it",
      "Tag.name is left out: there is no column ZNAME in ZTAG",
      "Task.title is left out: the column ZTITLE in ZTASK is declared BLOB, which is another type",
    ] {
      #expect(source.notes.contains(note), "\(note)\n\(source.notes.joined(separator: "\n"))")
    }
    for line in [
      "// Not optional in the model, and NULL in some rows.\n  @Stored(\"ZNAME\") var name: String?\n",
      "@Stored(\"ZISACTIVE\") var isActive: StorageValue\n",
      "@Stored(\"ZAUTHOR\") @References(Author.self, onDelete: .cascade) var authorID: Int64?\n",
    ] {
      #expect(source.text.contains("  \(line)"), "\(line)\n\(source.text)")
    }
  }
}
