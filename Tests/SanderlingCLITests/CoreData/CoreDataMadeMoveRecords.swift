// swift-format-ignore-file
// The records of a new database for CoreDataMade.sqlite, a store of Core Data, made by `sanderling records --move`.
import Foundation
import Sanderling

enum CoreDataMadeMove {
  // Run the move before a store is opened at the new path: see StoreMove.


  @Record(indexes: [.unique(on: \.id)])
  struct Author {
    @PrimaryKey var objectID: Int64?
    var addressCity: String?
    var addressZip: Int32?
    var addressPlaceLatitude: Double?
    var addressPlaceLongitude: Double?
    @Stored(as: .decimalNumber) var balance: Decimal?
    var birthday: Date?
    var `class`: String?
    var homepage: URL?
    var id: UUID
    var initValue: String? = "a \"b\""
    var isActive: Bool = true
    var key2: Int16? = 7
    var kindRawValue: String?
    var name: String
    // Transformable by NotesTransformer: the bytes as they are stored.
    var notes: Data?
    var photo: Data?
    // Codable as Plan: the bytes as they are stored.
    var plan: Data?
    // A Float in the model.
    var query: Double?
    var rating: Double = 0.5
    var snake_case: Int64?
    var statusRawValue: String?
    // Core Data derived it: books. Nothing updates it here.
    // Core Data validated the values by predicates of the model.
    var total: Int64?
    // Ordered by Book.authorOrder.
    static let books = hasMany(Book.self, by: \.authorID)
    static let followersLinks = hasMany(AuthorFollowersLink.self, by: \.followingID)
    static let followers = hasMany(Author.self, through: followersLinks, using: AuthorFollowersLink.followers)
    static let followingLinks = hasMany(AuthorFollowersLink.self, by: \.followersID)
    static let following = hasMany(Author.self, through: followingLinks, using: AuthorFollowersLink.following)
    // nickname is transient, and has no column.
    // recent is a fetched property, and has no column: write a query.
    // strange is left out: its type has the unknown number 2300.
    // twins is left out: it is its own inverse, which Core Data stores in a way that isn't certain.
  }

  // The entity is abstract: its rows belong to sub-entities.
  @Record(indexes: [.on(.descending(\.title), \.authorID), .unique(on: \.novelSubtitle)])
  struct Book {
    var id: Int64?
    // The name of the entity: Comic, Manga, Novel.
    var kind: String
    var title: String?
    @References(Author.self, onDelete: .cascade) var authorID: Int64
    var authorOrder: Int?
    @References(Cover.self, onDelete: .restrict) var coverID: Int64?
    var format: String?
    var isColor: Bool?
    var subtitle: String?
    var volume: Int32?
    var novelFormat: Int32?
    var novelSubtitle: String?
    static let author = belongsTo(Author.self, by: \.authorID)
    static let cover = belongsTo(Cover.self, by: \.coverID)
    // Ordered by Review.bookOrder.
    static let reviews = hasMany(Review.self, by: \.bookID)
    // Ordered by BookTagsLink.tagsOrder.
    static let tagsLinks = hasMany(BookTagsLink.self, by: \.bookID)
    static let tags = hasMany(Tag.self, through: tagsLinks, using: BookTagsLink.tag)
  }

  // A sub-entity of Book, to read: Book writes its rows.
  @Record(view: "book")
  struct Comic {
    var id: Int64
    var kind: String
    var title: String?
    var authorID: Int64
    var authorOrder: Int?
    var coverID: Int64?
    var format: String?
    var isColor: Bool?
    var subtitle: String?
    static let author = belongsTo(Author.self, by: \.authorID)
    static let cover = belongsTo(Cover.self, by: \.coverID)
    // Ordered by Review.bookOrder.
    static let reviews = hasMany(Review.self, by: \.bookID)
    // Ordered by BookTagsLink.tagsOrder.
    static let tagsLinks = hasMany(BookTagsLink.self, by: \.bookID)
    static let tags = hasMany(Tag.self, through: tagsLinks, using: BookTagsLink.tag)
    static let defaultScope = Condition<Comic> { $0.kind.in(["Comic", "Manga"]) }
  }

