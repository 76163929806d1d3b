// swift-format-ignore-file
// The records of ChromiumCookies.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum ChromiumCookies {
  @Record("cookies")
  struct Cookie {
    @Stored("creation_utc") var creationUTC: Int
    @PrimaryKey @Stored("host_key") var hostKey: String
    @PrimaryKey @Stored("top_frame_site_key") var topFrameSiteKey: String
    @PrimaryKey var name: String
    var value: String
    @Stored("encrypted_value") var encryptedValue: Data
    @PrimaryKey var path: String
    @Stored("expires_utc") var expiresUTC: Int
    @Stored("is_secure") var isSecure: Bool
    @Stored("is_httponly") var isHttponly: Bool
    @Stored("last_access_utc") var lastAccessUTC: Int
    @Stored("has_expires") var hasExpires: Bool
    @Stored("is_persistent") var isPersistent: Bool
    var priority: Int
    var samesite: Int
    @PrimaryKey @Stored("source_scheme") var sourceScheme: Int
    @PrimaryKey @Stored("source_port") var sourcePort: Int
    @Stored("last_update_utc") var lastUpdateUTC: Int
    @Stored("source_type") var sourceType: Int
    @PrimaryKey @Stored("has_cross_site_ancestor") var hasCrossSiteAncestor: Bool
  }

  @Record
  struct Meta {
    @PrimaryKey var key: String
    var value: String?
  }

  static let schema: [any StoredRecord.Type] = [Cookie.self, Meta.self]
}
