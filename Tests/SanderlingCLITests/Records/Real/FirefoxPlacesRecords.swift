// swift-format-ignore-file
// The records of FirefoxPlaces.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum FirefoxPlaces {
  @Record("moz_anno_attributes", indexes: [.unique(on: \.name)])
  struct AnnoAttribute {
    var id: Int64?
    var name: String
  }

  @Record("moz_annos", indexes: [.unique(on: \.placeID, \.annoAttributeID)])
  struct Anno {
    var id: Int64?
    @Stored("place_id") var placeID: Int
    @Stored("anno_attribute_id") var annoAttributeID: Int?
    var content: String?
    var flags: Int? = 0
    var expiration: Int? = 0
    var type: Int? = 0
    var dateAdded: Int? = 0
    var lastModified: Int? = 0
  }

  @Record("moz_bookmarks", indexes: [.on(\.fk, \.type), .on(\.parent, \.position), .on(\.fk, \.lastModified), .on(\.dateAdded), .unique(on: \.guid)])
  struct Bookmark {
    var id: Int64?
    var type: Int?
    var fk: Int?
    var parent: Int?
    var position: Int?
    var title: String?
    @Stored("keyword_id") var keywordID: Int?
    @Stored("folder_type") var folderType: String?
    var dateAdded: Int?
    var lastModified: Int?
    var guid: String?
    var syncStatus: Int = 0
    var syncChangeCounter: Int = 1
  }

  @Record("moz_bookmarks_deleted")
  struct BookmarkDeleted {
    // SQLite allows NULL here, and no row has it.
    @PrimaryKey var guid: String
    var dateRemoved: Int = 0
  }

  @Record("moz_historyvisits", indexes: [.on(\.placeID, \.visitDate), .on(\.fromVisit), .on(\.visitDate)])
  struct Historyvisit {
    var id: Int64?
    @Stored("from_visit") var fromVisit: Int?
    @Stored("place_id") var placeID: Int?
    @Stored("visit_date") var visitDate: Int?
    @Stored("visit_type") var visitType: Int?
    var session: Int?
    var source: Int = 0
    @Stored("triggeringPlaceId") var triggeringPlaceID: Int?
    static let historyvisitExtras = hasMany(HistoryvisitExtra.self, by: \.visitID)
  }

  @Record("moz_historyvisits_extra")
  struct HistoryvisitExtra {
    @PrimaryKey @References(Historyvisit.self, onDelete: .cascade) @Stored("visit_id") var visitID: Int64?
    @Stored("sync_json") var syncJSON: String?
    static let visit = belongsTo(Historyvisit.self, by: \.visitID)
  }

  @Record("moz_inputhistory")
  struct Inputhistory {
    @PrimaryKey @Stored("place_id") var placeID: Int
    @PrimaryKey var input: String
    @Stored("use_count") var useCount: Int?
  }

  @Record("moz_items_annos", indexes: [.unique(on: \.itemID, \.annoAttributeID)])
  struct ItemsAnno {
    var id: Int64?
    @Stored("item_id") var itemID: Int
    @Stored("anno_attribute_id") var annoAttributeID: Int?
    var content: String?
    var flags: Int? = 0
    var expiration: Int? = 0
    var type: Int? = 0
    var dateAdded: Int? = 0
    var lastModified: Int? = 0
  }

  @Record("moz_keywords", indexes: [.unique(on: \.keyword), .unique(on: \.placeID, \.postData)])
  struct Keyword {
    var id: Int64?
    var keyword: String?
    @Stored("place_id") var placeID: Int?
    @Stored("post_data") var postData: String?
  }

  @Record("moz_meta")
  struct Meta {
    @PrimaryKey var key: String
    var value: StorageValue
  }

  @Record("moz_newtab_shortcuts_interaction", indexes: [.on(\.timestampS), .on(\.placeID)])
  struct NewtabShortcutsInteraction {
    var id: Int64?
    @References(Place.self, onDelete: .cascade) @Stored("place_id") var placeID: Int64
    @Stored("event_type") var eventType: Int
    @Stored("timestamp_s") var timestampS: Int
    var pinned: Int
    @Stored("tile_position") var tilePosition: Int
    static let place = belongsTo(Place.self, by: \.placeID)
  }

  // Only read: the table has no key, so the rowid identifies the rows.
  @Record(view: "moz_newtab_story_click")
  struct NewtabStoryClick {
    @PrimaryKey @Stored("rowid") var rowID: Int64
    var feature: String
    @Stored("timestamp_s") var timestampS: Int
    @Stored("card_format_enum") var cardFormatEnum: Int
    var position: Int
    @Stored("section_position") var sectionPosition: Int
    @Stored("feature_value") var featureValue: Double
  }

  // Only read: the table has no key, so the rowid identifies the rows.
  @Record(view: "moz_newtab_story_impression")
  struct NewtabStoryImpression {
    @PrimaryKey @Stored("rowid") var rowID: Int64
    var feature: String
    @Stored("timestamp_s") var timestampS: Int
    @Stored("card_format_enum") var cardFormatEnum: Int
    var position: Int
    @Stored("section_position") var sectionPosition: Int
    @Stored("feature_value") var featureValue: Double
  }

  @Record("moz_origins", indexes: [.unique(on: \.prefix, \.host)])
  struct Origin {
    var id: Int64?
    var prefix: String
    var host: String
    var frecency: Int
    @Stored("recalc_frecency") var recalcFrecency: Int = 0
    @Stored("alt_frecency") var altFrecency: Int?
    @Stored("recalc_alt_frecency") var recalcAltFrecency: Int = 0
    @Stored("block_until_ms") var blockUntilMs: Int?
    @Stored("block_pages_until_ms") var blockPagesUntilMs: Int?
    static let places = hasMany(Place.self, by: \.originID)
  }

  @Record("moz_places", indexes: [.on(\.urlHash), .on(\.revHost), .on(\.visitCount), .on(\.frecency), .on(\.lastVisitDate), .unique(on: \.guid), .on(\.originID), .on(\.altFrecency)])
  struct Place {
    var id: Int64?
    var url: String?
    var title: String?
    @Stored("rev_host") var revHost: String?
    @Stored("visit_count") var visitCount: Int? = 0
    var hidden: Int = 0
    var typed: Int = 0
    var frecency: Int = -1
    @Stored("last_visit_date") var lastVisitDate: Int?
    var guid: String?
    @Stored("foreign_count") var foreignCount: Int = 0
    @Stored("url_hash") var urlHash: Int = 0
    var description: String?
    @Stored("preview_image_url") var previewImageURL: String?
    @Stored("site_name") var siteName: String?
    @References(Origin.self) @Stored("origin_id") var originID: Int64?
    @Stored("recalc_frecency") var recalcFrecency: Int = 0
    @Stored("alt_frecency") var altFrecency: Int?
    @Stored("recalc_alt_frecency") var recalcAltFrecency: Int = 0
    static let origin = belongsTo(Origin.self, by: \.originID)
    static let newtabShortcutsInteractions = hasMany(NewtabShortcutsInteraction.self, by: \.placeID)
    static let placeExtras = hasMany(PlaceExtra.self, by: \.placeID)
    static let placeMetadata = hasMany(PlaceMetadata.self, by: \.placeID)
    static let placeMetadataAsReferrerPlace = hasMany(PlaceMetadata.self, by: \.referrerPlaceID)
  }

  @Record("moz_places_extra")
  struct PlaceExtra {
    @PrimaryKey @References(Place.self, onDelete: .cascade) @Stored("place_id") var placeID: Int64?
    @Stored("sync_json") var syncJSON: String?
    static let place = belongsTo(Place.self, by: \.placeID)
  }

  @Record("moz_places_metadata", indexes: [.unique(on: \.placeID, \.createdAt), .on(\.referrerPlaceID)])
  struct PlaceMetadata {
    var id: Int64?
    @References(Place.self, onDelete: .cascade) @Stored("place_id") var placeID: Int64
    @References(Place.self, onDelete: .cascade) @Stored("referrer_place_id") var referrerPlaceID: Int64?
    @Stored("created_at") var createdAt: Int = 0
    @Stored("updated_at") var updatedAt: Int = 0
    @Stored("total_view_time") var totalViewTime: Int = 0
    @Stored("typing_time") var typingTime: Int = 0
    @Stored("key_presses") var keyPresses: Int = 0
    @Stored("scrolling_time") var scrollingTime: Int = 0
    @Stored("scrolling_distance") var scrollingDistance: Int = 0
    @Stored("document_type") var documentType: Int = 0
    @References(PlaceMetadataSearchQuery.self, onDelete: .cascade) @Stored("search_query_id") var searchQueryID: Int64?
    static let place = belongsTo(Place.self, by: \.placeID)
    static let referrerPlace = belongsTo(Place.self, by: \.referrerPlaceID)
    static let searchQuery = belongsTo(PlaceMetadataSearchQuery.self, by: \.searchQueryID)
  }

  @Record("moz_places_metadata_search_queries", indexes: [.unique(on: \.terms)])
  struct PlaceMetadataSearchQuery {
    var id: Int64?
    var terms: String
    static let placeMetadata = hasMany(PlaceMetadata.self, by: \.searchQueryID)
  }

  @Record("moz_previews_tombstones")
  struct PreviewsTombstone {
    @PrimaryKey var hash: String
  }

  static let schema: [any StoredRecord.Type] = [AnnoAttribute.self, Anno.self, Bookmark.self, BookmarkDeleted.self, Historyvisit.self, HistoryvisitExtra.self, Inputhistory.self, ItemsAnno.self, Keyword.self, Meta.self, NewtabShortcutsInteraction.self, NewtabStoryClick.self, NewtabStoryImpression.self, Origin.self, Place.self, PlaceExtra.self, PlaceMetadata.self, PlaceMetadataSearchQuery.self, PreviewsTombstone.self]
}
