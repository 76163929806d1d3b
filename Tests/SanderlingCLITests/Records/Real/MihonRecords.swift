// swift-format-ignore-file
// The records of Mihon.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum Mihon {
  @Record("categories")
  struct Category {
    @Stored("_id") var id: Int64?
    var name: String
    var sort: Int
    var flags: Int
    static let mangaCategories = hasMany(MangaCategory.self, by: \.categoryID)
    static let mangas = hasMany(Manga.self, through: mangaCategories, using: MangaCategory.manga)
  }

  // Not declared: CREATE INDEX chapters_unread_by_manga_index ON chapters(manga_id, read) WHERE read = 0
  @Record("chapters", indexes: [.on(\.mangaID)])
  struct Chapter {
    @Stored("_id") var id: Int64?
    @References(Manga.self, onDelete: .cascade) @Stored("manga_id") var mangaID: Int64
    var url: String
    var name: String
    var scanlator: String?
    var read: Int
    var bookmark: Int
    @Stored("last_page_read") var lastPageRead: Int
    @Stored("chapter_number") var chapterNumber: Double
    @Stored("source_order") var sourceOrder: Int
    @Stored("date_fetch") var dateFetch: Int
    @Stored("date_upload") var dateUpload: Int
    @Stored("last_modified_at") var lastModifiedAt: Int = 0
    var version: Int = 0
    @Stored("is_syncing") var isSyncing: Bool = false
    static let manga = belongsTo(Manga.self, by: \.mangaID)
    static let history = hasMany(History.self, by: \.chapterID)
  }

  // Only read: the table has no key, so the rowid identifies the rows.
  @Record(view: "excluded_scanlators")
  struct ExcludedScanlator {
    @PrimaryKey @Stored("rowid") var rowID: Int64
    @Stored("manga_id") var mangaID: Int64
    var scanlator: String
    static let manga = belongsTo(Manga.self, by: \.mangaID)
  }

  @Record(indexes: [.unique(on: \.chapterID)])
  struct History {
    @Stored("_id") var id: Int64?
    @References(Chapter.self, onDelete: .cascade) @Stored("chapter_id") var chapterID: Int64
    @Stored("last_read") var lastRead: Int?
    @Stored("time_read") var timeRead: Int
    static let chapter = belongsTo(Chapter.self, by: \.chapterID)
  }

  // The table historyView is a view: read it by SQL with RawQuery, or state its key with @Record(view:).

  // The table libraryView is a view: read it by SQL with RawQuery, or state its key with @Record(view:).

  @Record("manga_sync", indexes: [.unique(on: \.mangaID, \.syncID), .on(\.mangaID)])
  struct MangaSync {
    @Stored("_id") var id: Int64?
    @References(Manga.self, onDelete: .cascade) @Stored("manga_id") var mangaID: Int64
    @Stored("sync_id") var syncID: Int
    @Stored("remote_id") var remoteID: Int
    var title: String
    @Stored("last_chapter_read") var lastChapterRead: Double
    var status: Int
    var score: Double
    static let manga = belongsTo(Manga.self, by: \.mangaID)
  }

  // Not declared: CREATE INDEX library_favorite_index ON mangas(favorite) WHERE favorite = 1
  @Record("mangas", indexes: [.on(\.url)])
  struct Manga {
    @Stored("_id") var id: Int64?
    var source: Int
    var url: String
    var artist: String?
    var author: String?
    var description: String?
    var genre: String?
    var title: String
    var status: Int
    @Stored("thumbnail_url") var thumbnailURL: String?
    var favorite: Int
    @Stored("last_update") var lastUpdate: Int?
    @Stored("next_update") var nextUpdate: Int?
    var viewer: Int
    @Stored("chapter_flags") var chapterFlags: Int
    @Stored("cover_last_modified") var coverLastModified: Int
    @Stored("date_added") var dateAdded: Int
    @Stored("last_modified_at") var lastModifiedAt: Int = 0
    @Stored("favorite_modified_at") var favoriteModifiedAt: Int?
    var version: Int = 0
    @Stored("is_syncing") var isSyncing: Bool = false
    static let chapters = hasMany(Chapter.self, by: \.mangaID)
    static let excludedScanlators = hasMany(ExcludedScanlator.self, by: \.mangaID)
    static let mangaSyncs = hasMany(MangaSync.self, by: \.mangaID)
    static let mangaCategories = hasMany(MangaCategory.self, by: \.mangaID)
    static let categories = hasMany(Category.self, through: mangaCategories, using: MangaCategory.category)
  }

  @Record("mangas_categories")
  struct MangaCategory {
    @Stored("_id") var id: Int64?
    @References(Manga.self, onDelete: .cascade) @Stored("manga_id") var mangaID: Int64
    @References(Category.self, onDelete: .cascade) @Stored("category_id") var categoryID: Int64
    static let manga = belongsTo(Manga.self, by: \.mangaID)
    static let category = belongsTo(Category.self, by: \.categoryID)
  }

  // The table updatesView is a view: read it by SQL with RawQuery, or state its key with @Record(view:).

  static let schema: [any StoredRecord.Type] = [Category.self, Chapter.self, ExcludedScanlator.self, History.self, MangaSync.self, Manga.self, MangaCategory.self]
}
