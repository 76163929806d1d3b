// swift-format-ignore-file
// The records of Linkding.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum Linkding {
  @Record("auth_user", indexes: [.unique(on: \.username)])
  struct User {
    var id: Int64?
    var username: String
    static let bookmarks = hasMany(Bookmark.self, by: \.ownerID)
    static let tags = hasMany(Tag.self, by: \.ownerID)
  }

  @Record("bookmarks_bookmark", indexes: [.on(\.ownerID)])
  struct Bookmark {
    var id: Int64?
    var url: String
    var title: String
    var description: String
    var notes: String
    @Stored("website_title") var websiteTitle: String?
    @Stored("website_description") var websiteDescription: String?
    @Stored("web_archive_snapshot_url") var webArchiveSnapshotURL: String
    @Stored("favicon_file") var faviconFile: String
    var unread: Bool
    @Stored("is_archived") var isArchived: Bool
    var shared: Bool
    // No values show the form of the dates: this is the form that GRDB writes.
    @Stored("date_added", as: .dateText) var dateAdded: Date
    // No values show the form of the dates: this is the form that GRDB writes.
    @Stored("date_modified", as: .dateText) var dateModified: Date
    // No values show the form of the dates: this is the form that GRDB writes.
    @Stored("date_accessed", as: .dateText) var dateAccessed: Date?
    @References(User.self) @Stored("owner_id") var ownerID: Int64
    static let owner = belongsTo(User.self, by: \.ownerID)
    static let bookmarkTags = hasMany(BookmarkTag.self, by: \.bookmarkID)
    static let bookmarkassets = hasMany(Bookmarkasset.self, by: \.bookmarkID)
    static let tags = hasMany(Tag.self, through: bookmarkTags, using: BookmarkTag.tag)
  }

  @Record("bookmarks_bookmark_tags", indexes: [.unique(on: \.bookmarkID, \.tagID), .on(\.bookmarkID), .on(\.tagID)])
  struct BookmarkTag {
    var id: Int64?
    @References(Bookmark.self) @Stored("bookmark_id") var bookmarkID: Int64
    @References(Tag.self) @Stored("tag_id") var tagID: Int64
    static let bookmark = belongsTo(Bookmark.self, by: \.bookmarkID)
    static let tag = belongsTo(Tag.self, by: \.tagID)
  }

  @Record("bookmarks_bookmarkasset", indexes: [.on(\.bookmarkID)])
  struct Bookmarkasset {
    var id: Int64?
    // No values show the form of the dates: this is the form that GRDB writes.
    @Stored("date_created", as: .dateText) var dateCreated: Date
    var file: String
    @Stored("file_size") var fileSize: Int?
    @Stored("asset_type") var assetType: String
    @Stored("content_type") var contentType: String
    @Stored("display_name") var displayName: String
    var status: String
    var gzip: Bool
    @References(Bookmark.self) @Stored("bookmark_id") var bookmarkID: Int64
    static let bookmark = belongsTo(Bookmark.self, by: \.bookmarkID)
  }

  @Record("bookmarks_tag", indexes: [.on(\.ownerID)])
  struct Tag {
    var id: Int64?
    var name: String
    // No values show the form of the dates: this is the form that GRDB writes.
    @Stored("date_added", as: .dateText) var dateAdded: Date
    @References(User.self) @Stored("owner_id") var ownerID: Int64
    static let owner = belongsTo(User.self, by: \.ownerID)
    static let bookmarkTags = hasMany(BookmarkTag.self, by: \.tagID)
    static let bookmarks = hasMany(Bookmark.self, through: bookmarkTags, using: BookmarkTag.bookmark)
  }

  static let schema: [any StoredRecord.Type] = [User.self, Bookmark.self, BookmarkTag.self, Bookmarkasset.self, Tag.self]
}
