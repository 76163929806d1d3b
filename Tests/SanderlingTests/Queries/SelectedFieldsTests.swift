import Foundation
import Sanderling
import Testing

/// A task with columns of its associated records.
@Projection(of: TodoTask.self)
struct TaskRow: Hashable {
  var project: ProjectSummary
  var id: UUID
  var title: String
  var comments: Int
  static let project = nested(ProjectSummary.self) { $0.project }
  static let comments = aggregate { $0.comments.count }
}

/// A comment whose task may not exist, with the whole task and a part of it.
@Projection(of: Comment.self)
struct CommentRow: Hashable {
  var text: String
  var task: TodoTask?
  var heading: Heading?
  var project: Project
  static let task = nested(TodoTask.self) { $0.task }
  static let heading: SelectedFields<Heading?> = nested(Heading.self) { $0.task }
  static let project = nested(Project.self) { $0.project }
}

/// A part of a task without its key.
@Projection(of: TodoTask.self)
struct Heading: Hashable {
  var title: String
}

@Suite("Whole records and projections in selections")
struct SelectedFieldsTests {
  private let store: Store

  init() async throws {
    store = try await Store.todo()
  }

  @Test func recordsWithTheirAssociatedRecords() async throws {
    let pairs = try await store.fetch(TodoTask.order { $0.id }.select { ($0, $0.project) })
    let projects = try await store.fetch(Project.query)
    #expect(pairs.count == 7)
    #expect(pairs.map(\.0) == (try await store.fetch(TodoTask.order { $0.id })))
    #expect(pairs.allSatisfy { task, project in projects.first { $0.id == task.projectID } == project })
  }

  @Test func recordsThatMayNotExist() async throws {
    let rows = try await store.fetch(
      Comment.order { $0.id }.select { ($0.text, $0.task, $0.project.parent, $0.task.title) })
    #expect(rows.map { $0.0 } == ["deep", "sunny", "again", "and again"])
    #expect(rows.map { $0.1?.title } == ["dig", nil, "weed", "weed"])
    #expect(rows.map { $0.2?.name } == ["home", "home", "garden", "garden"])
    #expect(rows.map { $0.3 } == ["dig", nil, "weed", "weed"])
  }

  @Test func associatedRecordAlone() async throws {
    let projects = try await store.fetch(TodoTask.where { $0.title.hasPrefix("d") }.select { $0.project })
    #expect(projects.map(\.name) == ["garden"])
    let parents = try await store.fetch(Project.order { $0.id }.select { $0.parent })
    #expect(parents.map { $0?.name } == [nil, "home", "home", "garden", nil])
  }

  @Test func sqlHasEachColumnOnce() throws {
    #expect(
      try Comment.select { ($0.text, $0.task) }.sql.sql == """
        SELECT "comment"."text", "todoTask"."id", "todoTask"."projectID", "todoTask"."title", "todoTask"."isCompleted", \
        "todoTask"."dueAt" FROM "comment" LEFT JOIN "todoTask" ON "todoTask"."id" = "comment"."taskID"
        """)
    // If a part doesn't select the key of a row that may not exist, the key is read to show whether the row exists.
    #expect(
      try Comment.select { ($0.text, $0.project, $0.count()) }.group { $0.projectID }.sql.arguments.isEmpty)
  }

  @Test func nestedProjections() async throws {
    let rows = try await store.fetch(TaskRow.where { $0.project.name == "garden" }.order { $0.title })
    let summary = try await store.fetchFirst(ProjectSummary.where { $0.name == "garden" })
    #expect(rows.map(\.title) == ["dig", "mow", "sow"])
    #expect(rows.map(\.comments) == [1, 0, 0])
    #expect(rows.allSatisfy { $0.project == summary })
    #expect(summary?.openTasks == 2)
    let selected = try await store.fetch(TodoTask.order { $0.title }.select { $0.project }.limit(1))
    #expect(selected.map(\.name) == ["Kitchen"])
  }

  @Test func nestedRecordsThatMayNotExist() async throws {
    let rows = try await store.fetch(CommentRow.order { $0.text })
    #expect(rows.map(\.text) == ["again", "and again", "deep", "sunny"])
    #expect(rows.map { $0.task?.title } == ["weed", "weed", "dig", nil])
    #expect(rows.map { $0.heading?.title } == ["weed", "weed", "dig", nil])
    #expect(rows.map(\.project.name) == ["beds", "beds", "garden", "garden"])
    let whole = try await store.fetch(CommentRow.where { $0.task.exists }.order { $0.text }.select { ($0, $0.text) })
    #expect(whole.map(\.0) == Array(rows.prefix(3)))
  }

  @Test func nestedColumnsByName() async throws {
    let query = RawQuery(
      """
      SELECT p."id" AS "project.id", p."name" AS "project.name", 3 AS "project.openTasks", 4 AS "project.completedTasks",
        5 AS "project.comments", t."id", t."title", 0 AS "comments"
      FROM "todoTask" AS t JOIN "project" AS p ON p."id" = t."projectID" WHERE t."title" = 'dig'
      """, as: TaskRow.self)
    let rows = try await store.fetch(query)
    #expect(rows.map(\.project.name) == ["garden"])
    #expect(rows.map(\.project.comments) == [5])
  }

  @Test func errorsNameTheTableOfTheRecord() async throws {
    try await store.write { tx in
      try tx.execute("UPDATE project SET name = x'00' WHERE name = 'garden'")
    }
    let error = await #expect(throws: StoreError.self) {
      try await store.fetch(TodoTask.select { ($0.title, $0.project) })
    }
    guard case .unreadableValue(let table, let column, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(table == "project")
    #expect(column == "name")
    #expect(reason.contains(UUID(2).uuidString), "\(reason)")
  }
}

@MainActor
@Suite("Live lists of whole records and nested projections")
struct LiveSelectedFieldsTests {
  @Test func listsEqualAFreshFetchAfterRandomWrites() async throws {
    var generator = SeededGenerator()
    let folder = TemporaryFolder()
    let store = try Store(
      path: folder.path("random.sqlite"), schema: todoSchema, audit: .everyCommit { Issue.record("\($0)") })
    let pairs = TodoTask.order { ($0.title, $0.id) }.select { ($0, $0.project, $0.project.parent) }
    let comments = CommentRow.order { ($0.task.title, $0.id) }
    let tasks = TaskRow.where { $0.project.parent.exists }.order { ($0.project.name, $0.id) }
    let lists = (store.liveList(pairs, window: 6), store.liveList(comments, window: 9), store.liveList(tasks))
    _ = (lists.0.rows, lists.1.rows, lists.2.rows)
    for step in 0..<120 {
      let changes = (0..<Int.random(in: 1...4, using: &generator)).map { _ in TodoChange.random(using: &generator) }
      try await store.write { tx in for change in changes { try change.run(tx) } }
      await store.settled()
      let fresh = try await store.read { tx in
        (try tx.fetch(pairs.limit(6)), try tx.fetch(comments.limit(9)), try tx.fetch(tasks))
      }
      let seed: Testing.Comment = "step \(step), SANDERLING_SEED=\(generator.seed)"
      try #require(lists.0.elements.map { "\($0)" } == fresh.0.map { "\($0)" }, seed)
      try #require(lists.1.elements == fresh.1, seed)
      try #require(lists.2.elements == fresh.2, seed)
    }
    #expect(try await pairs.explainLive(store).isMaintained)
    #expect(try await comments.explainLive(store).isMaintained)
    #expect(try await tasks.explainLive(store).isMaintained)
  }
}
