// swift-format-ignore-file
// The records of PlainMade.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum PlainMade {
  /// Reads every stored value, and writes it back unchanged.
  enum AnyValue: ColumnCoding {
    typealias Value = StorageValue
    static var columnType: ColumnType { .blob }
    static func encode(_ value: StorageValue) -> StorageValue { value }
    static func decode(_ stored: StorageValue) -> StorageValue { stored }
  }

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
    @References(TaskList.self, onDelete: .setNull) var parent: Int64?
    // initial is generated, and left out.
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

  // The table log has no key, and a record needs one: add a UNIQUE index of columns that are NOT NULL.

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
  }

  @Record("tasks")
  struct TaskRecord {
    @PrimaryKey var list: Int
    @PrimaryKey var number: Int
    var title: String
    @Stored(as: .uuidText) var uuid: UUID
    @Stored("key") var key2: String?
    // Holds integers and texts: give the property a type and a ColumnCoding of your own.
    @Stored(as: AnyValue.self) var mixed: StorageValue?
    @Stored(as: .json) var settings: [String: String]?
    // Holds JSON: a Codable type of your own reads it with @Stored(as: .json).
    var meta: String?
    @Stored("self") var selfValue: Int?
  }

  static let schema: [any StoredRecord.Type] = [TaskList.self, Code.self, Empty.self, Step.self, TaskRecord.self]
}
