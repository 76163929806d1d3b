import Foundation
import Sanderling

// The records of the aggregate and live suites.

@Record(indexes: [.on(\.name)])
struct Project {
  var id: Int64
  var name: String
  var rank: Int
  static let tasks = hasMany(TodoTask.self, by: \.projectID)
  static let comments = hasMany(Comment.self, by: \.projectID)
}

@Record(indexes: [.on(\.projectID, \.isCompleted, \.dueAt), .on(\.dueAt)])
struct TodoTask {
  var id: Int64
  @References(Project.self, onDelete: .cascade) var projectID: Int64
  var title: String
  var isCompleted = false
  var dueAt: Date?
  static let project = belongsTo(Project.self, by: \.projectID)
}

@Record(indexes: [.on(\.projectID)])
struct Comment {
  var id: Int64
  @References(Project.self, onDelete: .cascade) var projectID: Int64
  var body: String
}

@Projection(of: Project.self)
struct ProjectSummary {
  var id: Int64
  var name: String
  var openTasks: Int
  var completedTasks: Int
  var comments: Int
  static let openTasks = aggregate { $0.tasks.filter { !$0.isCompleted }.count }
  static let completedTasks = aggregate { $0.tasks.filter { $0.isCompleted }.count }
  static let comments = aggregate { $0.comments.count }
}

/// All records above.
let todoSchema: [any StoredRecord.Type] = [Project.self, TodoTask.self, Comment.self]