  // A sub-entity of Comic, to read: Book writes its rows.
  @Record(view: "book")
  struct Manga {
    var id: Int64
    var kind: String
    var title: String?
    var authorID: Int64
    var authorOrder: Int?
    var coverID: Int64?
    var format: String?
    var isColor: Bool?
    var subtitle: String?
    var volume: Int32?
    static let author = belongsTo(Author.self, by: \.authorID)
    static let cover = belongsTo(Cover.self, by: \.coverID)
    // Ordered by Review.bookOrder.
    static let reviews = hasMany(Review.self, by: \.bookID)
    // Ordered by BookTagsLink.tagsOrder.
    static let tagsLinks = hasMany(BookTagsLink.self, by: \.bookID)
    static let tags = hasMany(Tag.self, through: tagsLinks, using: BookTagsLink.tag)
    static let defaultScope = Condition<Manga> { $0.kind == "Manga" }
  }

  // A sub-entity of Book, to read: Book writes its rows.
  @Record(view: "book")
  struct Novel {
    var id: Int64
    var kind: String
    var title: String?
    var authorID: Int64
    var authorOrder: Int?
    var coverID: Int64?
    @Stored("novelFormat") var format: Int32?
    @Stored("novelSubtitle") var subtitle: String?
    static let author = belongsTo(Author.self, by: \.authorID)
    static let cover = belongsTo(Cover.self, by: \.coverID)
    // Ordered by Review.bookOrder.
    static let reviews = hasMany(Review.self, by: \.bookID)
    // Ordered by BookTagsLink.tagsOrder.
    static let tagsLinks = hasMany(BookTagsLink.self, by: \.bookID)
    static let tags = hasMany(Tag.self, through: tagsLinks, using: BookTagsLink.tag)
    static let defaultScope = Condition<Novel> { $0.kind == "Novel" }
  }

  @Record
  struct Cover {
    var id: Int64?
    var image: Data?
    @References(Book.self, onDelete: .cascade) var bookID: Int64?
    static let book = belongsTo(Book.self, by: \.bookID)
  }

  @Record
  struct Review {
    var id: Int64?
    var stars: Int16
    var text: String?
    @References(Book.self, onDelete: .cascade) var bookID: Int64?
    var bookOrder: Int?
  }

  @Record
  struct Tag {
    var id: Int64?
    var name: String?
    static let booksLinks = hasMany(BookTagsLink.self, by: \.tagID)
    static let books = hasMany(Book.self, through: booksLinks, using: BookTagsLink.book)
  }

  @Record
  struct TaskRecord {
    var id: Int64?
    var title: String?
    @References(TaskRecord.self, onDelete: .restrict) var parentID: Int64?
    static let parent = belongsTo(TaskRecord.self, by: \.parentID)
    static let table2 = hasMany(TaskRecord.self, by: \.parentID)
  }

  // Between Author.followers and Author.following.
  @Record(indexes: [.on(\.followersID)])
  struct AuthorFollowersLink {
    @PrimaryKey @References(Author.self, onDelete: .cascade) var followingID: Int64
    @PrimaryKey @References(Author.self, onDelete: .cascade) var followersID: Int64
    static let following = belongsTo(Author.self, by: \.followingID)
    static let followers = belongsTo(Author.self, by: \.followersID)
  }

  // Between Book.tags and Tag.books.
  @Record(indexes: [.on(\.tagID)])
  struct BookTagsLink {
    @PrimaryKey @References(Book.self, onDelete: .cascade) var bookID: Int64
    @PrimaryKey @References(Tag.self, onDelete: .restrict) var tagID: Int64
    var tagsOrder: Int?
    static let book = belongsTo(Book.self, by: \.bookID)
    static let tag = belongsTo(Tag.self, by: \.tagID)
  }

