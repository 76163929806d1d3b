import Foundation
import Testing
import Sanderling

@Record
struct Project {
  var id: Int
  var name: String
  var parentID: Int?
  static let tasks = hasMany(TodoTask.self, by: \.projectID)
  static let comments = hasMany(Comment.self, by: \.projectID)
  static let children = hasMany(Project.self, by: \.parentID)
  static let parent = belongsTo(Project.self, by: \.parentID)
}

@Record(indexes: [.on(\.projectID, \.isCompleted, \.dueAt)])
struct TodoTask {
  var id: Int64?
  @References(Project.self, onDelete: .cascade) var projectID: Int
  var title: String
  var isCompleted = false
  var dueAt: Date?
  static let project = belongsTo(Project.self, by: \.projectID)
}
@Record
struct Comment {
  var id: UUID
  var projectID: Int
}
@Projection(of: Project.self)
struct ProjectSummary {
  var id: Int
  var name: String
  var openTasks: Int
  static let openTasks = aggregate { $0.tasks.filter { !$0.isCompleted }.count }
}

@Test func basics() async throws {
  let store = try Store(inMemory: [Project.self, TodoTask.self, Comment.self])
  try await store.write("x") { tx in
    try tx.database.execute(sql: "insert into project values (1,'a',null),(2,'b',1),(3,'c',2),(4,'d',4)")
    try tx.database.execute(sql: "insert into todoTask values (1,1,'t1',0,null),(2,1,'t2',1,5.5),(3,2,'t3',0,7)")
  }
  func show<R, O>(_ q: Selection<R, O>) async throws {
    print(try q.sql)
    for x in try await store.fetch(q) { print("   ", x) }
  }
  try await show(Project.query)
  try await show(TodoTask.where { $0.project.name == "a" && !$0.isCompleted }.order { ($0.dueAt.descending.nullsLast, $0.id) }.limit(50))
  try await show(Project.select { ($0.name, $0.tasks.count, $0.tasks.max(\.dueAt)) })
  try await show(Project.where { $0.tasks.filter { !$0.isCompleted }.count > 0 && $0.name.contains("a") })
  try await show(ProjectSummary.where { $0.openTasks > 0 }.order { $0.openTasks.descending }.limit(2))
  try await show(Project.order { ($0.parent.name.nullsLastX, $0.name) }.select { ($0.parent.name, $0.children.recursiveX) }.limit(3))
  try await show(Project.where { p in p.children.contains { $0.name > p.name } })
  try await show(TodoTask.group { $0.projectID }.select { ($0.projectID, $0.count()) }.having { $0.count() > 1 })
}
extension Field where Value: SortableColumnValue { var nullsLastX: Ordering { ascending.nullsLast } }
extension ToMany { var recursiveX: Field<Int> { count } }
