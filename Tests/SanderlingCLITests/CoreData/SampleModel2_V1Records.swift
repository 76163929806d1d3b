// swift-format-ignore-file
// The records of SampleModel2_V1.sqlite, a store of Core Data, made by `sanderling records`.
import Foundation
import Sanderling

enum SampleModel2_V1 {
  // Open it read-only: Core Data can't follow the rows that another program writes.


  @Record("ZBOOK", indexes: [.unique(on: \.uniqueID)])
  struct Book {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("Z_ENT") var entity: Int
    // Transformable by CoverTransformer: the bytes as they are stored.
    @Stored("ZCOVER") var cover: Data
    // Derived by Core Data: count(pages).
    @Stored("ZPAGESCOUNT") var pagesCount: Int64?
    @Stored("ZPRICE", as: .decimalNumber) var price: Decimal
    @Stored("ZPUBLISHEDAT") var publishedAt: Date
    // Core Data validates the values by predicates of the model.
    @Stored("ZTITLE") var title: String
    @Stored("ZUNIQUEID") var uniqueID: UUID
    @Stored("ZAUTHOR") @References(Writer.self, onDelete: .cascade) var authorID: Int64
    static let author = belongsTo(Author.self, by: \.authorID)
    static let pages = hasMany(Page.self, by: \.bookID)
  }

  // The sub-entity of Book with the number 2.
  @Record(view: "ZBOOK")
  struct GraphicNovel {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("Z_ENT") var entity: Int
    // Transformable by CoverTransformer: the bytes as they are stored.
    @Stored("ZCOVER") var cover: Data
    // Derived by Core Data: count(pages).
    @Stored("ZPAGESCOUNT") var pagesCount: Int64?
    @Stored("ZPRICE", as: .decimalNumber) var price: Decimal
    @Stored("ZPUBLISHEDAT") var publishedAt: Date
    // Core Data validates the values by predicates of the model.
    @Stored("ZTITLE") var title: String
    @Stored("ZUNIQUEID") var uniqueID: UUID
    @Stored("ZISBLACKANDWHITE") var isBlackAndWhite: Bool = false
    @Stored("ZAUTHOR") var authorID: Int64
    static let author = belongsTo(Author.self, by: \.authorID)
    static let pages = hasMany(Page.self, by: \.bookID)
    static let defaultScope = Condition<GraphicNovel> { $0.entity == 2 }
  }

  @Record("ZFEEDBACK")
  struct Feedback {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("ZAUTHORALIAS") var authorAlias: String
    @Stored("ZBOOKID") var bookID: UUID
    @Stored("ZCOMMENT") var comment: String?
    @Stored("ZRATING") var rating: Double
  }

  @Record("ZPAGE")
  struct Page {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    // Transformable by ContentTransformer: the bytes as they are stored.
    @Stored("ZCONTENT") var content: Data
    @Stored("ZISBOOKMARKED") var isBookmarked: Bool = false
    @Stored("ZNUMBER") var number: Int32
    @Stored("ZBOOK") @References(Book.self, onDelete: .cascade) var bookID: Int64
    static let book = belongsTo(Book.self, by: \.bookID)
  }

  // The entity is abstract: its rows belong to sub-entities.
  // Not declared: CREATE UNIQUE INDEX Z_Author_UNIQUE_alias ON ZWRITER (ZALIAS COLLATE BINARY ASC)
  @Record("ZWRITER")
  struct Writer {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("Z_ENT") var entity: Int
    @Stored("ZAGE") var age: Int16
  }

  // The sub-entity of Writer with the number 6.
  @Record(view: "ZWRITER")
  struct Author {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("Z_ENT") var entity: Int
    @Stored("ZAGE") var age: Int16
    @Stored("ZALIAS") var alias: String
    @Stored("ZSITEURL") var siteURL: URL?
    // favFeedbacks is a fetched property, and has no column: write a query.
    // feedbacks is a fetched property, and has no column: write a query.
    static let books = hasMany(Book.self, by: \.authorID)
    static let defaultScope = Condition<Author> { $0.entity == 6 }
  }

  static let schema: [any StoredRecord.Type] = [Book.self, GraphicNovel.self, Feedback.self, Page.self, Writer.self, Author.self]
}
