// swift-format-ignore-file
// The records of Tusky.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum Tusky {
  @Record("ConversationEntity")
  struct ConversationEntity {
    @PrimaryKey @Stored("accountId") var accountID: Int
    @PrimaryKey var id: String
    var order: Int
    var accounts: String
    var unread: Int
    @Stored("s_id") var sID: String
    @Stored("s_url") var sURL: String?
    @Stored("s_inReplyToId") var sInReplyToID: String?
    @Stored("s_inReplyToAccountId") var sInReplyToAccountID: String?
    @Stored("s_account") var sAccount: String
    @Stored("s_content") var sContent: String
    @Stored("s_createdAt") var sCreatedAt: Int
    @Stored("s_editedAt") var sEditedAt: Int?
    @Stored("s_emojis") var sEmojis: String
    @Stored("s_favouritesCount") var sFavouritesCount: Int
    @Stored("s_repliesCount") var sRepliesCount: Int
    @Stored("s_favourited") var sFavourited: Int
    @Stored("s_bookmarked") var sBookmarked: Int
    @Stored("s_sensitive") var sSensitive: Int
    @Stored("s_spoilerText") var sSpoilerText: String
    @Stored("s_attachments") var sAttachments: String
    @Stored("s_mentions") var sMentions: String
    @Stored("s_tags") var sTags: String?
    @Stored("s_showingHiddenContent") var sShowingHiddenContent: Int
    @Stored("s_expanded") var sExpanded: Int
    @Stored("s_collapsed") var sCollapsed: Int
    @Stored("s_muted") var sMuted: Int
    @Stored("s_poll") var sPoll: String?
    @Stored("s_language") var sLanguage: String?
  }

  @Record("HomeTimelineEntity", indexes: [.on(\.statusID, \.tuskyAccountID), .on(\.reblogAccountID, \.tuskyAccountID)])
  struct HomeTimelineEntity {
    @PrimaryKey @Stored("tuskyAccountId") var tuskyAccountID: Int
    @PrimaryKey var id: String
    @Stored("statusId") var statusID: String?
    @Stored("reblogAccountId") var reblogAccountID: String?
    var loading: Int
    static let status = belongsTo(TimelineStatusEntity.self, by: \.statusID, \.tuskyAccountID)
    static let reblogAccount = belongsTo(TimelineAccountEntity.self, by: \.reblogAccountID, \.tuskyAccountID)
  }

  @Record("NotificationEntity", indexes: [.on(\.accountID, \.tuskyAccountID), .on(\.statusID, \.tuskyAccountID), .on(\.reportID, \.tuskyAccountID)])
  struct NotificationEntity {
    @PrimaryKey @Stored("tuskyAccountId") var tuskyAccountID: Int
    var type: String?
    @PrimaryKey var id: String
    @Stored("accountId") var accountID: String?
    @Stored("statusId") var statusID: String?
    @Stored("reportId") var reportID: String?
    var event: String?
    var moderationWarning: String?
    var loading: Int
    static let account = belongsTo(TimelineAccountEntity.self, by: \.accountID, \.tuskyAccountID)
    static let status = belongsTo(TimelineStatusEntity.self, by: \.statusID, \.tuskyAccountID)
    static let report = belongsTo(NotificationReportEntity.self, by: \.tuskyAccountID, \.reportID)
  }

  @Record("NotificationPolicyEntity")
  struct NotificationPolicyEntity {
    @PrimaryKey @Stored("tuskyAccountId") var tuskyAccountID: Int64?
    var pendingRequestsCount: Int
    var pendingNotificationsCount: Int
  }

  @Record("NotificationReportEntity", indexes: [.on(\.targetAccountID, \.tuskyAccountID)])
  struct NotificationReportEntity {
    @PrimaryKey @Stored("tuskyAccountId") var tuskyAccountID: Int
    @PrimaryKey @Stored("serverId") var serverID: String
    var category: String
    @Stored("statusIds") var statusIDs: String?
    var createdAt: Int
    @Stored("targetAccountId") var targetAccountID: String?
    static let targetAccount = belongsTo(TimelineAccountEntity.self, by: \.targetAccountID, \.tuskyAccountID)
    static let notificationEntities = hasMany(NotificationEntity.self, by: \.tuskyAccountID, \.reportID)
  }

  @Record("TimelineAccountEntity")
  struct TimelineAccountEntity {
    @PrimaryKey @Stored("serverId") var serverID: String
    @PrimaryKey @Stored("tuskyAccountId") var tuskyAccountID: Int
    var localUsername: String
    var username: String
    var displayName: String
    var url: String
    var avatar: String
    var note: String = ""
    var emojis: String
    var bot: Int
    static let homeTimelineEntities = hasMany(HomeTimelineEntity.self, by: \.reblogAccountID, \.tuskyAccountID)
    static let notificationEntities = hasMany(NotificationEntity.self, by: \.accountID, \.tuskyAccountID)
    static let notificationReportEntities = hasMany(NotificationReportEntity.self, by: \.targetAccountID, \.tuskyAccountID)
    static let timelineStatusEntities = hasMany(TimelineStatusEntity.self, by: \.authorServerID, \.tuskyAccountID)
  }

  @Record("TimelineStatusEntity", indexes: [.on(\.authorServerID, \.tuskyAccountID)])
  struct TimelineStatusEntity {
    @PrimaryKey @Stored("serverId") var serverID: String
    var url: String?
    @PrimaryKey @Stored("tuskyAccountId") var tuskyAccountID: Int
    @Stored("authorServerId") var authorServerID: String
    @Stored("inReplyToId") var inReplyToID: String?
    @Stored("inReplyToAccountId") var inReplyToAccountID: String?
    var content: String
    var createdAt: Int
    var editedAt: Int?
    var emojis: String
    var reblogsCount: Int
    var favouritesCount: Int
    var repliesCount: Int
    var reblogged: Int
    var bookmarked: Int
    var favourited: Int
    var sensitive: Int
    var spoilerText: String
    var visibility: Int
    var attachments: String
    var mentions: String
    var tags: String
    var application: String?
    var poll: String?
    var muted: Int
    var expanded: Int
    var contentCollapsed: Int
    var contentShowing: Int
    var pinned: Int
    var card: String?
    var language: String?
    var filtered: String
    static let author = belongsTo(TimelineAccountEntity.self, by: \.authorServerID, \.tuskyAccountID)
    static let homeTimelineEntities = hasMany(HomeTimelineEntity.self, by: \.statusID, \.tuskyAccountID)
    static let notificationEntities = hasMany(NotificationEntity.self, by: \.statusID, \.tuskyAccountID)
  }

  static let schema: [any StoredRecord.Type] = [ConversationEntity.self, HomeTimelineEntity.self, NotificationEntity.self, NotificationPolicyEntity.self, NotificationReportEntity.self, TimelineAccountEntity.self, TimelineStatusEntity.self]
}
