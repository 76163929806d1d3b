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
    @References(RemindersList.self, onDelete: .cascade) @Stored(as: .lowercaseUUIDText) var remindersListID: UUID
    var title: String = ""
  }

  @Record("remindersLists")
  struct RemindersList {
    @Stored(as: .lowercaseUUIDText, default: "lower(hex(randomblob(16)))") var id: UUID
    var color: Int = 1253629439
    var title: String = ""
  }

  @Record("remindersTags")
  struct RemindersTag {
    @Stored(as: .lowercaseUUIDText, default: "lower(hex(randomblob(16)))") var id: UUID
    @References(Reminder.self, onDelete: .cascade) @Stored(as: .lowercaseUUIDText) var reminderID: UUID
    @References(Tag.self, onDelete: .cascade, onUpdate: .cascade) var tagID: String
  }

  @Record("tags")
  struct Tag {
    @PrimaryKey @Stored(collation: .nocase) var title: String
  }

  static let schema: [any StoredRecord.Type] = [Reminder.self, RemindersList.self, RemindersTag.self, Tag.self]
}
