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
  var title: String
  var isCompleted = false
  var dueAt: Date?
  static let project = belongsTo(Project.self, by: \.projectID)
}

func open(_ path: String) async throws -> Store {
  let store = try await Store.open(path: path, schema: [Project.self, TodoTask.self])
  try await store.write("first project") { tx in
    let project = Project(id: UUID(), name: "Home")
    try tx.insert(project)
    try tx.insert(
      contentsOf: ["Paint the door", "Water the plants"].map { title in
        TodoTask(id: UUID(), projectID: project.id, title: title)
      })
  }
  return store
}

func nextTasks(in store: Store, before date: Date) async throws -> [TodoTask] {
  try await store.fetch(
    TodoTask.where { !$0.isCompleted && $0.dueAt < date && $0.project.name != "Someday" }
      .order { ($0.dueAt, $0.title) }
      .limit(50))
}

@Projection(of: Project.self)
struct ProjectSummary {
  var id: UUID
  var name: String
  var openTasks: Int
  var nextDueAt: Date?
  static let openTasks = aggregate { $0.tasks.filter { !$0.isCompleted }.count }
  static let nextDueAt = aggregate { $0.tasks.filter { !$0.isCompleted }.min(\.dueAt) }
}

func busiestProjects(in store: Store) async throws -> [ProjectSummary] {
  try await store.fetch(
    ProjectSummary.where { $0.openTasks > 0 }.order { ($0.openTasks.descending, $0.name) }.limit(20))
}

@main
struct Todo {
  static func main() async throws {
    let store = try await open("todo.sqlite")
    for project in try await busiestProjects(in: store) {
      print("\(project.name): \(project.openTasks) open")
    }
    try store.close()
  }
}
