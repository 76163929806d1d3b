// swift-format-ignore-file
// The records of FirefoxFavicons.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum FirefoxFavicons {
  @Record("moz_icons", indexes: [.on(\.fixedIconURLHash)])
  struct Icon {
    var id: Int64?
    @Stored("icon_url") var iconURL: String
    @Stored("fixed_icon_url_hash") var fixedIconURLHash: Int
    var width: Int = 0
    var root: Int = 0
    var color: Int?
    @Stored("expire_ms") var expireMs: Int = 0
    var flags: Int = 0
    var data: Data?
    static let iconToPages = hasMany(IconToPage.self, by: \.iconID)
    static let pages = hasMany(PagesWIcon.self, through: iconToPages, using: IconToPage.page)
  }

  @Record("moz_icons_to_pages")
  struct IconToPage {
    @PrimaryKey @References(PagesWIcon.self, onDelete: .cascade) @Stored("page_id") var pageID: Int64
    @PrimaryKey @References(Icon.self, onDelete: .cascade) @Stored("icon_id") var iconID: Int64
    @Stored("expire_ms") var expireMs: Int = 0
    static let page = belongsTo(PagesWIcon.self, by: \.pageID)
    static let icon = belongsTo(Icon.self, by: \.iconID)
  }

  @Record("moz_pages_w_icons", indexes: [.on(\.pageURLHash)])
  struct PagesWIcon {
    var id: Int64?
    @Stored("page_url") var pageURL: String
    @Stored("page_url_hash") var pageURLHash: Int
    static let iconToPages = hasMany(IconToPage.self, by: \.pageID)
    static let icons = hasMany(Icon.self, through: iconToPages, using: IconToPage.icon)
  }

  static let schema: [any StoredRecord.Type] = [Icon.self, IconToPage.self, PagesWIcon.self]
}
