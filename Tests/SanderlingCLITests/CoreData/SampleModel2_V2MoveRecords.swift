// swift-format-ignore-file
// The records of a new database for SampleModel2_V2.sqlite, a store of Core Data, made by `sanderling records --move`.
import Foundation
import Sanderling

enum SampleModel2_V2Move {
  // Run the move before a store is opened at the new path: see StoreMove.


  @Record(indexes: [.unique(on: \.uniqueID)])
  struct Book {
    var id: Int64?
    // The name of the entity: Book, GraphicNovel.
    var kind: String
    // Transformable by CoverTransformer: the bytes as they are stored.
    var frontCover: Data
    // Core Data derived it: count(pages). Nothing updates it here.
    var pagesCount: Int64?
    @Stored(as: .decimalNumber) var price: Decimal
    var publishedAt: Date
    // Core Data validated the values by predicates of the model.
    var title: String
    var uniqueID: UUID
    @References(Writer.self, onDelete: .cascade) var authorID: Int64
    var isBlackAndWhite: Bool?
    static let author = belongsTo(Author.self, by: \.authorID)
    static let pages = hasMany(Page.self, by: \.bookID)
  }

  // A sub-entity of Book, to read: Book writes its rows.
  @Record(view: "book")
  struct GraphicNovel {
    var id: Int64
    var kind: String
    // Transformable by CoverTransformer: the bytes as they are stored.
    var frontCover: Data
    // Core Data derived it: count(pages). Nothing updates it here.
    var pagesCount: Int64?
    @Stored(as: .decimalNumber) var price: Decimal
    var publishedAt: Date
    // Core Data validated the values by predicates of the model.
    var title: String
    var uniqueID: UUID
    var authorID: Int64
    var isBlackAndWhite: Bool
    static let author = belongsTo(Author.self, by: \.authorID)
    static let pages = hasMany(Page.self, by: \.bookID)
    static let defaultScope = Condition<GraphicNovel> { $0.kind == "GraphicNovel" }
  }

  @Record
  struct Feedback {
    var id: Int64?
    var authorAlias: String
    var bookID: UUID
    var comment: String?
    var rating: Double
  }

  @Record
  struct Page {
    var id: Int64?
    // Transformable by ContentTransformer: the bytes as they are stored.
    var content: Data
    var isBookmarked: Bool = false
    var number: Int32
    @References(Book.self, onDelete: .cascade) var bookID: Int64
    static let book = belongsTo(Book.self, by: \.bookID)
  }

  // The entity is abstract: its rows belong to sub-entities.
  @Record(indexes: [.unique(on: \.alias)])
  struct Writer {
    var id: Int64?
    // The name of the entity: Author.
    var kind: String
    var age: Int16
    var alias: String?
  }

  // A sub-entity of Writer, to read: Writer writes its rows.
  @Record(view: "writer")
  struct Author {
    var id: Int64
    var kind: String
    var age: Int16
    var alias: String
    static let books = hasMany(Book.self, by: \.authorID)
    // favFeedbacks is a fetched property, and has no column: write a query.
    // feedbacks is a fetched property, and has no column: write a query.
    static let defaultScope = Condition<Author> { $0.kind == "Author" }
  }

  static let schema: [any StoredRecord.Type] = [Book.self, GraphicNovel.self, Feedback.self, Page.self, Writer.self, Author.self]

  static let entities = ["Book": 1, "GraphicNovel": 2, "Feedback": 3, "Page": 4, "Writer": 5, "Author": 6]

  static let tables = [
    StoreMove.Table(
      Book.self, from: "ZBOOK", entity: "kind",
      [
        "id": "Z_PK",
        "kind": "CASE Z_ENT WHEN 1 THEN 'Book' WHEN 2 THEN 'GraphicNovel' END",
        "frontCover": "ZFRONTCOVER",
        "pagesCount": "ZPAGESCOUNT",
        "price": "ZPRICE",
        "publishedAt": "ZPUBLISHEDAT",
        "title": "ZTITLE",
        "uniqueID": "ZUNIQUEID",
        "authorID": "ZAUTHOR",
        "isBlackAndWhite": "ZISBLACKANDWHITE",
      ]),
    StoreMove.Table(
      Feedback.self, from: "ZFEEDBACK",
      [
        "id": "Z_PK",
        "authorAlias": "ZAUTHORALIAS",
        "bookID": "ZBOOKID",
        "comment": "ZCOMMENT",
        "rating": "ZRATING",
      ]),
    StoreMove.Table(
      Page.self, from: "ZPAGE",
      [
        "id": "Z_PK",
        "content": "ZCONTENT",
        "isBookmarked": "ZISBOOKMARKED",
        "number": "ZNUMBER",
        "bookID": "ZBOOK",
      ]),
    StoreMove.Table(
      Writer.self, from: "ZWRITER", entity: "kind",
      [
        "id": "Z_PK",
        "kind": "CASE Z_ENT WHEN 5 THEN 'Writer' WHEN 6 THEN 'Author' END",
        "age": "ZAGE",
        "alias": "ZALIAS",
      ]),
  ]

  static func move(from oldPath: String, to newPath: String) -> StoreMove {
    StoreMove(from: oldPath, to: newPath, schema: schema, entities: entities, tables: tables)
  }
}
