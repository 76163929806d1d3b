// swift-format-ignore-file
// The records of ChromiumLogins.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum ChromiumLogins {
  // Only read: the table has no key, so the rowid identifies the rows.
  @Record(view: "insecure_credentials")
  struct InsecureCredential {
    @PrimaryKey @Stored("rowid") var rowID: Int64
    @Stored("parent_id") var parentID: Int64?
    @Stored("insecurity_type") var insecurityType: Int
    @Stored("create_time") var createTime: Int
    @Stored("is_muted") var isMuted: Bool
    @Stored("trigger_notification_from_backend") var triggerNotificationFromBackend: Int
    static let parent = belongsTo(Login.self, by: \.parentID)
  }

  @Record("logins", indexes: [.unique(on: \.originURL, \.usernameElement, \.usernameValue, \.passwordElement, \.signonRealm), .on(\.signonRealm)])
  struct Login {
    @Stored("origin_url") var originURL: String
    @Stored("action_url") var actionURL: String?
    @Stored("username_element") var usernameElement: String?
    @Stored("username_value") var usernameValue: String?
    @Stored("password_element") var passwordElement: String?
    @Stored("password_value") var passwordValue: Data?
    @Stored("submit_element") var submitElement: String?
    @Stored("signon_realm") var signonRealm: String
    @Stored("date_created") var dateCreated: Int
    @Stored("blacklisted_by_user") var blacklistedByUser: Int
    var scheme: Int
    @Stored("password_type") var passwordType: Int?
    @Stored("times_used") var timesUsed: Int?
    @Stored("form_data") var formData: Data?
    @Stored("display_name") var displayName: String?
    @Stored("icon_url") var iconURL: String?
    @Stored("federation_url") var federationURL: String?
    @Stored("skip_zero_click") var skipZeroClick: Int?
    @Stored("generation_upload_status") var generationUploadStatus: Int?
    @Stored("possible_username_pairs") var possibleUsernamePairs: Data?
    var id: Int64?
    @Stored("date_last_used") var dateLastUsed: Int = 0
    @Stored("moving_blocked_for") var movingBlockedFor: Data?
    @Stored("date_password_modified") var datePasswordModified: Int = 0
    @Stored("sender_email") var senderEmail: String?
    @Stored("sender_name") var senderName: String?
    @Stored("date_received") var dateReceived: Int?
    @Stored("sharing_notification_displayed") var sharingNotificationDisplayed: Int = 0
    @Stored("keychain_identifier") var keychainIdentifier: Data?
    @Stored("sender_profile_image_url") var senderProfileImageURL: String?
    @Stored("date_last_filled") var dateLastFilled: Int = 0
    @Stored("actor_login_approved") var actorLoginApproved: Int = 0
    static let insecureCredentials = hasMany(InsecureCredential.self, by: \.parentID)
    static let passwordNotes = hasMany(PasswordNote.self, by: \.parentID)
  }

  @Record
  struct Meta {
    @PrimaryKey var key: String
    var value: String?
  }

  @Record("password_notes", indexes: [.unique(on: \.parentID, \.keyName), .on(\.parentID)])
  struct PasswordNote {
    var id: Int64?
    @References(Login.self, onDelete: .cascade, onUpdate: .cascade) @Stored("parent_id") var parentID: Int64
    @Stored("key") var keyName: String
    var value: Data?
    @Stored("date_created") var dateCreated: Int
    var confidential: Int?
    static let parent = belongsTo(Login.self, by: \.parentID)
  }

  // Only read: the table has no key, so the rowid identifies the rows.
  @Record(view: "stats")
  struct Stat {
    @PrimaryKey @Stored("rowid") var rowID: Int64
    @Stored("origin_domain") var originDomain: String
    @Stored("username_value") var usernameValue: String?
    @Stored("dismissal_count") var dismissalCount: Int?
    @Stored("update_time") var updateTime: Int
  }

  @Record("sync_entities_metadata")
  struct SyncEntitiesMetadata {
    @PrimaryKey @Stored("storage_key") var storageKey: Int64?
    var metadata: String
  }

  @Record("sync_model_metadata")
  struct SyncModelMetadata {
    var id: Int64?
    @Stored("model_metadata") var modelMetadata: String
  }

  static let schema: [any StoredRecord.Type] = [InsecureCredential.self, Login.self, Meta.self, PasswordNote.self, Stat.self, SyncEntitiesMetadata.self, SyncModelMetadata.self]
}
