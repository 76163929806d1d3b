import Foundation
import Sanderling
import SanderlingSync

@Record
struct Project {
  var id: UUID
  var name: String
  static let tasks = hasMany(TodoTask.self, by: \.projectID)
}

@Record(indexes: [.on(\.projectID, \.isCompleted, \.dueAt)])
struct TodoTask {
  var id: UUID
  @References(Project.self, onDelete: .cascade) var projectID: UUID
  var title: String
  var isCompleted = false
  @Stored(as: .unixMilliseconds) var dueAt: Date?
  static let project = belongsTo(Project.self, by: \.projectID)
}
