// swift-format-ignore-file
// The records of ChromiumHistory.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum ChromiumHistory {
  // Only read: the table has no key, so the rowid identifies the rows.
  @Record(view: "cluster_keywords")
  struct ClusterKeyword {
    @PrimaryKey @Stored("rowid") var rowID: Int64
    @Stored("cluster_id") var clusterID: Int
    var keyword: String
    var type: Int
    var score: Double
    var collections: String
  }

  @Record("cluster_visit_duplicates")
  struct ClusterVisitDuplicate {
    @PrimaryKey @Stored("visit_id") var visitID: Int
    @PrimaryKey @Stored("duplicate_visit_id") var duplicateVisitID: Int
  }

  @Record("clusters")
  struct Cluster {
    @PrimaryKey @Stored("cluster_id") var clusterID: Int64?
    @Stored("should_show_on_prominent_ui_surfaces") var shouldShowOnProminentUISurfaces: Bool
    var label: String
    @Stored("raw_label") var rawLabel: String
    @Stored("triggerability_calculated") var triggerabilityCalculated: Bool
    @Stored("originator_cache_guid") var originatorCacheGUID: String
    @Stored("originator_cluster_id") var originatorClusterID: Int
  }

  @Record("clusters_and_visits", indexes: [.on(\.visitID)])
  struct ClusterAndVisit {
    @PrimaryKey @Stored("cluster_id") var clusterID: Int
    @PrimaryKey @Stored("visit_id") var visitID: Int
    var score: Double = 0
    @Stored("engagement_score") var engagementScore: Double = 0
    @Stored("url_for_deduping") var urlForDeduping: String
    @Stored("normalized_url") var normalizedURL: String
    @Stored("url_for_display") var urlForDisplay: String
    @Stored("interaction_state") var interactionState: Int = 0
  }

  @Record("content_annotations")
  struct ContentAnnotation {
    @PrimaryKey @Stored("visit_id") var visitID: Int64?
    @Stored("visibility_score") var visibilityScore: Double?
    @Stored("floc_protected_score") var flocProtectedScore: Double?
    var categories: String?
    @Stored("page_topics_model_version") var pageTopicsModelVersion: Int?
    @Stored("annotation_flags") var annotationFlags: Int
    var entities: String?
    @Stored("related_searches") var relatedSearches: String?
    @Stored("search_normalized_url") var searchNormalizedURL: String?
    @Stored("search_terms") var searchTerms: String?
    @Stored("alternative_title") var alternativeTitle: String?
    @Stored("page_language") var pageLanguage: String?
    @Stored("password_state") var passwordState: Int = 0
    @Stored("has_url_keyed_image") var hasURLKeyedImage: Bool
  }

  @Record("context_annotations")
  struct ContextAnnotation {
    @PrimaryKey @Stored("visit_id") var visitID: Int64?
    @Stored("context_annotation_flags") var contextAnnotationFlags: Int
    @Stored("duration_since_last_visit") var durationSinceLastVisit: Int?
    @Stored("page_end_reason") var pageEndReason: Int?
    @Stored("total_foreground_duration") var totalForegroundDuration: Int?
    @Stored("browser_type") var browserType: Int = 0
    @Stored("window_id") var windowID: Int = -1
    @Stored("tab_id") var tabID: Int = -1
    @Stored("task_id") var taskID: Int = -1
    @Stored("root_task_id") var rootTaskID: Int = -1
    @Stored("parent_task_id") var parentTaskID: Int = -1
    @Stored("response_code") var responseCode: Int = 0
  }

  @Record("downloads")
  struct Download {
    var id: Int64?
    var guid: String
    @Stored("current_path") var currentPath: String
    @Stored("target_path") var targetPath: String
    @Stored("start_time") var startTime: Int
    @Stored("received_bytes") var receivedBytes: Int
    @Stored("total_bytes") var totalBytes: Int
    var state: Int
    @Stored("danger_type") var dangerType: Int
    @Stored("interrupt_reason") var interruptReason: Int
    var hash: Data
    @Stored("end_time") var endTime: Int
    var opened: Int
    @Stored("last_access_time") var lastAccessTime: Int
    var transient: Int
    var referrer: String
    @Stored("site_url") var siteURL: String
    @Stored("embedder_download_data") var embedderDownloadData: String
    @Stored("tab_url") var tabURL: String
    @Stored("tab_referrer_url") var tabReferrerURL: String
    @Stored("http_method") var httpMethod: String
    @Stored("by_ext_id") var byExtID: String
    @Stored("by_ext_name") var byExtName: String
    @Stored("by_web_app_id") var byWebAppID: String
    var etag: String
    @Stored("last_modified") var lastModified: String
    @Stored("mime_type") var mimeType: String
    @Stored("original_mime_type") var originalMimeType: String
  }

  @Record("downloads_slices")
  struct DownloadSlice {
    @PrimaryKey @Stored("download_id") var downloadID: Int
    @PrimaryKey var offset: Int
    @Stored("received_bytes") var receivedBytes: Int
    var finished: Int = 0
  }

  @Record("downloads_url_chains")
  struct DownloadURLChain {
    @PrimaryKey var id: Int
    @PrimaryKey @Stored("chain_index") var chainIndex: Int
    var url: String
  }

  @Record("history_sync_metadata")
  struct HistorySyncMetadata {
    @PrimaryKey @Stored("storage_key") var storageKey: Int64?
    var value: Data?
  }

  @Record("journey_continuation_queries", indexes: [.on(\.journeyID)])
  struct JourneyContinuationQuery {
    var id: Int64?
    @Stored("journey_id") var journeyID: String
    var title: String
    var prompt: String
  }

  @Record("journey_history_entries", indexes: [.on(\.visitTimestampMicros)])
  struct JourneyHistoryEntry {
    @PrimaryKey @Stored("journey_id") var journeyID: String
    @PrimaryKey @Stored("visit_timestamp_micros") var visitTimestampMicros: Int
  }

  @Record("journey_sync_metadata")
  struct JourneySyncMetadata {
    @PrimaryKey @Stored("storage_key") var storageKey: String
    var value: Data
  }

  @Record("journeys", indexes: [.on(\.creationTimeMicros)])
  struct Journey {
    @PrimaryKey @Stored("journey_id") var journeyID: String
    var title: String
    var emoji: String?
    var overview: String?
    @Stored("short_overview") var shortOverview: String?
    @Stored("creation_time_micros") var creationTimeMicros: Int
  }

  // Only read: the table has no key, so the rowid identifies the rows.
  @Record(view: "keyword_search_terms")
  struct KeywordSearchTerm {
    @PrimaryKey @Stored("rowid") var rowID: Int64
    @Stored("keyword_id") var keywordID: Int
    @Stored("url_id") var urlID: Int
    var term: String
    @Stored("normalized_term") var normalizedTerm: String
  }

  @Record
  struct Meta {
    @PrimaryKey var key: String
    var value: String?
  }

  @Record("segment_usage", indexes: [.on(\.timeSlot, \.segmentID), .on(\.segmentID)])
  struct SegmentUsage {
    var id: Int64?
    @Stored("segment_id") var segmentID: Int
    @Stored("time_slot") var timeSlot: Int
    @Stored("visit_count") var visitCount: Int = 0
  }

  @Record("segments", indexes: [.on(\.name), .on(\.urlID)])
  struct Segment {
    var id: Int64?
    var name: String?
    @Stored("url_id") var urlID: Int?
  }

  @Record("urls", indexes: [.on(\.url)])
  struct URLRecord {
    var id: Int64?
    var url: String?
    var title: String?
    @Stored("visit_count") var visitCount: Int = 0
    @Stored("typed_count") var typedCount: Int = 0
    @Stored("last_visit_time") var lastVisitTime: Int
    var hidden: Int = 0
  }

  @Record("visit_source")
  struct VisitSource {
    var id: Int64?
    var source: Int
  }

  @Record("visited_links", indexes: [.on(\.linkURLID, \.topLevelURL, \.frameURL)])
  struct VisitedLink {
    var id: Int64?
    @Stored("link_url_id") var linkURLID: Int
    @Stored("top_level_url") var topLevelURL: String
    @Stored("frame_url") var frameURL: String
    @Stored("visit_count") var visitCount: Int = 0
  }

  @Record("visits", indexes: [.on(\.url), .on(\.fromVisit), .on(\.visitTime), .on(\.originatorVisitID)])
  struct Visit {
    var id: Int64?
    var url: Int
    @Stored("visit_time") var visitTime: Int
    @Stored("from_visit") var fromVisit: Int?
    @Stored("external_referrer_url") var externalReferrerURL: String?
    var transition: Int = 0
    @Stored("segment_id") var segmentID: Int?
    @Stored("visit_duration") var visitDuration: Int = 0
    @Stored("incremented_omnibox_typed_score") var incrementedOmniboxTypedScore: Bool = false
    @Stored("opener_visit") var openerVisit: Int?
    @Stored("originator_cache_guid") var originatorCacheGUID: String?
    @Stored("originator_visit_id") var originatorVisitID: Int?
    @Stored("originator_from_visit") var originatorFromVisit: Int?
    @Stored("originator_opener_visit") var originatorOpenerVisit: Int?
    @Stored("is_known_to_sync") var isKnownToSync: Bool = false
    @Stored("consider_for_ntp_most_visited") var considerForNtpMostVisited: Bool = false
    @Stored("visited_link_id") var visitedLinkID: Int = 0
    @Stored("app_id") var appID: String?
  }

  static let schema: [any StoredRecord.Type] = [ClusterKeyword.self, ClusterVisitDuplicate.self, Cluster.self, ClusterAndVisit.self, ContentAnnotation.self, ContextAnnotation.self, Download.self, DownloadSlice.self, DownloadURLChain.self, HistorySyncMetadata.self, JourneyContinuationQuery.self, JourneyHistoryEntry.self, JourneySyncMetadata.self, Journey.self, KeywordSearchTerm.self, Meta.self, SegmentUsage.self, Segment.self, URLRecord.self, VisitSource.self, VisitedLink.self, Visit.self]
}
