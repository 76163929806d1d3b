// swift-format-ignore-file
// The records of Calibre.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum Calibre {
  @Record("annotations", indexes: [.unique(on: \.book, \.userType, \.user, \.format, \.annotType, \.annotID), .on(\.book)])
  struct Annotation {
    var id: Int64?
    var book: Int
    @Stored(collation: .nocase) var format: String
    @Stored("user_type") var userType: String
    var user: String
    var timestamp: Double
    @Stored("annot_id") var annotID: String
    @Stored("annot_type") var annotType: String
    @Stored("annot_data") var annotData: String
    @Stored("searchable_text") var searchableText: String = ""
  }

  @Record("annotations_dirtied", indexes: [.unique(on: \.book)])
  struct AnnotationDirtied {
    var id: Int64?
    var book: Int
  }

  @Record("authors", indexes: [.unique(on: \.name)])
  struct Author {
    var id: Int64?
    @Stored(collation: .nocase) var name: String
    @Stored(collation: .nocase) var sort: String?
    var link: String = ""
  }

  @Record("books", indexes: [.on(\.authorSort), .on(\.sort)])
  struct Book {
    var id: Int64?
    @Stored(collation: .nocase) var title: String = "Unknown"
    @Stored(collation: .nocase) var sort: String?
    // No values show the form of the dates: this is the form that GRDB writes.
    @Stored(as: .dateText, default: "CURRENT_TIMESTAMP") var timestamp: Date?
    // No values show the form of the dates: this is the form that GRDB writes.
    @Stored(as: .dateText, default: "CURRENT_TIMESTAMP") var pubdate: Date?
    @Stored("series_index") var seriesIndex: Double = 1.0
    @Stored("author_sort", collation: .nocase) var authorSort: String?
    @Stored(collation: .nocase) var isbn: String? = ""
    @Stored(collation: .nocase) var lccn: String? = ""
    var path: String = ""
    var flags: Int = 1
    var uuid: String?
    @Stored("has_cover") var hasCover: Bool? = false
    // No values show the form of the dates: this is the form that GRDB writes.
    @Stored("last_modified", as: .dateText, default: "\"2000-01-01 00:00:00+00:00\"") var lastModified: Date
  }

  @Record("books_authors_link", indexes: [.unique(on: \.book, \.author), .on(\.author), .on(\.book)])
  struct BookAuthorLink {
    var id: Int64?
    var book: Int
    var author: Int
  }

  @Record("books_languages_link", indexes: [.unique(on: \.book, \.langCode), .on(\.langCode), .on(\.book)])
  struct BookLanguageLink {
    var id: Int64?
    var book: Int
    @Stored("lang_code") var langCode: Int
    @Stored("item_order") var itemOrder: Int = 0
  }

  @Record("books_plugin_data", indexes: [.unique(on: \.book, \.name)])
  struct BookPluginData {
    var id: Int64?
    var book: Int
    var name: String
    var val: String
  }

  @Record("books_publishers_link", indexes: [.unique(on: \.book), .on(\.publisher)])
  struct BookPublisherLink {
    var id: Int64?
    var book: Int
    var publisher: Int
  }

  @Record("books_ratings_link", indexes: [.unique(on: \.book, \.rating), .on(\.rating), .on(\.book)])
  struct BookRatingLink {
    var id: Int64?
    var book: Int
    var rating: Int
  }

  @Record("books_series_link", indexes: [.unique(on: \.book), .on(\.series)])
  struct BookSeriesLink {
    var id: Int64?
    var book: Int
    var series: Int
  }

  @Record("books_tags_link", indexes: [.unique(on: \.book, \.tag), .on(\.tag), .on(\.book)])
  struct BookTagLink {
    var id: Int64?
    var book: Int
    var tag: Int
  }

  @Record("comments", indexes: [.unique(on: \.book)])
  struct Comment {
    var id: Int64?
    var book: Int
    @Stored(collation: .nocase) var text: String
  }

  @Record("conversion_options", indexes: [.unique(on: \.format, \.book), .on(\.format), .on(\.book)])
  struct ConversionOption {
    var id: Int64?
    @Stored(collation: .nocase) var format: String
    var book: Int?
    var data: Data
  }

  @Record("custom_columns", indexes: [.unique(on: \.label)])
  struct CustomColumn {
    var id: Int64?
    var label: String
    var name: String
    var datatype: String
    @Stored("mark_for_delete") var markForDelete: Bool = false
    var editable: Bool = true
    var display: String = "{}"
    @Stored("is_multiple") var isMultiple: Bool = false
    var normalized: Bool
  }

  @Record("data", indexes: [.unique(on: \.book, \.format), .on(\.book), .on(\.format)])
  struct DataRecord {
    var id: Int64?
    var book: Int
    @Stored(collation: .nocase) var format: String
    @Stored("uncompressed_size") var uncompressedSize: Int
    var name: String
  }

  @Record("feeds", indexes: [.unique(on: \.title)])
  struct Feed {
    var id: Int64?
    var title: String
    var script: String
  }

  @Record("identifiers", indexes: [.unique(on: \.book, \.type)])
  struct Identifier {
    var id: Int64?
    var book: Int
    @Stored(collation: .nocase) var type: String = "isbn"
    @Stored(collation: .nocase) var val: String
  }

  @Record("languages", indexes: [.unique(on: \.langCode)])
  struct Language {
    var id: Int64?
    @Stored("lang_code", collation: .nocase) var langCode: String
  }

  @Record("last_read_positions", indexes: [.unique(on: \.user, \.device, \.book, \.format), .on(\.book)])
  struct LastReadPosition {
    var id: Int64?
    var book: Int
    @Stored(collation: .nocase) var format: String
    var user: String
    var device: String
    var cfi: String
    var epoch: Double
    @Stored("pos_frac") var posFrac: Double = 0
  }

  @Record("library_id", indexes: [.unique(on: \.uuid)])
  struct LibraryID {
    var id: Int64?
    var uuid: String
  }

  @Record("metadata_dirtied", indexes: [.unique(on: \.book)])
  struct MetadataDirtied {
    var id: Int64?
    var book: Int
  }

  @Record("preferences", indexes: [.unique(on: \.keyName)])
  struct Preference {
    var id: Int64?
    @Stored("key") var keyName: String
    var val: String
  }

  @Record("publishers", indexes: [.unique(on: \.name)])
  struct Publisher {
    var id: Int64?
    @Stored(collation: .nocase) var name: String
    @Stored(collation: .nocase) var sort: String?
  }

  @Record("ratings", indexes: [.unique(on: \.rating)])
  struct Rating {
    var id: Int64?
    var rating: Int?
  }

  @Record(indexes: [.unique(on: \.name)])
  struct Series {
    var id: Int64?
    @Stored(collation: .nocase) var name: String
    @Stored(collation: .nocase) var sort: String?
  }

  @Record("tags", indexes: [.unique(on: \.name)])
  struct Tag {
    var id: Int64?
    @Stored(collation: .nocase) var name: String
  }

  static let schema: [any StoredRecord.Type] = [Annotation.self, AnnotationDirtied.self, Author.self, Book.self, BookAuthorLink.self, BookLanguageLink.self, BookPluginData.self, BookPublisherLink.self, BookRatingLink.self, BookSeriesLink.self, BookTagLink.self, Comment.self, ConversionOption.self, CustomColumn.self, DataRecord.self, Feed.self, Identifier.self, Language.self, LastReadPosition.self, LibraryID.self, MetadataDirtied.self, Preference.self, Publisher.self, Rating.self, Series.self, Tag.self]
}
