// swift-format-ignore-file
// The records of FirefoxCookies.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum FirefoxCookies {
  @Record("moz_cookies", indexes: [.unique(on: \.name, \.host, \.path, \.originAttributes)])
  struct MozCookie {
    var id: Int64?
    var originAttributes: String = ""
    var name: String?
    var value: String?
    var host: String?
    var path: String?
    var expiry: Int?
    var lastAccessed: Int?
    var creationTime: Int?
    var isSecure: Bool?
    @Stored("isHttpOnly") var isHTTPOnly: Bool?
    var inBrowserElement: Int? = 0
    var sameSite: Int? = 0
    var schemeMap: Int? = 0
    var isPartitionedAttributeSet: Bool? = false
    var updateTime: Int?
  }

  static let schema: [any StoredRecord.Type] = [MozCookie.self]
}
