import Foundation
import Testing

@testable import Sanderling

/// Pages as an app uses them.
@Suite struct PagesTests {
  private func titles(_ page: Page<TodoTask>) -> String { page.rows.map(\.title).joined(separator: " ") }

  @Test func pagesAreReadForwardsAndBackwards() async throws {
    let store = try await Store.todo()
    let pages = store.pages(
      of: TodoTask.where { $0.title != "pay 50% rent" }.order { ($0.dueAt.descending, $0.title) }, size: 2)
    #expect(pages.size == 2)
    let first = try await pages.first()
    #expect(titles(first) == "dig bake")
    #expect(first.previous == nil)
    let second = try await pages.page(after: #require(first.next))
    #expect(titles(second) == "mow weed")
    let third = try await pages.page(after: #require(second.next))
    #expect(titles(third) == "Wash sow")
    #expect(third.next == nil)
    #expect(titles(try await pages.page(before: #require(third.previous))) == "mow weed")
    #expect(titles(try await pages.last()) == "Wash sow")
    #expect(titles(try await pages.page(startingAt: UUID(12))) == "mow weed")
    #expect(titles(try await pages.page(around: UUID(12))) == "mow weed")
    let wide = store.pages(of: TodoTask.order { $0.title }, size: 5)
    #expect(titles(try await wide.page(around: UUID(11))) == "Wash bake dig mow pay 50% rent")
    #expect(titles(try await pages.page(after: pages.cursor(of: UUID(12)))) == "weed Wash")
  }

  @Test func pagesAreIteratedInBothDirections() async throws {
    let store = try await Store.todo()
    let pages = store.pages(of: TodoTask.order { $0.title }, size: 3)
    func titles(_ pages: Pages<TodoTask, TodoTask>) async throws -> [String] {
      var titles: [String] = []
      for try await page in pages { titles.append(self.titles(page)) }
      return titles
    }
    #expect(try await titles(pages) == ["Wash bake dig", "mow pay 50% rent sow", "weed"])
    #expect(try await titles(pages.reversed()) == ["pay 50% rent sow weed", "bake dig mow", "Wash"])
    let dig = try await pages.cursor(of: UUID(11))
    #expect(try await titles(pages.starting(after: dig)) == ["mow pay 50% rent sow", "weed"])
    #expect(try await titles(pages.starting(before: dig)) == ["Wash bake"])
    #expect(try await titles(store.pages(of: TodoTask.where { $0.title == "" }, size: 3)) == [])
    #expect(try await titles(store.pages(of: TodoTask.order { $0.title }, size: 7)).count == 1)
  }

  @Test func projectionsTuplesAndChildren() async throws {
    let store = try await Store.todo()
    let summaries = store.pages(of: ProjectSummary.order { $0.openTasks.descending }, size: 2)
    #expect(try await summaries.first().rows.map(\.openTasks) == [2, 1])
    let last = try await summaries.last()
    #expect(last.rows.count == 2 && last.next == nil && last.previous != nil)
    let tuples = store.pages(of: TodoTask.order { $0.title }.select { ($0.title, $0.project.name) }, size: 1)
    #expect(try await tuples.first().rows.map { "\($0.0) \($0.1)" } == ["Wash Kitchen"])
    #expect(try await tuples.page(startingAt: UUID(14)).rows.map { $0.0 } == ["bake"])

    let projects = Project.order { $0.name }
      .with(Project.tasks.prefetch { $0.order { $0.title }.limit(1) }, Project.parent.prefetch())
    let pages = store.pages(of: projects, size: 2)
    let (first, statements) = try await store.record { try await pages.first() }
    #expect(statements.count == 3)
    #expect(first.rows.map(\.0.name) == ["Kitchen", "beds"])
    #expect(first.rows.map { $0.1.map(\.title) } == [["Wash"], ["weed"]])
    #expect(first.rows.map { $0.2?.name } == ["home", "garden"])
    let back = try await pages.page(before: pages.cursor(of: UUID(2)))
    #expect(back.rows.map(\.0.name) == ["beds", "café"])
    #expect(back.rows.map { $0.1.map(\.title) } == [["weed"], []])
  }

  @Test func inATransaction() async throws {
    let store = try await Store.todo()
    let pages = store.pages(of: TodoTask.order { $0.title }, size: 2)
    let titles = try store.readBlocking { tx in
      let first = try tx.firstPage(of: pages)
      let second = try tx.page(of: pages, after: #require(first.next))
      let again = try tx.page(of: pages, before: #require(second.previous))
      let last = try tx.lastPage(of: pages)
      let around = try tx.page(of: pages, around: UUID(11))
      let start = try tx.page(of: pages, startingAt: UUID(11))
      return [first, second, again, last, around, start].map(self.titles)
    }
    #expect(titles == ["Wash bake", "dig mow", "Wash bake", "sow weed", "dig mow", "dig mow"])
    // A write transaction reads its own rows in pages.
    try await store.write("add") { tx in
      try tx.insert(TodoTask(id: UUID(99), projectID: UUID(1), title: "A"))
      #expect(try tx.firstPage(of: pages).rows.first?.title == "A")
    }
  }

  /// A page with an unreadable value throws an error that names its table and column. Other pages of the query are
  /// returned.
  @Test func aValueThatCannotBeRead() async throws {
    let store = try await Store.todo()
    try await store.write("break") {
      try $0.database.execute(sql: "UPDATE todoTask SET dueAt = 'soon' WHERE title = 'sow'")
    }
    let pages = store.pages(of: TodoTask.order { $0.title }, size: 2)
    _ = try await pages.first()
    await #expect {
      try await pages.last()
    } throws: { error in
      guard case StoreError.unreadableValue(let table, let column, _) = error else { return false }
      return table == "todoTask" && column == "dueAt"
    }
  }

  @Test func cancellation() async throws {
    let store = try await Store.todo()
    let pages = store.pages(of: TodoTask.order { $0.title }, size: 1)
    let task = Task {
      var count = 0
      for try await _ in pages {
        count += 1
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return count
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func aClosedStore() async throws {
    let store = try await Store.todo()
    let pages = store.pages(of: TodoTask.order { $0.title }, size: 1)
    try store.close()
    await #expect(throws: StoreError.closed) { try await pages.first() }
  }
}
