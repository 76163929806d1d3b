// swift-format-ignore-file
// The records of Zim.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum Zim {
  @Record("files", indexes: [.unique(on: \.path)])
  struct FileRecord {
    var id: Int64?
    @References(FileRecord.self) @Stored("parent") var parentID: Int64?
    var path: String
    @Stored("node_type") var nodeType: Int
    // No values show the form of the dates: this is the form that GRDB writes.
    @Stored(as: .dateText) var mtime: Date?
    @Stored("index_status") var indexStatus: Int? = 3
    static let parent = belongsTo(FileRecord.self, by: \.parentID)
    static let children = hasMany(FileRecord.self, by: \.parentID)
    static let pages = hasMany(Page.self, by: \.sourceFileID)
  }

  // Only read: the table has no key, so the rowid identifies the rows.
  @Record(view: "links")
  struct Link {
    @PrimaryKey @Stored("rowid") var rowID: Int64
    @Stored("source") var sourceID: Int64?
    @Stored("target") var targetID: Int64?
    var rel: Int?
    var names: String?
    var anchorkey: String?
    var needscheck: Bool?
    static let source = belongsTo(Page.self, by: \.sourceID)
    static let target = belongsTo(Page.self, by: \.targetID)
  }

  @Record("pages", indexes: [.unique(on: \.name)])
  struct Page {
    var id: Int64?
    @References(Page.self) @Stored("parent") var parentID: Int64?
    @Stored("n_children") var nChildren: Int? = 0
    var name: String
    var sortkey: String
    // No values show the form of the dates: this is the form that GRDB writes.
    @Stored(as: .dateText) var mtime: Date?
    @References(FileRecord.self) @Stored("source_file") var sourceFileID: Int64?
    @Stored("is_link_placeholder") var isLinkPlaceholder: Bool? = false
    static let parent = belongsTo(Page.self, by: \.parentID)
    static let sourceFile = belongsTo(FileRecord.self, by: \.sourceFileID)
    static let linksAsSource = hasMany(Link.self, by: \.sourceID)
    static let linksAsTarget = hasMany(Link.self, by: \.targetID)
    static let children = hasMany(Page.self, by: \.parentID)
    static let tagsources = hasMany(Tagsource.self, by: \.sourceID)
    static let tags = hasMany(Tag.self, through: tagsources, using: Tagsource.tag)
  }

  @Record("tags", indexes: [.unique(on: \.name)])
  struct Tag {
    var id: Int64?
    var name: String?
    var sortkey: String?
    static let tagsources = hasMany(Tagsource.self, by: \.tagID)
    static let sources = hasMany(Page.self, through: tagsources, using: Tagsource.source)
  }

  // Only read: the table has no key, so the rowid identifies the rows.
  @Record(view: "tagsources")
  struct Tagsource {
    @PrimaryKey @Stored("rowid") var rowID: Int64
    @Stored("source") var sourceID: Int64?
    @Stored("tag") var tagID: Int64?
    static let source = belongsTo(Page.self, by: \.sourceID)
    static let tag = belongsTo(Tag.self, by: \.tagID)
  }

  static let schema: [any StoredRecord.Type] = [FileRecord.self, Link.self, Page.self, Tag.self, Tagsource.self]
}
