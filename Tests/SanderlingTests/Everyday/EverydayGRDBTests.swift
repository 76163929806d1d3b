import Foundation
import GRDB
import Sanderling
import Testing

/// The GRDB code in the guide to everyday tasks runs on the same tables.
struct EverydayGRDBTests {
  struct Project: Codable, FetchableRecord, PersistableRecord {
    var id: UUID
    var name: String
    var parentID: UUID?
    static let tasks = hasMany(TodoTask.self)

    enum Columns {
      static let id = Column(CodingKeys.id)
      static let name = Column(CodingKeys.name)
    }
  }

  struct TodoTask: Codable, FetchableRecord, PersistableRecord {
    var id: UUID
    var projectID: UUID
    var title: String
    var isCompleted = false
    static let project = belongsTo(Project.self)

    enum Columns {
      static let title = Column(CodingKeys.title)
      static let isCompleted = Column(CodingKeys.isCompleted)
    }
  }

  private func withDatabase<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
    try await Store.todo().writer.write { db in try body(db) }
  }

  struct Summary: Decodable, FetchableRecord {
    var name: String
    var openTasks: Int
    var completedTasks = 0
  }

  @Test func counts() async throws {
    let (own, merged) = try await withDatabase { db in
      let open = Project.tasks.filter { !$0.isCompleted }.forKey("open")
      let completed = Project.tasks.filter { $0.isCompleted }.forKey("completed")
      let request = Project.annotated(
        with: open.count.forKey("openTasks"), completed.count.forKey("completedTasks"))
      let own = try Summary.fetchAll(db, request.order { $0.name })
      let merged = try Summary.fetchAll(
        db,
        Project.annotated(
          with: Project.tasks.filter { !$0.isCompleted }.count.forKey("openTasks"),
          Project.tasks.filter { $0.isCompleted }.count.forKey("completedTasks")))
      return (own, merged)
    }
    #expect(own.first { $0.name == "garden" }.map { [$0.openTasks, $0.completedTasks] } == [2, 1])
    #expect(merged.allSatisfy { $0.openTasks == 0 && $0.completedTasks == 0 })
  }

  struct ProjectWithTasks: Decodable, FetchableRecord {
    var project: Project
    var todoTasks: [TodoTask]
  }

  @Test func children() async throws {
    let boards = try await withDatabase { db in
      try Project.including(all: Project.tasks.order { $0.title }.forKey("todoTasks"))
        .order { $0.name }.asRequest(of: ProjectWithTasks.self).fetchAll(db)
    }
    #expect(boards.first { $0.project.name == "garden" }?.todoTasks.prefix(3).map(\.title) == ["dig", "mow", "sow"])
  }

  struct TaskWithProject: Decodable, FetchableRecord {
    var todoTask: TodoTask
    var project: Project
  }

  @Test func wholeParents() async throws {
    let tasks = try await withDatabase { db in
      try TodoTask.including(required: TodoTask.project).asRequest(of: TaskWithProject.self).fetchAll(db)
    }
    #expect(tasks.count == 7)
  }

  @Test func tree() async throws {
    let home = UUID(1)
    let names = try await withDatabase { db in
      let below = CommonTableExpression(
        recursive: true, named: "below",
        literal: """
          SELECT id FROM project WHERE parentID = \(home)
          UNION SELECT project.id FROM project JOIN below ON project.parentID = below.id
          """)
      return try Project.with(below).filter { below.all().contains($0.id) }.order { $0.name }.fetchAll(db).map(\.name)
    }
    #expect(names == ["Kitchen", "beds", "garden"])
  }

  @Test func writes() async throws {
    let (isCompleted, count, ignored) = try await withDatabase { db in
      var task = try #require(try TodoTask.fetchOne(db, key: UUID(11)))
      try task.updateChanges(db) { $0.isCompleted.toggle() }
      let count = try TodoTask.filter { !$0.isCompleted }.updateAll(db) { $0.isCompleted.set(to: true) }
      try TodoTask(id: UUID(11), projectID: UUID(2), title: "dig deeper").upsert(db)
      let before = db.totalChangesCount
      try Project(id: UUID(1), name: "Inbox").insert(db, onConflict: .ignore)
      return (task.isCompleted, count, db.totalChangesCount - before)
    }
    #expect(isCompleted && count == 3 && ignored == 0)
  }

  @Test func observation() async throws {
    let store = try await Store.todo()
    let observation = ValueObservation.tracking { db in
      try TodoTask.filter { !$0.isCompleted }.order { $0.title }.limit(50).fetchAll(db)
    }
    for try await tasks in observation.values(in: store.writer) {
      #expect(tasks.count == 4)
      break
    }
  }
}
