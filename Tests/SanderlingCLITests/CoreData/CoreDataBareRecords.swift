// swift-format-ignore-file
// The records of CoreDataBare.sqlite, a store of Core Data, made by `sanderling records`.
import Foundation
import Sanderling

enum CoreDataBare {
  // Open it read-only: Core Data can't follow the rows that another program writes.
  // It has no model: names come from columns in capitals, types from declared types and values. Relationships are missing.


  @Record("ZAUTHOR", indexes: [.unique(on: \.id)])
  struct Author {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("ZZIP") var zip: Int64?
    @Stored("ZISACTIVE") var isactive: Int64?
    @Stored("ZKEY") var key2: Int64?
    @Stored("ZSNAKE_CASE") var snake_case: Int64?
    @Stored("ZTOTAL") var total: Int64?
    @Stored("ZLATITUDE") var latitude: Double?
    @Stored("ZLONGITUDE") var longitude: Double?
    @Stored("ZQUERY") var query: Double?
    @Stored("ZRATING") var rating: Double?
    @Stored("ZBORN") var born: Date?
    @Stored("ZCITY") var city: String?
    @Stored("ZCLASS") var `class`: String?
    @Stored("ZHOMEPAGE") var homepage: String?
    @Stored("ZINIT") var initValue: String?
    @Stored("ZRAWVALUE") var rawvalue: String?
    @Stored("ZNAME") var name: String?
    @Stored("ZRAWVALUE1") var rawvalue1: String?
    @Stored("ZSTRANGE") var strange: String?
    @Stored("ZBALANCE", as: .decimalNumber) var balance: Decimal?
    @Stored("ZID") var id: UUID?
    @Stored("ZNOTES") var notes: Data?
    @Stored("ZPHOTO") var photo: Data?
    @Stored("ZPLAN") var plan: Data?
  }

  @Record("ZBOOK", indexes: [.on(.descending(\.title), \.author), .unique(on: \.subtitle1)])
  struct Book {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("Z_ENT") var entity: Int
    @Stored("ZAUTHOR") var author: Int64?
    @Stored("ZCOVER") var cover: Int64?
    @Stored("ZISCOLOR") var iscolor: Int64?
    @Stored("ZVOLUME") var volume: Int64?
    @Stored("ZFORMAT1") var format1: Int64?
    @Stored("ZTITLE") var title: String?
    @Stored("ZFORMAT") var format: String?
    @Stored("ZSUBTITLE") var subtitle: String?
    @Stored("ZSUBTITLE1") var subtitle1: String?
  }

  // The sub-entity of Book with the number 3.
  @Record(view: "ZBOOK")
  struct Comic {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("Z_ENT") var entity: Int
    @Stored("ZAUTHOR") var author: Int64?
    @Stored("ZCOVER") var cover: Int64?
    @Stored("ZISCOLOR") var iscolor: Int64?
    @Stored("ZVOLUME") var volume: Int64?
    @Stored("ZFORMAT1") var format1: Int64?
    @Stored("ZTITLE") var title: String?
    @Stored("ZFORMAT") var format: String?
    @Stored("ZSUBTITLE") var subtitle: String?
    @Stored("ZSUBTITLE1") var subtitle1: String?
    static let defaultScope = Condition<Comic> { $0.entity.in([3, 4]) }
  }

  // The sub-entity of Comic with the number 4.
  @Record(view: "ZBOOK")
  struct Manga {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("Z_ENT") var entity: Int
    @Stored("ZAUTHOR") var author: Int64?
    @Stored("ZCOVER") var cover: Int64?
    @Stored("ZISCOLOR") var iscolor: Int64?
    @Stored("ZVOLUME") var volume: Int64?
    @Stored("ZFORMAT1") var format1: Int64?
    @Stored("ZTITLE") var title: String?
    @Stored("ZFORMAT") var format: String?
    @Stored("ZSUBTITLE") var subtitle: String?
    @Stored("ZSUBTITLE1") var subtitle1: String?
    static let defaultScope = Condition<Manga> { $0.entity == 4 }
  }

  // The sub-entity of Book with the number 5.
  @Record(view: "ZBOOK")
  struct Roman {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("Z_ENT") var entity: Int
    @Stored("ZAUTHOR") var author: Int64?
    @Stored("ZCOVER") var cover: Int64?
    @Stored("ZISCOLOR") var iscolor: Int64?
    @Stored("ZVOLUME") var volume: Int64?
    @Stored("ZFORMAT1") var format1: Int64?
    @Stored("ZTITLE") var title: String?
    @Stored("ZFORMAT") var format: String?
    @Stored("ZSUBTITLE") var subtitle: String?
    @Stored("ZSUBTITLE1") var subtitle1: String?
    static let defaultScope = Condition<Roman> { $0.entity == 5 }
  }

  @Record("ZCOVER")
  struct Cover {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("ZBOOK") var book: Int64?
    @Stored("ZIMAGE") var image: Data?
  }

  @Record("ZREVIEW")
  struct Review {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("ZSTARS") var stars: Int64?
    @Stored("ZTEXT") var text: String?
  }

  @Record("ZTAG")
  struct Tag {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("ZNAME") var name: String?
  }

  @Record("ZTASK")
  struct TaskRecord {
    @PrimaryKey @Stored("Z_PK") var objectID: Int64
    @Stored("ZPARENT") var parent: Int64?
    @Stored("ZTITLE") var title: String?
  }

  static let schema: [any StoredRecord.Type] = [Author.self, Book.self, Comic.self, Manga.self, Roman.self, Cover.self, Review.self, Tag.self, TaskRecord.self]
}