  static let schema: [any StoredRecord.Type] = [Author.self, Book.self, Comic.self, Manga.self, Novel.self, Cover.self, Review.self, Tag.self, TaskRecord.self, AuthorFollowersLink.self, BookTagsLink.self]

  static let entities = ["Author": 1, "Book": 2, "Comic": 3, "Manga": 4, "Roman": 5, "Novel": 5, "Cover": 6, "Review": 7, "Tag": 8, "Task": 9]

  static let tables = [
    StoreMove.Table(
      Author.self, from: "ZAUTHOR",
      [
        "objectID": "Z_PK",
        "addressCity": "ZCITY",
        "addressZip": "ZZIP",
        "addressPlaceLatitude": "ZLATITUDE",
        "addressPlaceLongitude": "ZLONGITUDE",
        "balance": "ZBALANCE",
        "birthday": "ZBORN",
        "class": "ZCLASS",
        "homepage": "ZHOMEPAGE",
        "id": "ZID",
        "initValue": "ZINIT",
        "isActive": "ZISACTIVE",
        "key2": "ZKEY",
        "kindRawValue": "ZRAWVALUE",
        "name": "ZNAME",
        "notes": "ZNOTES",
        "photo": "external_data(ZPHOTO)",
        "plan": "ZPLAN",
        "query": "ZQUERY",
        "rating": "ZRATING",
        "snake_case": "ZSNAKE_CASE",
        "statusRawValue": "ZRAWVALUE1",
        "total": "ZTOTAL",
      ]),
    StoreMove.Table(
      Book.self, from: "ZBOOK", entity: "kind",
      [
        "id": "Z_PK",
        "kind": "CASE Z_ENT WHEN 2 THEN 'Book' WHEN 3 THEN 'Comic' WHEN 4 THEN 'Manga' WHEN 5 THEN 'Novel' END",
        "title": "ZTITLE",
        "authorID": "ZAUTHOR",
        "authorOrder": "Z_FOK_AUTHOR",
        "coverID": "ZCOVER",
        "format": "ZFORMAT",
        "isColor": "ZISCOLOR",
        "subtitle": "ZSUBTITLE",
        "volume": "ZVOLUME",
        "novelFormat": "ZFORMAT1",
        "novelSubtitle": "ZSUBTITLE1",
      ]),
    StoreMove.Table(
      Cover.self, from: "ZCOVER",
      [
        "id": "Z_PK",
        "image": "ZIMAGE",
        "bookID": "ZBOOK",
      ]),
    StoreMove.Table(
      Review.self, from: "ZREVIEW",
      [
        "id": "Z_PK",
        "stars": "ZSTARS",
        "text": "ZTEXT",
        "bookID": "Z2REVIEWS",
        "bookOrder": "Z_FOK_2REVIEWS",
      ]),
    StoreMove.Table(
      Tag.self, from: "ZTAG",
      [
        "id": "Z_PK",
        "name": "ZNAME",
      ]),
    StoreMove.Table(
      TaskRecord.self, from: "ZTASK",
      [
        "id": "Z_PK",
        "title": "ZTITLE",
        "parentID": "ZPARENT",
      ]),
    StoreMove.Table(
      AuthorFollowersLink.self, from: "Z_1FOLLOWERS",
      [
        "followingID": "Z_1FOLLOWING",
        "followersID": "Z_1FOLLOWERS",
      ]),
    StoreMove.Table(
      BookTagsLink.self, from: "Z_2TAGS",
      [
        "bookID": "Z_2BOOKS1",
        "tagID": "Z_8TAGS",
        "tagsOrder": "Z_FOK_8TAGS",
      ]),
  ]

  static func move(from oldPath: String, to newPath: String) -> StoreMove {
    StoreMove(from: oldPath, to: newPath, schema: schema, entities: entities, tables: tables)
  }
}
