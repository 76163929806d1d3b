import Foundation
import Sanderling

extension Store {
  /// A small store in memory:
  ///
  ///     home                      "pay 50% rent" done, due at 40
  ///     ├── garden                "dig" due at 30, "mow" done, due at 10, "sow"
  ///     │   └── beds              "weed" due at 10
  ///     └── Kitchen               "bake" due at 20, "Wash" done
  ///     café
  ///
  /// with comments "deep" on dig, "sunny" on garden, "again" and "and again" on weed.
  static func todo() async throws -> Store {
    let store = try Store(inMemory: [Project.self, TodoTask.self, Comment.self])
    try await store.write("fill") { tx in
      try tx.insert(contentsOf: [
        Project(id: UUID(1), name: "home", parentID: nil),
        Project(id: UUID(2), name: "garden", parentID: UUID(1)),
        Project(id: UUID(3), name: "Kitchen", parentID: UUID(1)),
        Project(id: UUID(4), name: "beds", parentID: UUID(2)),
        Project(id: UUID(5), name: "café", parentID: nil),
      ])
      try tx.insert(contentsOf: [
        TodoTask(id: UUID(11), projectID: UUID(2), title: "dig", dueAt: Date(at: 30)),
        TodoTask(id: UUID(12), projectID: UUID(2), title: "mow", isCompleted: true, dueAt: Date(at: 10)),
        TodoTask(id: UUID(13), projectID: UUID(2), title: "sow"),
        TodoTask(id: UUID(14), projectID: UUID(3), title: "bake", dueAt: Date(at: 20)),
        TodoTask(id: UUID(15), projectID: UUID(3), title: "Wash", isCompleted: true),
        TodoTask(id: UUID(16), projectID: UUID(4), title: "weed", dueAt: Date(at: 10)),
        TodoTask(id: UUID(17), projectID: UUID(1), title: "pay 50% rent", isCompleted: true, dueAt: Date(at: 40)),
      ])
      try tx.insert(contentsOf: [
        Comment(id: UUID(21), projectID: UUID(2), taskID: UUID(11), text: "deep", createdAt: Date(at: 1)),
        Comment(id: UUID(22), projectID: UUID(2), taskID: nil, text: "sunny", createdAt: Date(at: 2)),
        Comment(id: UUID(23), projectID: UUID(4), taskID: UUID(16), text: "again", createdAt: Date(at: 3)),
        Comment(id: UUID(24), projectID: UUID(4), taskID: UUID(16), text: "and again", createdAt: Date(at: 4)),
      ])
    }
    return store
  }
}

extension Date {
  /// The moment that is this number of seconds after the reference date.
  init(at seconds: Double) {
    self.init(timeIntervalSinceReferenceDate: seconds)
  }
}
