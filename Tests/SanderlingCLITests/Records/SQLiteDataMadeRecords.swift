// swift-format-ignore-file
// The records of SQLiteDataMade.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum SQLiteDataMade {
  @Record("reminders", indexes: [.on(\.remindersListID)])
  struct Reminder {
    @Stored(as: .lowercaseUUIDText, default: "lower(hex(randomblob(16)))") var id: UUID
    @Stored(as: .dateText) var dueDate: Date?
    var isFlagged: Bool = false
    var notes: String = ""
    var priority: Int?
    @References(ReminderList.self, onDelete: .cascade) @Stored(as: .lowercaseUUIDText) var remindersListID: UUID
    var title: String = ""
    static let remindersList = belongsTo(ReminderList.self, by: \.remindersListID)
    static let reminderTags = hasMany(ReminderTag.self, by: \.reminderID)
    static let tags = hasMany(Tag.self, through: reminderTags, using: ReminderTag.tag)
  }

  @Record("remindersLists")
  struct ReminderList {
    @Stored(as: .lowercaseUUIDText, default: "lower(hex(randomblob(16)))") var id: UUID
    var color: Int = 1253629439
    var title: String = ""
    static let reminders = hasMany(Reminder.self, by: \.remindersListID)
  }

  @Record("remindersTags")
  struct ReminderTag {
    @Stored(as: .lowercaseUUIDText, default: "lower(hex(randomblob(16)))") var id: UUID
    @References(Reminder.self, onDelete: .cascade) @Stored(as: .lowercaseUUIDText) var reminderID: UUID
    @References(Tag.self, onDelete: .cascade, onUpdate: .cascade) var tagID: String
    static let reminder = belongsTo(Reminder.self, by: \.reminderID)
    static let tag = belongsTo(Tag.self, by: \.tagID)
  }

  @Record("tags")
  struct Tag {
    @PrimaryKey @Stored(collation: .nocase) var title: String
    static let reminderTags = hasMany(ReminderTag.self, by: \.tagID)
    static let reminders = hasMany(Reminder.self, through: reminderTags, using: ReminderTag.reminder)
  }

  static let schema: [any StoredRecord.Type] = [Reminder.self, ReminderList.self, ReminderTag.self, Tag.self]
}
