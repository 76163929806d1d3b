import Foundation
import Sanderling
import Observation

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

func tasks(with text: String) -> Selection<TodoTask, TodoTask> {
  TodoTask.where { $0.title.matches(text) }.order { $0.title }
}

@MainActor @Observable
final class TaskSearch {
  let session: SearchSession<TodoTask>

  init(_ store: Store) {
    session = store.searchSession(TodoTask.order { $0.title }) { $0.title }
  }
}
