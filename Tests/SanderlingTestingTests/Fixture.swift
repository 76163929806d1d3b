import Sanderling

@Record
struct Project: Hashable {
  var id: Int
  var name: String
  static let tasks = hasMany(TodoTask.self, by: \.projectID)
}

@Record
struct TodoTask: Hashable {
  var id: Int
  @References(Project.self, onDelete: .cascade) var projectID: Int
  var title: String
  var isCompleted = false
}

/// Fills a store with one project of three tasks.
func seed(_ tx: WriteTransaction) throws {
  try tx.insert(Project(id: 1, name: "Garden"))
  try tx.insert(contentsOf: [
    TodoTask(id: 11, projectID: 1, title: "dig"),
    TodoTask(id: 12, projectID: 1, title: "mow", isCompleted: true),
    TodoTask(id: 13, projectID: 1, title: "sow"),
  ])
}

let schema: [any StoredRecord.Type] = [Project.self, TodoTask.self]
