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

func follow(_ store: Store) async {
  let open = TodoTask.where { !$0.isCompleted }.order { $0.title }
  for await snapshot in store.snapshots(of: open, window: 20) {
    print(snapshot.elements.map(\.title))
  }
}

@main
struct Todo {
  static func main() async throws {
    let store = try await Store.open(.memory, schema: [Project.self, TodoTask.self])
    let following = Task { await follow(store) }
    let home = Project(id: UUID(), name: "Home")
    try await store.write("add project") { tx in try tx.insert(home) }
    for title in ["Paint the door", "Water the plants"] {
      try await store.write("add task") { tx in
        try tx.insert(TodoTask(id: UUID(), projectID: home.id, title: title))
      }
      await store.settled()
    }
    try await store.write("complete task") { tx in
      try tx.update(TodoTask.where { $0.title == "Paint the door" }, .set(\.isCompleted, to: true))
    }
    await store.settled()
    following.cancel()
    await following.value
  }
}
