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

func tasks(with text: String) -> Selection<TodoTask, TodoTask> {
  TodoTask.where { $0.title.matches(text) }.order { $0.title }
}

@main
struct Todo {
  static func main() async throws {
    let store = try await Store.open(.memory, schema: [Project.self, TodoTask.self]) { tx in
      let home = Project(id: UUID(), name: "Home")
      try tx.insert(home)
      try tx.insert(
        contentsOf: ["Café for breakfast", "Paint the door", "Water the plants"].map { title in
          TodoTask(id: UUID(), projectID: home.id, title: title)
        })
    }
    for text in ["cafe", "pla", "door paint"] {
      print(text, try await store.fetch(tasks(with: text)).map(\.title))
    }
  }
}
