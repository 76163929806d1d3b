import Foundation
import Sanderling

// The records of the documentation's examples, which most tests use.

@Record
struct Project: Hashable {
  var id: UUID
  var name: String
  var parentID: Project.ID?
  static let tasks = hasMany(TodoTask.self, by: \.projectID)
  static let comments = hasMany(Comment.self, by: \.projectID)
  static let children = hasMany(Project.self, by: \.parentID)
  static let subtree = hasMany(Project.self, by: \.parentID).recursive()
  static let parent = belongsTo(Project.self, by: \.parentID)
  static let taskComments = hasMany(Comment.self, through: tasks, using: TodoTask.comments)
}

@Record(indexes: [.on(\.projectID, \.isCompleted, \.dueAt)])
struct TodoTask: Hashable {
  var id: UUID
  @References(Project.self, onDelete: .cascade) var projectID: UUID
  var title: String
  var isCompleted = false
  var dueAt: Date?
  static let project = belongsTo(Project.self, by: \.projectID)
  static let comments = hasMany(Comment.self, by: \.taskID)
}

@Record
struct Comment: Hashable {
  var id: UUID
  @References(Project.self, onDelete: .cascade) var projectID: UUID
  @References(TodoTask.self, onDelete: .cascade) var taskID: UUID?
  var text: String
  var createdAt: Date
  static let project = belongsTo(Project.self, by: \.projectID)
  static let task = belongsTo(TodoTask.self, by: \.taskID)
}

@Projection(of: Project.self)
struct ProjectSummary: Hashable {
  var id: UUID
  var name: String
  var openTasks: Int
  var completedTasks: Int
  var comments: Int
  static let openTasks = aggregate { $0.tasks.filter { !$0.isCompleted }.count }
  static let completedTasks = aggregate { $0.tasks.filter { $0.isCompleted }.count }
  static let comments = aggregate { $0.comments.count }
}

/// The schema of the records above.
let todoSchema: [any StoredRecord.Type] = [Project.self, TodoTask.self, Comment.self]

extension UUID {
  /// Makes a key that is easy to read: `UUID(1)` ends in …01 and sorts before `UUID(2)`.
  init(_ number: UInt64) {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (7 - $0))) }
    self.init(
      uuid: (
        0, 0, 0, 0, 0, 0, 0, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]
      ))
  }
}
