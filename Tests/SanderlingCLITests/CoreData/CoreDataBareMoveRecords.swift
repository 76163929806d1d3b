// swift-format-ignore-file
// The records of a new database for CoreDataBare.sqlite, a store of Core Data, made by `sanderling records --move`.
import Foundation
import Sanderling

enum CoreDataBareMove {
  // Run the move before a store is opened at the new path: see StoreMove.
  // It has no model: names come from columns in capitals, types from declared types and values. Relationships are missing.


  @Record(indexes: [.unique(on: \.id)])
  struct Author {
    @PrimaryKey var objectID: Int64?
    var zip: Int64?
    var isactive: Int64?
    var key2: Int64?
    var snake_case: Int64?
    var total: Int64?
    var latitude: Double?
    var longitude: Double?
    var query: Double?
    var rating: Double?
    var born: Date?
    var city: String?
    var `class`: String?
    var homepage: String?
    var initValue: String?
    var rawvalue: String?
    var name: String?
    var rawvalue1: String?
    var strange: String?
    @Stored(as: .decimalNumber) var balance: Decimal?
    var id: UUID?
    var notes: Data?
    var photo: Data?
    var plan: Data?
  }

  @Record(indexes: [.on(.descending(\.title), \.author), .unique(on: \.subtitle1)])
  struct Book {
    var id: Int64?
    // The name of the entity: Book, Comic, Manga, Roman.
    var kind: String
    var author: Int64?
    var cover: Int64?
    var iscolor: Int64?
    var volume: Int64?
    var format1: Int64?
    var title: String?
    var format: String?
    var subtitle: String?
    var subtitle1: String?
  }

  // A sub-entity of Book, to read: Book writes its rows.
  @Record(view: "book")
  struct Comic {
    var id: Int64
    var kind: String
    var author: Int64?
    var cover: Int64?
    var iscolor: Int64?
    var volume: Int64?
    var format1: Int64?
    var title: String?
    var format: String?
    var subtitle: String?
    var subtitle1: String?
    static let defaultScope = Condition<Comic> { $0.kind.in(["Comic", "Manga"]) }
  }

  // A sub-entity of Comic, to read: Book writes its rows.
  @Record(view: "book")
  struct Manga {
    var id: Int64
    var kind: String
    var author: Int64?
    var cover: Int64?
    var iscolor: Int64?
    var volume: Int64?
    var format1: Int64?
    var title: String?
    var format: String?
    var subtitle: String?
    var subtitle1: String?
    static let defaultScope = Condition<Manga> { $0.kind == "Manga" }
  }

  // A sub-entity of Book, to read: Book writes its rows.
  @Record(view: "book")
  struct Roman {
    var id: Int64
    var kind: String
    var author: Int64?
    var cover: Int64?
    var iscolor: Int64?
    var volume: Int64?
    var format1: Int64?
    var title: String?
    var format: String?
    var subtitle: String?
    var subtitle1: String?
    static let defaultScope = Condition<Roman> { $0.kind == "Roman" }
  }

  @Record
  struct Cover {
    var id: Int64?
    var book: Int64?
    var image: Data?
  }

  @Record
  struct Review {
    var id: Int64?
    var stars: Int64?
    var text: String?
  }

  @Record
  struct Tag {
    var id: Int64?
    var name: String?
  }

  @Record
  struct TaskRecord {
    var id: Int64?
    var parent: Int64?
    var title: String?
  }

  static let schema: [any StoredRecord.Type] = [Author.self, Book.self, Comic.self, Manga.self, Roman.self, Cover.self, Review.self, Tag.self, TaskRecord.self]

  static let entities = ["Author": 1, "Book": 2, "Comic": 3, "Manga": 4, "Roman": 5, "Cover": 6, "Review": 7, "Tag": 8, "Task": 9]

  static let tables = [
    StoreMove.Table(
      Author.self, from: "ZAUTHOR",
      [
        "objectID": "Z_PK",
        "zip": "ZZIP",
        "isactive": "ZISACTIVE",
        "key2": "ZKEY",
        "snake_case": "ZSNAKE_CASE",
        "total": "ZTOTAL",
        "latitude": "ZLATITUDE",
        "longitude": "ZLONGITUDE",
        "query": "ZQUERY",
        "rating": "ZRATING",
        "born": "ZBORN",
        "city": "ZCITY",
        "class": "ZCLASS",
        "homepage": "ZHOMEPAGE",
        "initValue": "ZINIT",
        "rawvalue": "ZRAWVALUE",
        "name": "ZNAME",
        "rawvalue1": "ZRAWVALUE1",
        "strange": "ZSTRANGE",
        "balance": "ZBALANCE",
        "id": "ZID",
        "notes": "ZNOTES",
        "photo": "ZPHOTO",
        "plan": "ZPLAN",
      ]),
    StoreMove.Table(
      Book.self, from: "ZBOOK", entity: "kind",
      [
        "id": "Z_PK",
        "kind": "CASE Z_ENT WHEN 2 THEN 'Book' WHEN 3 THEN 'Comic' WHEN 4 THEN 'Manga' WHEN 5 THEN 'Roman' END",
        "author": "ZAUTHOR",
        "cover": "ZCOVER",
        "iscolor": "ZISCOLOR",
        "volume": "ZVOLUME",
        "format1": "ZFORMAT1",
        "title": "ZTITLE",
        "format": "ZFORMAT",
        "subtitle": "ZSUBTITLE",
        "subtitle1": "ZSUBTITLE1",
      ]),
    StoreMove.Table(
      Cover.self, from: "ZCOVER",
      [
        "id": "Z_PK",
        "book": "ZBOOK",
        "image": "ZIMAGE",
      ]),
    StoreMove.Table(
      Review.self, from: "ZREVIEW",
      [
        "id": "Z_PK",
        "stars": "ZSTARS",
        "text": "ZTEXT",
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
        "parent": "ZPARENT",
        "title": "ZTITLE",
      ]),
  ]

  static func move(from oldPath: String, to newPath: String) -> StoreMove {
    StoreMove(from: oldPath, to: newPath, schema: schema, entities: entities, tables: tables)
  }
}
