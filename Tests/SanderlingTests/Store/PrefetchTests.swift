import Foundation
import Sanderling
import Testing

/// Prefetching runs one query for each association, however many rows there are.
@Suite struct PrefetchTests {
  let store: Store

  init() async throws {
    store = try await Store.todo()
  }

  /// Expects the rows of a query and the number of its statements.
  func expect<Root, Output>(
    _ query: PrefetchingSelection<Root, Output>, statements count: Int, rows: [String],
    sourceLocation: SourceLocation = #_sourceLocation, _ line: (Output) -> String
  ) async throws {
    let (fetched, statements) = try await store.record { try await store.fetch(query) }
    #expect(fetched.map(line) == rows, sourceLocation: sourceLocation)
    let selects = statements.filter { $0.sql.hasPrefix("SELECT") || $0.sql.hasPrefix("WITH") }
    #expect(selects.count == count, "\(selects.map(\.sql))", sourceLocation: sourceLocation)
  }

  @Test func toMany() async throws {
    try await expect(
      Project.order { $0.name }.with(Project.tasks.prefetch { $0.order { $0.title } }), statements: 2,
      rows: ["Kitchen: Wash bake", "beds: weed", "café:", "garden: dig mow sow", "home: pay 50% rent"]
    ) { project, tasks in ([project.name + ":"] + tasks.map(\.title)).joined(separator: " ") }
  }

  @Test func atAnyDepth() async throws {
    try await expect(
      Project.order { $0.name }.with(Project.children.recursive().prefetch { $0.order { $0.name } }), statements: 2,
      rows: ["Kitchen:", "beds:", "café:", "garden: beds", "home: Kitchen beds garden"]
    ) { project, below in ([project.name + ":"] + below.map(\.name)).joined(separator: " ") }
    try await expect(
      Project.order { $0.name }.limit(2, offset: 3).with(
        Project.children.recursive(includingSelf: true).prefetch { query in
          query.filter { $0.tasks.exists }.order { $0.name.descending }.limit(2).with(Project.tasks.prefetch())
        }), statements: 3,
      rows: ["garden: garden 3 beds 1", "home: home 1 garden 3"]
    ) { project, below in
      ([project.name + ":"] + below.map { "\($0.0.name) \($0.1.count)" }).joined(separator: " ")
    }
  }

  @Test func toOne() async throws {
    try await expect(
      Project.order { $0.name }.with(Project.parent.prefetch()), statements: 2,
      rows: ["Kitchen home", "beds garden", "café -", "garden home", "home -"]
    ) { project, parent in "\(project.name) \(parent?.name ?? "-")" }
    try await expect(
      Comment.order { $0.id }.with(Comment.task.prefetch(), Comment.project.prefetch()), statements: 3,
      rows: ["deep dig garden", "sunny - garden", "again weed beds", "and again weed beds"]
    ) { comment, task, project in "\(comment.text) \(task?.title ?? "-") \(project?.name ?? "-")" }
  }

  @Test func filteredAndOrdered() async throws {
    try await expect(
      Project.where { $0.name != "home" }.order { $0.name.descending }.with(
        Project.tasks.filter { !$0.isCompleted }.prefetch {
          $0.filter { $0.dueAt != nil && $0.project.name != "beds" }.order { $0.dueAt.descending }
        }, Project.comments.prefetch { $0.order { $0.task.title } }),
      statements: 3,
      rows: ["garden [dig] [sunny deep]", "café [] []", "beds [] [again and again]", "Kitchen [bake] []"]
    ) { project, tasks, comments in
      let (tasks, comments) = (tasks.map(\.title), comments.map(\.text))
      return "\(project.name) [\(tasks.joined(separator: " "))] [\(comments.joined(separator: " "))]"
    }
  }

