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
