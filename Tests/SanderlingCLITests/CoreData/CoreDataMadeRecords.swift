// swift-format-ignore-file
// The records of CoreDataMade.sqlite, a store of Core Data, made by `sanderling records`.
import Foundation
import Sanderling

enum CoreDataMade {
  // Open it read-only: Core Data can't follow the rows that another program writes.


  @Record("ZAUTHOR", indexes: [.unique(on: \.id)])
  struct Author {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("ZCITY") var addressCity: String?
    @Stored("ZZIP") var addressZip: Int32?
    @Stored("ZLATITUDE") var addressPlaceLatitude: Double?
    @Stored("ZLONGITUDE") var addressPlaceLongitude: Double?
    @Stored("ZBALANCE", as: .decimalNumber) var balance: Decimal?
    @Stored("ZBORN") var birthday: Date?
    @Stored("ZCLASS") var `class`: String?
    @Stored("ZHOMEPAGE") var homepage: URL?
    @Stored("ZID") var id: UUID
    @Stored("ZINIT") var initValue: String? = "a \"b\""
    @Stored("ZISACTIVE") var isActive: Bool = true
    @Stored("ZKEY") var key2: Int16? = 7
    @Stored("ZRAWVALUE") var kindRawValue: String?
    @Stored("ZNAME") var name: String
    // Transformable by NotesTransformer: the bytes as they are stored.
    @Stored("ZNOTES") var notes: Data?
    // After a byte 1 come the bytes; after a byte 2, the name of a file in the folder _EXTERNAL_DATA of the hidden folder _SUPPORT beside the store.
    @Stored("ZPHOTO") var photo: Data?
    // Codable as Plan: the bytes as they are stored.
    @Stored("ZPLAN") var plan: Data?
    // A Float in the model.
    @Stored("ZQUERY") var query: Double?
    @Stored("ZRATING") var rating: Double = 0.5
    @Stored("ZSNAKE_CASE") var snake_case: Int64?
    @Stored("ZRAWVALUE1") var statusRawValue: String?
    // Derived by Core Data: books.
    // Core Data validates the values by predicates of the model.
    @Stored("ZTOTAL") var total: Int64?
    // nickname is transient, and has no column.
    // recent is a fetched property, and has no column: write a query.
    // strange is left out: its type has the unknown number 2300.
    // twins is left out: it is its own inverse, which Core Data stores in a way that isn't certain.
    // Ordered by Book.authorOrder.
    static let books = hasMany(Book.self, by: \.authorID)
    static let followersLinks = hasMany(AuthorFollowersLink.self, by: \.followingID)
    static let followers = hasMany(Author.self, through: followersLinks, using: AuthorFollowersLink.followers)
    static let followingLinks = hasMany(AuthorFollowersLink.self, by: \.followersID)
    static let following = hasMany(Author.self, through: followingLinks, using: AuthorFollowersLink.following)
  }

  // The entity is abstract: its rows belong to sub-entities.
  // Not declared: CREATE UNIQUE INDEX Z_Novel_UNIQUE_subtitle ON ZBOOK (ZSUBTITLE1 COLLATE BINARY ASC)
  @Record("ZBOOK", indexes: [.on(.descending(\.title), \.authorID)])
  struct Book {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("Z_ENT") var entity: Int
    @Stored("ZTITLE") var title: String?
    @Stored("ZAUTHOR") @References(Author.self, onDelete: .cascade) var authorID: Int64
    @Stored("Z_FOK_AUTHOR") var authorOrder: Int?
    @Stored("ZCOVER") @References(Cover.self, onDelete: .restrict) var coverID: Int64?
    static let author = belongsTo(Author.self, by: \.authorID)
    static let cover = belongsTo(Cover.self, by: \.coverID)
    // Ordered by Review.bookOrder.
    static let reviews = hasMany(Review.self, by: \.bookID)
    // Ordered by BookTagsLink.tagsOrder.
    static let tagsLinks = hasMany(BookTagsLink.self, by: \.bookID)
    static let tags = hasMany(Tag.self, through: tagsLinks, using: BookTagsLink.tag)
  }

  // The sub-entity of Book with the number 3.
  @Record(view: "ZBOOK")
  struct Comic {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("Z_ENT") var entity: Int
    @Stored("ZTITLE") var title: String?
    @Stored("ZFORMAT") var format: String?
    @Stored("ZISCOLOR") var isColor: Bool?
    @Stored("ZSUBTITLE") var subtitle: String?
    @Stored("ZAUTHOR") var authorID: Int64
    @Stored("Z_FOK_AUTHOR") var authorOrder: Int?
    @Stored("ZCOVER") var coverID: Int64?
    static let author = belongsTo(Author.self, by: \.authorID)
    static let cover = belongsTo(Cover.self, by: \.coverID)
    // Ordered by Review.bookOrder.
    static let reviews = hasMany(Review.self, by: \.bookID)
    // Ordered by BookTagsLink.tagsOrder.
    static let tagsLinks = hasMany(BookTagsLink.self, by: \.bookID)
    static let tags = hasMany(Tag.self, through: tagsLinks, using: BookTagsLink.tag)
    static let defaultScope = Condition<Comic> { $0.entity.in([3, 4]) }
  }

