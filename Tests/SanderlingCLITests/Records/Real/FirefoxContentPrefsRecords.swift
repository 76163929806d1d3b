// swift-format-ignore-file
// The records of FirefoxContentPrefs.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum FirefoxContentPrefs {
  @Record("groups", indexes: [.on(\.name)])
  struct Group {
    var id: Int64?
    var name: String
    static let prefs = hasMany(Pref.self, by: \.groupID)
  }

  @Record("prefs", indexes: [.on(\.timestamp, \.groupID, \.settingID)])
  struct Pref {
    var id: Int64?
    @References(Group.self) var groupID: Int64?
    @References(Setting.self) var settingID: Int64
    var value: Data?
    var timestamp: Int = 0
    static let group = belongsTo(Group.self, by: \.groupID)
    static let setting = belongsTo(Setting.self, by: \.settingID)
  }

  @Record("settings", indexes: [.on(\.name)])
  struct Setting {
    var id: Int64?
    var name: String
    static let prefs = hasMany(Pref.self, by: \.settingID)
  }

  static let schema: [any StoredRecord.Type] = [Group.self, Pref.self, Setting.self]
}
