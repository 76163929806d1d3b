// swift-format-ignore-file
// The records of PlainMade.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum PlainMade {
  // Not declared: CREATE INDEX some ON "Task List" (parent) WHERE done
  // Not declared: CREATE UNIQUE INDEX folded ON "Task List" (lower("class"))
  @Record("Task List", indexes: [.on(\.listName, .descending(\.createdAt))])
  struct TaskList {
    @Stored("ID") var id: Int64?
    @Stored("List Name") var listName: String = "it's \"new\""
    // Taken for seconds since 1970.
    @Stored("CREATED_AT", as: .unixSeconds) var createdAt: Date
    // Taken for milliseconds since 1970.
    @Stored("last-change", as: .unixMilliseconds) var lastChange: Date?
    var done: Bool? = false
    var `class`: String?
    @Stored("Price") var price: Double?
    @References(TaskList.self, onDelete: .setNull) @Stored("parent") var parentID: Int64?
    // initial is generated, and left out.
    static let parent = belongsTo(TaskList.self, by: \.parentID)
    static let children = hasMany(TaskList.self, by: \.parentID)
  }

  @Record("codes")
  struct Code {
    @PrimaryKey var code: String
    var value: Int?
  }

  @Record
  struct Empty {
    @PrimaryKey var name: String
    // No values show the form of the dates: this is the form that GRDB writes.
    @Stored(as: .dateText) var changed: Date?
    var flag: Bool = true
    var size: Double?
    var data: Data?
  }

  // Only read: the table has no key, so the rowid identifies the rows.
  @Record(view: "log")
  struct Log {
    @PrimaryKey @Stored("rowid") var rowID: Int64
    var line: String?
  }

  // The table open is a view: read it by SQL with RawQuery, or state its key with @Record(view:).

  // The table search is a virtual table: read it by SQL with RawQuery, or state its key with @Record(view:).

  @Record("steps")
  struct Step {
    var id: UUID
    var list: Int
    var number: Int
    // Taken for seconds since 1970.
    @Stored(as: .unixSeconds) var at: Date?
    var flag: Int
    static let task = belongsTo(TaskRecord.self, by: \.list, \.number)
  }

  @Record("tasks")
  struct TaskRecord {
    @PrimaryKey var list: Int
    @PrimaryKey var number: Int
    var title: String
    @Stored(as: .uuidText) var uuid: UUID
    @Stored("key") var keyName: String?
    // Holds integers and texts.
    var mixed: StorageValue?
    @Stored(as: .json) var settings: [String: String]?
    // Holds JSON: a Codable type of your own reads it with @Stored(as: .json).
    var meta: String?
    @Stored("self") var selfValue: Int?
    static let steps = hasMany(Step.self, by: \.list, \.number)
  }

  static let schema: [any StoredRecord.Type] = [TaskList.self, Code.self, Empty.self, Log.self, Step.self, TaskRecord.self]
}
