import Foundation
import Sanderling

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
  @Searchable(.words) var title: String
  var isCompleted = false
  var dueAt: Date?
  static let project = belongsTo(Project.self, by: \.projectID)
}