  // The sub-entity of Comic with the number 4.
  @Record(view: "ZBOOK")
  struct Manga {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("Z_ENT") var entity: Int
    @Stored("ZTITLE") var title: String?
    @Stored("ZFORMAT") var format: String?
    @Stored("ZISCOLOR") var isColor: Bool?
    @Stored("ZSUBTITLE") var subtitle: String?
    @Stored("ZVOLUME") var volume: Int32?
    @Stored("ZAUTHOR") var authorID: Int64
    @Stored("Z_FOK_AUTHOR") var authorOrder: Int?
    @Stored("ZCOVER") var coverID: Int64?
    static let author = belongsTo(Author.self, by: \.authorID)
    static let cover = belongsTo(Cover.self, by: \.coverID)
    // Ordered by Review.bookOrder.
    static let reviews = hasMany(Review.self, by: \.bookID)
    // Ordered by BookTagsLink.tagsOrder.
    static let tagsLinks = hasMany(BookTagsLink.self, by: \.bookID)
    static let tags = hasMany(Tag.self, through: tagsLinks, using: BookTagsLink.tag)
    static let defaultScope = Condition<Manga> { $0.entity == 4 }
  }

  // The sub-entity of Book with the number 5.
  @Record(view: "ZBOOK")
  struct Novel {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("Z_ENT") var entity: Int
    @Stored("ZTITLE") var title: String?
    @Stored("ZFORMAT1") var format: Int32?
    @Stored("ZSUBTITLE1") var subtitle: String?
    @Stored("ZAUTHOR") var authorID: Int64
    @Stored("Z_FOK_AUTHOR") var authorOrder: Int?
    @Stored("ZCOVER") var coverID: Int64?
    static let author = belongsTo(Author.self, by: \.authorID)
    static let cover = belongsTo(Cover.self, by: \.coverID)
    // Ordered by Review.bookOrder.
    static let reviews = hasMany(Review.self, by: \.bookID)
    // Ordered by BookTagsLink.tagsOrder.
    static let tagsLinks = hasMany(BookTagsLink.self, by: \.bookID)
    static let tags = hasMany(Tag.self, through: tagsLinks, using: BookTagsLink.tag)
    static let defaultScope = Condition<Novel> { $0.entity == 5 }
  }

  @Record("ZCOVER")
  struct Cover {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("ZIMAGE") var image: Data?
    @Stored("ZBOOK") @References(Book.self, onDelete: .cascade) var bookID: Int64?
    static let book = belongsTo(Book.self, by: \.bookID)
  }

  @Record("ZREVIEW")
  struct Review {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("ZSTARS") var stars: Int16
    @Stored("ZTEXT") var text: String?
    // The inverse of Book.reviews, which has no name in the model.
    @Stored("Z2REVIEWS") @References(Book.self, onDelete: .cascade) var bookID: Int64?
    @Stored("Z_FOK_2REVIEWS") var bookOrder: Int?
  }

  @Record("ZTAG")
  struct Tag {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("ZNAME") var name: String?
    static let booksLinks = hasMany(BookTagsLink.self, by: \.tagID)
    static let books = hasMany(Book.self, through: booksLinks, using: BookTagsLink.book)
  }

  @Record("ZTASK")
  struct TaskRecord {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("ZTITLE") var title: String?
    @Stored("ZPARENT") @References(TaskRecord.self, onDelete: .restrict) var parentID: Int64?
    static let parent = belongsTo(TaskRecord.self, by: \.parentID)
    static let table2 = hasMany(TaskRecord.self, by: \.parentID)
  }

  // Between Author.followers and Author.following.
  @Record("Z_1FOLLOWERS", indexes: [.on(\.followersID)])
  struct AuthorFollowersLink {
    @PrimaryKey @Stored("Z_1FOLLOWING") @References(Author.self, onDelete: .cascade) var followingID: Int64
    @PrimaryKey @Stored("Z_1FOLLOWERS") @References(Author.self, onDelete: .cascade) var followersID: Int64
    static let following = belongsTo(Author.self, by: \.followingID)
    static let followers = belongsTo(Author.self, by: \.followersID)
  }

  // Between Book.tags and Tag.books.
  @Record("Z_2TAGS", indexes: [.on(\.tagID)])
  struct BookTagsLink {
    @PrimaryKey @Stored("Z_2BOOKS1") @References(Book.self, onDelete: .cascade) var bookID: Int64
    @PrimaryKey @Stored("Z_8TAGS") @References(Tag.self, onDelete: .restrict) var tagID: Int64
    @Stored("Z_FOK_8TAGS") var tagsOrder: Int?
    static let book = belongsTo(Book.self, by: \.bookID)
    static let tag = belongsTo(Tag.self, by: \.tagID)
  }

  static let schema: [any StoredRecord.Type] = [Author.self, Book.self, Comic.self, Manga.self, Novel.self, Cover.self, Review.self, Tag.self, TaskRecord.self, AuthorFollowersLink.self, BookTagsLink.self]
}