  /// A limit applies to each parent separately.
  @Test func limitForEachParent() async throws {
    try await expect(
      Project.order { $0.name }.with(Project.tasks.prefetch { $0.order { $0.title.descending }.limit(2) }),
      statements: 2,
      rows: ["Kitchen: bake Wash", "beds: weed", "café:", "garden: sow mow", "home: pay 50% rent"]
    ) { project, tasks in ([project.name + ":"] + tasks.map(\.title)).joined(separator: " ") }
    try await expect(
      Project.order { $0.name }.with(
        Project.tasks.prefetch {
          $0.filter { $0.project.parent.exists }.order { ($0.comments.count.descending, $0.title) }.limit(1, offset: 1)
        }), statements: 2,
      rows: ["Kitchen: bake", "beds:", "café:", "garden: mow", "home:"]
    ) { project, tasks in ([project.name + ":"] + tasks.map(\.title)).joined(separator: " ") }
  }

  @Test func nested() async throws {
    try await expect(
      Project.where { !$0.parent.exists }.order { $0.name }.with(
        Project.children.prefetch {
          $0.order { $0.name }.with(
            Project.tasks.prefetch { $0.order { $0.title }.with(TodoTask.comments.prefetch { $0.order { $0.text } }) },
            Project.parent.prefetch())
        }),
      statements: 5,
      rows: ["café []", "home [Kitchen/home(Wash bake) garden/home(dig:deep mow sow)]"]
    ) { project, children in
      let texts = children.map { child, tasks, parent in
        let titles = tasks.map { ([$0.title] + $1.map(\.text)).joined(separator: ":") }
        return "\(child.name)/\(parent?.name ?? "-")(\(titles.joined(separator: " ")))"
      }
      return "\(project.name) [\(texts.joined(separator: " "))]"
    }
  }

  @Test func nestedBehindToOne() async throws {
    try await expect(
      Comment.order { $0.id }.with(Comment.task.prefetch { $0.with(TodoTask.project.prefetch()) }), statements: 3,
      rows: ["deep dig/garden", "sunny -", "again weed/beds", "and again weed/beds"]
    ) { comment, task in "\(comment.text) \(task.map { "\($0.title)/\($1?.name ?? "-")" } ?? "-")" }
  }

  /// Without parents, or with no keys in their rows, no associated rows are queried.
  @Test func noParents() async throws {
    try await expect(
      Project.where { $0.name == "" }.with(Project.tasks.prefetch(), Project.parent.prefetch()), statements: 1, rows: []
    ) { project, _, _ in project.name }
    try await expect(
      Project.where { !$0.parent.exists }.order { $0.name }.with(Project.parent.prefetch()), statements: 1,
      rows: ["café -", "home -"]
    ) { project, parent in "\(project.name) \(parent?.name ?? "-")" }
  }

  /// Each statement finds its rows by an index, whatever the number of parents.
  @Test func manyParents() async throws {
    try await store.write("add") { tx in
      for number in UInt64(100)..<1300 {
        try tx.insert(Project(id: UUID(number), name: "many", parentID: nil))
        for task in UInt64(0)..<3 {
          try tx.insert(TodoTask(id: UUID(number * 10 + task), projectID: UUID(number), title: "\(number) \(task)"))
        }
      }
    }
    let projects = Project.where { $0.name == "many" }.order { $0.id }
    let all = try await store.fetch(projects.with(Project.tasks.prefetch { $0.order { $0.id } }))
    let two = try await store.fetch(projects.with(Project.tasks.prefetch { $0.order { $0.id }.limit(2) }))
    #expect(all.map { $1.map(\.title) } == (100..<1300).map { number in (0..<3).map { "\(number) \($0)" } })
    #expect(two.map { $1.map(\.title) } == (100..<1300).map { number in (0..<2).map { "\(number) \($0)" } })
  }

  @Test func distinctRowsCannotBePrefetched() async throws {
    await #expect(
      throws: StoreError.invalidQuery(
        "a prefetch reads rows of a table: leave out distinct(), group(by:) and other sources")
    ) { try await store.fetch(Project.query.with(Project.tasks.prefetch { $0.distinct() })) }
  }
}
